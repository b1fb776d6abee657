use board::session::LinkError;
use chess::{Color, Move};
use proptest::prelude::*;

use super::fixture::Fixture;
use crate::room::{Act, Phase};

/// A random step.
#[derive(Clone, Debug)]
pub(super) enum Step {
    BoardPlays(u16),
    OtherPlays(u16),
    BoardStores,
    RelayStores,
    BoardFlashes,
    RelayWritesRecord,
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
    Other(Act),
}

pub(super) fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => any::<u16>().prop_map(Step::BoardPlays),
        6 => any::<u16>().prop_map(Step::OtherPlays),
        4 => Just(Step::BoardStores),
        4 => Just(Step::RelayStores),
        2 => Just(Step::BoardFlashes),
        2 => Just(Step::RelayWritesRecord),
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

fn any_step_of_players() -> impl Strategy<Value = Step> {
    prop_oneof![
        30 => any_step(),
        1 => any::<bool>().prop_map(Step::BoardShowsKings),
        1 => Just(Step::BoardUndoes),
        1 => Just(Step::BoardSetsUp),
        1 => Just(Step::Other(Act::OfferDraw)),
        1 => Just(Step::Other(Act::DeclineDraw)),
        1 => (1..=2_u8).prop_map(|plies| Step::Other(Act::AskTakeback { plies })),
        1 => (1..=2_u8).prop_map(|plies| Step::Other(Act::AcceptTakeback { plies })),
        1 => Just(Step::Other(Act::DeclineTakeback)),
        1 => any::<bool>().prop_map(|on| Step::Other(Act::Hints { on })),
    ]
}

pub(super) fn take(fixture: &mut Fixture, step: Step) {
    match step {
        Step::BoardPlays(choice) => fixture.board.play_any(choice),
        Step::OtherPlays(choice) => fixture.other_plays_any(choice),
        Step::BoardStores => fixture.board.store(),
        Step::RelayStores => fixture.store(),
        Step::BoardFlashes => {
            fixture.board.finish_flash_operation();
            fixture.board.start_flash_operation();
        }
        Step::RelayWritesRecord => {
            fixture.finish_storing();
            fixture.start_storing();
        }
        Step::BoardSends => drop(fixture.send_board()),
        Step::RelaySends => drop(fixture.send_relay()),
        Step::ToRelay => drop(fixture.deliver_to_relay()),
        Step::ToBoard => drop(fixture.deliver_to_board()),
        Step::Connect => fixture.connect(),
        Step::Cut => fixture.cut(),
        Step::BoardCrashes => fixture.crash_board(),
        Step::RelayCrashes => fixture.crash_relay(),
        Step::BoardShowsKings(resigns) => fixture.board.show_kings(resigns),
        Step::BoardUndoes => fixture.board.undo(),
        Step::BoardSetsUp => fixture.board.set_up(),
        Step::Other(act) => drop(fixture.other(act)),
    }
}

/// The moves that are stored at one end at least. Moves alternate, so the longer list starts with the shorter one.
fn stored_moves(fixture: &Fixture) -> Vec<Move> {
    let room = fixture.moves();
    let (game, board) = fixture.board.stored();
    if game != fixture.room.game_id().0 || board.len() <= room.len() {
        assert!(
            game != fixture.room.game_id().0 || room.starts_with(board),
            "board and relay have stored different games"
        );
        return room;
    }
    assert!(board.starts_with(&room), "board and relay have stored different games");
    board.to_vec()
}

/// Only timeouts may break a connection here.
fn assert_only_timeouts(errors: &[LinkError]) {
    for error in errors {
        assert!(matches!(error, LinkError::KeepaliveTimeout | LinkError::AckTimeout), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Connections break at any time, and board and relay restart with nothing but what they have stored. Every move is played exactly
    /// once and in order, and no stored move is lost.
    #[test]
    fn every_move_is_played_exactly_once(
        white in any::<bool>(),
        seed in any::<u64>(),
        steps in prop::collection::vec(any_step(), 0..400),
    ) {
        let mut fixture = Fixture::new(if white { Color::White } else { Color::Black }, seed);
        let mut truth: Vec<Move> = Vec::new();
        for step in steps {
            take(&mut fixture, step);
            let stored = stored_moves(&fixture);
            prop_assert!(stored.starts_with(&truth), "a stored move is lost");
            truth = stored;
        }
        fixture.settle();
        assert_only_timeouts(&fixture.errors);
        prop_assert_eq!(fixture.refused, 0);
        fixture.assert_agreement();
        prop_assert!(fixture.moves().starts_with(&truth));
    }

    /// The same with draw offers, takebacks, resignations and new games. In the end the board has the game of the room.
    #[test]
    fn board_and_room_agree_after_all_acts_of_players(
        white in any::<bool>(),
        seed in any::<u64>(),
        steps in prop::collection::vec(any_step_of_players(), 0..400),
    ) {
        let mut fixture = Fixture::new(if white { Color::White } else { Color::Black }, seed);
        for step in steps {
            take(&mut fixture, step);
        }
        fixture.settle();
        assert_only_timeouts(&fixture.errors);
        if fixture.board.info().expect("no snapshot is being received").game == 0 {
            // After the end of the game the pieces were set up for another one.
            prop_assert!(fixture.room.phase() == Phase::Over);
        } else {
            fixture.assert_agreement();
        }
    }
}
