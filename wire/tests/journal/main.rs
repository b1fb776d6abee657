//! Tests of the journal format: records, frames, bank headers, damaged input, and the examples of the document.

mod document;
mod frames;
mod records;

use chess::{Color, Game, Position};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use rules::{Start, Verdict, Why};
use wire::journal::{Moves, Record, SessionMemory, SettingsRecord};
use wire::link::{ClockRule, Clocks, Event, GameInfo, NumberedEvent, Seat, Seen, clipped_name};

fn config() -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(64);
    }
    config
}

/// A random record. Its borrowed parts are leaked, so that it is `'static`.
fn record() -> impl Strategy<Value = Record<'static>> {
    (0..13_u8, any::<[u64; 4]>(), proptest::collection::vec(any::<u8>(), 0..=64), any::<bool>())
        .prop_map(|(kind, numbers, bytes, flag)| record_of(kind, numbers, bytes.leak(), flag))
}

fn record_of(kind: u8, numbers: [u64; 4], bytes: &'static [u8], flag: bool) -> Record<'static> {
    let [a, b, c, d] = numbers;
    let [small, middle, big] = [a as u32 % 100, b as u32 % 100_000, c as u32];
    let color = if flag { Color::White } else { Color::Black };
    match kind {
        0 => Record::Settings(SettingsRecord {
            debounce: a as u8,
            black_near: flag,
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
            let [white, black] =
                [bytes, &bytes[bytes.len() / 2..]].map(|bytes| clipped_name(&String::from_utf8_lossy(bytes)));
            let seat = [Seat::White, Seat::Black, Seat::Both, Seat::Neither][b as usize % 4];
            let clock = flag.then_some(ClockRule { base_ms: middle, increment_ms: small });
            Record::GameInfo(GameInfo { game: d, seat, hints: !flag, clock, verdict: None, white, black })
        }
        3 if a % 8 == 0 => Record::Start(Start::Breakthrough),
        3 => Record::Start(Start::Chess(played(bytes))),
        4 => {
            let mut game = Box::new(Game::new());
            play(&mut game, bytes);
            Record::Moves { ply: a as u16, moves: Moves::of(game.moves().to_vec().leak()) }
        }
        5 => Record::Ended(match a % 5 {
            0 => Verdict::Won { winner: color, why: Why::Time },
            1 => Verdict::Won { winner: color, why: Why::Rules },
            2 => Verdict::Drawn(Why::Agreement),
            3 => Verdict::Drawn(Why::Rules),
            _ => Verdict::Aborted,
        }),
        6 => Record::Clocks(Clocks { white_ms: middle, black_ms: big, running: flag.then_some(color) }),
        7 => Record::Session(SessionMemory {
            stream: a,
            acknowledged: small,
            compacted: middle,
            last: big,
            renewed: big,
            seen: Seen { stream: d, last: c as u32 },
        }),
        8 => Record::NumberedEvent(NumberedEvent {
            number: big,
            received_up_to: middle,
            event: Event::TakenBack { plies: a as u8 },
        }),
        9 => Record::Received(big),
        10 => Record::Setup(bytes),
        11 => Record::Turn(bytes),
        _ => Record::Acknowledged(middle),
    }
}

/// The position after moves that are chosen by these bytes.
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

/// Positions with special fields: castling rights, en passant, counters, checkmate.
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
