//! The last move taken back by hand, or put right.

use board::{Looking, Reading, Stance};
use chess::{Bitboard, Move, Position};

use crate::orders;
use crate::positions;
use crate::table::Touch::{Lift, Place};
use crate::table::{SETTINGS, Table, corrected, moved};

#[test]
fn every_kind_of_move_can_be_taken_back_in_every_order() {
    for (position, mv) in positions::moves() {
        for touches in orders::of_undoing(&position, mv) {
            for gap in [120, 280, 900] {
                for looking in [Looking::ForMoves, Looking::ForOwnMove, Looking::ForNothing] {
                    let mut table = Table::after(&position, mv, looking);
                    table.touch_all(&touches, gap);
                    let context = format!("{mv} in {} by {touches:?} every {gap} ms", position.fen());
                    assert_eq!(table.read(), [], "before {context} is taken back");
                    table.wait(SETTINGS.rest);
                    assert_eq!(table.read(), [Reading::TakenBack], "{context}");
                    assert_eq!(*table.position(), position);
                    assert_eq!(table.stance(), Stance::Settled, "{context}");
                }
            }
        }
    }
}

#[test]
fn after_a_takeback_the_same_or_another_move_can_be_made() {
    let position = Position::start();
    let e4: Move = "e2e4".parse().expect("a move");
    for again in &position.legal_moves() {
        let mut table = Table::after(&position, e4, Looking::ForMoves);
        table.touch_all(&[Lift(e4.to()), Place(e4.from())], 200);
        table.wait(500);
        table.touch_all(&[Lift(again.from()), Place(again.to())], 200);
        table.wait(500);
        assert_eq!(table.read(), [Reading::TakenBack, moved(*again)]);
    }
}

#[test]
fn a_slide_that_paused_too_long_is_corrected() {
    let mut corrections = 0;
    for (position, mv) in positions::plain_moves() {
        let path = orders::path(mv.from(), mv.to());
        let can_slide = path.iter().all(|&at| !position.occupied().has(at)) && position.castling_rook(mv).is_none();
        for &pause in path.iter().filter(|_| can_slide) {
            let paused = Move::new(mv.from(), pause);
            if !position.is_legal(paused) {
                continue;
            }
            let mut table = Table::at(&position);
            table.touch_all(&[Lift(mv.from()), Place(pause)], 100);
            table.wait(2000);
            if position.play(paused).is_ok_and(|next| next.legal_moves().is_empty()) {
                continue;
            }
            assert_eq!(table.read(), [moved(paused)], "{mv} in {}", position.fen());
            table.touch(Lift(pause));
            table.wait(150);
            if position.is_capture(mv) {
                table.touch(Lift(mv.to()));
                table.wait(150);
            }
            table.touch(Place(mv.to()));
            // If it takes something, it looks as if the other player had only thought about taking it.
            table.wait(if position.is_capture(mv) { SETTINGS.rook_rest } else { SETTINGS.rest });
            let context = format!("{mv} in {}, after a rest on {pause}", position.fen());
            assert_eq!(table.read(), [corrected(mv)], "{context}");
            corrections += 1;
        }
    }
    assert!(corrections > 100, "only {corrections} slides were put right");
}

#[test]
fn a_rook_that_went_first_and_waited_too_long_still_castles() {
    let mut castled = 0;
    for (position, mv) in positions::plain_moves() {
        let Some(rook) = position.castling_rook(mv) else { continue };
        let mut table = Table::at(&position);
        table.touch_all(&[Lift(rook.0), Place(rook.1)], 300);
        table.wait(4000);
        assert_eq!(table.read(), [moved(Move::new(rook.0, rook.1))]);
        table.touch_all(&[Lift(mv.from()), Place(mv.to())], 300);
        table.wait(SETTINGS.rest);
        assert_eq!(table.read(), [corrected(mv)], "{mv} in {}", position.fen());
        castled += 1;
    }
    assert!(castled >= 8, "only {castled} castlings were tried");
}

#[test]
fn a_king_that_paused_on_its_way_to_castle_still_castles() {
    for (position, mv) in positions::plain_moves() {
        let Some(rook) = position.castling_rook(mv) else { continue };
        // The king passes the square that the rook will stand on.
        let mut table = Table::at(&position);
        table.touch_all(&[Lift(mv.from()), Place(rook.1)], 300);
        table.wait(1000);
        assert_eq!(table.read(), [moved(Move::new(mv.from(), rook.1))]);
        table.touch_all(&[Lift(rook.1), Place(mv.to()), Lift(rook.0), Place(rook.1)], 400);
        table.wait(SETTINGS.rest);
        assert_eq!(table.read(), [corrected(mv)], "{mv} in {}", position.fen());
    }
}

#[test]
fn the_last_move_is_corrected_in_local_games_only() {
    let position = Position::start();
    let (paused, meant): (Move, Move) = ("e2e3".parse().expect("a move"), "e2e4".parse().expect("a move"));
    for looking in [Looking::ForOwnMove, Looking::ForNothing] {
        let mut table = Table::after(&position, paused, looking);
        table.touch_all(&[Lift(paused.to()), Place(meant.to())], 200);
        table.wait(3000);
        assert_eq!(table.read(), []);
        let expected =
            Stance::Disorder { fill: Bitboard::of(paused.to()), clear: Bitboard::of(meant.to()), illegal: None };
        assert_eq!(table.stance(), expected);
    }
}
