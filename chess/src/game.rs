use core::error::Error;
use core::fmt;

use crate::color::Color;
use crate::key::Key;
use crate::moves::Move;
use crate::outcome::{DrawClaim, DrawReason, Outcome, WinReason};
use crate::position::{IllegalMove, Position};
use crate::setup::SEVENTY_FIVE_MOVES;
use crate::square::Square;

/// No game from the start position is longer than this.
///
/// Every 150 plies at the latest a pawn must move or a piece be taken, or the seventy-five-move rule ends the game; 96
/// pawn moves and 30 captures, of which 8 are one and the same ply, and three changes of the side that makes them, leave
/// room for 17,697 plies.
pub const MAX_PLIES: usize = 17_697;

/// Positions that may repeat all lie behind the last capture or pawn move, and there are never more plies than that.
const MAX_KEYS: usize = SEVENTY_FIVE_MOVES as usize;

/// A game: where it started, every move, the position now, and how it ended. All of it lives in fixed memory.
///
/// A move is taken back by playing all moves but the last again. That costs as much as the game is long (a moment even
/// on a small core), and in return there is nothing to undo, nothing to store for undoing, and nothing to get wrong: the
/// game after a take-back is the game before the move.
#[derive(Clone)]
pub struct Game {
    start: Position,
    position: Position,
    /// The moves so far, of which the first `plies` count.
    moves: [Move; MAX_PLIES],
    plies: u16,
    /// The positions before this one that could come again, of which the first `reversible` count.
    keys: [Key; MAX_KEYS],
    reversible: u8,
    outcome: Option<Outcome>,
}

/// What a whole game costs in memory.
const GAME_BYTES: usize = 36_872;
const _: () = assert!(size_of::<Game>() == GAME_BYTES, "the size of a game is stated in the documentation");

/// Why a move was not played. The game is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// The game is over.
    Over(Outcome),
    /// The rules do not allow it.
    Illegal(IllegalMove),
    /// The history is full, which can only happen to a game that began from a set-up position.
    Full,
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over(outcome) => write!(f, "the game is over: {outcome}"),
            Self::Illegal(error) => error.fmt(f),
            Self::Full => write!(f, "the game is longer than {MAX_PLIES} plies"),
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
    /// A new game. It is `const`, so that a small machine can have it in a static and never on its stack.
    #[must_use]
    #[expect(clippy::large_stack_arrays, reason = "in a static it is no local array")]
    pub const fn new() -> Self {
        Self {
            start: Position::start(),
            position: Position::start(),
            moves: [Move::new(Square::A1, Square::A1); MAX_PLIES],
            plies: 0,
            keys: [Key::NONE; MAX_KEYS],
            reversible: 0,
            outcome: None,
        }
    }

    /// Begins anew in the same memory, from this position.
    pub fn restart(&mut self, start: Position) {
        self.start = start;
        self.rewind();
    }

    fn rewind(&mut self) {
        self.position = self.start;
        self.plies = 0;
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
        self.moves.get(..usize::from(self.plies)).unwrap_or_default()
    }

    /// How it ended, if it has.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// How often the position has been on the board, this time included.
    #[must_use]
    pub fn repetitions(&self) -> usize {
        let key = self.position.key();
        self.keys().iter().filter(|&&earlier| earlier == key).count().saturating_add(1)
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
        let slot = self.moves.get_mut(usize::from(self.plies)).ok_or(PlayError::Full)?;
        *slot = mv;
        self.advance(mv);
        self.outcome = self.ended();
        Ok(())
    }

    /// Plays a move that is known to be legal, and is in the history already.
    fn advance(&mut self, mv: Move) {
        let key = self.position.key();
        self.position = self.position.after(mv);
        self.plies = self.plies.saturating_add(1);
        if self.position.halfmoves() == 0 {
            self.reversible = 0;
        } else if let Some(slot) = self.keys.get_mut(usize::from(self.reversible)) {
            *slot = key;
            self.reversible = self.reversible.saturating_add(1);
        }
    }

    /// How the position ends the game by itself, if it does. Mate comes first: it ends the game before any counter.
    fn ended(&self) -> Option<Outcome> {
        let position = &self.position;
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
        } else if self.repetitions() >= 5 {
            Outcome::Draw(DrawReason::FivefoldRepetition)
        } else {
            return None;
        })
    }

    /// Takes back the last move, and with it whatever ended the game. Returns the move, if there was one.
    pub fn take_back(&mut self) -> Option<Move> {
        let plies = self.plies.checked_sub(1)?;
        self.rewind();
        for ply in 0..plies {
            if let Some(&mv) = self.moves.get(usize::from(ply)) {
                self.advance(mv);
            }
        }
        // A move was played from here, so the game was not over.
        self.outcome = None;
        self.moves.get(usize::from(plies)).copied()
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
            DrawClaim::ThreefoldRepetition => {
                let key = next.key();
                self.keys().iter().filter(|&&earlier| earlier == key).count() >= 2
            }
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

/// Two games are equal if nothing that the rules can see tells them apart.
impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.start == other.start
            && self.position == other.position
            && self.moves() == other.moves()
            && self.keys() == other.keys()
            && self.outcome == other.outcome
    }
}

impl Eq for Game {}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game")
            .field("start", &format_args!("{}", self.start.fen()))
            .field("moves", &self.moves())
            .field("position", &format_args!("{}", self.position.fen()))
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}
