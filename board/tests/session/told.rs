//! A told game on the link: the relay knows the rules, and sends every turn as a snapshot.

use proptest::prelude::*;
use rules::{AnyPosition, Start};
use wire::link::Event;

use super::exactly_once::{Step, any_step, assert_honest, take};
use super::told_chess::turn_after;
use super::world::World;

/// A board and a relay with a told game, of which no ply was played.
fn begun() -> World {
    let mut world = World::new();
    world.settle();
    world.renew_relay(&Start::Told(turn_after([])));
    world.settle();
    world.assert_agreement();
    world
}

/// Tells the next turn if a ply was played, as the relay does after asking the script.
fn rule(world: &mut World) {
    let play = &mut world.relay_player.game;
    let AnyPosition::Told(turn) = play.position() else { return };
    if turn.told_plies().is_empty() && turn.verdict().is_none() {
        let next = turn_after(play.plies_from(0).collect::<Vec<_>>());
        assert!(play.tell(&next));
        world.relay.compact();
    }
}

/// The remote opponent plays. No event is sent: the ply comes with the next turn.
fn play_relay(world: &mut World, choice: u16) {
    let play = &mut world.relay_player.game;
    let plies = play.situation().plies();
    if play.to_move() == chess::Color::Black && play.verdict().is_none() && !plies.is_empty() {
        play.play(plies[usize::from(choice) % plies.len()]).expect("legal");
        rule(world);
    }
}

fn act(world: &mut World, step: Step) {
    match step {
        Step::RelayPlays(choice) => play_relay(world, choice),
        step => take(world, step),
    }
    rule(world);
}

/// Settles, with a relay that rules on every ply that arrives.
fn settle(world: &mut World) {
    world.settle();
    rule(world);
    world.settle();
}

#[test]
fn every_turn_reaches_the_board_with_its_footprints() {
    let mut world = begun();
    for choice in 0..60 {
        world.play_board(choice * 31);
        assert!(world.board_player.game.situation().plies().is_empty(), "the next turn is awaited");
        settle(&mut world);
        world.assert_agreement();
        play_relay(&mut world, choice * 17);
        settle(&mut world);
        world.assert_agreement();
        if world.board_player.game.verdict().is_some() {
            break;
        }
    }
    assert!(world.board_player.game.len() > 60, "{}", world.board_player.game.len());
    assert!(world.board_player.received.is_empty(), "plies of the relay come with their turns");
    assert!(world.broken.is_empty());
}

#[test]
fn a_ply_that_crosses_the_same_turn_counts() {
    let mut world = begun();
    // The relay sends the turn again, with footprints, while the player moves.
    world.relay.compact();
    world.play_board(3);
    settle(&mut world);
    world.assert_agreement();
    assert_eq!(world.relay_player.game.len(), 1);
    assert!(matches!(world.relay_player.received[..], [Event::Moved { number: 0, .. }]));
}

#[test]
fn a_board_without_a_journal_gets_the_turn_and_the_plies_before_it() {
    let mut world = begun();
    for choice in 0..5 {
        world.play_board(choice);
        settle(&mut world);
        play_relay(&mut world, choice);
        settle(&mut world);
    }
    world.wipe_board();
    settle(&mut world);
    world.assert_agreement();
    assert_eq!(world.board_player.game.len(), 10);
}

#[test]
fn a_turn_that_is_taken_back_reaches_the_board() {
    let mut world = begun();
    world.play_board(1);
    settle(&mut world);
    play_relay(&mut world, 1);
    settle(&mut world);
    assert!(world.relay_player.game.tell(&turn_after([])));
    world.relay.compact();
    settle(&mut world);
    world.assert_agreement();
    assert!(world.board_player.game.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// After lost frames, cut connections and restarts both ends have the same turn.
    #[test]
    fn both_ends_come_to_the_same_turn(steps in prop::collection::vec(any_step(), 0..500)) {
        let mut world = begun();
        for step in steps {
            act(&mut world, step);
        }
        settle(&mut world);
        assert_honest(&world.broken);
        world.assert_agreement();
    }
}
