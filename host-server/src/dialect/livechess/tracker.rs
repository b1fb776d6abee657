//! The moves of one board since its last set-up, as LiveChess reports them: a list that only grows until the next set-up.

use chess::{Move, Position};

use crate::boards::BoardView;

/// Follows the game of one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tracker {
    /// The position of the last set-up; before the first, the start of the board's game.
    start: Position,
    /// The moves of the board's game before the set-up.
    before: Vec<Move>,
    /// The start of the board's game.
    game_start: Position,
    /// The moves since the set-up.
    moves: Vec<Move>,
    /// The position after them.
    position: Position,
    /// The same in SAN.
    san: Vec<String>,
    /// Moves were taken back or another game has begun, which a list that only grows cannot express. It waits for the next set-up.
    is_stopped: bool,
    is_set_up: bool,
}

/// Why a set-up is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SetupError {
    #[error("param.fen is not a position: {0}")]
    Fen(#[from] chess::FenError),
    #[error("the board does not show this position")]
    OtherPosition,
}

impl Tracker {
    pub(super) fn new(view: &BoardView) -> Self {
        let mut tracker = Self {
            start: view.start,
            before: Vec::new(),
            game_start: view.start,
            moves: Vec::new(),
            position: view.start,
            san: Vec::new(),
            is_stopped: false,
            is_set_up: false,
        };
        tracker.follow(view);
        tracker
    }

    /// Takes the board's current game.
    pub(super) fn follow(&mut self, view: &BoardView) {
        let since = view.moves.strip_prefix(self.before.as_slice()).filter(|_| view.start == self.game_start);
        match since.and_then(|since| since.strip_prefix(self.moves.as_slice())) {
            Some(_) if self.is_stopped => {}
            Some(new) => {
                for &mv in new {
                    self.push(mv);
                }
            }
            None if self.is_set_up => self.is_stopped = true,
            // A client that never sets a position up follows the board from game to game.
            None if view.moves.is_empty() || !self.is_same_game(view) => *self = Self::new(view),
            None => self.is_stopped = true,
        }
    }

    /// Whether the game is the tracked one with moves taken back.
    fn is_same_game(&self, view: &BoardView) -> bool {
        view.start == self.game_start
            && self.before.iter().chain(&self.moves).zip(&view.moves).next().is_some_and(|(one, other)| one == other)
    }

    fn push(&mut self, mv: Move) {
        match (self.position.san(mv), self.position.play(mv)) {
            (Ok(san), Ok(after)) => {
                self.moves.push(mv);
                self.san.push(san.to_string());
                self.position = after;
            }
            // The set-up had other rights or another side to move than the board's game.
            _ => self.is_stopped = true,
        }
    }

    /// Starts the list again from a position that the board shows now.
    pub(super) fn set_up(&mut self, fen: &str, view: &BoardView) -> Result<(), SetupError> {
        let start: Position = fen.parse()?;
        if !view.is_exact() || start.board() != view.position.board() {
            return Err(SetupError::OtherPosition);
        }
        *self = Self {
            start,
            before: view.moves.clone(),
            game_start: view.start,
            moves: Vec::new(),
            position: start,
            san: Vec::new(),
            is_stopped: false,
            is_set_up: true,
        };
        Ok(())
    }

    pub(super) fn start(&self) -> String {
        self.start.fen().to_string()
    }

    pub(super) fn san(&self) -> &[String] {
        &self.san
    }

    /// Whether the board shows the position after the moves.
    pub(super) fn matches(&self, view: &BoardView) -> bool {
        view.is_exact() && !self.is_stopped && self.position.board() == view.position.board()
    }

    /// The state that survives a restart of the relay: set-up position, and the game's moves before it.
    pub(super) fn stored(&self) -> Option<Stored> {
        let moves: Vec<_> = self.before.iter().map(ToString::to_string).collect();
        self.is_set_up.then(|| Stored { start: self.start(), before: moves.join(" ") })
    }

    /// Restores what was stored, if the board's game still begins with it.
    pub(super) fn restore(&mut self, stored: &Stored, view: &BoardView) {
        let Ok(start) = stored.start.parse::<Position>() else { return };
        let before: Option<Vec<Move>> = stored.before.split_ascii_whitespace().map(|mv| mv.parse().ok()).collect();
        let Some(before) = before.filter(|before| view.moves.starts_with(before)) else { return };
        let restored = Self {
            start,
            before,
            game_start: view.start,
            moves: Vec::new(),
            position: start,
            san: Vec::new(),
            is_stopped: false,
            is_set_up: true,
        };
        *self = restored;
        self.follow(view);
    }
}

/// What is stored of a tracker.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Stored {
    /// FEN.
    start: String,
    /// UCI, separated by spaces.
    before: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::Serial;
    use wire::link::PairingKey;

    /// A board after these moves, with all pieces on their squares.
    fn view(moves: &str) -> BoardView {
        let start = Position::start();
        let moves: Vec<Move> = moves.split_ascii_whitespace().map(|mv| mv.parse().unwrap()).collect();
        let position = moves.iter().fold(start, |position, &mv| position.play(mv).unwrap());
        BoardView {
            name: "kitchen".parse().unwrap(),
            serial: Serial::of(PairingKey::new([7; 32]).board_id()),
            is_online: true,
            start,
            moves,
            position,
            occupied: position.occupied(),
            is_settled: true,
        }
    }

    #[test]
    fn the_list_grows_with_the_game() {
        let mut tracker = Tracker::new(&view(""));
        tracker.follow(&view("e2e4"));
        tracker.follow(&view("e2e4 e7e5 g1f3"));
        assert_eq!(tracker.san(), ["e4", "e5", "Nf3"]);
        assert!(tracker.matches(&view("e2e4 e7e5 g1f3")));
    }

    #[test]
    fn a_set_up_starts_the_list_again() {
        let mut tracker = Tracker::new(&view("e2e4"));
        let fen = view("e2e4").position.fen().to_string();
        tracker.set_up(&fen, &view("e2e4")).unwrap();
        assert_eq!(tracker.san(), [""; 0]);
        tracker.follow(&view("e2e4 c7c5"));
        assert_eq!((tracker.san(), tracker.start()), (["c5".to_owned()].as_slice(), fen));
    }

    #[test]
    fn a_takeback_stops_the_list_until_the_next_set_up() {
        let mut tracker = Tracker::new(&view(""));
        let start = view("").position.fen().to_string();
        tracker.set_up(&start, &view("")).unwrap();
        tracker.follow(&view("e2e4 e7e5"));
        tracker.follow(&view("e2e4"));
        tracker.follow(&view("e2e4 c7c5"));
        assert_eq!(tracker.san(), ["e4", "e5"]);
        assert!(!tracker.matches(&view("e2e4 c7c5")));
        tracker.set_up(&view("e2e4 c7c5").position.fen().to_string(), &view("e2e4 c7c5")).unwrap();
        tracker.follow(&view("e2e4 c7c5 g1f3"));
        assert_eq!(tracker.san(), ["Nf3"]);
    }

    #[test]
    fn without_a_set_up_the_next_game_is_a_new_list() {
        let mut tracker = Tracker::new(&view(""));
        tracker.follow(&view("e2e4 e7e5"));
        tracker.follow(&view(""));
        tracker.follow(&view("d2d4"));
        assert_eq!(tracker.san(), ["d4"]);
    }

    #[test]
    fn a_position_that_the_board_does_not_show_is_refused() {
        let mut tracker = Tracker::new(&view(""));
        let other = view("e2e4").position.fen().to_string();
        assert_eq!(tracker.set_up(&other, &view("")), Err(SetupError::OtherPosition));
        assert!(matches!(tracker.set_up("nonsense", &view("")), Err(SetupError::Fen(_))));
        let in_hand = BoardView { is_settled: false, ..view("e2e4") };
        assert_eq!(tracker.set_up(&other, &in_hand), Err(SetupError::OtherPosition));
    }

    /// Replaying the whole list for each of its moves would take minutes here.
    #[test]
    fn follows_a_long_game() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(4_000);
        let mut tracker = Tracker::new(&view(""));
        tracker.follow(&view(&shuffle));
        assert_eq!((tracker.san().len(), tracker.matches(&view(&shuffle))), (16_000, true));
    }

    #[test]
    fn the_set_up_survives_a_restart() {
        let mut tracker = Tracker::new(&view("e2e4"));
        tracker.set_up(&view("e2e4").position.fen().to_string(), &view("e2e4")).unwrap();
        let stored = tracker.stored().unwrap();
        let mut again = Tracker::new(&view("e2e4 e7e5"));
        again.restore(&stored, &view("e2e4 e7e5"));
        assert_eq!(again.san(), ["e5"]);
        let mut other = Tracker::new(&view("d2d4"));
        other.restore(&stored, &view("d2d4"));
        assert_eq!(other.san(), ["d4"]);
    }
}
