//! A script of changes to a board that covers all kinds of records.

use board::Orientation;
use chess::{Color, DrawClaim, Move, Position};
use rules::genome::Setup;
use rules::{Ply, Start};
use wire::journal::SessionMemory;
use wire::link::{ClockRule, Clocks, Event, Seat, Seen};

use crate::test_board::TestBoard;
use crate::told_chess::turn_after;

/// One change of the persistent state, stored as one batch.
pub(crate) type Step = Box<dyn Fn(&mut TestBoard)>;

pub(crate) fn step(change: impl Fn(&mut TestBoard) + 'static) -> Step {
    Box::new(change)
}

/// Moves of a local game.
fn moves(moves: &'static str) -> impl Iterator<Item = Step> {
    moves.split_whitespace().map(|text| step(move |board| play(board, text)))
}

fn play(board: &mut TestBoard, text: &str) {
    let mv: Move = text.parse().expect(text);
    let turn = board.chess().position().turn();
    board.game.play(Ply::of_move(mv)).expect(text);
    if let Some(clocks) = &mut board.clocks {
        let left = if turn == Color::White { &mut clocks.white_ms } else { &mut clocks.black_ms };
        *left -= 7_321;
        clocks.running = Some(!turn);
    }
}

/// Moves of a game with White at the board and Black remote.
fn remote_moves(moves: &'static str) -> impl Iterator<Item = Step> {
    moves.split_whitespace().map(|text| {
        step(move |board| {
            let here = board.seat.has(board.chess().position().turn());
            let ply = board.game.sheet().len() as u16;
            play(board, text);
            if here {
                let mv = text.parse().expect(text);
                board
                    .session
                    .queue_event(Event::Moved { number: ply, ply: Ply::of_move(mv), thought_ms: 7_321 })
                    .expect("room");
            } else {
                board.change_memory(|memory| memory.seen.last += 1);
            }
        })
    })
}

fn new_game(seat: Seat, number: u64, minutes: Option<u32>, names: [&'static str; 2]) -> Step {
    step(move |board| {
        board.restart(Position::start());
        board.number = number;
        board.seat = seat;
        board.hints = seat == Seat::Both;
        board.names = names.map(str::to_owned);
        board.clock = minutes.map(|minutes| ClockRule { base_ms: minutes * 60_000, increment_ms: 3_000 });
        let left = |rule: ClockRule| Clocks { white_ms: rule.base_ms, black_ms: rule.base_ms, running: None };
        board.clocks = board.clock.map(left);
    })
}

fn set_up(fen: &'static str) -> Step {
    step(move |board| board.restart(fen.parse().expect(fen)))
}

fn takeback(plies: usize) -> Step {
    step(move |board| {
        for _ in 0..plies {
            board.game.take_back().expect("a move to take back");
        }
    })
}

fn event(event: Event) -> Step {
    step(move |board| {
        board.session.queue_event(event).expect("room");
    })
}

/// The relay acknowledges all events.
fn acknowledged() -> Step {
    step(|board| board.change_memory(|memory| memory.acknowledged = memory.last))
}

fn set_value(id: u8, value: &'static [u8]) -> Step {
    step(move |board| board.values.set(id, value).expect("a value"))
}

fn ply(text: &str) -> Ply {
    text.parse().expect(text)
}

/// The default preset with a genome of 161 codons.
fn long_setup(seed: u64) -> Setup {
    let mut setup = Setup::default_preset(seed).expect("valid");
    let long = "AHHHSHHSHCHACHACHAHHA".repeat(23);
    setup.add(&long.parse().expect("valid")).expect("room");
    setup
}

/// Games of GMO chess, whose setup takes more than one frame.
pub(crate) fn genome_script() -> Vec<Step> {
    let resign: Step = step(|board| board.game.resign(Color::Black).expect("a game that is not over"));
    let [first, second] = [1, 2].map(|seed| step(move |board| board.game.restart(&Start::Genome(long_setup(seed)))));
    let plies = ["b1c3", "a7a6"].map(|text| step(move |board| board.game.play(ply(text)).expect(text)));
    let mut script = vec![first];
    script.extend(plies);
    script.extend([takeback(1), resign, takeback(1), second, new_game(Seat::Both, 0, None, ["", ""])]);
    script
}

/// A told game: a turn comes after every ply, alone or with the opponent's ply, and can take plies back.
pub(crate) fn told_script() -> Vec<Step> {
    let tell = |plies: &'static str| {
        step(move |board| {
            let plies: Vec<Ply> = plies.split_whitespace().map(ply).collect();
            let turn = turn_after(plies.iter().copied());
            // As over the link.
            board.game.restart(&Start::Told(turn));
            for ply in plies {
                board.game.play(ply).expect("a record");
            }
            board.change_memory(|memory| memory.seen.last += 1);
        })
    };
    let play = |text: &'static str| {
        step(move |board| {
            let number = board.game.len() as u16;
            board.game.play(ply(text)).expect(text);
            board.session.queue_event(Event::Moved { number, ply: ply(text), thought_ms: 9 }).expect("room");
        })
    };
    vec![
        step(|board| {
            new_game(Seat::White, 0xbeef, Some(10), ["Ana", "Bo"])(board);
            board.change_memory(|memory| memory.seen = Seen { stream: 0xbeef, last: 3 });
        }),
        tell(""),
        play("e2e4"),
        tell("e2e4"),
        // The opponent's ply comes with the turn after it.
        tell("e2e4 d7d5"),
        play("e4d5"),
        // The board receives no turn in between.
        tell("e2e4 d7d5 e4d5 d8d5"),
        acknowledged(),
        play("b1c3"),
        tell("e2e4 d7d5 e4d5 d8d5 b1c3"),
        // Two plies are taken back, and then all.
        tell("e2e4 d7d5 e4d5"),
        tell(""),
        tell("g1f3 g8f6 g2g3 g7g6 f1g2 f8g7"),
        play("e1g1"),
        tell("g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1 e8g8"),
        step(|board| board.game.resign(Color::White).expect("a game that is not over")),
        // The relay did not accept it.
        tell("g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1 e8g8"),
        play("d2d4"),
        tell("g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1 e8g8 d2d4"),
        step(|board| board.game.agree_draw().expect("a game that is not over")),
        // Another told game of which more was played, and one that is over.
        tell("d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8"),
        tell("f2f3 e7e5 g2g4 d8h4"),
        new_game(Seat::Both, 0, None, ["", ""]),
    ]
}

/// The whole script. It can be repeated.
pub(crate) fn script() -> Vec<Step> {
    let mut script: Vec<Step> = Vec::new();
    // A new board.
    script.push(step(|_| {}));
    script.push(new_game(Seat::Both, 0, None, ["", ""]));
    script.push(set_value(3, b"ws://relay.example:1982/ws/board"));
    script.push(set_value(4, &[0xff; 32]));
    script.push(step(|board| board.settings.lights.brightness ^= 0x55));
    // A local game with takebacks.
    script.extend(moves("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"));
    script.push(takeback(1));
    script.push(takeback(3));
    script.extend(moves("d2d4 e5d4"));
    script.push(step(|board| {
        board.game.take_back();
        play(board, "f8b4");
    }));
    script.push(step(|board| board.game.resign(Color::Black).expect("a game that is not over")));
    // The resignation is undone: the same position in a game that is not over.
    script.push(step(|board| {
        board.game.take_back();
        play(board, "f8b4");
    }));
    script.extend(moves("c2c3 b4c3 b1c3 d7d6 g1f3 g8f6 f1d3 e8g8"));
    script.push(step(|board| board.game.agree_draw().expect("a game that is not over")));
    // More moves are taken back than in real games.
    script.push(takeback(10));
    script.push(set_value(4, &[]));
    // A game with a remote opponent, with clocks.
    script.push(step(|board| {
        new_game(Seat::White, 0xfeed_beef_0123, Some(10), ["Zoë", "a name as long as names can be.."])(board);
        board.session.force_snapshot();
        board.change_memory(|memory| memory.seen = Seen { stream: 0xbeef, last: 3 });
    }));
    script.extend(remote_moves("d2d4 d7d5 c2c4 e7e6 b1c3 g8f6"));
    script.push(acknowledged());
    script.push(step(|board| board.settings.orientation = Orientation::BlackNear));
    script.extend(remote_moves("c1g5 f8e7"));
    script.push(event(Event::DrawOffered { color: Color::White }));
    script.push(step(|board| {
        board.hints = true;
        board.change_memory(|memory| memory.seen.last += 2);
    }));
    script.extend(remote_moves("e2e3 e8g8"));
    // The relay cannot be reached for long.
    script.push(step(|board| board.session.compact()));
    script.extend(remote_moves("g1f3 h7h6"));
    script.push(step(|board| {
        board.game.flag(Color::Black).expect("a game that is not over");
        board.clocks = board.clocks.map(|clocks| Clocks { black_ms: 0, running: None, ..clocks });
    }));
    // The relay has lost its memory, and then the board its own.
    script.push(step(|board| board.change_memory(|memory| memory.seen = Seen { stream: 77, last: 1 })));
    script.push(step(|board| {
        board.change_memory(|memory| *memory = SessionMemory::new(u64::MAX));
    }));
    script.push(event(Event::Hints { on: false }));
    // A position is set up, and mate given.
    script.push(new_game(Seat::Both, 0, None, ["", ""]));
    script.push(set_up("4k3/8/3PK3/8/8/8/8/R7 w - - 12 60"));
    script.extend(moves("a1a8"));
    script.push(takeback(1));
    script.extend(moves("d6d7 e8d8"));
    // A whole game comes over the link at once.
    script.push(step(|board| {
        board.restart(Position::start());
        board.number = 99;
        board.seat = Seat::Black;
        let moves = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
        moves.split_whitespace().for_each(|text| play(board, text));
        board.change_memory(|memory| memory.seen = Seen { stream: 0xbeef, last: 40 });
    }));
    // A draw is claimed with a move that is only announced.
    script.push(step(|board| {
        let mv = "f6g8".parse().expect("a move");
        board.game.claim_draw(DrawClaim::ThreefoldRepetition, Some(Ply::of_move(mv))).expect("a draw");
    }));
    // Positions that have ended before they began.
    script.push(set_up("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"));
    script.push(set_up("8/8/4k3/8/8/3K4/8/7R w - - 0 1"));
    script.push(step(|board| board.game.resign(Color::White).expect("a game that is not over")));
    script.push(set_up("8/8/4k3/8/8/3K4/8/7R w - - 0 1"));
    script.push(step(|board| board.game.flag(Color::White).expect("a game that is not over")));
    script.push(new_game(Seat::Both, 0, Some(5), ["", ""]));
    script.extend(moves("f2f3 e7e5 g2g4 d8h4"));
    script.push(takeback(2));
    script
}
