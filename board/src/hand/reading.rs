use chess::{Bitboard, Square};
use rules::Ply;

use super::kings::KingsResult;
use super::sequence::{MAX_SEQUENCE, Sequence};

/// What the players' hands have done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Every piece is back where it was: nothing happened.
    PutBack,
    /// A move was made.
    Moved(Ply),
    /// A move and its answer, so quickly that they were complete at the same time.
    MovedTwice(Ply, Ply),
    /// Several moves, so quickly that the board did not rest between them.
    MovedSeveral(Moves),
    /// The last move was undone.
    TakenBack,
    /// Replaces the last move: its piece had only paused on its way.
    Corrected(Ply),
    /// Replaces the last move by these: that one, and what followed.
    CorrectedTo(Moves),
    /// The piece of the last move, which was sent to the remote opponent, is lifted again: it was not let go of.
    Withdrawn,
    /// Both kings stand in the centre and show how the game has ended.
    Kings(KingsResult),
    /// All pieces stand on the start squares.
    StartPosition,
}

/// Two to five moves in the order in which they were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves([Option<Ply>; MAX_SEQUENCE]);

impl Moves {
    pub(super) fn of(sequence: &Sequence) -> Self {
        let mut plies = [None; MAX_SEQUENCE];
        for (slot, &ply) in plies.iter_mut().zip(sequence) {
            *slot = Some(ply);
        }
        Self(plies)
    }

    /// The moves, the first one first.
    pub fn iter(&self) -> impl Iterator<Item = Ply> {
        self.0.into_iter().flatten()
    }
}

/// How the pieces on the board compare with the game, for the lights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// The board looks as the game says.
    Settled,
    /// Pieces are in the air, or a touch is too recent to be judged.
    InHand {
        /// The squares that pieces are missing from.
        missing: Bitboard,
    },
    /// Something was read, and is confirmed once the board has rested.
    Arriving(Reading),
    /// A move that takes more than one piece is under way.
    HalfDone {
        /// Squares that must still be placed on.
        fill: Bitboard,
        /// Squares that must still be lifted from.
        clear: Bitboard,
    },
    /// A promotion is pending: one of the squares of [`promotion_squares`](crate::promotion_squares) must be tapped.
    Choosing {
        /// The square that the pawn has entered.
        to: Square,
    },
    /// A promotion is chosen, and counts after a rest. Until then another square can be tapped.
    Chosen {
        /// The square that the pawn has entered.
        to: Square,
        /// The square that was tapped.
        square: Square,
    },
    /// It is not certain that a piece was captured on one of these squares: the piece there must be lifted and put down again.
    Asking(Bitboard),
    /// The board does not match the game, and no move explains it.
    Disorder {
        /// Squares that a piece belongs on.
        fill: Bitboard,
        /// Squares that nothing belongs on.
        clear: Bitboard,
        /// If a single piece of the side to move is on a wrong square: where it came from, and where it is.
        illegal: Option<(Square, Square)>,
    },
}
