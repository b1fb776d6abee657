//! The bytes of the journal from outside: every record, frames and heads, what must not be believed, and the document.

mod document;
mod frames;
mod records;

use chess::{Color, DrawReason, Game, Outcome, Position, WinReason};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use wire::journal::{Moves, Preferences, Record, Session};
use wire::link::{ClockRule, Clocks, Event, Said, Seat, Seen, Table};

fn config() -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(64);
    }
    config
}

/// A record by chance, made from numbers that live for ever.
fn record() -> impl Strategy<Value = Record<'static>> {
    (0..11_u8, any::<[u64; 4]>(), proptest::collection::vec(any::<u8>(), 0..=64), any::<bool>())
        .prop_map(|(kind, numbers, bytes, flag)| record_of(kind, numbers, bytes.leak(), flag))
}

fn record_of(kind: u8, numbers: [u64; 4], bytes: &'static [u8], flag: bool) -> Record<'static> {
    let [a, b, c, d] = numbers;
    let [small, middle, big] = [a as u32 % 100, b as u32 % 100_000, c as u32];
    let color = if flag { Color::White } else { Color::Black };
    match kind {
        0 => Record::Preferences(Preferences {
            debounce: a as u8,
            turned: flag,
            rest_ms: small,
            rook_rest_ms: middle,
            kings_rest_ms: big,
            restart_rest_ms: d as u32,
            swap_ms: small,
            brightness: b as u8,
            budget_milliamps: c as u16,
            light_squares: d as u8,
            dark_squares: a as u8,
        }),
        1 => Record::Value { id: a as u8, bytes },
        2 => {
            let [white, black] = [bytes, &bytes[bytes.len() / 2..]].map(|bytes| {
                let text = String::from_utf8_lossy(bytes).into_owned().leak();
                &text[..text.floor_char_boundary(32)]
            });
            let seat = [Seat::White, Seat::Black, Seat::Both, Seat::Nobody][b as usize % 4];
            let clock = flag.then_some(ClockRule { base_ms: middle, increment_ms: small });
            Record::Table(Table { game: d, seat, hints: !flag, clock, outcome: None, white, black })
        }
        3 => Record::Start(played(bytes)),
        4 => {
            let mut game = Box::new(Game::new());
            play(&mut game, bytes);
            Record::Moves { ply: a as u16, moves: Moves::of(game.moves().to_vec().leak()) }
        }
        5 => Record::Ended(if flag {
            Outcome::Win { winner: color, by: WinReason::Time }
        } else {
            Outcome::Draw(DrawReason::Agreement)
        }),
        6 => Record::Clocks(Clocks { white_ms: middle, black_ms: big, running: flag.then_some(color) }),
        7 => Record::Session(Session {
            stream: a,
            acknowledged: small,
            floor: middle,
            said: big,
            renewed: big,
            seen: Seen { stream: d, last: c as u32 },
        }),
        8 => Record::Said(Said { number: big, heard: middle, event: Event::TakenBack { plies: a as u8 } }),
        9 => Record::Heard(big),
        _ => Record::Acknowledged(middle),
    }
}

/// Where a game stands that these bytes have led to.
fn played(choices: &[u8]) -> Position {
    let mut game = Box::new(Game::new());
    play(&mut game, choices);
    *game.position()
}

fn play(game: &mut Game, choices: &[u8]) {
    for &choice in choices {
        let moves = game.position().legal_moves();
        let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { return };
        if game.play(mv).is_err() {
            return;
        }
    }
}

/// Positions that are hard to write: all rights, somebody to be captured in passing, counters, and mate.
const FENS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 149 65535",
    "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 17",
    "7k/5KQ1/8/8/8/8/8/8 b - - 0 1",
];

fn position() -> impl Strategy<Value = Position> {
    select(&FENS[..]).prop_map(|fen| fen.parse().expect(fen))
}
