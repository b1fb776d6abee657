//! A piece that takes what it may not take: to switches it is a piece that is still in the air while another was adjusted,
//! so it is called wrong only when it has rested for long, and never held against what follows.

use board::{Looking, Stance};
use chess::{Bitboard, Position, Square};

use crate::positions;
use crate::table::Touch::{Lift, Place};
use crate::table::{Table, moved};

/// How long a piece must rest, in milliseconds.
const CONVINCED: u64 = 2000;

/// Every own piece with every other piece that it may not take, of either side.
fn illegal_captures() -> impl Iterator<Item = (Position, Square, Square)> {
    positions::all().flat_map(|position| {
        let ours = position.of_color(position.turn());
        let ways = ours.squares().flat_map(|from| position.occupied().squares().map(move |to| (from, to)));
        let ways: Vec<_> = ways.filter(|&(from, to)| from != to && !position.legal().from(from).has(to)).collect();
        ways.into_iter().map(move |(from, to)| (position, from, to))
    })
}

fn called_illegal(from: Square, to: Square) -> Stance {
    Stance::Disorder { fill: from.into(), clear: Bitboard::EMPTY, illegal: Some((from, to)) }
}

#[test]
fn an_illegal_capture_is_reported_when_it_rests_and_can_be_undone() {
    for (position, from, to) in illegal_captures() {
        for first in [[Lift(from), Lift(to)], [Lift(to), Lift(from)]] {
            for looking in [Looking::ForMoves, Looking::ForOwnMove] {
                let context = format!("{from}x{to} in {}, {looking:?}", position.fen());
                let mut table = Table::looking(&position, looking);
                table.touch_all(&first, 300);
                table.wait(300);
                table.touch(Place(to));
                table.wait(CONVINCED - 1);
                assert_eq!(table.stance(), Stance::InHand { missing: from.into() }, "{context}");
                table.wait(1);
                assert_eq!(table.stance(), called_illegal(from, to), "{context}");

                table.touch(Lift(to));
                assert_ne!(table.stance(), called_illegal(from, to), "{context}");
                table.wait(300);
                table.touch_all(&[Place(from), Place(to)], 300);
                table.wait(CONVINCED);
                assert_eq!(table.read(), [], "{context}");
                assert_eq!(table.stance(), Stance::Settled, "{context}");
            }
        }
    }
}

#[test]
fn the_piece_of_an_illegal_capture_can_still_make_a_legal_move() {
    for (position, from, to) in illegal_captures() {
        let quiet = |mv: &&chess::Move| mv.from() == from && !position.is_capture(**mv) && mv.promotion().is_none();
        for &mv in position.legal_moves().iter().filter(quiet) {
            if position.castling_rook(mv).is_some() {
                continue;
            }
            let mut table = Table::looking(&position, Looking::ForOwnMove);
            table.touch_all(&[Lift(to), Lift(from), Place(to)], 300);
            table.wait(CONVINCED + 500);
            table.touch_all(&[Lift(to), Place(mv.to()), Place(to)], 300);
            table.wait(CONVINCED + 1000);
            assert_eq!(table.read(), [moved(mv)], "{mv} after {from}x{to} in {}", position.fen());
        }
    }
}

#[test]
fn adjusting_a_piece_while_another_is_lifted_does_not_prevent_a_move() {
    for (position, from, adjusted) in illegal_captures() {
        let plain = |mv: &&chess::Move| mv.from() == from && !position.is_capture(**mv) && mv.promotion().is_none();
        for &mv in position.legal_moves().iter().filter(plain) {
            if position.castling_rook(mv).is_some() {
                continue;
            }
            // Also if it is held for longer than a player would hold it.
            for held in [CONVINCED / 2, CONVINCED + 500] {
                let mut table = Table::at(&position);
                table.touch_all(&[Lift(from), Lift(adjusted), Place(adjusted)], 300);
                table.wait(held);
                let context = format!("{mv} with {adjusted} adjusted in {}", position.fen());
                assert_eq!(table.stance() == called_illegal(from, adjusted), held > CONVINCED, "{context}");
                table.touch(Place(mv.to()));
                table.wait(CONVINCED);
                assert_eq!(table.read(), [moved(mv)], "{context}");
                assert_eq!(table.stance(), Stance::Settled, "{context}");
            }
        }
    }
}
