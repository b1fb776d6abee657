use board::session::LinkError;
use proptest::prelude::*;
use rules::Ply;
use wire::link::ReceiveError;

use super::world::World;

/// A random step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    BoardPlays(u16),
    RelayPlays(u16),
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
    BoardCondenses,
    RelayCondenses,
    /// A frame of an earlier connection is delivered to one of the sides.
    Late(prop::sample::Index, bool),
    Wait(u16),
}

/// Frequent normal steps, and rare faults.
pub(crate) fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => any::<u16>().prop_map(Step::BoardPlays),
        6 => any::<u16>().prop_map(Step::RelayPlays),
        3 => Just(Step::BoardKeeps),
        3 => Just(Step::RelayKeeps),
        3 => Just(Step::BoardWrites),
        3 => Just(Step::RelayWrites),
        10 => Just(Step::BoardSends),
        10 => Just(Step::RelaySends),
        12 => Just(Step::ToRelay),
        12 => Just(Step::ToBoard),
        4 => Just(Step::Connect),
        1 => Just(Step::Cut),
        1 => Just(Step::BoardCrashes),
        1 => Just(Step::RelayCrashes),
        1 => Just(Step::BoardCondenses),
        1 => Just(Step::RelayCondenses),
        1 => (any::<prop::sample::Index>(), any::<bool>()).prop_map(|(index, relay)| Step::Late(index, relay)),
        2 => any::<u16>().prop_map(Step::Wait),
    ]
}

pub(crate) fn take(world: &mut World, step: Step) {
    match step {
        Step::BoardPlays(choice) => world.play_board(choice),
        Step::RelayPlays(choice) => world.play_relay(choice),
        Step::BoardKeeps => world.keep_board(),
        Step::RelayKeeps => world.keep_relay(),
        Step::BoardWrites => world.write_board(),
        Step::RelayWrites => world.write_relay(),
        Step::BoardSends => drop(world.send_board()),
        Step::RelaySends => drop(world.send_relay()),
        Step::ToRelay => drop(world.deliver_to_relay()),
        Step::ToBoard => drop(world.deliver_to_board()),
        // Connections last for some steps, because a handshake alone takes several.
        Step::Connect if world.board.connect_at().is_none() => {}
        Step::Connect => world.connect(),
        Step::Cut => world.cut(),
        Step::BoardCrashes => world.crash_board(),
        Step::RelayCrashes => world.crash_relay(),
        Step::BoardCondenses => world.condense_board(),
        Step::RelayCondenses => world.condense_relay(),
        Step::Late(index, to_relay) => {
            if !world.late.is_empty() {
                let frame = world.late.swap_remove(index.index(world.late.len()));
                if to_relay { world.wire.to_relay.push_back(frame) } else { world.wire.to_board.push_back(frame) }
            }
        }
        Step::Wait(ms) => world.now = world.now.after(u64::from(ms)),
    }
}

/// The moves that are stored at one end at least. Moves alternate, so the longer list starts with the shorter one.
fn written(world: &World) -> Vec<Ply> {
    let (board, relay) = (&world.board_player.journal.plies, &world.relay_player.journal.plies);
    let (longer, shorter) = if board.len() >= relay.len() { (board, relay) } else { (relay, board) };
    assert!(longer.starts_with(shorter), "the sides have written down different games");
    longer.clone()
}

/// Only foreign frames and timeouts may break a connection.
pub(crate) fn assert_honest(broken: &[LinkError]) {
    for &broken in broken {
        let excusable = matches!(
            broken,
            LinkError::Receive(ReceiveError::Forged | ReceiveError::Length(_))
                | LinkError::Answer(_)
                | LinkError::Closed
                | LinkError::KeepaliveTimeout
                | LinkError::AckTimeout
        );
        assert!(excusable, "{broken}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Connections break at any time, and both sides restart with nothing but their journals. In the end every stored move is in both games,
    /// exactly once and in order.
    #[test]
    fn every_move_arrives_exactly_once(steps in prop::collection::vec(any_step(), 0..600)) {
        let mut world = World::new();
        let mut truth: Vec<Ply> = Vec::new();
        for step in steps {
            take(&mut world, step);
            let written = written(&world);
            prop_assert!(written.starts_with(&truth), "a move is gone that was written down");
            truth = written;
        }
        world.settle();
        assert_honest(&world.broken);
        world.assert_agreement();
        let plies: Vec<Ply> = world.board_player.game.plies_from(0).collect();
        prop_assert!(plies.starts_with(&truth));
        // Moves beyond the stored ones were played, but not stored yet.
        prop_assert!(plies.len() <= truth.len() + 2);
    }
}
