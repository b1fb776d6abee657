use chess::File;
use proptest::prelude::*;
use rules::genome::Setup;
use rules::{Play, Start};
use wire::link::Event;

use super::exactly_once::{Step, any_step, assert_honest, take};
use super::world::World;

/// Start positions of chess. The second can be encoded as a state only before its first move, the third not at all.
const STARTS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1pP1P3/5Q1p/PP1BBPPP/R3K2R b KQkq c3 0 34",
];

/// A knight whose moves mutate and deviate.
const RANDOM_KNIGHT: &str = "AHH HCC HSA HHH CHA CHA HHA CAC SAS AAC ACA";

/// Numbers of start positions: those of chess, and after them two of GMO chess, whose genomes come before the plies.
const ALL_STARTS: usize = STARTS.len() + 2;

/// In the second game of GMO chess, both ends have to draw the same random numbers.
fn start(index: usize) -> Start {
    if let Some(fen) = STARTS.get(index) {
        return Start::Chess(fen.parse().unwrap());
    }
    let mut setup = Setup::default_preset(index as u64).unwrap();
    if index > STARTS.len() {
        let knight = setup.add(&RANDOM_KNIGHT.parse().unwrap()).unwrap();
        for file in [File::B, File::C, File::F, File::G] {
            setup.place(file, knight, false);
        }
    }
    Start::Genome(setup)
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
        1 => (0..ALL_STARTS).prop_map(Turn::BoardBegins),
        1 => (0..ALL_STARTS).prop_map(Turn::RelayBegins),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Both sides start games at random times. In the end they have the same game, and no side ever receives a move that does not belong to its
    /// game.
    #[test]
    fn games_started_at_both_ends_never_mix(turns in prop::collection::vec(any_turn(), 0..600)) {
        let mut world = World::new();
        for turn in turns {
            match turn {
                Turn::Step(step) => take(&mut world, step),
                Turn::BoardBegins(index) => world.renew_board(&start(index)),
                Turn::RelayBegins(index) => world.renew_relay(&start(index)),
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
fn a_game_started_by_the_relay_reaches_the_board() {
    let mut world = connected();
    world.renew_relay(&start(2));
    world.settle();
    assert_eq!(world.board_player.game.start(), start(2));
    world.assert_agreement();
}

/// The genomes cross the link once, in two pieces, and then only plies.
#[test]
fn a_game_of_gmo_chess_reaches_the_board() {
    let mut world = connected();
    let start = start(STARTS.len());
    world.renew_relay(&start);
    world.settle();
    assert_eq!(world.board_player.game.start(), start);
    for choice in 0..20 {
        world.play_board(choice * 7);
        world.play_relay(choice * 5);
        world.settle();
        world.assert_agreement();
    }
    assert!(world.board_player.game.len() >= 20);
    let is_ply = |event: &Event| matches!(event, Event::Moved { .. });
    assert!(world.board_player.received.iter().all(is_ply) && world.relay_player.received.iter().all(is_ply));
    // A board that has lost its journal gets the genomes and all plies.
    world.wipe_board();
    world.settle();
    world.assert_agreement();
    assert!(world.broken.is_empty());
}

/// The game that was started on the board counts, and the relay receives it.
#[test]
fn the_boards_game_wins_when_two_new_games_cross() {
    let mut world = connected();
    world.play_board(0);
    world.settle();
    world.renew_relay(&start(2));
    world.renew_board(&start(1));
    // The relay makes a move in its own game, in which Black is to move.
    world.play_relay(0);
    world.settle();
    assert_eq!(world.relay_player.game.start(), start(1));
    assert!(world.relay_player.game.sheet().is_empty());
    world.assert_agreement();
    assert!(world.broken.is_empty());
}

/// A move of the old game crosses the start of a new one. It would be legal in the new game, too.
#[test]
fn a_move_of_the_earlier_game_is_void() {
    let mut world = connected();
    world.play_board(0);
    world.renew_relay(&Start::CHESS);
    world.settle();
    world.assert_agreement();
    assert_eq!(*world.board_player.game, Play::new());
    assert!(world.relay_player.received.iter().all(|event| !matches!(event, Event::Moved { .. })));

    // The next move counts.
    world.play_board(1);
    world.settle();
    world.assert_agreement();
    assert_eq!(world.relay_player.game.sheet().len(), 1);
}

/// The relay sends a snapshot of the same game. Then the move counts.
#[test]
fn a_move_that_crosses_a_snapshot_of_the_same_game_counts() {
    let mut world = connected();
    world.play_board(0);
    world.relay.compact();
    world.settle();
    world.assert_agreement();
    assert_eq!(world.board_player.game.sheet().len(), 1);
}

/// A board continues offline beyond the capacity of its queue. The relay receives every move by a snapshot.
#[test]
fn a_full_queue_loses_no_move() {
    let mut world = connected();
    world.cut();
    for choice in 0..40 {
        world.board_player.play(choice, world.board.session_mut());
        world.keep_board();
    }
    assert_eq!(world.board_player.game.sheet().len(), 40);
    world.settle();
    world.assert_agreement();
    assert_eq!(world.relay_player.game.sheet().len(), 40);
}

/// A snapshot of a long game takes many frames, and events are queued meanwhile.
#[test]
fn a_snapshot_restarts_when_the_game_changes() {
    let mut world = connected();
    world.cut();
    let mut choices = (0..).map(|step: u32| (step.wrapping_mul(2_654_435_761) >> 16) as u16);
    while world.board_player.game.sheet().len() < 700 && world.board_player.game.verdict().is_none() {
        world.board_player.play(choices.next().unwrap(), world.board.session_mut());
    }
    world.keep_board();
    world.connect();
    let mut plies = world.board_player.game.sheet().len();
    assert!(plies > 300, "{plies} plies are one piece only");
    for round in 0..40 {
        world.keep_board();
        world.keep_relay();
        world.send_board();
        world.send_relay();
        world.deliver_to_relay();
        world.deliver_to_board();
        if round % 7 == 0 && world.board_player.game.verdict().is_none() {
            world.board_player.play(round, world.board.session_mut());
            plies += 1;
        }
    }
    world.settle();
    world.assert_agreement();
    assert_eq!(world.relay_player.game.sheet().len(), plies);
    assert!(world.broken.is_empty(), "{:?}", world.broken);
}

/// The board has received the relay's snapshot and an event, and stored neither, when the connection breaks. The relay sends its snapshot
/// again. The board, which has a snapshot to send as well, skips it. It must still accept later messages.
#[test]
fn a_side_that_skipped_a_snapshot_receives_the_next_messages() {
    for sent_meanwhile in [false, true] {
        let mut world = connected();
        world.relay.compact();
        for _ in 0..10 {
            world.keep_relay();
            world.send_relay();
            world.deliver_to_board();
        }
        world.relay.queue_event(Event::Hints { on: false }).unwrap();
        world.keep_relay();
        world.send_relay();
        world.deliver_to_board();
        assert_eq!(world.board_player.received, [Event::Hints { on: false }]);
        assert!(world.board.session().needs_storing());

        world.cut();
        world.connect();
        if sent_meanwhile {
            world.relay.queue_event(Event::Hints { on: true }).unwrap();
            world.keep_relay();
        }
        while !world.relay.is_online() {
            world.send_board();
            world.deliver_to_relay();
            world.deliver_to_board();
        }
        // The hello, and the first frame of the snapshot.
        assert!(world.send_relay() && world.send_relay());
        world.board.session_mut().compact();
        world.settle();
        world.relay.queue_event(Event::Hints { on: sent_meanwhile }).unwrap();
        world.settle();
        assert_eq!(world.board_player.received.last(), Some(&Event::Hints { on: sent_meanwhile }));
        assert!(world.board_player.received.len() >= 2);
        world.assert_agreement();
        assert!(world.broken.is_empty(), "{:?}", world.broken);
    }
}
