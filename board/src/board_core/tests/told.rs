//! A told game at a board: turns over the link, hands and lights, and the journal.

use std::boxed::Box;
use std::string::String;
use std::vec::Vec;

use chess::{Color, Position, Square};
use rules::Ply;
use wire::link::{Clocks, Event, Live};

use super::relay_end::{KEY, RelayEnd};
use super::told_chess::{turn_after, turn_from};
use super::{BoardCore, Flash, Instant, Surface, start, store};
use crate::hand::Stance;
use crate::lights::Meaning;
use wire::link::ClockRule;

const CLOCK: ClockRule = ClockRule { base_ms: 60_000, increment_ms: 0 };

/// A board with White's pieces, and the relay that tells it the turns.
struct Table {
    flash: Flash,
    core: BoardCore<Box<Surface>>,
    relay: RelayEnd,
    start: Position,
    plies: Vec<Ply>,
    raw: chess::Bitboard,
    now: u64,
    sent: Vec<Event>,
}

fn ply(text: &str) -> Ply {
    text.parse().expect(text)
}

fn square(text: &str) -> Square {
    text.parse().expect(text)
}

impl Table {
    /// The pieces stand as in this position.
    fn new(fen: &str) -> Self {
        let start_position: Position = fen.parse().expect(fen);
        let mut table = Self::with_pieces(start_position, start_position.occupied());
        table.wait(20);
        table
    }

    fn with_pieces(start_position: Position, raw: chess::Bitboard) -> Self {
        let mut flash = Flash::new();
        let (mut core, _) = start(&mut flash, Some(KEY), raw);
        let mut relay = RelayEnd::new();
        relay.connect(&mut core, Instant::at(0));
        let (plies, sent) = (Vec::new(), Vec::new());
        let mut table = Self { flash, core, relay, start: start_position, plies, raw, now: 0, sent };
        table.exchange();
        table.tell();
        table
    }

    fn exchange(&mut self) {
        store(&mut self.core, &mut self.flash);
        let events = self.relay.receive(&mut self.core, Instant::at(self.now));
        self.sent.extend(events);
        self.relay.send(&mut self.core, 20, Instant::at(self.now));
        store(&mut self.core, &mut self.flash);
        let events = self.relay.receive(&mut self.core, Instant::at(self.now));
        self.sent.extend(events);
    }

    /// The relay sends the turn after all plies.
    fn tell(&mut self) {
        let turn = turn_from(self.start, self.plies.iter().copied());
        self.relay.tell(&turn, &self.plies, Some(CLOCK));
        self.exchange();
    }

    fn wait(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds {
            self.now += 1;
            self.core.scan(self.raw, Instant::at(self.now));
        }
    }

    fn lift(&mut self, text: &str) {
        self.raw = self.raw.without(square(text).into());
        self.wait(200);
    }

    fn place(&mut self, text: &str) {
        self.raw |= square(text).into();
        self.wait(200);
    }

    fn go(&mut self, text: &str) {
        self.lift(&text[..2]);
        self.place(&text[2..]);
    }

    /// What the board has sent, as text.
    fn moves(&mut self) -> Vec<String> {
        // An own move rests before it is sent.
        self.wait(1_000);
        self.exchange();
        let moved = |event: Event| match event {
            Event::Moved { ply, .. } => std::format!("{ply}"),
            other => std::format!("{other:?}"),
        };
        std::mem::take(&mut self.sent).into_iter().map(moved).collect()
    }

    /// The board has made a ply, and the relay tells what follows.
    fn accept(&mut self, text: &str) {
        assert_eq!(self.moves(), [text]);
        self.plies.push(ply(text));
        self.tell();
    }

    /// The opponent plays, and the turn after it comes to the board.
    fn receive(&mut self, text: &str) {
        self.plies.push(ply(text));
        self.tell();
    }

    fn shows(&self, meaning: Meaning) -> Vec<Square> {
        self.core.surface().referee().scene(Instant::at(self.now)).squares(meaning).squares().collect()
    }

    fn stance(&self) -> Stance {
        self.core.surface().referee().stance()
    }

    /// The power is cut, and the board connects again.
    fn restart(&mut self) {
        let (core, _) = start(&mut self.flash, Some(KEY), self.raw);
        self.core = core;
        self.relay.connect(&mut self.core, Instant::at(self.now));
        self.exchange();
        self.wait(20);
    }
}

const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_told_game_is_played_ply_by_ply() {
    let mut table = Table::new(START_FEN);
    table.lift("g1");
    assert_eq!(table.shows(Meaning::VariantTarget), [Square::F3, Square::H3]);
    table.place("f3");
    table.wait(400);
    table.accept("g1f3");
    assert_eq!(table.stance(), Stance::Settled);
    table.receive("e7e5");
    assert_eq!(
        (table.shows(Meaning::OpponentFrom), table.shows(Meaning::OpponentTo)),
        ([Square::E7].into(), [Square::E5].into())
    );
    table.go("e7e5");
    assert_eq!((table.stance(), table.shows(Meaning::OpponentTo)), (Stance::Settled, Vec::new()));
    // A capture, the captured piece first.
    table.lift("e5");
    table.go("f3e5");
    table.wait(400);
    table.accept("f3e5");
    assert!(table.core.play().expect("a game").is_told());
}

#[test]
fn castling_and_captures_beside_the_target_are_read_in_any_order() {
    let fen = "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1";
    for order in ["e1 f1 h1 g1", "h1 e1 g1 f1", "e1 h1 f1 g1"] {
        let mut table = Table::new(fen);
        for text in order.split(' ') {
            let on = table.raw.has(square(text));
            if on { table.lift(text) } else { table.place(text) }
        }
        // The king on f1 and the rook on g1 look the same, and are not castled.
        if order.starts_with("e1 f1") {
            assert!(table.moves().is_empty(), "{order}");
            continue;
        }
        table.wait(1_600);
        assert_eq!(table.moves(), ["e1g1"], "{order}");
    }
    for order in ["d5 e5 d6", "e5 d5 d6", "e5 d6 d5"] {
        let mut table = Table::new(fen);
        for text in order.split(' ') {
            let on = table.raw.has(square(text));
            if on { table.lift(text) } else { table.place(text) }
        }
        table.wait(400);
        assert_eq!(table.moves(), ["e5d6"], "{order}");
    }
}

#[test]
fn a_slider_that_is_pushed_over_the_board_is_read_where_it_stops() {
    let mut table = Table::new("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    table.raw = table.raw.without(Square::A1.into());
    for text in ["a2", "a3", "a4", "a5"] {
        table.raw |= square(text).into();
        table.wait(60);
        if text != "a5" {
            table.raw = table.raw.without(square(text).into());
            table.wait(15);
        }
    }
    table.wait(400);
    assert_eq!(table.moves(), ["a1a5"]);
}

#[test]
fn the_start_position_of_any_rules_is_set_up_by_light() {
    let fen = "4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1";
    let position: Position = fen.parse().expect(fen);
    let mut table = Table::with_pieces(position, Position::start().occupied());
    table.wait(400);
    let (fill, clear) = (table.shows(Meaning::Fill), table.shows(Meaning::Clear));
    assert!(fill.is_empty() && clear.len() == 32 - position.occupied().count() as usize, "{fill:?} {clear:?}");
    table.raw = position.occupied().without(Square::E1.into());
    table.wait(400);
    assert_eq!(table.shows(Meaning::Fill), [Square::E1]);
    table.raw = position.occupied();
    table.wait(400);
    assert!(table.shows(Meaning::Fill).is_empty() && table.stance() == Stance::Settled);
    table.go("a2a4");
    table.wait(400);
    assert_eq!(table.moves(), ["a2a4"]);
}

#[test]
fn the_next_turn_of_the_same_game_keeps_clock_and_touches() {
    let mut table = Table::new(START_FEN);
    table.go("e2e4");
    table.wait(400);
    table.accept("e2e4");
    table.wait(5_000);
    let left = |table: &Table| {
        let clock = table.core.surface().referee().clock().expect("a clock");
        (clock.left(Color::White, Instant::at(table.now)), clock.left(Color::Black, Instant::at(table.now)))
    };
    let (white, black) = left(&table);
    assert!(black < 56_000, "{black}");
    // The player straightens a piece while the opponent's ply arrives.
    table.raw = table.raw.without(Square::G1.into());
    table.wait(10);
    table.receive("e7e5");
    assert_eq!(table.core.surface().referee().clock().and_then(crate::Clock::running), Some(Color::White));
    assert!(left(&table).0.abs_diff(white) < 100 && left(&table).1 <= black);
    assert_eq!(table.shows(Meaning::OpponentTo), [Square::E5]);
    table.place("g1");
    table.go("e7e5");
    assert_eq!(table.stance(), Stance::Settled);
    // The same turn again, with footprints, while a piece is in the air.
    table.lift("f1");
    table.tell();
    table.place("c4");
    table.wait(400);
    assert_eq!(table.moves(), ["f1c4"]);
}

#[test]
fn a_draw_offer_stays_until_the_next_ply() {
    let mut table = Table::new(START_FEN);
    table.go("e2e4");
    table.wait(400);
    table.accept("e2e4");
    table.receive("e7e5");
    table.go("e7e5");
    table.relay.queue(Event::DrawOffered { color: Color::Black });
    table.exchange();
    assert_eq!(table.shows(Meaning::DrawOffered), [Square::E1, Square::E8]);
    table.tell();
    assert_eq!(table.shows(Meaning::DrawOffered), [Square::E1, Square::E8]);
    table.go("g1f3");
    table.wait(400);
    assert_eq!(table.moves().len(), 2, "the move, and that it declines the offer");
    assert!(table.shows(Meaning::DrawOffered).is_empty());
}

#[test]
fn a_takeback_is_accepted_on_the_board() {
    let mut table = Table::new(START_FEN);
    table.go("e2e4");
    table.wait(400);
    table.accept("e2e4");
    table.receive("e7e5");
    table.go("e7e5");
    table.relay.queue(Event::TakebackAsked { plies: 1 });
    table.exchange();
    assert_eq!(
        (table.shows(Meaning::TakebackFrom), table.shows(Meaning::TakebackTo)),
        ([Square::E5].into(), [Square::E7].into())
    );
    table.go("e5e7");
    table.wait(400);
    assert!(table.shows(Meaning::Fill).is_empty() && table.shows(Meaning::Illegal).is_empty());
    assert_eq!(table.moves(), ["TakebackAnswered { accepted: true }"]);
    table.plies.pop();
    table.tell();
    table.wait(20);
    assert_eq!((table.stance(), table.core.play().expect("a game").len()), (Stance::Settled, 1));
    table.receive("d7d5");
    assert_eq!(table.shows(Meaning::OpponentTo), [Square::D5]);
}

/// The script failed, or the relay refused the ply: the lights show the way back, and why.
#[test]
fn a_ply_that_the_relay_does_not_accept_is_shown_as_illegal() {
    let mut table = Table::new(START_FEN);
    table.go("e2e4");
    table.wait(400);
    assert_eq!(table.moves(), ["e2e4"]);
    table.tell();
    table.wait(400);
    assert_eq!(table.shows(Meaning::Illegal), [Square::E2, Square::E4]);
    table.wait(1_500);
    assert_eq!(
        (table.shows(Meaning::WayBackFrom), table.shows(Meaning::WayBackTo)),
        ([Square::E4].into(), [Square::E2].into())
    );
    table.go("e4e2");
    table.wait(400);
    table.go("d2d4");
    table.wait(400);
    assert_eq!(table.moves(), ["d2d4"]);
}

#[test]
fn a_told_game_goes_on_after_a_power_cut() {
    let mut table = Table::new(START_FEN);
    table.go("e2e4");
    table.wait(400);
    table.accept("e2e4");
    table.receive("e7e5");
    // The opponent's ply is not on the board yet.
    table.restart();
    assert_eq!(table.core.play().expect("a game").len(), 2);
    assert_eq!(table.shows(Meaning::OpponentTo), [Square::E5]);
    // The switches are read only after the game is restored.
    let (mut core, _) = start(&mut table.flash, Some(KEY), chess::Bitboard::EMPTY);
    for _ in 0..20 {
        table.now += 1;
        core.scan(table.raw, Instant::at(table.now));
    }
    let shown = core.surface().referee().scene(Instant::at(table.now)).squares(Meaning::OpponentTo);
    assert_eq!(shown, Square::E5.into());
    table.go("e7e5");
    table.go("g1f3");
    table.wait(400);
    store(&mut table.core, &mut table.flash);
    // The own ply is stored and not yet sent.
    table.restart();
    assert_eq!(table.moves(), ["g1f3"]);
    table.plies.push(ply("g1f3"));
    table.tell();
    assert_eq!(table.stance(), Stance::Settled);
}

#[test]
fn the_relays_clock_is_the_true_one() {
    let mut table = Table::new(START_FEN);
    let clocks = Clocks { white_ms: 50_000, black_ms: 40_000, running: Some(Color::White) };
    table.relay.report(Live { clocks: Some(clocks), opponent: true, rematch: false });
    table.exchange();
    table.tell();
    let clock = table.core.surface().referee().clock().expect("a clock");
    assert_eq!(clock.left(Color::Black, Instant::at(table.now)), 40_000);
}

#[test]
fn a_game_that_ends_by_the_script_is_over_on_the_board() {
    let mut table = Table::new(START_FEN);
    for (own, theirs) in [("f2f3", "e7e5"), ("g2g4", "d8h4")] {
        table.go(own);
        table.wait(400);
        table.accept(own);
        table.receive(theirs);
        table.go(theirs);
    }
    assert!(turn_after(table.plies.iter().copied()).verdict().is_some());
    assert_eq!(table.core.play().and_then(rules::Play::verdict).and_then(rules::Verdict::winner), Some(Color::Black));
    assert_eq!(table.shows(Meaning::Winner), [Square::E8]);
}
