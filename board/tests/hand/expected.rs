//! A move that was made elsewhere: it is accepted in any order of touches, and no other is.

use board::{Looking, Reading, Stance};

use crate::orders;
use crate::positions;
use crate::table::{SETTINGS, Table};

#[test]
fn the_expected_move_is_accepted_in_any_order_and_at_once() {
    for (position, mv) in positions::moves() {
        for touches in orders::of_move(&position, mv) {
            for gap in [110, 450, 2500] {
                let mut table = Table::looking(&position, Looking::ForThis(mv));
                table.touch_all(&touches[..touches.len() - 1], gap);
                table.wait(gap);
                let context = format!("{mv} in {} by {touches:?} every {gap} ms", position.fen());
                assert_eq!(table.read(), [], "before {context} is complete");
                table.touch(touches[touches.len() - 1]);
                assert_eq!(table.read(), [Reading::Moved(mv)], "{context}");
            }
        }
    }
}

#[test]
fn the_expected_capture_is_accepted_however_quick_it_was_but_not_before_it_rests() {
    for (position, mv) in positions::moves().filter(|(position, mv)| position.victim(*mv) == Some(mv.to())) {
        let mut table = Table::looking(&position, Looking::ForThis(mv));
        table.touch_all(&orders::of_move(&position, mv)[0], SETTINGS.swap / 3);
        table.wait(SETTINGS.rest - 1);
        assert_eq!(table.read(), [], "{mv} in {}", position.fen());
        table.wait(1);
        assert_eq!(table.read(), [Reading::Moved(mv)], "{mv} in {}", position.fen());
    }
}

#[test]
fn no_other_move_is_accepted_and_after_it_is_undone_the_expected_one_is() {
    for (position, mv) in positions::moves() {
        for &other in &position.legal_moves() {
            // A castling undone from the king's side leaves the rook where it was expected to go.
            let castles = position.castling_rook(other) == Some((mv.from(), mv.to()));
            if (other.from(), other.to()) == (mv.from(), mv.to()) || other.promotion().is_some() || castles {
                continue;
            }
            let mut table = Table::looking(&position, Looking::ForThis(mv));
            table.touch_all(&orders::of_move(&position, other)[0], 200);
            table.wait(2000);
            let context = format!("{other} instead of {mv} in {}", position.fen());
            assert_eq!(table.read(), [], "{context}");
            assert_ne!(table.stance(), Stance::Settled, "{context}");
            table.touch_all(&orders::of_undoing(&position, other)[0], 200);
            table.wait(1000);
            assert_eq!(table.read(), [], "{context}, and back");
            assert_eq!(table.stance(), Stance::Settled, "{context}, and back");
            table.touch_all(&orders::of_move(&position, mv)[0], 200);
            assert_eq!(table.read(), [Reading::Moved(mv)], "after {context}");
        }
    }
}
