use core::error::Error;
use core::fmt;

use chess::{Game, Scoresheet, Square};

use super::encoder::Encoder;

/// Why a game cannot be encoded. The buffer is unchanged.
///
/// The state has no field for the start of a game: it can hold games from the start position, and set-up positions
/// without moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// The buffer is too small.
    Buffer {
        /// Required length in bytes.
        needed: usize,
    },
    /// The game has moves from a set-up position.
    SetUpMoves,
    /// The set-up position has this en passant square.
    SetUpEnPassant(Square),
    /// The set-up position has this halfmove clock instead of 0.
    SetUpHalfmoves(u8),
    /// The set-up position has this move number instead of 1.
    SetUpFullmoves(u16),
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Buffer { needed } => write!(f, "the buffer is too small: the game takes {needed} bytes"),
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

/// Encodes a game into a buffer and returns the length; [`MAX_LEN`](super::MAX_LEN) bytes are always enough.
///
/// Resignations, draws by agreement and clocks are not part of the state.
pub fn encode(game: &Game<impl Scoresheet>, buffer: &mut [u8]) -> Result<usize, EncodeError> {
    let mut encoder = Encoder::new(game)?;
    let needed = encoder.remaining();
    let target = buffer.get_mut(..needed).ok_or(EncodeError::Buffer { needed })?;
    Ok(encoder.write(game, target))
}
