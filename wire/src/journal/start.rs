//! Where a game began, in few bytes: two squares in each byte of the board, and six bytes for the rest.

use chess::{CastlingRights, CastlingSide, Color, Piece, Position, Setup, Square};

use super::record::RecordError;
use crate::link::code;

/// How many bytes a position takes.
pub(super) const START_LEN: usize = BOARD_LEN + 6;

const BOARD_LEN: usize = 32;

/// The pieces by their numbers, from 1 on; 0 is none. The order is that of the game state.
const PIECES: [Piece; 12] = [
    Piece::WhitePawn,
    Piece::WhiteBishop,
    Piece::WhiteKnight,
    Piece::WhiteRook,
    Piece::WhiteQueen,
    Piece::WhiteKing,
    Piece::BlackPawn,
    Piece::BlackBishop,
    Piece::BlackKnight,
    Piece::BlackRook,
    Piece::BlackQueen,
    Piece::BlackKing,
];

/// The bits of the castling rights, as in the game state.
const RIGHTS: [(u8, Color, CastlingSide); 4] = [
    (1, Color::White, CastlingSide::Queen),
    (2, Color::White, CastlingSide::King),
    (4, Color::Black, CastlingSide::Queen),
    (8, Color::Black, CastlingSide::King),
];

/// Stands for no square on which a pawn can be captured in passing.
const NO_SQUARE: u8 = 64;

/// The bytes of a position.
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

/// The position in these bytes. It is one from which a game can be played, and there are no other bytes for it.
pub(super) fn read(bytes: &[u8]) -> Result<Position, RecordError> {
    let bytes: &[u8; START_LEN] = bytes.try_into().map_err(|_| RecordError::Malformed)?;
    let (board, rest) = bytes.split_at_checked(BOARD_LEN).ok_or(RecordError::Malformed)?;
    let &[turn, rights, en_passant, halfmoves, low, high] = rest else {
        return Err(RecordError::Malformed);
    };
    let mut setup = Setup {
        turn: code::to_color(turn).map_err(RecordError::Part)?,
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
    let position = setup.position().map_err(RecordError::Start)?;
    if write(&position) == *bytes { Ok(position) } else { Err(RecordError::Malformed) }
}

fn number(piece: Option<Piece>) -> u8 {
    let index = piece.and_then(|piece| PIECES.into_iter().position(|other| other == piece));
    index.map_or(0, |index| index.saturating_add(1) as u8)
}

/// The piece of this number; none also for a number that no piece has.
fn piece(number: u8) -> Option<Piece> {
    usize::from(number).checked_sub(1).and_then(|index| PIECES.get(index).copied())
}
