use chess::{Game, Position};
use proptest::prelude::*;
use wire::link::Event;

use super::exactly_once::{Step, any_step, assert_honest, take};
use super::world::World;

/// Where games begin. The second can be written as a state only before its first move, the third not even then.
const STARTS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1pP1P3/5Q1p/PP1BBPPP/R3K2R b KQkq c3 0 34",
];

fn start(index: usize) -> Position {
    STARTS[index].parse().unwrap()
}

#[derive(Clone, Copy, Debug)]
enum Turn {
    Step(Step),
    BoardBegins(usize),
    RelayBegins(usize),
}

fn any_turn() -> impl Strategy<Value = Turn> {
    prop_oneof![
        40 => any_step().prop_map(Turn::Step),
        1 => (0..STARTS.len()).prop_map(Turn::BoardBegins),
        1 => (0..STARTS.len()).prop_map(Turn::RelayBegins),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Both sides begin games whenever they like, without asking. In the end they have the same one, and in between
    /// nobody was told of a move that does not belong to the game that it has.
    #[test]
    fn two_games_never_get_mixed_up(turns in prop::collection::vec(any_turn(), 0..600)) {
        let mut world = World::new();
        for turn in turns {
            match turn {
                Turn::Step(step) => take(&mut world, step),
                Turn::BoardBegins(index) => world.renew_board(start(index)),
                Turn::RelayBegins(index) => world.renew_relay(start(index)),
            }
        }
        world.settle();
        assert_honest(&world.broken);
        world.assert_agreement();
    }
}

fn connected() -> World {
    let mut world = World::new();
    world.settle();
    world.assert_agreement();
    world
}

#[test]
fn a_game_that_the_relay_begins_comes_to_the_board() {
    let mut world = connected();
    world.renew_relay(start(2));
    world.settle();
    assert_eq!(world.board_player.game.start(), &start(2));
    world.assert_agreement();
}

/// A game that was begun on the wood counts, and the relay hears of it instead.
#[test]
fn of_two_games_that_cross_the_boards_counts() {
    let mut world = connected();
    world.play_board(0);
    world.settle();
    world.renew_relay(start(2));
    world.renew_board(start(1));
    // The relay, with Black to move in its game, even plays in it.
    world.play_relay(0);
    world.settle();
    assert_eq!(world.relay_player.game.start(), &start(1));
    assert!(world.relay_player.game.moves().is_empty());
    world.assert_agreement();
    assert!(world.broken.is_empty());
}

/// A move in the old game crosses the beginning of the new one. It would even be legal there.
#[test]
fn a_move_from_the_game_before_is_void() {
    let mut world = connected();
    world.play_board(0);
    world.renew_relay(Position::start());
    world.settle();
    world.assert_agreement();
    assert_eq!(*world.board_player.game, Game::new());
    assert!(world.relay_player.heard.iter().all(|event| !matches!(event, Event::Moved { .. })));

    // The next one counts again.
    world.play_board(1);
    world.settle();
    world.assert_agreement();
    assert_eq!(world.relay_player.game.moves().len(), 1);
}

/// The same, but the relay only gives the whole of the same game. Then the move counts.
#[test]
fn a_move_that_crosses_the_same_game_counts() {
    let mut world = connected();
    world.play_board(0);
    world.relay.condense();
    world.settle();
    world.assert_agreement();
    assert_eq!(world.board_player.game.moves().len(), 1);
}

/// Offline, a board goes on as long as its players like. The relay gets every move, if not one by one.
#[test]
fn a_queue_that_is_full_costs_no_move() {
    let mut world = connected();
    world.cut();
    for choice in 0..40 {
        world.board_player.play(choice, world.board.conversation_mut());
        world.keep_board();
    }
    assert_eq!(world.board_player.game.moves().len(), 40);
    world.settle();
    world.assert_agreement();
    assert_eq!(world.relay_player.game.moves().len(), 40);
}

/// The pieces of a long game take many frames, and more is said while they are on their way.
#[test]
fn a_game_that_goes_on_while_it_is_told_is_told_again() {
    let mut world = connected();
    world.cut();
    let mut choices = (0..).map(|step: u32| (step.wrapping_mul(2_654_435_761) >> 16) as u16);
    while world.board_player.game.moves().len() < 700 && world.board_player.game.outcome().is_none() {
        world.board_player.play(choices.next().unwrap(), world.board.conversation_mut());
    }
    world.keep_board();
    world.connect();
    let mut plies = world.board_player.game.moves().len();
    assert!(plies > 300, "{plies} plies are one piece only");
    for round in 0..40 {
        world.keep_board();
        world.keep_relay();
        world.send_board();
        world.send_relay();
        world.deliver_to_relay();
        world.deliver_to_board();
        if round % 7 == 0 && world.board_player.game.outcome().is_none() {
            world.board_player.play(round, world.board.conversation_mut());
            plies += 1;
        }
    }
    world.settle();
    world.assert_agreement();
    assert_eq!(world.relay_player.game.moves().len(), plies);
    assert!(world.broken.is_empty(), "{:?}", world.broken);
}

/// The board has heard the relay's game, and more, but written none of it down when the connection breaks. So the relay
/// sends its game again, and the board, which has one to send as well, passes over it. It does not stay deaf.
#[test]
fn a_side_that_passed_over_a_game_listens_again() {
    for said_meanwhile in [false, true] {
        let mut world = connected();
        world.relay.condense();
        for _ in 0..10 {
            world.keep_relay();
            world.send_relay();
            world.deliver_to_board();
        }
        world.relay.say(Event::Hints { on: false }).unwrap();
        world.keep_relay();
        world.send_relay();
        world.deliver_to_board();
        assert_eq!(world.board_player.heard, [Event::Hints { on: false }]);
        assert!(world.board.conversation().unkept());

        world.cut();
        world.connect();
        if said_meanwhile {
            world.relay.say(Event::Hints { on: true }).unwrap();
            world.keep_relay();
        }
        while !world.relay.is_online() {
            world.send_board();
            world.deliver_to_relay();
            world.deliver_to_board();
        }
        // Its hello, and the beginning of its game.
        assert!(world.send_relay() && world.send_relay());
        world.board.conversation_mut().condense();
        world.settle();
        world.relay.say(Event::Hints { on: said_meanwhile }).unwrap();
        world.settle();
        assert_eq!(world.board_player.heard.last(), Some(&Event::Hints { on: said_meanwhile }));
        assert!(world.board_player.heard.len() >= 2);
        world.assert_agreement();
        assert!(world.broken.is_empty(), "{:?}", world.broken);
    }
}
