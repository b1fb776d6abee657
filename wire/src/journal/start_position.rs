//! Compact encoding of a start position: two squares per byte of the board, and six bytes for the rest.

use chess::{CastlingRights, CastlingSide, Color, Position, Setup, Square};

use super::piece_codes::{number, piece};
use super::record::RecordReadError;
use crate::link::code;

/// Length of an encoded position in bytes.
pub(super) const START_LEN: usize = BOARD_LEN + 6;

const BOARD_LEN: usize = 32;

/// Bits of the castling rights, as in the game state.
const RIGHTS: [(u8, Color, CastlingSide); 4] = [
    (1, Color::White, CastlingSide::Queen),
    (2, Color::White, CastlingSide::King),
    (4, Color::Black, CastlingSide::Queen),
    (8, Color::Black, CastlingSide::King),
];

/// No en passant square.
const NO_SQUARE: u8 = 64;

pub(super) fn write(position: &Position) -> [u8; START_LEN] {
    let mut bytes = [0; START_LEN];
    let (pairs, _) = position.board().as_chunks();
    let board = pairs.iter().map(|&[low, high]| number(low) | number(high) << 4);
    let rights = RIGHTS.into_iter().filter(|&(_, color, side)| position.castling().has(color, side));
    let [low, high] = position.fullmoves().to_le_bytes();
    let rest = [
        code::of_color(position.turn()),
        rights.fold(0, |byte, (bit, _, _)| byte | bit),
        position.en_passant().map_or(NO_SQUARE, Square::index),
        position.halfmoves(),
        low,
        high,
    ];
    for (slot, byte) in bytes.iter_mut().zip(board.chain(rest)) {
        *slot = byte;
    }
    bytes
}

/// Decodes a position. It must be valid, and encoded exactly as [`write`] does.
pub(super) fn read(bytes: &[u8]) -> Result<Position, RecordReadError> {
    let bytes: &[u8; START_LEN] = bytes.try_into().map_err(|_| RecordReadError::Malformed)?;
    let (board, rest) = bytes.split_at_checked(BOARD_LEN).ok_or(RecordReadError::Malformed)?;
    let &[turn, rights, en_passant, halfmoves, low, high] = rest else {
        return Err(RecordReadError::Malformed);
    };
    let mut setup = Setup {
        turn: code::to_color(turn).map_err(RecordReadError::Field)?,
        castling: RIGHTS
            .into_iter()
            .filter(|&(bit, _, _)| rights & bit != 0)
            .fold(CastlingRights::NONE, |rights, (_, color, side)| rights.with(CastlingRights::of(color, side))),
        en_passant: Square::try_from_index(en_passant),
        halfmoves,
        fullmoves: u16::from_le_bytes([low, high]),
        ..Setup::EMPTY
    };
    let numbers = board.iter().flat_map(|&byte| [byte & 15, byte >> 4]);
    for (slot, number) in setup.board.iter_mut().zip(numbers) {
        *slot = piece(number);
    }
    let position = setup.position().map_err(RecordReadError::Start)?;
    if write(&position) == *bytes { Ok(position) } else { Err(RecordReadError::Malformed) }
}
