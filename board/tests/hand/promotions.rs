//! A pawn that has arrived becomes what the player touches, and nothing before that.

use board::{Looking, Stance};
use chess::{Bitboard, Position, Square};

use crate::orders;
use crate::positions;
use crate::table::Touch::{self, Lift, Place};
use crate::table::{SETTINGS, Table, moved, promotion_choices};

/// How long a square of the choice must be empty to count as touched, in milliseconds.
const TAP: u64 = 140;

/// How long another square can be touched instead, in milliseconds.
const CHOICE_REST: u64 = 2000;

/// Plays every promotion in every order up to the arrival of the pawn, and hands it on.
fn for_every_arrival(looking: &[Looking], check: impl Fn(Table, chess::Move, &str)) {
    let mut promotions = 0;
    for (position, mv) in positions::moves().filter(|(_, mv)| mv.promotion().is_some()) {
        for touches in orders::of_move(&position, mv) {
            for gap in [110, 300, 900] {
                for &looking in looking {
                    let mut table = Table::looking(&position, looking);
                    table.touch_all(&touches, gap);
                    let context = format!("{mv} in {} by {touches:?} every {gap} ms", position.fen());
                    check(table, mv, &context);
                    promotions += 1;
                }
            }
        }
    }
    assert!(promotions > 100, "only {promotions} promotions were tried");
}

/// What touching a square is: lifting what stands there, or placing something where nothing does.
fn touches_of(square: Square, occupied: Bitboard) -> [Touch; 2] {
    if occupied.has(square) { [Lift(square), Place(square)] } else { [Place(square), Lift(square)] }
}

#[test]
fn a_promotion_waits_for_a_touch_and_becomes_the_touched_piece() {
    for_every_arrival(&[Looking::ForMoves, Looking::ForOwnMove], |mut table, mv, context| {
        assert_eq!(table.stance(), Stance::Choosing { to: mv.to() }, "{context}");
        table.wait(10_000);
        assert_eq!(table.read(), [], "{context}");
        assert_eq!(table.stance(), Stance::Choosing { to: mv.to() }, "{context}");
        let (square, _) = *promotion_choices(mv.to())
            .iter()
            .find(|(_, promotion)| Some(*promotion) == mv.promotion())
            .expect("every promotion has its square");
        for gap in [TAP, 250, 1000] {
            let mut table = table.clone();
            table.touch_all(&touches_of(square, table.occupied()), gap);
            assert_eq!((table.read(), table.stance()), (vec![], Stance::Chosen { to: mv.to(), square }), "{context}");
            table.wait(CHOICE_REST);
            assert_eq!(table.read(), [moved(mv)], "{context}");
        }
    });
}

#[test]
fn a_wobble_on_a_promotion_square_chooses_nothing() {
    for_every_arrival(&[Looking::ForMoves, Looking::ForOwnMove], |table, mv, context| {
        for (square, _) in promotion_choices(mv.to()) {
            let longest = if table.occupied().has(square) { TAP } else { SETTINGS.swap };
            for moment in [1, 20, longest - 1] {
                let mut table = table.clone();
                table.wait(moment);
                table.touch_all(&touches_of(square, table.occupied()), moment);
                table.wait(3000);
                assert_eq!(table.read(), [], "{context}, then {moment} ms on {square}");
                assert_eq!(table.stance(), Stance::Choosing { to: mv.to() }, "{context}, then {moment} ms on {square}");
            }
        }
    });
}

#[test]
fn the_promotion_stays_pending_during_the_touch() {
    for_every_arrival(&[Looking::ForMoves, Looking::ForOwnMove], |table, mv, context| {
        for (square, _) in promotion_choices(mv.to()) {
            let mut table = table.clone();
            table.wait(500);
            table.touch(touches_of(square, table.occupied())[0]);
            for _ in 0..10 {
                assert_eq!(table.stance(), Stance::Choosing { to: mv.to() }, "{context}, {square} touched");
                table.wait(100);
            }
        }
    });
}

#[test]
fn the_pawn_itself_can_touch_a_promotion_square() {
    for_every_arrival(&[Looking::ForMoves, Looking::ForOwnMove], |table, mv, context| {
        for (square, promotion) in promotion_choices(mv.to()) {
            if table.occupied().has(square) {
                continue;
            }
            for gap in [SETTINGS.swap + 10, 300, SETTINGS.rook_rest - 1] {
                let mut table = table.clone();
                table.wait(500);
                for touch in [Lift(mv.to()), Place(square), Lift(square)] {
                    table.touch(touch);
                    let context = format!("{context}, to {square} every {gap} ms");
                    assert_eq!(table.stance(), Stance::Choosing { to: mv.to() }, "{context}");
                    table.wait(gap);
                }
                table.touch(Place(mv.to()));
                table.wait(CHOICE_REST);
                assert_eq!(table.read(), [moved(mv.promoting(Some(promotion)))], "{context}, to {square}");
            }
        }
    });
}

#[test]
fn a_pawn_that_passes_a_promotion_square_chooses_nothing() {
    for_every_arrival(&[Looking::ForMoves, Looking::ForOwnMove], |table, mv, context| {
        for (square, _) in promotion_choices(mv.to()).into_iter().filter(|(square, _)| !table.occupied().has(*square)) {
            let mut table = table.clone();
            table.wait(500);
            table.touch_all(&[Lift(mv.to()), Place(square)], 300);
            table.wait(SETTINGS.swap / 2);
            table.touch_all(&[Lift(square), Place(mv.to())], 300);
            table.wait(500);
            assert_eq!(table.read(), [], "{context}, over {square}");
            assert_eq!(table.stance(), Stance::Choosing { to: mv.to() }, "{context}, over {square}");
            table.touch_all(&[Lift(mv.to()), Place(mv.to())], 300);
            table.wait(CHOICE_REST);
            let queen = mv.promoting(Some(chess::Promotion::Queen));
            assert_eq!(table.read(), [moved(queen)], "{context}, over {square} and then not");
        }
    });
}

#[test]
fn a_pending_promotion_can_be_undone() {
    for_every_arrival(&[Looking::ForMoves], |mut table, mv, context| {
        let victim = table.position().victim(mv);
        table.wait(1000);
        table.touch_all(&[Lift(mv.to()), Place(mv.from())], 300);
        if let Some(victim) = victim {
            table.wait(300);
            table.touch(Place(victim));
        }
        table.wait(2000);
        assert_eq!(table.read(), [], "{context}, and back");
        assert_eq!(table.stance(), Stance::Settled, "{context}, and back");
    });
}

#[test]
fn promotion_squares_run_from_the_last_rank_inwards() {
    let position: Position = "8/4P3/8/8/8/8/k6K/8 w - - 0 1".parse().expect("a position");
    for mv in position.legal_moves().iter().filter(|mv| mv.promotion().is_some()) {
        let squares: Bitboard = promotion_choices(mv.to()).iter().map(|(square, _)| *square).collect();
        assert_eq!(squares.count(), 4);
        assert_eq!(promotion_choices(mv.to())[0].0, mv.to());
    }
}

#[test]
fn the_choice_of_a_promotion_can_be_changed_before_it_counts() {
    for_every_arrival(&[Looking::ForMoves, Looking::ForOwnMove], |table, mv, context| {
        // The pawn is put straight, which looks like the choice of a queen, before another square is touched.
        for (square, promotion) in promotion_choices(mv.to()).into_iter().skip(1) {
            let mut table = table.clone();
            table.wait(500);
            table.touch_all(&[Lift(mv.to()), Place(mv.to())], 400);
            assert_eq!(table.stance(), Stance::Chosen { to: mv.to(), square: mv.to() }, "{context}");
            table.wait(CHOICE_REST - 200);
            table.touch_all(&touches_of(square, table.occupied()), 300);
            table.wait(CHOICE_REST);
            assert_eq!(table.read(), [moved(mv.promoting(Some(promotion)))], "{context}, {square} touched");
        }
    });
}

#[test]
fn the_choice_of_a_promotion_counts_when_the_opponent_lifts_a_piece() {
    let position: Position = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1".parse().expect("a position");
    let mut table = Table::at(&position);
    table.touch_all(&[Lift(Square::A7), Place(Square::A8), Lift(Square::A8), Place(Square::A8), Lift(Square::E8)], 200);
    assert_eq!(table.read(), [moved("a7a8q".parse().expect("a move"))]);
    table.wait(200);
    table.touch(Place(Square::E7));
    table.wait(500);
    assert_eq!(table.read(), [moved("e8e7".parse().expect("a move"))]);
}

#[test]
fn a_pawn_that_flickers_while_a_piece_stands_on_another_square_is_still_choosing() {
    let position: Position = "7k/8/8/8/8/8/4p3/K7 b - - 0 1".parse().expect("legal");
    let mut table = Table::looking(&position, Looking::ForMoves);
    table.touch_all(&[Lift(Square::E2), Place(Square::E1)], 400);
    table.wait(800);
    table.touch_all(&[Place(Square::E2), Lift(Square::E1), Place(Square::E1)], 20);
    table.wait(400);
    table.touch(Lift(Square::E2));
    assert_eq!(table.stance(), Stance::Chosen { to: Square::E1, square: Square::E2 });
    table.wait(CHOICE_REST);
    assert_eq!(table.read().len(), 1);
}

#[test]
fn a_pawn_that_taps_another_square_has_not_captured_beside_it() {
    // A piece on a1 was tilted while the pawn was in the air, so that its capture would explain the board without the pawn on b1.
    let position: Position = "7k/8/8/8/8/8/1p6/R6K b - - 0 1".parse().expect("legal");
    let mut table = Table::looking(&position, Looking::ForMoves);
    let touches = [Lift(Square::B2), Lift(Square::A1), Place(Square::A1), Place(Square::B1)];
    table.touch_all(&touches, 300);
    table.wait(3000);
    table.touch_all(&[Lift(Square::B1), Place(Square::B3), Lift(Square::B3), Place(Square::B1)], 400);
    table.wait(CHOICE_REST);
    assert_eq!(table.read(), [moved("b2b1r".parse().expect("a move"))]);
}
