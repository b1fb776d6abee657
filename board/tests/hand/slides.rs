//! Pieces that slide: only where they come to rest have they moved.

use board::{Looking, Stance};
use chess::{Bitboard, Move, Position, Square};

use crate::orders;
use crate::positions;
use crate::table::Touch::{self, Lift, Place};
use crate::table::{SETTINGS, Table, moved};

/// Every move along a line with nothing in between, and the squares in between.
fn slides() -> impl Iterator<Item = (Position, Move, Vec<Square>)> {
    positions::plain_moves().map(|(position, mv)| (position, mv, orders::path(mv.from(), mv.to()))).filter(
        |(position, mv, path)| {
            // A rook does not slide over the king that castles with it, nor the king over the rook.
            !path.is_empty()
                && position.castling_rook(*mv).is_none()
                && !path.iter().any(|&at| position.occupied().has(at))
        },
    )
}

fn slide(table: &mut Table, from: Square, path: &[Square], dwell: u64, gap: u64) {
    table.touch(Lift(from));
    for &step in path {
        table.wait(gap);
        table.touch(Place(step));
        table.wait(dwell);
        table.touch(Lift(step));
    }
    table.wait(gap);
}

#[test]
fn a_slide_is_only_read_where_it_ends() {
    let mut slid = 0;
    for (position, mv, path) in slides().filter(|(position, mv, _)| !position.is_capture(*mv)) {
        for dwell in [25, 100, 250, SETTINGS.rest - 1] {
            for gap in [1, 30, 150] {
                let mut table = Table::at(&position);
                slide(&mut table, mv.from(), &path, dwell, gap);
                table.touch(Place(mv.to()));
                table.wait(2000);
                let context = format!("{mv} in {}, {dwell} ms on each square", position.fen());
                assert_eq!(table.read(), [moved(mv)], "{context}");
                slid += 1;
            }
        }
    }
    assert!(slid > 500, "only {slid} slides were tried");
}

#[test]
fn a_slide_can_end_in_a_capture_in_either_order() {
    for (position, mv, path) in slides().filter(|(position, mv, _)| position.is_capture(*mv)) {
        for dwell in [25, 100, SETTINGS.rest - 1] {
            for victim_first in [true, false] {
                let mut table = Table::at(&position);
                if victim_first {
                    table.touch(Lift(mv.to()));
                    table.wait(200);
                }
                slide(&mut table, mv.from(), &path, dwell, 30);
                if !victim_first {
                    table.touch(Lift(mv.to()));
                    table.wait(SETTINGS.swap);
                }
                assert_eq!(table.read(), [], "before {mv} in {} is complete", position.fen());
                table.touch(Place(mv.to()));
                table.wait(2000);
                assert_eq!(table.read(), [moved(mv)], "{mv} in {}", position.fen());
            }
        }
    }
}

#[test]
fn a_slide_can_push_its_victim_off() {
    for (position, mv, path) in slides().filter(|(position, mv, _)| position.is_capture(*mv)) {
        for moment in [1, 20, SETTINGS.swap - 1] {
            let mut table = Table::at(&position);
            slide(&mut table, mv.from(), &path, 80, 30);
            table.touch(Lift(mv.to()));
            table.wait(moment);
            table.touch(Place(mv.to()));
            table.wait(2000);
            assert_eq!(table.read(), [moved(mv)], "{mv} in {}", position.fen());
        }
    }
}

#[test]
fn a_capture_that_may_be_a_wobble_asks_for_a_touch() {
    let captures = positions::plain_moves().filter(|(position, mv)| position.victim(*mv) == Some(mv.to()));
    for (position, mv) in captures {
        let mut table = Table::at(&position);
        table.touch_all(&[Lift(mv.from())], 0);
        table.wait(400);
        table.touch_all(&[Lift(mv.to()), Place(mv.to())], SETTINGS.swap - 1);
        table.wait(5000);
        let context = format!("{mv} in {}", position.fen());
        assert_eq!(table.read(), [], "{context}");
        assert_eq!(table.stance(), Stance::Asking(mv.to().into()), "{context}");

        // The answer: it was taken.
        let mut taken = table.clone();
        taken.touch_all(&[Lift(mv.to()), Place(mv.to())], SETTINGS.swap);
        taken.wait(SETTINGS.rest);
        assert_eq!(taken.read(), [moved(mv)], "{context}");

        // Or it was not.
        table.touch(Place(mv.from()));
        table.wait(2000);
        assert_eq!(table.read(), [], "{context}");
        assert_eq!(table.stance(), Stance::Settled, "{context}");
    }
}

#[test]
fn a_capture_without_a_trace_is_recognised_after_a_touch() {
    let captures = positions::plain_moves().filter(|(position, mv)| position.victim(*mv) == Some(mv.to()));
    for (position, mv) in captures {
        let mut table = Table::at(&position);
        table.touch(Lift(mv.from()));
        table.wait(5000);
        assert_eq!(table.read(), [], "{mv} in {}", position.fen());
        table.touch_all(&[Lift(mv.to()), Place(mv.to())], 200);
        table.wait(2000);
        assert_eq!(table.read(), [moved(mv)], "{mv} in {}", position.fen());
    }
}

#[test]
fn of_two_possible_victims_the_touched_one_is_captured() {
    for position in positions::all() {
        let captures: Vec<Move> = position
            .legal_moves()
            .iter()
            .copied()
            .filter(|mv| mv.promotion().is_none() && position.victim(*mv) == Some(mv.to()))
            .collect();
        for &meant in &captures {
            for other in captures.iter().filter(|other| other.from() == meant.from() && **other != meant) {
                let touches: [Touch; 5] =
                    [Lift(meant.from()), Lift(other.to()), Lift(meant.to()), Place(meant.to()), Place(other.to())];
                let mut table = Table::at(&position);
                // The one is taken while the other lies beside its square, and is put right afterwards.
                table.touch_all(&touches[..4], 200);
                table.wait(200);
                assert!(
                    table.read().is_empty(),
                    "{meant} was read in {} although {} was missing",
                    position.fen(),
                    other.to()
                );
                table.touch(touches[4]);
                table.wait(3000);
                assert_eq!(table.read(), [], "{meant} or {other} in {}", position.fen());
                let both = Bitboard::of(meant.to()) | other.to().into();
                assert_eq!(table.stance(), Stance::Asking(both), "{meant} or {other} in {}", position.fen());
                table.touch_all(&[Lift(meant.to()), Place(meant.to())], 200);
                table.wait(2000);
                assert_eq!(table.read(), [moved(meant)], "not {other} in {}", position.fen());
            }
        }
    }
}

#[test]
fn a_slide_that_ends_before_a_piece_without_a_trace_is_asked_about() {
    let position: Position = "r1B1k3/8/8/8/8/8/8/4K3 b - - 0 1".parse().expect("legal");
    for looking in [Looking::ForMoves, Looking::ForOwnMove] {
        let mut table = Table::looking(&position, looking);
        table.touch_all(&[Lift(Square::A8), Place(Square::B8), Lift(Square::B8)], 100);
        table.wait(1_000);
        assert_eq!(table.stance(), Stance::InHand { missing: Square::A8.into() });
        table.wait(1_000);
        assert_eq!(table.stance(), Stance::Asking(Square::C8.into()));
        table.touch_all(&[Lift(Square::C8), Place(Square::C8)], 200);
        table.wait(3_000);
        assert_eq!(table.read(), [moved("a8c8".parse().expect("a move"))]);
    }
}
