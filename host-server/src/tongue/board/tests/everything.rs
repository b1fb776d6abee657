use board::session::Broken;
use chess::{Color, Move};
use proptest::prelude::*;

use super::table::World;
use crate::room::Phase;
use crate::tongue::board::want::Want;

/// What can happen next.
#[derive(Clone, Copy, Debug)]
enum Step {
    BoardPlays(u16),
    OtherPlays(u16),
    BoardKeeps,
    RelayKeeps,
    BoardWrites,
    RelayWrites,
    BoardSends,
    RelaySends,
    ToRelay,
    ToBoard,
    Connect,
    Cut,
    BoardCrashes,
    RelayCrashes,
    BoardShowsKings(bool),
    BoardUndoes,
    BoardSetsUp,
    Other(Want),
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => any::<u16>().prop_map(Step::BoardPlays),
        6 => any::<u16>().prop_map(Step::OtherPlays),
        4 => Just(Step::BoardKeeps),
        4 => Just(Step::RelayKeeps),
        2 => Just(Step::BoardWrites),
        2 => Just(Step::RelayWrites),
        12 => Just(Step::BoardSends),
        12 => Just(Step::RelaySends),
        14 => Just(Step::ToRelay),
        14 => Just(Step::ToBoard),
        5 => Just(Step::Connect),
        1 => Just(Step::Cut),
        1 => Just(Step::BoardCrashes),
        1 => Just(Step::RelayCrashes),
    ]
}

fn any_whim() -> impl Strategy<Value = Step> {
    prop_oneof![
        30 => any_step(),
        1 => any::<bool>().prop_map(Step::BoardShowsKings),
        1 => Just(Step::BoardUndoes),
        1 => Just(Step::BoardSetsUp),
        1 => Just(Step::Other(Want::Draw)),
        1 => Just(Step::Other(Want::NoDraw)),
        1 => (1..=2_u8).prop_map(|plies| Step::Other(Want::Takeback { plies })),
        1 => (1..=2_u8).prop_map(|plies| Step::Other(Want::AllowTakeback { plies })),
        1 => Just(Step::Other(Want::NoTakeback)),
        1 => any::<bool>().prop_map(|on| Step::Other(Want::Hints { on })),
    ]
}

fn take(world: &mut World, step: Step) {
    match step {
        Step::BoardPlays(choice) => world.desk.play_any(choice),
        Step::OtherPlays(choice) => world.other_plays_any(choice),
        Step::BoardKeeps => world.desk.keep(),
        Step::RelayKeeps => world.keep(),
        Step::BoardWrites => {
            world.desk.have_written();
            world.desk.begin_to_write();
        }
        Step::RelayWrites => {
            world.have_written();
            world.begin_to_write();
        }
        Step::BoardSends => drop(world.send_board()),
        Step::RelaySends => drop(world.send_relay()),
        Step::ToRelay => drop(world.deliver_to_relay()),
        Step::ToBoard => drop(world.deliver_to_board()),
        Step::Connect => world.connect(),
        Step::Cut => world.cut(),
        Step::BoardCrashes => world.crash_board(),
        Step::RelayCrashes => world.crash_relay(),
        Step::BoardShowsKings(resigns) => world.desk.show_kings(resigns),
        Step::BoardUndoes => world.desk.undo(),
        Step::BoardSetsUp => world.desk.set_up(),
        Step::Other(want) => drop(world.other(want)),
    }
}

/// The moves that are written down at one end at least. Moves are made in turn, so the longer list has the shorter.
fn written(world: &World) -> Vec<Move> {
    let room = world.moves();
    let (game, board) = world.desk.written();
    if game != world.room.game_id().0 || board.len() <= room.len() {
        assert!(
            game != world.room.game_id().0 || room.starts_with(board),
            "the sides have written down different games"
        );
        return room;
    }
    assert!(board.starts_with(&room), "the sides have written down different games");
    board.to_vec()
}

/// Only time may break a connection here.
fn assert_honest(broken: &[Broken]) {
    for broken in broken {
        assert!(matches!(broken, Broken::Silent | Broken::Unheard), "{broken}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whatever happens to connections, and however often board and relay restart with nothing but what they have written
    /// down: every move is played once, and in order, and nothing that was written down is lost.
    #[test]
    fn every_move_is_played_exactly_once(
        white in any::<bool>(),
        seed in any::<u64>(),
        steps in prop::collection::vec(any_step(), 0..400),
    ) {
        let mut world = World::new(if white { Color::White } else { Color::Black }, seed);
        let mut truth: Vec<Move> = Vec::new();
        for step in steps {
            take(&mut world, step);
            let written = written(&world);
            prop_assert!(written.starts_with(&truth), "a move is gone that was written down");
            truth = written;
        }
        world.settle();
        assert_honest(&world.broken);
        prop_assert_eq!(world.refused, 0);
        world.assert_agreement();
        prop_assert!(world.moves().starts_with(&truth));
    }

    /// The same with everything that players can do to each other. In the end the board has the game of the room.
    #[test]
    fn whatever_they_do_in_the_end_they_agree(
        white in any::<bool>(),
        seed in any::<u64>(),
        steps in prop::collection::vec(any_whim(), 0..400),
    ) {
        let mut world = World::new(if white { Color::White } else { Color::Black }, seed);
        for step in steps {
            take(&mut world, step);
        }
        world.settle();
        assert_honest(&world.broken);
        if world.desk.card.game == 0 {
            // The game was over, and the pieces have been set up again.
            prop_assert!(world.room.phase() == Phase::Over);
        } else {
            world.assert_agreement();
        }
    }
}
