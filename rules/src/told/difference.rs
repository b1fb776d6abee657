use chess::{Bitboard, Piece, Square};

use super::position::Pieces;
use crate::footprint::Footprint;
use crate::ply::Ply;

/// The footprint of a ply after which these pieces stand as those do.
///
/// A piece that is replaced on its square, as a pawn that is promoted or a stone that is turned over, changes no reed, so it is not part of the
/// footprint. Of the other pieces, one that disappears has moved if the same piece appears elsewhere, and is captured otherwise.
#[must_use]
pub fn footprint_between(before: &Pieces, after: &Pieces, ply: Ply) -> Footprint {
    let (occupied, then) = (squares(before), squares(after));
    let (from, to) = (Bitboard::of(ply.from()), Bitboard::of(ply.to()));
    let mut emptied = occupied.without(then | from);
    let mut lifts = from;
    let mut places = then & to;
    if from != to && then.has(ply.from()) {
        // Another piece takes the place of the one that leaves.
        places |= from;
    }
    for filled in then.without(occupied | places).squares() {
        let piece = at(after, filled);
        let source = emptied.squares().find(|&square| at(before, square) == piece);
        if let Some(source) = source {
            lifts |= Bitboard::of(source);
            emptied = emptied.without(source.into());
        }
        places |= Bitboard::of(filled);
    }
    // What stood on the target is captured, unless it is the piece that went to the start square.
    let swapped = from != to && at(after, ply.from()).is_some() && at(after, ply.from()) == at(before, ply.to());
    let captured = if from == to || swapped { emptied.without(to) } else { emptied | (occupied & to) };
    let lifts = if swapped { lifts | (occupied & to) } else { lifts };
    Footprint { ply, lifts, places, captured, after: then }
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
