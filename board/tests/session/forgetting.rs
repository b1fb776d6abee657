use board::session::Broken;
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

    /// However often a side loses all its memory, they agree in the end, and nobody is told what makes no sense.
    #[test]
    fn whoever_forgets_everything_is_told_everything(turns in prop::collection::vec(any_turn(), 0..600)) {
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

/// Plays some moves in turn, all of them heard.
fn played(plies: u16) -> World {
    let mut world = World::new();
    for choice in 0..plies {
        world.play_board(choice);
        world.settle();
        world.play_relay(choice);
        world.settle();
    }
    assert_eq!(world.board_player.game.moves().len(), usize::from(plies) * 2);
    world
}

#[test]
fn a_board_that_was_reset_gets_its_game_back() {
    let mut world = played(5);
    let game = world.relay_player.game.clone();
    world.wipe_board();
    // It does not know yet, and somebody moves a piece in what it takes for a new game.
    world.play_board(0);
    world.settle();
    assert_eq!(*world.board_player.game, *game);
    world.assert_agreement();
}

#[test]
fn a_relay_that_lost_its_store_gets_the_game_from_the_board() {
    let mut world = played(5);
    world.cut();
    world.play_board(7);
    let game = world.board_player.game.clone();
    world.wipe_relay();
    world.settle();
    assert_eq!(*world.relay_player.game, *game);
    world.assert_agreement();
}

/// A journal that has lost its end is worse than one that has lost everything: the same numbers would be used twice.
#[test]
fn a_side_whose_memory_is_too_old_notices() {
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
        assert_eq!(world.broken, [Broken::Forgetful]);
        assert_eq!(world.board_player.game, game);
        world.assert_agreement();
    }
}

/// What was acknowledged is gone, so one that has forgotten hearing it is given the game.
#[test]
fn a_side_that_has_forgotten_what_it_heard_is_told_again() {
    let mut world = played(2);
    let seen = world.relay_player.journal.memory.seen;
    let (moves, events) = (world.relay_player.journal.moves.clone(), world.relay_player.journal.events.clone());
    world.play_board(1);
    world.settle();
    // What it says itself it still knows: it has said nothing since.
    let journal = &mut world.relay_player.journal;
    journal.memory.seen = seen;
    (journal.moves, journal.events) = (moves, events);
    world.crash_relay();
    world.settle();
    assert!(world.broken.is_empty());
    assert_eq!(world.relay_player.game.moves().len(), 5);
    world.assert_agreement();
}
