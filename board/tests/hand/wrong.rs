//! Pieces on wrong squares: the board says what to fill and what to clear, and goes on when it is right again.

use board::{Looking, Reading, Stance};
use chess::{Bitboard, Move, Position, Square};

use crate::orders;
use crate::positions;
use crate::table::Touch::{Lift, Place};
use crate::table::{SETTINGS, Table, moved};

/// Every piece with every empty square that it may not go to, and the two captures of a pawn that is passing by aside.
fn wrong_ways() -> impl Iterator<Item = (Position, Square, Square)> {
    positions::all().flat_map(|position| {
        let ways = position.occupied().squares().flat_map(|from| Square::all().map(move |to| (from, to)));
        let ways: Vec<_> = ways
            .filter(|&(from, to)| {
                let legal = position.legal_moves().iter().any(|mv| (mv.from(), mv.to()) == (from, to));
                !position.occupied().has(to) && !legal
            })
            .collect();
        ways.into_iter().map(move |(from, to)| (position, from, to))
    })
}

#[test]
fn a_piece_on_an_illegal_square_is_no_move_and_shows_its_targets() {
    for (position, from, to) in wrong_ways() {
        let ours = position.of_color(position.turn()).has(from);
        for looking in [Looking::ForMoves, Looking::ForOwnMove] {
            let mut table = Table::looking(&position, looking);
            table.touch_all(&[Lift(from), Place(to)], 300);
            let missing = Bitboard::of(from);
            assert_eq!(table.stance(), Stance::InHand { missing }, "it may be on its way");
            table.wait(3000);
            let context = format!("{from}{to} in {}", position.fen());
            assert_eq!(table.read(), [], "{context}");
            let illegal = ours.then_some((from, to));
            assert_eq!(table.stance(), Stance::Disorder { fill: missing, clear: to.into(), illegal }, "{context}");

            table.touch_all(&[Lift(to), Place(from)], 300);
            table.wait(2000);
            assert_eq!(table.read(), [], "{context}, and back");
            assert_eq!(table.stance(), Stance::Settled, "{context}, and back");
        }
    }
}

#[test]
fn a_piece_can_move_on_from_an_illegal_square() {
    for (position, from, wrong) in wrong_ways() {
        for &mv in position.legal_moves().iter().filter(|mv| mv.from() == from && mv.promotion().is_none()) {
            if position.castling_rook(mv).is_some() || position.victim(mv).is_some_and(|victim| victim != mv.to()) {
                continue;
            }
            let mut table = Table::at(&position);
            table.touch_all(&[Lift(from), Place(wrong)], 300);
            table.wait(1000);
            table.touch(Lift(wrong));
            table.wait(300);
            if position.is_capture(mv) {
                table.touch(Lift(mv.to()));
                table.wait(200);
            }
            table.touch(Place(mv.to()));
            table.wait(2000);
            assert_eq!(table.read(), [moved(mv)], "{mv} over {wrong} in {}", position.fen());
        }
    }
}

#[test]
fn half_of_a_castling_or_en_passant_shows_the_other_half() {
    for (position, mv) in positions::plain_moves() {
        let Some(rook) = position.castling_rook(mv) else { continue };
        let mut table = Table::at(&position);
        table.touch_all(&[Lift(mv.from()), Place(mv.to())], 300);
        table.wait(5000);
        let expected = Stance::HalfDone { fill: rook.1.into(), clear: rook.0.into() };
        assert_eq!(table.stance(), expected, "{mv} in {}", position.fen());
        table.touch_all(&[Lift(rook.0), Place(rook.1)], 300);
        assert_eq!(table.read(), [moved(mv)]);
    }
    for (position, mv) in positions::plain_moves() {
        let Some(victim) = position.victim(mv).filter(|&victim| victim != mv.to()) else { continue };
        let mut table = Table::at(&position);
        table.touch_all(&[Lift(mv.from()), Place(mv.to())], 300);
        table.wait(5000);
        let expected = Stance::HalfDone { fill: Bitboard::EMPTY, clear: victim.into() };
        assert_eq!(table.stance(), expected, "{mv} in {}", position.fen());
        table.touch(Lift(victim));
        assert_eq!(table.read(), [moved(mv)]);
    }
}

#[test]
fn many_wrong_squares_are_shown_and_corrected() {
    let position = Position::start();
    let moved = [(Square::A1, Square::D4), (Square::E7, Square::H5), (Square::G8, Square::B3)];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let mut table = Table::at(&position);
        for (from, to) in moved {
            table.touch_all(&[Lift(from), Place(to)], 200);
            table.wait(400);
        }
        let fill = moved.iter().map(|(from, _)| *from).collect();
        let clear = moved.iter().map(|(_, to)| *to).collect();
        assert_eq!(table.stance(), Stance::Disorder { fill, clear, illegal: None });
        for (from, to) in order.map(|index| moved[index]) {
            table.touch_all(&[Lift(to), Place(from)], 200);
            table.wait(400);
        }
        assert_eq!(table.read(), []);
        assert_eq!(table.stance(), Stance::Settled);
    }
}

#[test]
fn no_move_is_recognised_while_none_is_expected() {
    for (position, mv) in positions::moves() {
        for touches in orders::of_move(&position, mv) {
            let mut table = Table::looking(&position, Looking::ForNothing);
            table.touch_all(&touches, 200);
            table.wait(5000);
            let read = table.read();
            assert_eq!(read, [], "{mv} in {}", position.fen());
        }
    }
}

#[test]
fn the_start_position_starts_a_new_game() {
    let position = Position::start();
    let e4: Move = "e2e4".parse().expect("a move");
    let after = position.play(e4).expect("a legal move");
    // Two moves back by hand, that is more than a takeback: people set up again.
    let e5: Move = "e7e5".parse().expect("a move");
    for (looking, rest) in [(Looking::ForMoves, SETTINGS.restart_rest), (Looking::ForNothing, SETTINGS.kings_rest)] {
        let mut table = Table::after(&after, e5, looking);
        table.touch_all(&[Lift(e4.to()), Place(e4.from()), Lift(e5.to()), Place(e5.from())], 150);
        table.wait(rest - 1);
        assert_eq!(table.read(), []);
        table.wait(1);
        assert_eq!(table.read(), [Reading::StartPosition]);
    }
}
