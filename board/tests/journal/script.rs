//! What happens to a board in a few evenings.

use board::Orientation;
use chess::{Color, DrawClaim, Move, Position};
use wire::link::{ClockRule, Clocks, Event, Seat, Seen};

use crate::world::World;

/// One thing that happens, which is kept as one.
pub(crate) type Step = Box<dyn Fn(&mut World)>;

/// A step that is done to a board.
pub(crate) fn step(change: impl Fn(&mut World) + 'static) -> Step {
    Box::new(change)
}

/// Moves of both players at one board.
fn played(moves: &'static str) -> impl Iterator<Item = Step> {
    moves.split_whitespace().map(|text| step(move |world| play(world, text)))
}

fn play(world: &mut World, text: &str) {
    let mv: Move = text.parse().expect(text);
    let turn = world.game.position().turn();
    world.game.play(mv).expect(text);
    if let Some(clocks) = &mut world.clocks {
        let left = if turn == Color::White { &mut clocks.white_ms } else { &mut clocks.black_ms };
        *left -= 7_321;
        clocks.running = Some(!turn);
    }
}

/// Moves of White, who sits at the board, and of Black, who does not.
fn played_afar(moves: &'static str) -> impl Iterator<Item = Step> {
    moves.split_whitespace().map(|text| {
        step(move |world| {
            let here = world.seat.has(world.game.position().turn());
            let ply = world.game.moves().len() as u16;
            play(world, text);
            if here {
                let mv = text.parse().expect(text);
                world.conversation.say(Event::Moved { ply, mv, thought_ms: 7_321 }).expect("room");
            } else {
                world.change_memory(|memory| memory.seen.last += 1);
            }
        })
    })
}

fn begun(seat: Seat, number: u64, minutes: Option<u32>, names: [&'static str; 2]) -> Step {
    step(move |world| {
        world.restart(Position::start());
        world.number = number;
        world.seat = seat;
        world.hints = seat == Seat::Both;
        world.names = names.map(str::to_owned);
        world.clock = minutes.map(|minutes| ClockRule { base_ms: minutes * 60_000, increment_ms: 3_000 });
        let left = |rule: ClockRule| Clocks { white_ms: rule.base_ms, black_ms: rule.base_ms, running: None };
        world.clocks = world.clock.map(left);
    })
}

fn from(fen: &'static str) -> Step {
    step(move |world| world.restart(fen.parse().expect(fen)))
}

fn taken_back(plies: usize) -> Step {
    step(move |world| {
        for _ in 0..plies {
            world.game.take_back().expect("a move to take back");
        }
    })
}

fn said(event: Event) -> Step {
    step(move |world| {
        world.conversation.say(event).expect("room");
    })
}

/// The relay has heard everything.
fn acknowledged() -> Step {
    step(|world| world.change_memory(|memory| memory.acknowledged = memory.said))
}

fn valued(id: u8, value: &'static [u8]) -> Step {
    step(move |world| world.values.set(id, value).expect("a value"))
}

/// All of it. It can be gone through again.
pub(crate) fn script() -> Vec<Step> {
    let mut script: Vec<Step> = Vec::new();
    // Out of the box.
    script.push(step(|_| {}));
    script.push(begun(Seat::Both, 0, None, ["", ""]));
    script.push(valued(3, b"ws://relay.example:1982/ws/board"));
    script.push(valued(4, &[0xff; 32]));
    script.push(step(|world| world.settings.lights.brightness ^= 0x55));
    // Two people at one board, who change their minds.
    script.extend(played("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"));
    script.push(taken_back(1));
    script.push(taken_back(3));
    script.extend(played("d2d4 e5d4"));
    script.push(step(|world| {
        world.game.take_back();
        play(world, "f8b4");
    }));
    script.push(step(|world| world.game.resign(Color::Black).expect("a game that is not over")));
    // It was a slip: the same position, and not over.
    script.push(step(|world| {
        world.game.take_back();
        play(world, "f8b4");
    }));
    script.extend(played("c2c3 b4c3 b1c3 d7d6 g1f3 g8f6 f1d3 e8g8"));
    script.push(step(|world| world.game.agree_draw().expect("a game that is not over")));
    // More moves are taken back than anybody would.
    script.push(taken_back(10));
    script.push(valued(4, &[]));
    // A game against somebody far away, with clocks.
    script.push(step(|world| {
        begun(Seat::White, 0xfeed_beef_0123, Some(10), ["Zoë", "a name as long as names can be.."])(world);
        world.conversation.renew();
        world.change_memory(|memory| memory.seen = Seen { stream: 0xbeef, last: 3 });
    }));
    script.extend(played_afar("d2d4 d7d5 c2c4 e7e6 b1c3 g8f6"));
    script.push(acknowledged());
    script.push(step(|world| world.settings.orientation = Orientation::BlackNear));
    script.extend(played_afar("c1g5 f8e7"));
    script.push(said(Event::DrawOffered { color: Color::White }));
    script.push(step(|world| {
        world.hints = true;
        world.change_memory(|memory| memory.seen.last += 2);
    }));
    script.extend(played_afar("e2e3 e8g8"));
    // The relay cannot be reached for long.
    script.push(step(|world| world.conversation.condense()));
    script.extend(played_afar("g1f3 h7h6"));
    script.push(step(|world| {
        world.game.flag(Color::Black).expect("a game that is not over");
        world.clocks = world.clocks.map(|clocks| Clocks { black_ms: 0, running: None, ..clocks });
    }));
    // The relay has lost its memory, and then the board its own.
    script.push(step(|world| world.change_memory(|memory| memory.seen = Seen { stream: 77, last: 1 })));
    script.push(step(|world| {
        world.change_memory(|memory| *memory = board::session::Memory::blank(u64::MAX));
    }));
    script.push(said(Event::Hints { on: false }));
    // A position is set up, and mate given.
    script.push(begun(Seat::Both, 0, None, ["", ""]));
    script.push(from("4k3/8/3PK3/8/8/8/8/R7 w - - 12 60"));
    script.extend(played("a1a8"));
    script.push(taken_back(1));
    script.extend(played("d6d7 e8d8"));
    // A whole game comes over the link at once.
    script.push(step(|world| {
        world.restart(Position::start());
        world.number = 99;
        world.seat = Seat::Black;
        let moves = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
        moves.split_whitespace().for_each(|text| play(world, text));
        world.change_memory(|memory| memory.seen = Seen { stream: 0xbeef, last: 40 });
    }));
    // A draw is claimed with a move that is only announced.
    script.push(step(|world| {
        let mv = "f6g8".parse().expect("a move");
        world.game.claim_draw_with(mv, DrawClaim::ThreefoldRepetition).expect("a draw");
    }));
    // Positions that have ended before they began.
    script.push(from("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"));
    script.push(from("8/8/4k3/8/8/3K4/8/7R w - - 0 1"));
    script.push(step(|world| world.game.resign(Color::White).expect("a game that is not over")));
    script.push(from("8/8/4k3/8/8/3K4/8/7R w - - 0 1"));
    script.push(step(|world| world.game.flag(Color::White).expect("a game that is not over")));
    script.push(begun(Seat::Both, 0, Some(5), ["", ""]));
    script.extend(played("f2f3 e7e5 g2g4 d8h4"));
    script.push(taken_back(2));
    script
}
