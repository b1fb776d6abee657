use core::error::Error;
use core::fmt;

use crate::color::Color;
use crate::key::Key;
use crate::moves::Move;
use crate::outcome::{DrawClaim, DrawReason, Outcome, WinReason};
use crate::position::{IllegalMove, Position};
use crate::setup::SEVENTY_FIVE_MOVES;
use crate::sheet::{FixedSheet, Scoresheet, SheetFull};

/// Positions that may repeat all lie behind the last capture or pawn move, and there are never more plies than that.
const MAX_KEYS: usize = SEVENTY_FIVE_MOVES as usize;

/// A game: where it started, every move, the position now, and how it ended.
///
/// Its moves are written down on a [`Scoresheet`]. On a [`FixedSheet`], which is what [`Game::new`] takes, all of it lives
/// in fixed memory. Without the sheet it is 1,480 bytes.
///
/// A move is taken back by playing all moves but the last again. That costs as much as the game is long (a moment even
/// on a small core), and in return there is nothing to undo, nothing to store for undoing, and nothing to get wrong: the
/// game after a take-back is the game before the move.
#[derive(Clone)]
pub struct Game<S = FixedSheet> {
    start: Position,
    position: Position,
    sheet: S,
    /// The positions before this one that could come again, of which the first `reversible` count.
    keys: [Key; MAX_KEYS],
    reversible: u8,
    outcome: Option<Outcome>,
}

/// What a whole game costs in fixed memory.
const GAME_BYTES: usize = 36_872;
/// What it costs beside its sheet.
const SHEETLESS_BYTES: usize = 1_480;
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

/// The game is over already, with this outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndError(pub Outcome);

impl fmt::Display for EndError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the game is over: {}", self.0)
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
        Self {
            start: Position::start(),
            position: Position::start(),
            sheet,
            keys: [Key::NONE; MAX_KEYS],
            reversible: 0,
            outcome: None,
        }
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
        self.rewind();
    }

    /// Goes back to the start, but leaves the moves on the sheet.
    fn rewind(&mut self) {
        self.position = self.start;
        self.reversible = 0;
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

    fn keys(&self) -> &[Key] {
        self.keys.get(..usize::from(self.reversible)).unwrap_or_default()
    }

    /// Plays a move. If it ends the game, [`Game::outcome`] says so.
    pub fn play(&mut self, mv: Move) -> Result<(), PlayError> {
        if let Some(outcome) = self.outcome {
            return Err(PlayError::Over(outcome));
        }
        if !self.position.is_legal(mv) {
            return Err(PlayError::Illegal(IllegalMove(mv)));
        }
        self.sheet.write(mv).map_err(|SheetFull| PlayError::Full)?;
        self.advance(mv);
        self.outcome = self.ended();
        Ok(())
    }

    /// Plays a move that is known to be legal, and is on the sheet already.
    fn advance(&mut self, mv: Move) {
        let key = self.position.key();
        self.position = self.position.after(mv);
        if self.position.halfmoves() == 0 {
            self.reversible = 0;
        } else if let Some(slot) = self.keys.get_mut(usize::from(self.reversible)) {
            *slot = key;
            self.reversible = self.reversible.saturating_add(1);
        }
    }

    fn ended(&self) -> Option<Outcome> {
        ended(&self.position, self.keys())
    }

    /// Takes back the last move, and with it whatever ended the game. Returns the move, if there was one.
    pub fn take_back(&mut self) -> Option<Move> {
        let (&last, earlier) = self.moves().split_last()?;
        let plies = earlier.len();
        self.sheet.truncate(plies);
        self.rewind();
        for ply in 0..plies {
            if let Some(&mv) = self.moves().get(ply) {
                self.advance(mv);
            }
        }
        // A move was played from here, so the game was not over.
        self.outcome = None;
        Some(last)
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
        if let Some(outcome) = self.outcome {
            return Err(ClaimError::Over(outcome));
        }
        if !self.can_claim(claim) {
            return Err(ClaimError::Unfounded(claim));
        }
        self.outcome = Some(Outcome::Draw(claim.reason()));
        Ok(())
    }

    /// The player to move announces a move and claims a draw in the position after it, without playing it.
    pub fn claim_draw_with(&mut self, mv: Move, claim: DrawClaim) -> Result<(), ClaimError> {
        if let Some(outcome) = self.outcome {
            return Err(ClaimError::Over(outcome));
        }
        let next = self.position.play(mv).map_err(ClaimError::Illegal)?;
        let stands = match claim {
            DrawClaim::FiftyMoves => next.halfmoves() >= 100,
            DrawClaim::ThreefoldRepetition => repetitions(&next, self.keys()) >= 3,
        };
        if !stands {
            return Err(ClaimError::Unfounded(claim));
        }
        self.outcome = Some(Outcome::Draw(claim.reason()));
        Ok(())
    }

    /// A player gives up.
    pub fn resign(&mut self, loser: Color) -> Result<(), EndError> {
        self.end(Outcome::Win { winner: !loser, by: WinReason::Resignation })
    }

    /// Both players agree on a draw.
    pub fn agree_draw(&mut self) -> Result<(), EndError> {
        self.end(Outcome::Draw(DrawReason::Agreement))
    }

    /// The flag of a player falls. That loses, unless the other side could never give mate.
    pub fn flag(&mut self, fallen: Color) -> Result<(), EndError> {
        self.end(if self.position.can_mate(!fallen) {
            Outcome::Win { winner: !fallen, by: WinReason::Time }
        } else {
            Outcome::Draw(DrawReason::TimeAgainstBareKing)
        })
    }

    fn end(&mut self, outcome: Outcome) -> Result<(), EndError> {
        if let Some(earlier) = self.outcome {
            return Err(EndError(earlier));
        }
        self.outcome = Some(outcome);
        Ok(())
    }
}

/// How often a position has been on the board, this time included, if these are the keys of all that it could repeat.
fn repetitions(position: &Position, earlier: &[Key]) -> usize {
    let key = position.key();
    earlier.iter().filter(|&&earlier| earlier == key).count().saturating_add(1)
}

/// How a position ends the game by itself, if it does. Mate comes first: it ends the game before any counter.
fn ended(position: &Position, earlier: &[Key]) -> Option<Outcome> {
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

/// Two games are equal if nothing that the rules can see tells them apart, whatever they are written down on.
impl<S: Scoresheet, T: Scoresheet> PartialEq<Game<T>> for Game<S> {
    fn eq(&self, other: &Game<T>) -> bool {
        self.start == other.start
            && self.position == other.position
            && self.moves() == other.moves()
            && self.keys() == other.keys()
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
