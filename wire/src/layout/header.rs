use chess::{Bitboard, CastlingRights, CastlingSide, Color, Position};

use super::piece_tracker::PieceTracker;
use super::tracked_piece::TrackedPiece;

const RIGHTS: [(u8, Color, CastlingSide); 4] = [
    (1, Color::White, CastlingSide::Queen),
    (2, Color::White, CastlingSide::King),
    (4, Color::Black, CastlingSide::Queen),
    (8, Color::Black, CastlingSide::King),
];

const fn player(color: Option<Color>) -> u8 {
    match color {
        Some(Color::White) => 0,
        Some(Color::Black) => 1,
        None => 2,
    }
}

fn rights_byte(rights: CastlingRights) -> u8 {
    RIGHTS.into_iter().filter(|&(_, color, side)| rights.has(color, side)).fold(0, |byte, (bit, _, _)| byte | bit)
}

/// Decodes the castling rights; `None` if another bit is set.
pub(super) fn rights_of_byte(byte: u8) -> Option<CastlingRights> {
    (byte <= 0b1111).then(|| {
        RIGHTS
            .into_iter()
            .filter(|&(bit, _, _)| byte & bit != 0)
            .fold(CastlingRights::NONE, |rights, (_, color, side)| rights.with(CastlingRights::of(color, side)))
    })
}

/// The header of a state: all bytes before the moves.
pub(super) fn header_bytes<'a>(
    position: &'a Position,
    tracker: &'a PieceTracker,
) -> impl Iterator<Item = u8> + Clone + 'a {
    let turn = position.turn();
    let facts = [
        player(Some(turn)),
        // Only the side to move can be in check.
        player(position.is_check().then_some(turn)),
        u8::from(position.is_checkmate()),
        rights_byte(position.castling()),
    ];
    let board = Bitboard::ALL.squares().map(|square| tracker.piece(position, square).map_or(0, TrackedPiece::byte));
    facts.into_iter().chain(board).chain(tracker.captured().map(TrackedPiece::byte)).chain([0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_rights_round_trip() {
        for byte in 0..16 {
            assert_eq!(rights_of_byte(byte).map(rights_byte), Some(byte));
        }
        assert_eq!(rights_of_byte(16), None);
        let white_queen_side = CastlingRights::of(Color::White, CastlingSide::Queen);
        assert_eq!(rights_byte(white_queen_side), 1);
    }
}
