use chess::{Bitboard, Piece, Square};

use super::position::Pieces;
use crate::footprint::Footprint;
use crate::ply::Ply;

/// The footprint of a ply after which these pieces stand as those do.
///
/// The target of the ply only names it: its piece may go elsewhere, as where a script offers promotions as moves to different squares, or stay where
/// it is. A piece that is replaced on its square, as a stone that is turned over, changes no reed, so it is not part of the
/// footprint. Of the other pieces, one that disappears has moved if the same piece appears elsewhere, and is captured otherwise. A piece that
/// appears without having disappeared comes from beside the board.
#[must_use]
pub fn footprint_between(before: &Pieces, after: &Pieces, ply: Ply) -> Footprint {
    let (occupied, then) = (squares(before), squares(after));
    let from = Bitboard::of(ply.from());
    let destination = destination(before, after, ply).map_or(Bitboard::EMPTY, Bitboard::of);
    let stays = at(before, ply.from()) == at(after, ply.from()) && destination.is_empty();
    // The squares that other pieces come to: one may take the place of the piece that moves.
    let refilled = if stays { Bitboard::EMPTY } else { then & from };
    let mut places = destination | refilled | then.without(occupied);
    // The squares that other pieces leave: one may have stood where the piece goes.
    let mut left = (occupied.without(then) | (occupied & destination)).without(from);
    let mut lifts = if stays { Bitboard::EMPTY } else { from };
    for filled in places.without(destination).squares() {
        let piece = at(after, filled);
        if let Some(source) = left.squares().find(|&square| at(before, square) == piece) {
            lifts |= source.into();
            left = left.without(source.into());
        }
    }
    if stays && places.is_empty() {
        // It comes back to its square, or acts from there. Without it, a captured piece that is only lifted would be enough.
        lifts |= from;
        places |= from;
    }
    Footprint { ply, lifts, places, captured: left, after: then }
}

/// Where the piece of a ply goes; nothing if it stays, is replaced, or disappears.
fn destination(before: &Pieces, after: &Pieces, ply: Ply) -> Option<Square> {
    let changes = |square: Square| at(after, square).is_some() && at(after, square) != at(before, square);
    if ply.from() == ply.to() || changes(ply.to()) {
        return Some(ply.to());
    }
    let mover = at(before, ply.from())?;
    if at(after, ply.from()) == Some(mover) {
        return None;
    }
    let arrives = |square: &Square| *square != ply.from() && changes(*square);
    let is_own = |square: &Square| at(after, *square).is_some_and(|piece| piece.color() == mover.color());
    let was_own = |square: &Square| at(before, *square).is_some_and(|piece| piece.color() == mover.color());
    let same = Square::all().filter(arrives).find(|&square| at(after, square) == Some(mover));
    // A pawn that is promoted is another piece afterwards.
    same.or_else(|| Square::all().filter(arrives).find(|square| is_own(square) && !was_own(square)))
}

pub(super) fn at(pieces: &Pieces, square: Square) -> Option<Piece> {
    pieces.get(usize::from(square.index())).copied().flatten()
}

fn squares(pieces: &Pieces) -> Bitboard {
    Square::all().filter(|&square| at(pieces, square).is_some()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces of a placement: 64 letters from a1, rank by rank.
    fn pieces(rows: [&str; 8]) -> Pieces {
        let mut pieces = [None; 64];
        for (slot, letter) in pieces.iter_mut().zip(rows.iter().rev().flat_map(|row| row.chars())) {
            *slot = Piece::from_letter(letter);
        }
        pieces
    }

    fn ply(text: &str) -> Ply {
        text.parse().expect(text)
    }

    fn set(text: &str) -> Bitboard {
        text.split_whitespace().map(|square| square.parse::<Square>().expect(square)).collect()
    }

    #[test]
    fn finds_what_moves_and_what_is_captured() {
        let empty = "........";
        let rows = |first: &'static str, fifth: &'static str, sixth: &'static str| {
            pieces([empty, empty, sixth, fifth, empty, empty, empty, first])
        };
        for (before, after, mv, lifts, places, captured) in [
            // Castling.
            (rows("....K..R", empty, empty), rows(".....RK.", empty, empty), "e1g1", "e1 h1", "g1 f1", ""),
            // En passant.
            (rows(empty, "...pP...", empty), rows(empty, empty, "...P...."), "e5d6", "e5", "d6", "d5"),
            // A capture after which the capturing piece disappears, too, with a neighbour.
            (rows(empty, "..npP...", empty), rows(empty, empty, empty), "e5d5", "e5", "", "d5 c5"),
            // Two pieces change places.
            (rows("....K..R", empty, empty), rows("....R..K", empty, empty), "e1h1", "e1 h1", "h1 e1", ""),
            // A promotion in place.
            (rows("p.......", empty, empty), rows("q.......", empty, empty), "a1a1", "a1", "a1", ""),
            // A usual capture.
            (rows("R..r....", empty, empty), rows("...R....", empty, empty), "a1d1", "a1", "d1", "d1"),
            // Promotions that are named by other squares, onto an empty square and with a capture. What stands there is not captured.
            (rows("......r.", ".....p..", empty), rows("......r.", empty, ".....n.."), "f5g1", "f5", "f6", ""),
            (rows("......r.", ".....p..", "......B."), rows("......r.", empty, "......n."), "f5g1", "f5", "g6", "g6"),
            // Castling of Chess960, named by the rook's square: both move, the king takes the rook's square, the rook the king's, they change
            // places, only the king moves, or only the rook.
            (rows("..K....R", empty, empty), rows(".....RK.", empty, empty), "c1h1", "c1 h1", "f1 g1", ""),
            (rows(".....K.R", empty, empty), rows(".....RK.", empty, empty), "f1h1", "f1 h1", "f1 g1", ""),
            (rows("....K.R.", empty, empty), rows(".....RK.", empty, empty), "e1g1", "e1 g1", "f1 g1", ""),
            (rows(".....KR.", empty, empty), rows(".....RK.", empty, empty), "f1g1", "f1 g1", "f1 g1", ""),
            (rows("...KR...", empty, empty), rows("..KR....", empty, empty), "d1e1", "d1 e1", "c1 d1", ""),
            (rows("...RK...", empty, empty), rows("..KR....", empty, empty), "e1d1", "e1", "c1", ""),
            (rows("......KR", empty, empty), rows(".....RK.", empty, empty), "g1h1", "h1", "f1", ""),
            // A piece that jumps in a circle and takes what is inside.
            (rows(empty, "K.p.....", empty), rows(empty, "K.......", empty), "a5b6", "a5", "a5", "c5"),
            // A copy appears on the target.
            (rows("R.......", empty, empty), rows("R..R....", empty, empty), "a1d1", "a1", "a1 d1", ""),
            // A stone is turned over on the way.
            (rows("Pp......", empty, empty), rows(".PP.....", empty, empty), "a1c1", "a1", "c1", ""),
        ] {
            let footprint = footprint_between(&before, &after, ply(mv));
            assert_eq!(
                (footprint.lifts, footprint.places, footprint.captured),
                (set(lifts), set(places), set(captured)),
                "{mv}"
            );
            assert_eq!(footprint.after, squares(&after), "{mv}");
            let reached = squares(&before).without(footprint.lifts | footprint.captured) | footprint.places;
            assert_eq!(reached, footprint.after, "{mv}");
        }
    }
}
