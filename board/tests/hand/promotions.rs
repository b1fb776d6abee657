//! A pawn that has arrived becomes what the player touches, and nothing before that.

use board::{Looking, Reading, Stance, promotion_choices};
use chess::{Bitboard, Position};

use crate::orders;
use crate::positions;
use crate::table::Touch::{self, Lift, Place};
use crate::table::{SETTINGS, Table};

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
fn touches_of(square: chess::Square, occupied: Bitboard) -> [Touch; 2] {
    if occupied.has(square) { [Lift(square), Place(square)] } else { [Place(square), Lift(square)] }
}

#[test]
fn a_pawn_becomes_what_is_touched_and_waits_for_it_as_long_as_it_takes() {
    for_every_arrival(&[Looking::ForMoves, Looking::ForOwnMove], |mut table, mv, context| {
        assert_eq!(table.stance(), Stance::Choosing { to: mv.to() }, "{context}");
        table.wait(10_000);
        assert_eq!(table.read(), [], "{context}");
        assert_eq!(table.stance(), Stance::Choosing { to: mv.to() }, "{context}");
        let (square, _) = *promotion_choices(mv.to())
            .iter()
            .find(|(_, promotion)| Some(*promotion) == mv.promotion())
            .expect("every promotion has its square");
        for gap in [SETTINGS.swap, 250, 1000] {
            let mut table = table.clone();
            table.touch_all(&touches_of(square, table.occupied()), gap);
            assert_eq!(table.read(), [Reading::Moved(mv)], "{context}");
        }
    });
}

#[test]
fn a_wobble_on_a_square_of_the_choice_chooses_nothing() {
    for_every_arrival(&[Looking::ForMoves, Looking::ForOwnMove], |table, mv, context| {
        for (square, _) in promotion_choices(mv.to()) {
            for moment in [1, 20, SETTINGS.swap - 1] {
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
fn a_pawn_may_go_back_instead_of_becoming_something() {
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
fn each_piece_has_its_own_square_from_the_last_rank_inwards() {
    let position: Position = "8/4P3/8/8/8/8/k6K/8 w - - 0 1".parse().expect("a position");
    for mv in position.legal_moves().iter().filter(|mv| mv.promotion().is_some()) {
        let squares: Bitboard = promotion_choices(mv.to()).iter().map(|(square, _)| *square).collect();
        assert_eq!(squares.count(), 4);
        assert_eq!(promotion_choices(mv.to())[0].0, mv.to());
    }
}
