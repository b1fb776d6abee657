use core::error::Error;
use core::fmt;

use chess::{Color, Move, Outcome, Piece, SetupError, Square};

use super::{BOARD, CAPTURED, MAX_CAPTURED};

/// Why bytes are not a valid game state, with the offset of the wrong byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// Offset of the wrong byte, or of the first missing byte.
    pub offset: usize,
    /// What is wrong at this offset.
    pub kind: DecodeErrorKind,
}

/// What is wrong with a byte of a game state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeErrorKind {
    /// The bytes end before the board does.
    EndsInBoard,
    /// The bytes end before the 0 that closes the list of captured pieces.
    EndsInCaptured,
    /// The bytes end within a move.
    EndsInMove,
    /// The side to move is not 0 or 1.
    Turn(u8),
    /// The side in check is not 0, 1 or 2.
    Checked(u8),
    /// The checkmate flag is not 0 or 1.
    Mate(u8),
    /// The castling rights have an unknown bit.
    Rights(u8),
    /// The byte is not a piece.
    Piece(u8),
    /// A king is in the list of captured pieces.
    CapturedKing(Color),
    /// The list of captured pieces is too long.
    TooManyCaptured,
    /// A move starts or ends on a square that does not exist.
    Square(u8),
    /// The promotion tag of a move is unknown.
    Tag(u8),
    /// The move is illegal in the position after the moves before it.
    Illegal(Move),
    /// The game was over before this move.
    Over(Outcome),
    /// The scoresheet of the game is full.
    TooLong,
    /// A set-up position from which no game can begin.
    SetUp(SetupError),
    /// In a set-up position: a piece away from its start square is marked as unmoved.
    MustHaveMoved(Piece, Square),
    /// In a set-up position: a pawn on its start square is marked as moved.
    CannotHaveMoved(Piece, Square),
    /// In a set-up position: more pieces of this kind are marked as unmoved than a game starts with.
    TooManyUnmoved(Piece),
    /// A valid header byte that does not agree with the moves or with the board.
    Mismatch {
        /// The byte in the input.
        found: u8,
        /// The byte that the game would be encoded with.
        expected: u8,
    },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: ", self.offset)?;
        match self.kind {
            DecodeErrorKind::EndsInBoard => {
                write!(f, "the state ends here, but its board goes on to byte {}", CAPTURED.saturating_sub(1))
            }
            DecodeErrorKind::EndsInCaptured => {
                f.write_str("the state ends here, without the 0 after the captured pieces")
            }
            DecodeErrorKind::EndsInMove => f.write_str("the state ends here, in the middle of a move"),
            DecodeErrorKind::Turn(byte) => write!(f, "the player to move is 0 or 1, not {byte}"),
            DecodeErrorKind::Checked(byte) => write!(f, "the player in check is 0, 1, or 2 for none, not {byte}"),
            DecodeErrorKind::Mate(byte) => write!(f, "mate is 0 or 1, not {byte}"),
            DecodeErrorKind::Rights(byte) => write!(f, "castling rights are at most 15, not {byte}"),
            DecodeErrorKind::Piece(byte) => write!(f, "pieces are 1 to 24, not {byte}"),
            DecodeErrorKind::CapturedKing(color) => write!(f, "the {color} king cannot be captured"),
            DecodeErrorKind::TooManyCaptured => write!(f, "no more than {MAX_CAPTURED} pieces can be captured"),
            DecodeErrorKind::Square(byte) => write!(f, "squares are 0 to 63, not {byte}"),
            DecodeErrorKind::Tag(byte) => write!(f, "promotions are 1 to 4, not {byte}"),
            DecodeErrorKind::Illegal(mv) => write!(f, "{mv} is not a legal move here"),
            DecodeErrorKind::Over(outcome) => write!(f, "the game was over before this move: {outcome}"),
            DecodeErrorKind::TooLong => f.write_str("the game has no room for this move"),
            DecodeErrorKind::SetUp(error) => error.fmt(f),
            DecodeErrorKind::MustHaveMoved(piece, square) => {
                write!(f, "a {} {} on {square} must have moved", piece.color(), piece.role())
            }
            DecodeErrorKind::CannotHaveMoved(piece, square) => {
                write!(f, "a {} {} on {square} cannot have moved", piece.color(), piece.role())
            }
            DecodeErrorKind::TooManyUnmoved(piece) => {
                write!(f, "fewer {} {}s than these can still be unmoved", piece.color(), piece.role())
            }
            DecodeErrorKind::Mismatch { found, expected } => {
                self.write_name(f)?;
                write!(f, " is {found}, but the game makes it {expected}")
            }
        }
    }
}

impl DecodeError {
    /// Writes the name of the header field at the offset.
    fn write_name(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            0 => f.write_str("the player to move"),
            1 => f.write_str("the player in check"),
            2 => f.write_str("mate"),
            3 => f.write_str("the byte of castling rights"),
            BOARD..CAPTURED => {
                let index = self.offset.saturating_sub(BOARD) as u8;
                write!(f, "the piece on {}", Square::from_index(index))
            }
            _ => write!(f, "captured piece {}", self.offset.saturating_sub(CAPTURED).saturating_add(1)),
        }
    }
}

impl Error for DecodeError {}
