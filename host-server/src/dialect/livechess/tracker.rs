//! The moves of one board since its last set-up, as LiveChess reports them: a list that only grows until the next set-up.
//!
//! A hand that rests on its way, or that corrects a move, changes the newest ply of the board's game. So that ply is held back until it is
//! certain. A list that a client has received cannot be corrected any more.

use std::time::Duration;

use chess::{Move, Position};
use tokio::time::Instant;

use crate::boards::BoardView;

/// How long the pieces must stand still on the position after a ply before it is certain.
pub(super) const REST: Duration = Duration::from_secs(1);

/// Follows the game of one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tracker {
    /// The position of the last set-up; before the first, the start of the board's game.
    start: Position,
    /// The moves of the board's game before the set-up.
    before: Vec<Move>,
    /// The start of the board's game.
    game_start: Position,
    /// The moves since the set-up that are certain.
    moves: Vec<Move>,
    /// The position after them.
    position: Position,
    /// The same in SAN.
    san: Vec<String>,
    /// The newest ply of the board's game, which follows them and may still be corrected.
    held: Option<Held>,
    /// Moves were taken back or another game has begun, which a list that only grows cannot express. It waits for the next set-up.
    is_stopped: bool,
    is_set_up: bool,
    /// The board's game has not reached the position of the set-up yet, or has left it by a takeback. The list is empty until it has.
    is_pending: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    mv: Move,
    /// Since when the pieces have stood still on the position after it.
    rests_since: Option<Instant>,
}

/// Why a set-up is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SetupError {
    #[error("param.fen is not a position: {0}")]
    Fen(#[from] chess::FenError),
    #[error("the board of this feed is not followed")]
    NotFollowed,
}

impl Tracker {
    /// A tracker of a board that is seen for the first time. All moves that it has are taken as they are.
    pub(super) fn new(view: &BoardView) -> Self {
        let mut tracker = Self::beginning(view);
        for &mv in &view.moves {
            tracker.push(mv);
        }
        tracker
    }

    /// A tracker of the same game without its moves.
    const fn beginning(view: &BoardView) -> Self {
        Self::empty(view.start, view.start)
    }

    /// An empty list from this position on.
    const fn empty(start: Position, game_start: Position) -> Self {
        Self {
            start,
            before: Vec::new(),
            game_start,
            moves: Vec::new(),
            position: start,
            san: Vec::new(),
            held: None,
            is_stopped: false,
            is_set_up: false,
            is_pending: false,
        }
    }

    /// Takes the board's current game.
    pub(super) fn follow(&mut self, view: &BoardView, now: Instant) {
        // No move since the set-up is in the list, so that it may begin again.
        if self.is_set_up && !self.is_stopped && self.moves.is_empty() && self.since(view).is_none() {
            self.wait();
        }
        if self.is_pending && !self.begin(view) {
            return;
        }
        match self.since(view).and_then(|since| since.strip_prefix(self.moves.as_slice())) {
            Some(_) if self.is_stopped => {}
            Some(new) => self.take(new, view, now),
            None if self.is_set_up => self.stop(),
            // A client that never sets a position up follows the board from game to game.
            None if view.moves.is_empty() || !self.is_same_game(view) => {
                *self = Self::beginning(view);
                self.take(&view.moves, view, now);
            }
            None => self.stop(),
        }
    }

    /// The moves of the board's game since the set-up. `None` if it does not contain those before the set-up.
    fn since<'a>(&self, view: &'a BoardView) -> Option<&'a [Move]> {
        view.moves.strip_prefix(self.before.as_slice()).filter(|_| view.start == self.game_start)
    }

    /// Waits until the board's game passes through the position of the set-up.
    fn wait(&mut self) {
        *self = Self { is_set_up: true, is_pending: true, ..Self::empty(self.start, self.game_start) };
    }

    /// Begins the list where the board's game has last passed through the position of the set-up, if it has.
    fn begin(&mut self, view: &BoardView) -> bool {
        let Some(before) = plies_before(&self.start, view) else { return false };
        self.before = view.moves[..before].to_vec();
        self.game_start = view.start;
        self.is_pending = false;
        true
    }

    /// Whether the game is the tracked one with moves taken back.
    fn is_same_game(&self, view: &BoardView) -> bool {
        view.start == self.game_start
            && self.before.iter().chain(&self.moves).zip(&view.moves).next().is_some_and(|(one, other)| one == other)
    }

    /// Takes the plies that follow the certain ones. All but the newest are certain, since another ply follows them.
    fn take(&mut self, new: &[Move], view: &BoardView, now: Instant) {
        let known = self.held.take();
        let Some((&newest, certain)) = new.split_last() else { return };
        for &mv in certain {
            self.push(mv);
        }
        let rests_since = known.filter(|known| known.mv == newest).and_then(|known| known.rests_since);
        let rests_since = view.is_exact().then(|| rests_since.unwrap_or(now));
        if view.is_newest_remote || is_answered(view, newest) || rests_since.is_some_and(|since| now >= since + REST) {
            self.push(newest);
        } else if !self.is_stopped {
            self.held = Some(Held { mv: newest, rests_since });
        }
    }

    fn push(&mut self, mv: Move) {
        match (self.position.san(mv), self.position.play(mv)) {
            _ if self.is_stopped => {}
            (Ok(san), Ok(after)) => {
                self.moves.push(mv);
                self.san.push(san.to_string());
                self.position = after;
            }
            // The set-up had other rights or another side to move than the board's game.
            _ => self.stop(),
        }
    }

    fn stop(&mut self) {
        self.is_stopped = true;
        self.held = None;
    }

    /// Starts the list again from any position. If the board's game has passed through it, the list has the moves since; otherwise it waits
    /// until the game does.
    pub(super) fn set_up(&mut self, fen: &str, view: &BoardView) -> Result<(), SetupError> {
        self.start = fen.parse()?;
        let held = self.held;
        self.wait();
        if self.begin(view) {
            // Its rest goes on.
            self.held = held;
        }
        Ok(())
    }

    pub(super) fn start(&self) -> String {
        self.start.fen().to_string()
    }

    pub(super) fn san(&self) -> &[String] {
        &self.san
    }

    /// Whether the newest ply of the board is not in the list yet. The list and the placement of the board then belong to the position
    /// before it.
    pub(super) const fn is_holding(&self) -> bool {
        self.held.is_some()
    }

    /// The pieces are not seen any more: the ply that is held back has to rest again when they are.
    pub(super) fn pause(&mut self) {
        if let Some(held) = &mut self.held {
            held.rests_since = None;
        }
    }

    /// When the ply that is held back becomes certain if the pieces stand still until then.
    pub(super) fn due(&self) -> Option<Instant> {
        Some(self.held?.rests_since? + REST)
    }

    /// Whether the board shows the position after the moves.
    pub(super) fn matches(&self, view: &BoardView) -> bool {
        view.is_exact() && !self.is_stopped && !self.is_pending && self.position.board() == view.position.board()
    }

    /// The state that survives a restart of the relay: what clients have received, and which of the game's moves are before it. `None` if
    /// they have received nothing.
    pub(super) fn stored(&self) -> Option<Stored> {
        let is_needed = self.is_set_up || self.is_stopped || !self.moves.is_empty();
        is_needed.then(|| Stored {
            start: self.start(),
            before: texts(&self.before),
            game_start: Some(self.game_start.fen().to_string()),
            moves: texts(&self.moves),
            stopped: self.is_stopped,
            set_up: self.is_set_up,
            pending: self.is_pending,
        })
    }

    /// Goes on with what was stored. If the board's game does not extend it, [`Self::follow`] stops the list or begins it again, as if the
    /// relay had seen the change.
    pub(super) fn restore(stored: &Stored, view: &BoardView) -> Option<Self> {
        let start: Position = stored.start.parse().ok()?;
        let game_start = match &stored.game_start {
            Some(fen) => fen.parse().ok()?,
            // A record of an older release, which has stored set-ups only.
            None => view.start,
        };
        let mut tracker = Self {
            before: moves(&stored.before)?,
            is_set_up: stored.set_up,
            is_pending: stored.pending,
            ..Self::empty(start, game_start)
        };
        for mv in moves(&stored.moves)? {
            tracker.push(mv);
        }
        tracker.is_stopped |= stored.stopped;
        Some(tracker)
    }
}

/// Whether the opponent has lifted a piece, so that the player of the newest ply has let go of the own one.
fn is_answered(view: &BoardView, newest: Move) -> bool {
    let answering = view.position.of_color(view.position.turn());
    view.occupied.has(newest.to()) && answering.without(view.occupied).any()
}

/// How many plies of the board's game are before its last passage through a position from which the others can be played. The rights and
/// the side to move of a set-up are those of the client, and may differ from the board's.
fn plies_before(start: &Position, view: &BoardView) -> Option<usize> {
    let mut passages = Vec::new();
    let mut position = view.start;
    for (plies, &mv) in view.moves.iter().enumerate() {
        if position.board() == start.board() {
            passages.push(plies);
        }
        position = position.play(mv).ok()?;
    }
    if position.board() == start.board() {
        passages.push(view.moves.len());
    }
    let is_playable = |plies: usize| view.moves[plies..].iter().try_fold(*start, |at, &mv| at.play(mv)).is_ok();
    passages.into_iter().rev().find(|&plies| is_playable(plies))
}

/// What is stored of a tracker.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Stored {
    /// FEN.
    start: String,
    /// UCI, separated by spaces.
    before: String,
    /// FEN.
    #[serde(default)]
    game_start: Option<String>,
    /// UCI, separated by spaces.
    #[serde(default)]
    moves: String,
    #[serde(default)]
    stopped: bool,
    #[serde(default = "yes")]
    set_up: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pending: bool,
}

/// Older releases have stored set-ups only.
const fn yes() -> bool {
    true
}

fn texts(moves: &[Move]) -> String {
    let texts: Vec<_> = moves.iter().map(ToString::to_string).collect();
    texts.join(" ")
}

fn moves(texts: &str) -> Option<Vec<Move>> {
    texts.split_ascii_whitespace().map(|mv| mv.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::Serial;
    use chess::{Bitboard, Square};
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
            is_newest_remote: false,
        }
    }

    /// The same while a piece is lifted from a square.
    fn lifted(moves: &str, square: Square) -> BoardView {
        let view = view(moves);
        BoardView { occupied: view.occupied.without(Bitboard::of(square)), is_settled: false, ..view }
    }

    /// Shows a board until its newest ply is certain.
    fn rest(tracker: &mut Tracker, view: &BoardView) {
        let now = Instant::now();
        tracker.follow(view, now);
        tracker.follow(view, now + REST);
    }

    #[test]
    fn the_list_grows_with_the_game() {
        let mut tracker = Tracker::new(&view(""));
        rest(&mut tracker, &view("e2e4"));
        rest(&mut tracker, &view("e2e4 e7e5 g1f3"));
        assert_eq!(tracker.san(), ["e4", "e5", "Nf3"]);
        assert!(tracker.matches(&view("e2e4 e7e5 g1f3")));
    }

    #[test]
    fn castling_en_passant_and_promotion_are_written_in_san() {
        let moves = "e2e4 a7a6 e4e5 d7d5 e5d6 g8f6 g1f3 a6a5 f1c4 a5a4 e1g1 a4a3 d6c7 a3b2 c7b8n b2a1q";
        let mut tracker = Tracker::new(&view(""));
        rest(&mut tracker, &view(moves));
        let list = tracker.san().join(" ");
        assert_eq!(list, "e4 a6 e5 d5 exd6 Nf6 Nf3 a5 Bc4 a4 O-O a3 dxc7 axb2 cxb8=N bxa1=Q");
    }

    /// A pawn that a hand slides from e2 to e4 rests on e3, where the board reads a move and corrects it afterwards.
    #[test]
    fn a_move_that_is_corrected_in_time_is_never_in_the_list() {
        let now = Instant::now();
        let at = |ms| now + Duration::from_millis(ms);
        let mut tracker = Tracker::new(&view(""));
        tracker.set_up(&view("").position.fen().to_string(), &view("")).unwrap();
        tracker.follow(&lifted("", Square::E2), at(0));
        tracker.follow(&view("e2e3"), at(100));
        tracker.follow(&view("e2e3"), at(900));
        assert_eq!((tracker.san().len(), tracker.is_holding(), tracker.due()), (0, true, Some(at(1_100))));
        tracker.follow(&lifted("e2e3", Square::E3), at(1_000));
        assert_eq!(tracker.due(), None);
        // The hand may stay in the air for as long as it likes.
        tracker.follow(&lifted("e2e3", Square::E3), at(60_000));
        tracker.follow(&view("e2e4"), at(60_100));
        assert_eq!(tracker.san(), [""; 0]);
        tracker.follow(&view("e2e4"), at(61_099));
        assert!(tracker.is_holding() && !tracker.matches(&view("e2e4")));
        tracker.follow(&view("e2e4"), at(61_100));
        assert_eq!((tracker.san(), tracker.due()), (["e4".to_owned()].as_slice(), None));
        assert!(tracker.matches(&view("e2e4")));
    }

    #[test]
    fn a_move_that_is_put_back_in_time_is_never_in_the_list() {
        let mut tracker = Tracker::new(&view(""));
        tracker.set_up(&view("").position.fen().to_string(), &view("")).unwrap();
        tracker.follow(&view("e2e3"), Instant::now());
        rest(&mut tracker, &view(""));
        rest(&mut tracker, &view("d2d4"));
        assert_eq!(tracker.san(), ["d4"]);
    }

    #[test]
    fn a_move_is_certain_when_the_opponent_lifts_a_piece_or_answers() {
        let now = Instant::now();
        let mut tracker = Tracker::new(&view(""));
        tracker.follow(&view("e2e4"), now);
        tracker.follow(&lifted("e2e4", Square::E4), now);
        assert_eq!(tracker.san(), [""; 0]);
        tracker.follow(&lifted("e2e4", Square::E7), now);
        assert_eq!(tracker.san(), ["e4"]);
        tracker.follow(&view("e2e4 e7e5 g1f3"), now);
        assert_eq!((tracker.san().join(" ").as_str(), tracker.is_holding()), ("e4 e5", true));
    }

    #[test]
    fn a_move_of_an_opponent_elsewhere_is_certain_at_once() {
        let mut tracker = Tracker::new(&view(""));
        let remote = BoardView { occupied: view("").occupied, is_newest_remote: true, ..view("e2e4") };
        tracker.follow(&remote, Instant::now());
        assert_eq!(tracker.san(), ["e4"]);
    }

    #[test]
    fn a_set_up_starts_the_list_again() {
        let mut tracker = Tracker::new(&view("e2e4"));
        let fen = view("e2e4").position.fen().to_string();
        tracker.set_up(&fen, &view("e2e4")).unwrap();
        assert_eq!(tracker.san(), [""; 0]);
        rest(&mut tracker, &view("e2e4 c7c5"));
        assert_eq!((tracker.san(), tracker.start()), (["c5".to_owned()].as_slice(), fen));
    }

    /// A page knows only the position before a ply that is held back, and may be opened just then.
    #[test]
    fn a_set_up_before_a_held_ply_is_accepted() {
        let mut tracker = Tracker::new(&view("e2e4"));
        tracker.follow(&view("e2e4 c7c5"), Instant::now());
        tracker.set_up(&view("e2e4").position.fen().to_string(), &view("e2e4 c7c5")).unwrap();
        assert_eq!(tracker.san(), [""; 0]);
        rest(&mut tracker, &view("e2e4 c7c5"));
        assert_eq!(tracker.san(), ["c5"]);
    }

    #[test]
    fn a_takeback_stops_the_list_until_the_next_set_up() {
        let mut tracker = Tracker::new(&view(""));
        let start = view("").position.fen().to_string();
        tracker.set_up(&start, &view("")).unwrap();
        rest(&mut tracker, &view("e2e4 e7e5"));
        rest(&mut tracker, &view("e2e4"));
        rest(&mut tracker, &view("e2e4 c7c5"));
        assert_eq!(tracker.san(), ["e4", "e5"]);
        assert!(!tracker.matches(&view("e2e4 c7c5")) && !tracker.is_holding());
        tracker.set_up(&view("e2e4 c7c5").position.fen().to_string(), &view("e2e4 c7c5")).unwrap();
        rest(&mut tracker, &view("e2e4 c7c5 g1f3"));
        assert_eq!(tracker.san(), ["Nf3"]);
    }

    #[test]
    fn without_a_set_up_the_next_game_is_a_new_list() {
        let mut tracker = Tracker::new(&view(""));
        rest(&mut tracker, &view("e2e4 e7e5"));
        rest(&mut tracker, &view(""));
        rest(&mut tracker, &view("d2d4"));
        assert_eq!(tracker.san(), ["d4"]);
    }

    fn fen(moves: &str) -> String {
        view(moves).position.fen().to_string()
    }

    /// The opponent has moved at lichess, and no hand has made that move on the board yet.
    #[test]
    fn a_position_that_the_board_does_not_show_yet_starts_an_empty_list_there() {
        let mut tracker = Tracker::new(&view(""));
        rest(&mut tracker, &view("e2e4"));
        tracker.set_up(&fen("e2e4 e7e5"), &view("e2e4")).unwrap();
        rest(&mut tracker, &view("e2e4"));
        assert_eq!((tracker.san(), tracker.start()), ([].as_slice(), fen("e2e4 e7e5")));
        assert!(!tracker.matches(&view("e2e4")));
        rest(&mut tracker, &lifted("e2e4", Square::E7));
        // The pawn rests on its way.
        rest(&mut tracker, &view("e2e4 e7e6"));
        assert!(tracker.san().is_empty() && !tracker.matches(&view("e2e4 e7e6")) && !tracker.is_holding());
        rest(&mut tracker, &view("e2e4 e7e5"));
        assert!(tracker.san().is_empty() && tracker.matches(&view("e2e4 e7e5")));
        rest(&mut tracker, &view("e2e4 e7e5 g1f3"));
        assert_eq!(tracker.san(), ["Nf3"]);
    }

    /// The player has moved on the board while the page was away.
    #[test]
    fn a_position_that_the_game_has_passed_through_starts_the_list_with_the_moves_since() {
        let mut tracker = Tracker::new(&view("e2e4 e7e5"));
        let now = Instant::now();
        tracker.follow(&view("e2e4 e7e5 g1f3"), now);
        tracker.set_up(&fen("e2e4 e7e5"), &view("e2e4 e7e5 g1f3")).unwrap();
        tracker.follow(&view("e2e4 e7e5 g1f3"), now + REST);
        assert_eq!((tracker.san(), tracker.start()), (["Nf3".to_owned()].as_slice(), fen("e2e4 e7e5")));
        tracker.set_up(&fen("e2e4"), &view("e2e4 e7e5 g1f3 b8c6")).unwrap();
        rest(&mut tracker, &view("e2e4 e7e5 g1f3 b8c6"));
        assert_eq!(tracker.san(), ["e5", "Nf3", "Nc6"]);
        // Also with a piece in a hand.
        tracker.set_up(&fen("e2e4 e7e5 g1f3"), &lifted("e2e4 e7e5 g1f3 b8c6", Square::C6)).unwrap();
        rest(&mut tracker, &view("e2e4 e7e5 g1f3 b8c6"));
        assert_eq!(tracker.san(), ["Nc6"]);
    }

    #[test]
    fn of_several_passages_through_the_position_the_last_one_counts() {
        let twice = "g1f3 g8f6 f3g1 f6g8 e2e4";
        let mut tracker = Tracker::new(&view(twice));
        tracker.set_up(&fen(""), &view(twice)).unwrap();
        rest(&mut tracker, &view(twice));
        assert_eq!(tracker.san(), ["e4"]);
    }

    /// The client says that Black is to move where the board's game has continued with a move of White.
    #[test]
    fn moves_that_cannot_be_played_from_the_position_of_the_client_do_not_start_the_list() {
        let other_side = fen("").replace(" w ", " b ");
        let mut tracker = Tracker::new(&view("e2e4"));
        tracker.set_up(&other_side, &view("e2e4")).unwrap();
        rest(&mut tracker, &view("e2e4"));
        assert!(tracker.san().is_empty() && !tracker.is_stopped && !tracker.matches(&view("e2e4")));
    }

    #[test]
    fn only_a_bad_position_is_refused_and_leaves_the_list_as_it_is() {
        let mut tracker = Tracker::new(&view(""));
        rest(&mut tracker, &view("e2e4"));
        let before = tracker.clone();
        for bad in ["nonsense", "", "8/8/8/8/8/8/8/8 w - - 0 1"] {
            assert!(matches!(tracker.set_up(bad, &view("e2e4")), Err(SetupError::Fen(_))), "{bad}");
        }
        assert_eq!(tracker, before);
    }

    #[test]
    fn a_takeback_before_the_first_move_since_the_set_up_waits_for_its_position_again() {
        let mut tracker = Tracker::new(&view("e2e4"));
        tracker.set_up(&fen("e2e4"), &view("e2e4")).unwrap();
        rest(&mut tracker, &view(""));
        assert!(tracker.san().is_empty() && !tracker.is_stopped);
        rest(&mut tracker, &view("e2e4 c7c5"));
        assert_eq!(tracker.san(), ["c5"]);
    }

    #[test]
    fn a_set_up_that_waits_for_its_position_survives_a_restart() {
        let mut tracker = Tracker::new(&view("e2e4"));
        tracker.set_up(&fen("e2e4 e7e5"), &view("e2e4")).unwrap();
        let stored = tracker.stored().unwrap();
        let text = serde_json::to_string(&stored).unwrap();
        assert_eq!(serde_json::from_str::<Stored>(&text).unwrap(), stored);
        let mut again = restored(&stored, "e2e4");
        assert!(again.san().is_empty() && again.start() == fen("e2e4 e7e5") && !again.matches(&view("e2e4")));
        rest(&mut again, &view("e2e4 e7e5 g1f3"));
        assert_eq!(again.san(), ["Nf3"]);
    }

    /// Replaying the whole list for each of its moves would take minutes here.
    #[test]
    fn follows_a_long_game() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(4_000);
        let mut tracker = Tracker::new(&view(""));
        rest(&mut tracker, &view(&shuffle));
        assert_eq!((tracker.san().len(), tracker.matches(&view(&shuffle))), (16_000, true));
    }

    fn restored(stored: &Stored, moves: &str) -> Tracker {
        let mut tracker = Tracker::restore(stored, &view(moves)).unwrap();
        rest(&mut tracker, &view(moves));
        tracker
    }

    #[test]
    fn the_list_survives_a_restart_if_the_game_extends_it() {
        let mut tracker = Tracker::new(&view("e2e4"));
        tracker.set_up(&view("e2e4").position.fen().to_string(), &view("e2e4")).unwrap();
        rest(&mut tracker, &view("e2e4 e7e5"));
        let stored = tracker.stored().unwrap();
        assert_eq!(restored(&stored, "e2e4 e7e5 g1f3").san(), ["e5", "Nf3"]);
        // Clients have received e5: a list with another move in its place would contradict it.
        for other in ["e2e4 c7c5", "e2e4", "d2d4", ""] {
            let mut again = restored(&stored, other);
            assert_eq!((again.san(), again.is_stopped), (["e5".to_owned()].as_slice(), true), "{other}");
            rest(&mut again, &view("e2e4 e7e5 g1f3"));
            assert_eq!(again.san(), ["e5"]);
        }
    }

    #[test]
    fn a_stopped_list_is_still_stopped_after_a_restart() {
        let mut tracker = Tracker::new(&view(""));
        tracker.set_up(&view("").position.fen().to_string(), &view("")).unwrap();
        rest(&mut tracker, &view("e2e4 e7e5"));
        rest(&mut tracker, &view("e2e4"));
        let again = restored(&tracker.stored().unwrap(), "e2e4 e7e5 g1f3");
        assert_eq!((again.san().join(" ").as_str(), again.is_stopped), ("e4 e5", true));
    }

    #[test]
    fn without_a_set_up_a_restart_continues_the_list_or_follows_the_next_game() {
        let mut tracker = Tracker::new(&view(""));
        assert_eq!(tracker.stored(), None);
        rest(&mut tracker, &view("e2e4 e7e5"));
        let stored = tracker.stored().unwrap();
        assert_eq!(restored(&stored, "e2e4 e7e5 g1f3").san(), ["e4", "e5", "Nf3"]);
        assert_eq!(restored(&stored, "d2d4").san(), ["d4"]);
        assert!(restored(&stored, "e2e4 c7c5").is_stopped);
    }

    #[test]
    fn a_record_of_an_older_release_is_a_set_up() {
        let stored = r#"{"start":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1","before":"e2e4"}"#;
        let again = restored(&serde_json::from_str(stored).unwrap(), "e2e4 e7e5");
        assert_eq!((again.san(), again.is_set_up), (["e5".to_owned()].as_slice(), true));
    }
}
