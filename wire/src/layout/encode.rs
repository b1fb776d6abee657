use core::error::Error;
use core::fmt;

use chess::{Game, Scoresheet, Square};

use super::encoder::Encoder;

/// Why a game cannot be written. The buffer is as it was.
///
/// The bytes have no place for where a game began and what came before: they are for games from the start position, and
/// for set-up positions from which nothing has been played yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// The game needs a buffer of this length.
    Buffer {
        /// How many bytes it takes.
        needed: usize,
    },
    /// It began from a set-up position and has moves.
    SetUpMoves,
    /// It began from a set-up position in which a pawn can be captured en passant on this square.
    SetUpEnPassant(Square),
    /// It began from a set-up position after so many plies without a capture or a pawn move, instead of none.
    SetUpHalfmoves(u8),
    /// It began from a set-up position with a move of this number, instead of 1.
    SetUpFullmoves(u16),
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Buffer { needed } => write!(f, "the game takes {needed} bytes, and the buffer has fewer"),
            Self::SetUpMoves => f.write_str("moves from a set-up position cannot be written"),
            Self::SetUpEnPassant(square) => {
                write!(f, "a set-up position with a capture en passant on {square} cannot be written")
            }
            Self::SetUpHalfmoves(count) => {
                write!(f, "a set-up position with a halfmove clock of {count} cannot be written, only of 0")
            }
            Self::SetUpFullmoves(number) => {
                write!(f, "a set-up position at move {number} cannot be written, only at move 1")
            }
        }
    }
}

impl Error for EncodeError {}

/// Writes a game into a buffer and returns how many bytes it took; [`MAX_LEN`](super::MAX_LEN) bytes are always enough.
///
/// What was agreed off the board is not in the bytes: neither a resignation nor an accepted draw, nor time.
pub fn encode(game: &Game<impl Scoresheet>, buffer: &mut [u8]) -> Result<usize, EncodeError> {
    let mut encoder = Encoder::new(game)?;
    let needed = encoder.remaining();
    let target = buffer.get_mut(..needed).ok_or(EncodeError::Buffer { needed })?;
    Ok(encoder.write(game, target))
}
