use core::error::Error;
use core::fmt;

use crate::color::Color;
use crate::history::History;
use crate::key::Key;
use crate::moves::Move;
use crate::outcome::{DrawClaim, DrawReason, Outcome, WinReason};
use crate::position::{IllegalMove, Position};
use crate::setup::SEVENTY_FIVE_MOVES;
use crate::sheet::{FixedSheet, Scoresheet, SheetFull};

/// A game: where it started, every move, the position now, and how it ended.
///
/// Its moves are written down on a [`Scoresheet`]. On a [`FixedSheet`], which is what [`Game::new`] takes, all of it lives
/// in fixed memory. Without the sheet it is 3,112 bytes, of which 2,832 are for takebacks and repetitions: taking back a ply
/// costs about as much as playing it, however long the game is.
#[derive(Clone)]
pub struct Game<S = FixedSheet> {
    start: Position,
    position: Position,
    sheet: S,
    history: History,
    outcome: Option<Outcome>,
}

/// What a whole game costs in fixed memory.
const GAME_BYTES: usize = 38_504;
/// What it costs beside its sheet.
const SHEETLESS_BYTES: usize = 3_112;
const _: () = assert!(size_of::<Game>() == GAME_BYTES, "the size of a game is stated in the documentation");
const _: () = assert!(size_of::<Game<()>>() == SHEETLESS_BYTES, "so is its size without the sheet");

/// Why a move was not played. The game is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// The game is over.
    Over(Outcome),
    /// The rules do not allow it.
    Illegal(IllegalMove),
    /// The scoresheet is full. A [`FixedSheet`] can only be so in a game that began from a set-up position.
    Full,
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over(outcome) => write!(f, "the game is over: {outcome}"),
            Self::Illegal(error) => error.fmt(f),
            Self::Full => SheetFull.fmt(f),
        }
    }
}

impl Error for PlayError {}

/// Why a draw was not granted. The game is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimError {
    /// The game is over.
    Over(Outcome),
    /// The move with which it was claimed cannot be played.
    Illegal(IllegalMove),
    /// There is nothing to claim this for.
    Unfounded(DrawClaim),
}

impl fmt::Display for ClaimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over(outcome) => write!(f, "the game is over: {outcome}"),
            Self::Illegal(error) => error.fmt(f),
            Self::Unfounded(claim) => write!(f, "there is no draw by {claim}"),
        }
    }
}

impl Error for ClaimError {}

/// Why a game was not ended. It is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndError {
    /// The game is over already, with this outcome.
    Over(Outcome),
    /// The moves of this game do not allow this outcome.
    Unfounded(Outcome),
}

impl fmt::Display for EndError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over(outcome) => write!(f, "the game is over: {outcome}"),
            Self::Unfounded(outcome) => write!(f, "the moves do not allow this: {outcome}"),
        }
    }
}

impl Error for EndError {}

impl Default for Game {
    fn default() -> Self {
        Self::new()
    }
}

impl Game {
    /// A new game in fixed memory. It is `const`, so that a small machine can have it in a static and never on its stack.
    #[must_use]
    pub const fn new() -> Self {
        Self::begin(FixedSheet::new())
    }
}

impl<S> Game<S> {
    /// A new game on a sheet that is empty.
    const fn begin(sheet: S) -> Self {
        Self { start: Position::start(), position: Position::start(), sheet, history: History::new(), outcome: None }
    }
}

impl<S: Scoresheet> Game<S> {
    /// A new game on this sheet. What was written on it is struck out.
    #[must_use]
    pub fn on(mut sheet: S) -> Self {
        sheet.truncate(0);
        Self::begin(sheet)
    }

    /// Begins anew in the same memory, from this position.
    pub fn restart(&mut self, start: Position) {
        self.start = start;
        self.sheet.truncate(0);
        self.position = self.start;
        self.history.clear();
        self.outcome = self.ended();
    }

    /// Where it started.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// Where it stands.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The moves so far.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        self.sheet.moves()
    }

    /// The sheet that the moves are written on.
    #[must_use]
    pub const fn sheet(&self) -> &S {
        &self.sheet
    }

    /// The sheet, for a game under other rules that is played in this memory instead. [`Game::restart`] must follow before this
    /// is a game of chess again.
    pub const fn sheet_mut(&mut self) -> &mut S {
        &mut self.sheet
    }

    /// How it ended, if it has.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// How often the position has been on the board, this time included.
    #[must_use]
    pub fn repetitions(&self) -> usize {
        repetitions(&self.position, self.keys())
    }

    /// The keys of the earlier positions that could repeat.
    fn keys(&self) -> impl Iterator<Item = Key> + '_ {
        self.history.keys(&self.position, self.moves().len())
    }

    /// Plays a move. If it ends the game, [`Game::outcome`] says so.
    pub fn play(&mut self, mv: Move) -> Result<(), PlayError> {
        if let Some(outcome) = self.outcome {
            return Err(PlayError::Over(outcome));
        }
        if !self.position.is_legal(mv) {
            return Err(PlayError::Illegal(IllegalMove(mv)));
        }
        let ply = self.moves().len();
        self.sheet.write(mv).map_err(|SheetFull| PlayError::Full)?;
        let next = self.position.after(mv);
        self.history.record(ply, &self.position, mv, &next);
        self.position = next;
        self.outcome = self.ended();
        Ok(())
    }

    fn ended(&self) -> Option<Outcome> {
        ended(&self.position, self.keys())
    }

    /// Takes back the last move, and with it the end of the game. Returns the move, if there was one.
    pub fn take_back(&mut self) -> Option<Move> {
        let moves = self.sheet.moves();
        let (&last, earlier) = moves.split_last()?;
        let mut cursor = self.history.cursor(&self.position, moves.len());
        self.history.step_back(&mut cursor, &self.start, moves);
        self.history.rewind(&cursor, &self.start, moves);
        let plies = earlier.len();
        self.position = cursor.position;
        self.sheet.truncate(plies);
        // A move was played from here, so the game was not over.
        self.outcome = None;
        Some(last)
    }

    /// The position before the last move, if there was one.
    #[must_use]
    pub fn before_last(&self) -> Option<Position> {
        let moves = self.moves();
        let mut cursor = self.history.cursor(&self.position, moves.len());
        self.history.step_back(&mut cursor, &self.start, moves).then_some(cursor.position)
    }

    /// The position after the last capture or pawn move, and the moves since then, at most 150: all of the game that a search needs to
    /// see repetitions.
    #[must_use]
    pub fn reversible(&self) -> (Position, &[Move]) {
        let moves = self.moves();
        let mut cursor = self.history.cursor(&self.position, moves.len());
        let mut count = 0_usize;
        while count < usize::from(self.position.halfmoves()) && self.history.step_back(&mut cursor, &self.start, moves)
        {
            count = count.saturating_add(1);
        }
        (cursor.position, moves.get(moves.len().saturating_sub(count)..).unwrap_or_default())
    }

    /// Whether the player to move may claim a draw for this now.
    #[must_use]
    pub fn can_claim(&self, claim: DrawClaim) -> bool {
        self.outcome.is_none()
            && match claim {
                DrawClaim::ThreefoldRepetition => self.repetitions() >= 3,
                DrawClaim::FiftyMoves => self.position.halfmoves() >= 100,
            }
    }

    /// The player to move claims a draw in the position on the board.
    pub fn claim_draw(&mut self, claim: DrawClaim) -> Result<(), ClaimError> {
        self.outcome = Some(self.check_claim(claim, None)?);
        Ok(())
    }

    /// The player to move announces a move and claims a draw in the position after it, without playing it.
    pub fn claim_draw_with(&mut self, mv: Move, claim: DrawClaim) -> Result<(), ClaimError> {
        self.outcome = Some(self.check_claim(claim, Some(mv))?);
        Ok(())
    }

    /// The outcome that a claim of the player to move would have: in the position on the board, or in the one after an announced move.
    pub fn check_claim(&self, claim: DrawClaim, with: Option<Move>) -> Result<Outcome, ClaimError> {
        if let Some(outcome) = self.outcome {
            return Err(ClaimError::Over(outcome));
        }
        let stands = match with {
            None => self.can_claim(claim),
            Some(mv) => self.stands_after(&self.position.play(mv).map_err(ClaimError::Illegal)?, claim),
        };
        if stands { Ok(Outcome::Draw(claim.reason())) } else { Err(ClaimError::Unfounded(claim)) }
    }

    /// A player resigns.
    pub fn resign(&mut self, loser: Color) -> Result<(), EndError> {
        self.conclude(Outcome::Win { winner: !loser, by: WinReason::Resignation })
    }

    /// Both players agree on a draw.
    pub fn agree_draw(&mut self) -> Result<(), EndError> {
        self.conclude(Outcome::Draw(DrawReason::Agreement))
    }

    /// A player's time has run out. That loses, unless the other side could never give mate.
    pub fn flag(&mut self, fallen: Color) -> Result<(), EndError> {
        self.conclude(if self.position.can_mate(!fallen) {
            Outcome::Win { winner: !fallen, by: WinReason::Time }
        } else {
            Outcome::Draw(DrawReason::TimeAgainstBareKing)
        })
    }

    fn conclude(&mut self, outcome: Outcome) -> Result<(), EndError> {
        if let Some(earlier) = self.outcome {
            return Err(EndError::Over(earlier));
        }
        self.outcome = Some(outcome);
        Ok(())
    }

    /// Ends the game with an outcome that was decided elsewhere: by a relay, or in a log that is replayed.
    ///
    /// The outcome is checked as far as it follows from the moves: a draw that needs a claim must be claimable now or with some
    /// legal move, and one that follows from the moves must follow from them. Stating the outcome that the game already has
    /// is allowed and changes nothing.
    pub fn end(&mut self, outcome: Outcome) -> Result<(), EndError> {
        if self.outcome == Some(outcome) {
            return Ok(());
        }
        if self.outcome.is_none() && !self.allows(outcome) {
            return Err(EndError::Unfounded(outcome));
        }
        self.conclude(outcome)
    }

    /// Whether a game that is not over can end like this.
    fn allows(&self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::Win { winner, by: WinReason::Time } => self.position.can_mate(winner),
            Outcome::Draw(DrawReason::TimeAgainstBareKing) => {
                Color::ALL.into_iter().any(|side| !self.position.can_mate(side))
            }
            Outcome::Draw(DrawReason::ThreefoldRepetition) => self.could_claim(DrawClaim::ThreefoldRepetition),
            Outcome::Draw(DrawReason::FiftyMoves) => self.could_claim(DrawClaim::FiftyMoves),
            // Otherwise the game would be over already.
            _ => !outcome.is_automatic(),
        }
    }

    /// Whether a claim stands now or with some legal move that is announced and not played.
    fn could_claim(&self, claim: DrawClaim) -> bool {
        self.can_claim(claim)
            || self.position.legal_moves().iter().any(|&mv| self.stands_after(&self.position.after(mv), claim))
    }

    /// Whether a claim stands in a position that one move from here leads to.
    fn stands_after(&self, next: &Position, claim: DrawClaim) -> bool {
        match claim {
            DrawClaim::FiftyMoves => next.halfmoves() >= 100,
            DrawClaim::ThreefoldRepetition => {
                // A pawn move or a capture cannot lead back to an earlier position.
                next.halfmoves() > 0 && repetitions(next, self.keys()) >= 3
            }
        }
    }
}

/// How often a position has been on the board, this time included, if these are the keys of all that it could repeat.
fn repetitions(position: &Position, earlier: impl Iterator<Item = Key>) -> usize {
    let key = position.key();
    earlier.filter(|&earlier| earlier == key).count().saturating_add(1)
}

/// How a position ends the game by itself, if it does. Mate comes first: it ends the game before any counter.
fn ended(position: &Position, earlier: impl Iterator<Item = Key>) -> Option<Outcome> {
    Some(if !position.has_legal_move() {
        if position.is_check() {
            Outcome::Win { winner: !position.turn(), by: WinReason::Checkmate }
        } else {
            Outcome::Draw(DrawReason::Stalemate)
        }
    } else if position.is_insufficient_material() {
        Outcome::Draw(DrawReason::InsufficientMaterial)
    } else if position.halfmoves() >= SEVENTY_FIVE_MOVES {
        Outcome::Draw(DrawReason::SeventyFiveMoves)
    } else if repetitions(position, earlier) >= 5 {
        Outcome::Draw(DrawReason::FivefoldRepetition)
    } else {
        return None;
    })
}

/// Two games are equal if nothing that the rules can see distinguishes them, on any kind of sheet.
impl<S: Scoresheet, T: Scoresheet> PartialEq<Game<T>> for Game<S> {
    fn eq(&self, other: &Game<T>) -> bool {
        self.start == other.start
            && self.position == other.position
            && self.moves() == other.moves()
            && self.keys().eq(other.keys())
            && self.outcome == other.outcome
    }
}

impl<S: Scoresheet> Eq for Game<S> {}

impl<S: Scoresheet> fmt::Debug for Game<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game")
            .field("start", &format_args!("{}", self.start.fen()))
            .field("moves", &self.moves())
            .field("position", &format_args!("{}", self.position.fen()))
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}
