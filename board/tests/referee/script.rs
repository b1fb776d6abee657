//! A board under a pair of careful hands.

use board::{Brain, Deed, Instant, Meaning, Scene, Settings};
use chess::{Bitboard, Color, Move, Position, Square};
use wire::link::{ClockRule, Event, Seat, Table};

#[derive(Clone)]
pub(crate) struct Board {
    pub(crate) brain: Brain,
    pub(crate) raw: Bitboard,
    pub(crate) now: u64,
    /// Everything that was done since it was last asked for.
    deeds: Vec<Deed>,
}

impl Board {
    /// A board that has been set up for a new game.
    pub(crate) fn set_up() -> Self {
        Self::with(Settings::default(), Position::start().occupied())
    }

    pub(crate) fn with(settings: Settings, raw: Bitboard) -> Self {
        let brain = Brain::new(settings, raw, Instant::at(0));
        let mut board = Self { brain, raw, now: 0, deeds: Vec::new() };
        board.wait(20);
        board
    }

    /// A game between this board and somebody far away, from this position.
    pub(crate) fn remote(seat: Seat, fen: &str) -> Self {
        let position: Position = fen.parse().expect(fen);
        let mut board = Self::with(Settings::default(), position.occupied());
        board.begin(fen, &Table { game: 1, seat, hints: false, ..Table::LOCAL });
        board
    }

    pub(crate) fn local(fen: &str) -> Self {
        let position: Position = fen.parse().expect(fen);
        let mut board = Self::with(Settings::default(), position.occupied());
        board.begin(fen, &Table::LOCAL);
        board
    }

    pub(crate) fn timed(base_ms: u32, increment_ms: u32) -> Self {
        let mut board = Self::set_up();
        let clock = Some(ClockRule { base_ms, increment_ms });
        board.begin(START, &Table { clock, ..Table::LOCAL });
        board
    }

    fn begin(&mut self, fen: &str, table: &Table<'_>) {
        let position = fen.parse().expect(fen);
        self.brain.begin(position, table, Instant::at(self.now));
        self.wait(20);
    }

    pub(crate) fn wait(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds {
            self.now += 1;
            let deeds = self.brain.scan(self.raw, Instant::at(self.now));
            self.deeds.extend(deeds);
        }
    }

    pub(crate) fn lift(&mut self, square: Square) {
        self.raw = self.raw.without(square.into());
        self.wait(200);
    }

    pub(crate) fn place(&mut self, square: Square) {
        self.raw |= square.into();
        self.wait(200);
    }

    pub(crate) fn go(&mut self, from: Square, to: Square) {
        self.lift(from);
        self.place(to);
    }

    /// Makes moves as careful hands do: first what is taken, then what takes, then the rook; and lets the board rest.
    pub(crate) fn play(&mut self, moves: &str) {
        for text in moves.split_whitespace() {
            let mv: Move = text.parse().expect(text);
            let position = *self.brain.game().position();
            self.make(&position, mv);
        }
    }

    /// Makes a move that is legal in this position.
    pub(crate) fn make(&mut self, position: &Position, mv: Move) {
        if let Some(victim) = position.victim(mv) {
            self.lift(victim);
        }
        self.go(mv.from(), mv.to());
        if let Some((from, to)) = position.castling_rook(mv) {
            self.go(from, to);
        }
        if let Some(promotion) = mv.promotion() {
            let choice = board::promotion_choices(mv.to()).into_iter().find(|choice| choice.1 == promotion);
            self.touch(choice.expect("there are four").0);
        }
        self.wait(1600);
    }

    /// Lifts and places, or places and lifts: the square is what it was.
    pub(crate) fn touch(&mut self, square: Square) {
        if self.raw.has(square) {
            self.lift(square);
            self.place(square);
        } else {
            self.place(square);
            self.lift(square);
        }
    }

    pub(crate) fn hear(&mut self, event: Event) {
        let deeds = self.brain.hear(event, Instant::at(self.now));
        self.deeds.extend(deeds);
        self.wait(5);
    }

    /// The opponent's move comes.
    pub(crate) fn hear_move(&mut self, text: &str) {
        let ply = u16::try_from(self.brain.game().moves().len()).expect("a short game");
        self.hear(Event::Moved { ply, mv: text.parse().expect(text), thought_ms: 0 });
    }

    /// What was done since it was last asked for.
    pub(crate) fn deeds(&mut self) -> Vec<Deed> {
        std::mem::take(&mut self.deeds)
    }

    /// What was said since it was last asked for; the time that a move took is nobody's business here.
    pub(crate) fn said(&mut self) -> Vec<Event> {
        let event = |deed| match deed {
            Deed::Say(Event::Moved { ply, mv, .. }) => Some(Event::Moved { ply, mv, thought_ms: 0 }),
            Deed::Say(event) => Some(event),
            Deed::Begin => None,
        };
        self.deeds().into_iter().filter_map(event).collect()
    }

    pub(crate) fn scene(&self) -> Scene {
        self.brain.referee().scene(self.brain.game(), Instant::at(self.now))
    }

    pub(crate) fn shows(&self, meaning: Meaning) -> Vec<Square> {
        self.scene().squares(meaning).squares().collect()
    }

    pub(crate) fn moves(&self) -> String {
        let moves: Vec<String> = self.brain.game().moves().iter().map(Move::to_string).collect();
        moves.join(" ")
    }

    pub(crate) fn turn(&self) -> Color {
        self.brain.game().position().turn()
    }
}

pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub(crate) fn moved(ply: u16, text: &str) -> Event {
    Event::Moved { ply, mv: text.parse().expect(text), thought_ms: 0 }
}
