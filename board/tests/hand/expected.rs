//! A move that was made elsewhere: it is accepted in any order of touches, and no other is.

use board::Stance;

use crate::orders;
use crate::positions;
use crate::table::{SETTINGS, Table, for_this, moved};

#[test]
fn the_expected_move_is_accepted_at_once_in_any_order() {
    for (position, mv) in positions::moves() {
        for touches in orders::of_move(&position, mv) {
            for gap in [110, 450, 2500] {
                let mut table = Table::looking(&position, for_this(mv));
                table.touch_all(&touches[..touches.len() - 1], gap);
                table.wait(gap);
                let context = format!("{mv} in {} by {touches:?} every {gap} ms", position.fen());
                assert_eq!(table.read(), [], "before {context} is complete");
                table.touch(touches[touches.len() - 1]);
                assert_eq!(table.read(), [moved(mv)], "{context}");
            }
        }
    }
}

#[test]
fn a_quick_expected_capture_is_accepted_when_it_rests() {
    for (position, mv) in positions::moves().filter(|(position, mv)| position.victim(*mv) == Some(mv.to())) {
        let mut table = Table::looking(&position, for_this(mv));
        table.touch_all(&orders::of_move(&position, mv)[0], SETTINGS.swap / 3);
        table.wait(SETTINGS.rest - 1);
        assert_eq!(table.read(), [], "{mv} in {}", position.fen());
        table.wait(1);
        assert_eq!(table.read(), [moved(mv)], "{mv} in {}", position.fen());
    }
}

#[test]
fn another_move_is_rejected_and_the_expected_one_accepted_afterwards() {
    for (position, mv) in positions::moves() {
        for &other in &position.legal_moves() {
            // A castling undone from the king's side leaves the rook where it was expected to go.
            let castles = position.castling_rook(other) == Some((mv.from(), mv.to()));
            if (other.from(), other.to()) == (mv.from(), mv.to()) || other.promotion().is_some() || castles {
                continue;
            }
            let mut table = Table::looking(&position, for_this(mv));
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
            assert_eq!(table.read(), [moved(mv)], "after {context}");
        }
    }
}
