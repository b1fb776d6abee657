use chess::{Bitboard, Move, Square};

use super::kings::KingsResult;

/// What hands have done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Everything is where it was: nothing happened.
    PutBack,
    /// A move.
    Moved(Move),
    /// A move and the answer to it, so quickly that they cannot be told apart in time.
    MovedTwice(Move, Move),
    /// The last move was undone.
    TakenBack,
    /// The last move was another one: the piece had only paused on its way.
    Corrected(Move),
    /// The kings stand in the centre, and say how the game has ended.
    Kings(KingsResult),
    /// All pieces stand as at the start of a game.
    StartPosition,
}

/// How things stand between the hands and the board, for the lights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// The board looks as the game says.
    Settled,
    /// Pieces are in the air, or something has only just happened.
    InHand {
        /// The squares that pieces are missing from.
        missing: Bitboard,
    },
    /// Something was read, and waits for the board to rest.
    Arriving(Reading),
    /// A move is under way that takes more than one piece.
    HalfDone {
        /// Squares that must still be placed on.
        fill: Bitboard,
        /// Squares that must still be lifted from.
        clear: Bitboard,
    },
    /// A pawn has arrived; one of these squares must be touched to say what it becomes.
    Choosing {
        /// Where the pawn has arrived.
        to: Square,
    },
    /// The piece on one of these squares must be lifted and put down again: it is not certain that it was captured.
    Asking(Bitboard),
    /// The board is not right, and nothing explains it.
    Disorder {
        /// Squares that a piece belongs on.
        fill: Bitboard,
        /// Squares that nothing belongs on.
        clear: Bitboard,
        /// If it is one own piece on a wrong square: where it is from, and where it is.
        illegal: Option<(Square, Square)>,
    },
}
