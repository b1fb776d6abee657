//! Zobrist keys: a hash of a position that is updated with each move.
//!
//! `chess::Key` is computed from the whole board, which costs a search more than the 6 KB of this table.

use chess::{CastlingRights, Color, Move, Piece, Position, Role, Square};

use crate::masked::Masked;
use crate::random::Random;

/// One number for each piece and square (16 rows of 64, as a piece is four bits, of which rows 6, 7, 14 and 15 hold the others:
/// castling rights, files of en passant and the side to move).
static NUMBERS: Masked<u64, 1024> = {
    let mut numbers = [0; 1024];
    let mut random = Random::new(0x7ab1_7a20_2611_1718);
    let mut index = 0;
    #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler only")]
    while index < 1024 {
        numbers[index] = random.next();
        index += 1;
    }
    Masked::new(numbers)
};

const CASTLING: usize = 6 << 6;
const EN_PASSANT: usize = 7 << 6;
const BLACK_TO_MOVE: usize = 14 << 6;

#[inline]
fn of_piece(piece: Piece, square: Square) -> u64 {
    NUMBERS[(piece as usize) << 6 | usize::from(square.index())]
}

#[inline]
fn of_castling(rights: CastlingRights) -> u64 {
    NUMBERS[CASTLING | usize::from(rights.bits())]
}

#[inline]
fn of_en_passant(square: Option<Square>) -> u64 {
    square.map_or(0, |square| NUMBERS[EN_PASSANT | usize::from(square.file().index())])
}

#[inline]
fn of_turn() -> u64 {
    NUMBERS[BLACK_TO_MOVE]
}

/// The key of a position, from the whole board.
pub(crate) fn key(position: &Position) -> u64 {
    let pieces = Square::all().filter_map(|square| position.piece_at(square).map(|piece| of_piece(piece, square)));
    let turn = if position.turn() == Color::Black { of_turn() } else { 0 };
    pieces.fold(turn, |key, number| key ^ number)
        ^ of_castling(position.castling())
        ^ of_en_passant(position.en_passant())
}

/// The key after a move, from the key before it.
#[inline]
pub(crate) fn key_after(key: u64, position: &Position, mv: Move, next: &Position) -> u64 {
    let mut key = key_after_pass(key, position) ^ of_en_passant(next.en_passant());
    if let Some(piece) = position.piece_at(mv.from()) {
        key ^= of_piece(piece, mv.from());
        if let Some(victim) = position.piece_at(mv.to()) {
            key ^= of_piece(victim, mv.to());
        }
        if let Some(placed) = next.piece_at(mv.to()) {
            key ^= of_piece(placed, mv.to());
        }
        match piece.role() {
            Role::Pawn if position.en_passant() == Some(mv.to()) => {
                let pawn = Piece::new(!position.turn(), Role::Pawn);
                key ^= of_piece(pawn, Square::new(mv.to().file(), mv.from().rank()));
            }
            Role::King if mv.from().index().abs_diff(mv.to().index()) == 2 => {
                if let Some((from, to)) = position.castling_rook(mv) {
                    let rook = Piece::new(position.turn(), Role::Rook);
                    key ^= of_piece(rook, from) ^ of_piece(rook, to);
                }
            }
            _ => {}
        }
    }
    if next.castling() != position.castling() {
        key ^= of_castling(position.castling()) ^ of_castling(next.castling());
    }
    key
}

/// The key after a null move.
#[inline]
pub(crate) fn key_after_pass(key: u64, position: &Position) -> u64 {
    key ^ of_turn() ^ of_en_passant(position.en_passant())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Placement;

    /// Random games, in which all kinds of moves occur.
    #[test]
    fn updated_keys_and_placements_are_those_of_the_whole_board() {
        let mut random = Random::new(18);
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/PPP4k/8/4Pp2/4pP2/8/ppp4K/8 w - f6 0 1",
        ];
        for game in 0..150 {
            let mut position: Position = starts[game % starts.len()].parse().expect("a position");
            let mut key = key(&position);
            let mut placement = Placement::of(&position);
            for _ in 0..80 {
                let moves = position.legal_moves();
                let Some(&mv) = moves.get(random.below(moves.len() as u32) as usize) else { break };
                let next = position.after(mv);
                key = key_after(key, &position, mv, &next);
                placement = placement.after(&position, mv, &next);
                position = next;
                assert_eq!(key, super::key(&position), "{}", position.fen());
                assert_eq!(placement, Placement::of(&position), "{}", position.fen());
            }
        }
    }
}
