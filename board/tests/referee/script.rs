//! A playing surface with simulated hands that leave the reeds time to settle.

use board::{
    Computer, Effect, Instant, Meaning, Scene, SearchResult, Settings, Surface, WantedSearch, promotion_squares,
};
use chess::{Bitboard, Color, Move, Position, Promotion, Square};
use engine::{Level, Score};
use rules::{AnyPosition, Start};
use wire::link::{ClockRule, Event, GameInfo, Seat};

#[derive(Clone)]
pub(crate) struct Board {
    pub(crate) surface: Surface,
    pub(crate) raw: Bitboard,
    pub(crate) now: u64,
    /// The effects since they were last taken.
    effects: Vec<Effect>,
}

impl Board {
    /// A board with the pieces in the start position.
    pub(crate) fn set_up() -> Self {
        Self::with(Settings::default(), Position::start().occupied())
    }

    pub(crate) fn with(settings: Settings, raw: Bitboard) -> Self {
        let surface = Surface::new(settings, raw, Instant::at(0));
        let mut board = Self { surface, raw, now: 0, effects: Vec::new() };
        board.wait(20);
        board
    }

    /// A remote game from this position.
    pub(crate) fn remote(seat: Seat, fen: &str) -> Self {
        let position: Position = fen.parse().expect(fen);
        let mut board = Self::with(Settings::default(), position.occupied());
        board.begin(fen, &GameInfo { game: 1, seat, hints: false, ..GameInfo::LOCAL });
        board
    }

    /// A remote game under other rules, with hints.
    pub(crate) fn by_other_rules(seat: Seat, start: &Start) -> Self {
        let mut board = Self::with(Settings::default(), AnyPosition::at(start).situation().occupied());
        let clock = Some(ClockRule { base_ms: 600_000, increment_ms: 0 });
        let info = GameInfo { game: 1, seat, hints: true, clock, ..GameInfo::LOCAL };
        board.surface.begin(start, &info, Instant::at(0));
        board.wait(20);
        board
    }

    pub(crate) fn local(fen: &str) -> Self {
        let position: Position = fen.parse().expect(fen);
        let mut board = Self::with(Settings::default(), position.occupied());
        board.begin(fen, &GameInfo::LOCAL);
        board
    }

    pub(crate) fn timed(base_ms: u32, increment_ms: u32) -> Self {
        let mut board = Self::set_up();
        let clock = Some(ClockRule { base_ms, increment_ms });
        board.begin(START, &GameInfo { clock, ..GameInfo::LOCAL });
        board
    }

    /// A local game in which the computer has this side.
    pub(crate) fn against_computer(color: Color, fen: &str) -> Self {
        let mut board = Self::local(fen);
        board.set_computer(Computer { is_on: true, color, level: Level::FULL, seed: 7 });
        board
    }

    pub(crate) fn set_computer(&mut self, computer: Computer) {
        self.surface.set_computer(computer, Instant::at(self.now));
        self.wait(5);
    }

    /// The engine answers the question of this moment.
    pub(crate) fn think(&mut self, text: &str, score: i16) {
        let wanted = self.surface.referee().wanted_search().expect("the engine is asked");
        self.answer(wanted, text, Score::Centipawns(score));
    }

    pub(crate) fn answer(&mut self, wanted: WantedSearch, text: &str, score: Score) {
        let result = SearchResult { id: 1, mv: text.parse().expect(text), score: Some(score) };
        let effects = self.surface.receive_search_result(wanted, result, Instant::at(self.now));
        self.effects.extend(effects);
        self.wait(5);
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.surface.referee().wanted_search().is_some()
    }

    fn begin(&mut self, fen: &str, table: &GameInfo) {
        let position = fen.parse().expect(fen);
        self.surface.begin(&Start::Chess(position), table, Instant::at(self.now));
        self.wait(20);
    }

    pub(crate) fn wait(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds {
            self.now += 1;
            let effects = self.surface.scan(self.raw, Instant::at(self.now));
            self.effects.extend(effects);
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

    /// Makes moves: lifts the captured piece, then moves the piece, then the rook, and waits until the move is recognised.
    pub(crate) fn play(&mut self, moves: &str) {
        for text in moves.split_whitespace() {
            let mv: Move = text.parse().expect(text);
            let position = *self.surface.play().chess().expect("chess").position();
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
            let order = [Promotion::Queen, Promotion::Knight, Promotion::Rook, Promotion::Bishop];
            let choice = promotion_squares(mv.to()).zip(order).find(|choice| choice.1 == promotion);
            self.touch(choice.expect("there are four").0);
            // Until then the choice can be changed.
            self.wait(500);
        }
        self.wait(2000);
    }

    /// Lifts and places the piece, or places and lifts one on an empty square.
    pub(crate) fn touch(&mut self, square: Square) {
        if self.raw.has(square) {
            self.lift(square);
            self.place(square);
        } else {
            self.place(square);
            self.lift(square);
        }
    }

    pub(crate) fn receive(&mut self, event: Event) {
        let effects = self.surface.apply(event, Instant::at(self.now));
        self.effects.extend(effects);
        self.wait(5);
    }

    /// Receives a move of the opponent.
    pub(crate) fn receive_move(&mut self, text: &str) {
        let number = u16::try_from(self.surface.play().len()).expect("a short game");
        self.receive(moved(number, text));
    }

    /// The effects since they were last taken.
    pub(crate) fn effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// The events sent since they were last taken, with the thinking time set to 0.
    pub(crate) fn sent_events(&mut self) -> Vec<Event> {
        let event = |effect| match effect {
            Effect::Send(Event::Moved { number, ply, .. }) => Some(Event::Moved { number, ply, thought_ms: 0 }),
            Effect::Send(event) => Some(event),
            Effect::Begin | Effect::Computer(_) => None,
        };
        self.effects().into_iter().filter_map(event).collect()
    }

    pub(crate) fn scene(&self) -> Scene {
        self.surface.referee().scene(Instant::at(self.now))
    }

    pub(crate) fn shows(&self, meaning: Meaning) -> Vec<Square> {
        self.scene().squares(meaning).squares().collect()
    }

    pub(crate) fn moves(&self) -> String {
        let moves: Vec<String> = self.surface.play().plies_from(0).map(|ply| ply.to_string()).collect();
        moves.join(" ")
    }

    pub(crate) fn turn(&self) -> Color {
        self.surface.play().turn().to_move
    }
}

pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub(crate) fn moved(number: u16, text: &str) -> Event {
    Event::Moved { number, ply: text.parse().expect(text), thought_ms: 0 }
}
