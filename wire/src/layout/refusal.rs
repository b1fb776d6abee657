use core::error::Error;
use core::fmt;

use chess::{Color, Move, Outcome, Piece, SetupError, Square};

use super::{BOARD, CAPTURED, MAX_CAPTURED};

/// Bytes that are not a game state: which of them is wrong, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// How many bytes stand before the wrong one. Where something is missing, this is where it should be.
    pub offset: usize,
    /// What is wrong with it.
    pub reason: Reason,
}

/// Why bytes are not a game state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The bytes end before the board does.
    EndsInBoard,
    /// The bytes end before the 0 that closes the list of captured pieces.
    EndsInCaptured,
    /// The bytes end within a move, before its second square or before its tag.
    EndsInMove,
    /// The player to move is neither 0 nor 1.
    Turn(u8),
    /// The player in check is none of 0, 1 and 2.
    Checked(u8),
    /// Mate is neither 0 nor 1.
    Mate(u8),
    /// A bit is set that is no castling right.
    Rights(u8),
    /// No piece has this number.
    Piece(u8),
    /// The king of this side is among the captured pieces.
    CapturedKing(Color),
    /// There are more captured pieces than there are pieces to capture.
    TooManyCaptured,
    /// A move starts or ends on a square of this number, and there is none.
    Square(u8),
    /// A move has a tag of this number, and no promotion has.
    Tag(u8),
    /// The rules do not allow this move in the position that the moves before it lead to.
    Illegal(Move),
    /// The game was over before this move.
    Over(Outcome),
    /// There are more moves than the game has room for.
    TooLong,
    /// There are no moves, and no game can begin from this position.
    SetUp(SetupError),
    /// There are no moves, and this piece is said not to have moved, but no game starts with it on this square.
    MustHaveMoved(Piece, Square),
    /// There are no moves, and this pawn is said to have moved, but pawns never come back.
    CannotHaveMoved(Piece, Square),
    /// There are no moves, and of this piece more are said not to have moved than a game starts with.
    TooManyUnmoved(Piece),
    /// The byte could be right in another game, but not with these moves, or not with this board.
    Contradiction {
        /// The byte that is there.
        found: u8,
        /// The byte that should be there.
        expected: u8,
    },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: ", self.offset)?;
        match self.reason {
            Reason::EndsInBoard => {
                write!(f, "the state ends here, but its board goes on to byte {}", CAPTURED.saturating_sub(1))
            }
            Reason::EndsInCaptured => f.write_str("the state ends here, without the 0 after the captured pieces"),
            Reason::EndsInMove => f.write_str("the state ends here, in the middle of a move"),
            Reason::Turn(byte) => write!(f, "the player to move is 0 or 1, not {byte}"),
            Reason::Checked(byte) => write!(f, "the player in check is 0, 1 or 2 for nobody, not {byte}"),
            Reason::Mate(byte) => write!(f, "mate is 0 or 1, not {byte}"),
            Reason::Rights(byte) => write!(f, "castling rights are at most 15, not {byte}"),
            Reason::Piece(byte) => write!(f, "pieces are 1 to 24, not {byte}"),
            Reason::CapturedKing(color) => write!(f, "the {color} king cannot be captured"),
            Reason::TooManyCaptured => write!(f, "no more than {MAX_CAPTURED} pieces can be captured"),
            Reason::Square(byte) => write!(f, "squares are 0 to 63, not {byte}"),
            Reason::Tag(byte) => write!(f, "promotions are 1 to 4, not {byte}"),
            Reason::Illegal(mv) => write!(f, "{mv} is not a legal move here"),
            Reason::Over(outcome) => write!(f, "the game was over before this move: {outcome}"),
            Reason::TooLong => f.write_str("the game has no room for this move"),
            Reason::SetUp(error) => error.fmt(f),
            Reason::MustHaveMoved(piece, square) => {
                write!(f, "a {} {} on {square} must have moved", piece.color(), piece.role())
            }
            Reason::CannotHaveMoved(piece, square) => {
                write!(f, "a {} {} on {square} cannot have moved", piece.color(), piece.role())
            }
            Reason::TooManyUnmoved(piece) => {
                write!(f, "fewer {} {}s than these can still be unmoved", piece.color(), piece.role())
            }
            Reason::Contradiction { found, expected } => {
                self.write_name(f)?;
                write!(f, " is {found}, but the game makes it {expected}")
            }
        }
    }
}

impl DecodeError {
    /// What the byte is about.
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
