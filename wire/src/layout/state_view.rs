use chess::{CastlingRights, Color, Role, Square};

use super::decode_error::{DecodeError, DecodeErrorKind};
use super::header::rights_of_byte;
use super::history::History;
use super::tracked_piece::{CapturedPieces, TrackedPiece};
use super::{BOARD, CAPTURED, MAX_CAPTURED};

/// Typed view of the bytes of a validated game state.
///
/// Only [`decode`](super::decode()) creates one, so its moves are legal and its header agrees with them.
#[derive(Clone, Copy, Debug)]
pub struct StateView<'a> {
    turn: Color,
    checked: Option<Color>,
    mate: bool,
    rights: CastlingRights,
    /// 64 bytes, each 0 or a piece.
    board: &'a [u8],
    /// Pieces except kings, without the terminating 0.
    captured: &'a [u8],
    history: &'a [u8],
}

impl<'a> StateView<'a> {
    /// Splits the bytes into fields and checks each header byte by itself.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let mut reader = HeaderReader { bytes, offset: 0 };
        let turn = reader.read(DecodeErrorKind::EndsInBoard, |byte| player(byte).ok_or(DecodeErrorKind::Turn(byte)))?;
        let checked = reader.read(DecodeErrorKind::EndsInBoard, |byte| match byte {
            2 => Ok(None),
            _ => player(byte).map(Some).ok_or(DecodeErrorKind::Checked(byte)),
        })?;
        let mate = reader.read(DecodeErrorKind::EndsInBoard, |byte| match byte {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(DecodeErrorKind::Mate(byte)),
        })?;
        let rights = reader
            .read(DecodeErrorKind::EndsInBoard, |byte| rights_of_byte(byte).ok_or(DecodeErrorKind::Rights(byte)))?;
        for _ in Square::all() {
            reader.read(DecodeErrorKind::EndsInBoard, piece)?;
        }
        let full = CAPTURED.saturating_add(MAX_CAPTURED);
        while reader.read(DecodeErrorKind::EndsInCaptured, captured)?.is_some() {
            if reader.offset > full {
                return Err(DecodeError { offset: full, kind: DecodeErrorKind::TooManyCaptured });
            }
        }
        let end = reader.offset.saturating_sub(1);
        Ok(Self {
            turn,
            checked,
            mate,
            rights,
            board: bytes.get(BOARD..CAPTURED).unwrap_or_default(),
            captured: bytes.get(CAPTURED..end).unwrap_or_default(),
            history: bytes.get(reader.offset..).unwrap_or_default(),
        })
    }

    /// Side to move.
    #[must_use]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Side in check.
    #[must_use]
    pub const fn checked(&self) -> Option<Color> {
        self.checked
    }

    /// Whether the side in check is checkmated.
    #[must_use]
    pub const fn mate(&self) -> bool {
        self.mate
    }

    /// Castling rights of both sides.
    #[must_use]
    pub const fn rights(&self) -> CastlingRights {
        self.rights
    }

    /// The piece on a square.
    #[must_use]
    pub fn piece(&self, square: Square) -> Option<TrackedPiece> {
        let byte = self.board.get(usize::from(square.index()))?;
        TrackedPiece::from_byte(*byte)
    }

    /// Captured pieces in order.
    #[must_use]
    pub fn captured(&self) -> CapturedPieces<'a> {
        CapturedPieces::new(self.captured)
    }

    /// Moves in order.
    #[must_use]
    pub const fn history(&self) -> History<'a> {
        History::new(self.history)
    }
}

const fn player(byte: u8) -> Option<Color> {
    match byte {
        0 => Some(Color::White),
        1 => Some(Color::Black),
        _ => None,
    }
}

/// Decodes a board byte; `None` for 0.
fn piece(byte: u8) -> Result<Option<TrackedPiece>, DecodeErrorKind> {
    match TrackedPiece::from_byte(byte) {
        None if byte != 0 => Err(DecodeErrorKind::Piece(byte)),
        piece => Ok(piece),
    }
}

/// Decodes a byte of the captured pieces; `None` for the terminating 0.
fn captured(byte: u8) -> Result<Option<TrackedPiece>, DecodeErrorKind> {
    match piece(byte)? {
        Some(TrackedPiece { piece, .. }) if piece.role() == Role::King => {
            Err(DecodeErrorKind::CapturedKing(piece.color()))
        }
        captured => Ok(captured),
    }
}

/// Reads byte by byte, so that an error names the first wrong byte.
struct HeaderReader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl HeaderReader<'_> {
    /// Decodes the next byte with `read`; `missing` is the error at the end of the input.
    fn read<T>(
        &mut self,
        missing: DecodeErrorKind,
        read: impl FnOnce(u8) -> Result<T, DecodeErrorKind>,
    ) -> Result<T, DecodeError> {
        let byte = self.bytes.get(self.offset).copied().ok_or(missing);
        let value = byte.and_then(read).map_err(|kind| DecodeError { offset: self.offset, kind })?;
        self.offset = self.offset.saturating_add(1);
        Ok(value)
    }
}
