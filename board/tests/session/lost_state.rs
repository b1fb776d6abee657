use board::session::LinkError;
use proptest::prelude::*;

use super::exactly_once::{Step, any_step, assert_honest, take};
use super::world::World;

#[derive(Clone, Copy, Debug)]
enum Turn {
    Step(Step),
    BoardForgets,
    RelayForgets,
}

fn any_turn() -> impl Strategy<Value = Turn> {
    prop_oneof![
        60 => any_step().prop_map(Turn::Step),
        1 => Just(Turn::BoardForgets),
        1 => Just(Turn::RelayForgets),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Sides lose their whole state at random times. In the end both agree, and no side receives an invalid event.
    #[test]
    fn a_side_that_lost_its_state_receives_a_snapshot(turns in prop::collection::vec(any_turn(), 0..600)) {
        let mut world = World::new();
        for turn in turns {
            match turn {
                Turn::Step(step) => take(&mut world, step),
                Turn::BoardForgets => world.wipe_board(),
                Turn::RelayForgets => world.wipe_relay(),
            }
        }
        world.settle();
        assert_honest(&world.broken);
        world.assert_agreement();
    }
}

/// Plays some moves in turn. All of them are received.
fn played(plies: u16) -> World {
    let mut world = World::new();
    for choice in 0..plies {
        world.play_board(choice);
        world.settle();
        world.play_relay(choice);
        world.settle();
    }
    assert_eq!(world.board_player.game.sheet().len(), usize::from(plies) * 2);
    world
}

#[test]
fn a_reset_board_receives_its_game() {
    let mut world = played(5);
    let game = world.relay_player.game.clone();
    world.wipe_board();
    // Before it reconnects, a move is made in what it takes for a new game.
    world.play_board(0);
    world.settle();
    assert_eq!(*world.board_player.game, *game);
    world.assert_agreement();
}

#[test]
fn a_relay_that_lost_its_store_receives_the_game_of_the_board() {
    let mut world = played(5);
    world.cut();
    world.play_board(7);
    let game = world.board_player.game.clone();
    world.wipe_relay();
    world.settle();
    assert_eq!(*world.relay_player.game, *game);
    world.assert_agreement();
}

/// A journal that has lost its last entries is worse than an empty one: sequence numbers would be used twice.
#[test]
fn a_side_with_an_outdated_journal_starts_a_new_stream() {
    for is_board in [true, false] {
        let mut world = played(2);
        let old = (world.board_player.journal.clone(), world.relay_player.journal.clone());
        for choice in 0..3 {
            world.play_board(choice);
            world.settle();
            world.play_relay(choice);
            world.settle();
        }
        let game = world.board_player.game.clone();
        if is_board {
            world.board_player.journal = old.0;
            world.crash_board();
        } else {
            world.relay_player.journal = old.1;
            world.crash_relay();
        }
        world.settle();
        assert_eq!(world.broken, [LinkError::StateLost]);
        assert_eq!(world.board_player.game, game);
        world.assert_agreement();
    }
}

/// Acknowledged events are no longer queued, so a side that has lost them receives a snapshot.
#[test]
fn events_lost_after_their_receipt_are_sent_again() {
    let mut world = played(2);
    let seen = world.relay_player.journal.memory.seen;
    let (moves, events) = (world.relay_player.journal.plies.clone(), world.relay_player.journal.events.clone());
    world.play_board(1);
    world.settle();
    // It has sent nothing since, so its own stream is intact.
    let journal = &mut world.relay_player.journal;
    journal.memory.seen = seen;
    (journal.plies, journal.events) = (moves, events);
    world.crash_relay();
    world.settle();
    assert!(world.broken.is_empty());
    assert_eq!(world.relay_player.game.sheet().len(), 5);
    world.assert_agreement();
}
