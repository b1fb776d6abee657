use chess::{CastlingRights, Color, Role, Square};

use super::history::History;
use super::man::{Captured, Man};
use super::picture::rights_of_byte;
use super::refusal::{DecodeError, Reason};
use super::{BOARD, CAPTURED, MAX_CAPTURED};

/// The bytes of a game state that has been checked, seen as what they mean.
///
/// Only [`decode`](super::decode()) makes one, so what it says is true: its moves are legal, and all else follows from
/// them, or from the board where there are none.
#[derive(Clone, Copy, Debug)]
pub struct State<'a> {
    turn: Color,
    checked: Option<Color>,
    mate: bool,
    rights: CastlingRights,
    /// 64 bytes, each 0 or a man.
    board: &'a [u8],
    /// Each a man, and none of them a king. The 0 behind them is left out.
    captured: &'a [u8],
    history: &'a [u8],
}

impl<'a> State<'a> {
    /// Cuts the bytes into their parts, and looks at each byte before the moves by itself.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader { bytes, offset: 0 };
        let turn = reader.read(Reason::EndsInBoard, |byte| player(byte).ok_or(Reason::Turn(byte)))?;
        let checked = reader.read(Reason::EndsInBoard, |byte| match byte {
            2 => Ok(None),
            _ => player(byte).map(Some).ok_or(Reason::Checked(byte)),
        })?;
        let mate = reader.read(Reason::EndsInBoard, |byte| match byte {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Reason::Mate(byte)),
        })?;
        let rights = reader.read(Reason::EndsInBoard, |byte| rights_of_byte(byte).ok_or(Reason::Rights(byte)))?;
        for _ in Square::all() {
            reader.read(Reason::EndsInBoard, man)?;
        }
        let full = CAPTURED.saturating_add(MAX_CAPTURED);
        while reader.read(Reason::EndsInCaptured, captured)?.is_some() {
            if reader.offset > full {
                return Err(DecodeError { offset: full, reason: Reason::TooManyCaptured });
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

    /// Whose turn it is.
    #[must_use]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Who is in check, if somebody is.
    #[must_use]
    pub const fn checked(&self) -> Option<Color> {
        self.checked
    }

    /// Whether that check is mate.
    #[must_use]
    pub const fn mate(&self) -> bool {
        self.mate
    }

    /// The castling rights.
    #[must_use]
    pub const fn rights(&self) -> CastlingRights {
        self.rights
    }

    /// What stands on a square.
    #[must_use]
    pub fn man(&self, square: Square) -> Option<Man> {
        let byte = self.board.get(usize::from(square.index()))?;
        Man::from_byte(*byte)
    }

    /// The captured men, the first one first.
    #[must_use]
    pub fn captured(&self) -> Captured<'a> {
        Captured::new(self.captured)
    }

    /// The moves, the first one first.
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

/// A man, or nothing for 0.
fn man(byte: u8) -> Result<Option<Man>, Reason> {
    match Man::from_byte(byte) {
        None if byte != 0 => Err(Reason::Piece(byte)),
        man => Ok(man),
    }
}

/// A man that can be captured, or nothing for 0.
fn captured(byte: u8) -> Result<Option<Man>, Reason> {
    match man(byte)? {
        Some(man) if man.piece.role() == Role::King => Err(Reason::CapturedKing(man.piece.color())),
        man => Ok(man),
    }
}

/// Takes one byte after the other, so that the first wrong one is the one that is named.
struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl Reader<'_> {
    /// Takes the next byte for what `read` makes of it; `missing` is the reason if there is none.
    fn read<T>(&mut self, missing: Reason, read: impl FnOnce(u8) -> Result<T, Reason>) -> Result<T, DecodeError> {
        let byte = self.bytes.get(self.offset).copied().ok_or(missing);
        let value = byte.and_then(read).map_err(|reason| DecodeError { offset: self.offset, reason })?;
        self.offset = self.offset.saturating_add(1);
        Ok(value)
    }
}
