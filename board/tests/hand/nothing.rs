//! Pieces that are put back are no move, in any order of touches and of either side.

use board::{Looking, Stance};
use chess::{Bitboard, Move, Position, Square};

use crate::orders;
use crate::positions;
use crate::table::Touch::{self, Lift, Place};
use crate::table::{SETTINGS, Table};

fn assert_nothing_is_read(position: &Position, touches: &[Touch], gap: u64) {
    for looking in [Looking::ForMoves, Looking::ForOwnMove, Looking::ForNothing] {
        let mut table = Table::looking(position, looking);
        table.touch_all(touches, gap);
        table.wait(2000);
        let context = format!("{touches:?} every {gap} ms in {} while {looking:?}", position.fen());
        assert_eq!(table.read(), [], "{context}");
        assert_eq!(table.stance(), Stance::Settled, "{context}");
    }
}

#[test]
fn a_piece_that_is_put_back_has_not_moved() {
    for position in positions::all() {
        for square in position.occupied() {
            for gap in [1, 20, 99, 101, 299, 301, 1501, 4000] {
                assert_nothing_is_read(&position, &[Lift(square), Place(square)], gap);
            }
        }
    }
}

#[test]
fn two_pieces_that_are_put_back_have_not_moved() {
    for position in positions::all() {
        for one in position.occupied() {
            for other in position.occupied().without(one.into()) {
                let strands = [vec![Lift(one), Place(one)], vec![Lift(other), Place(other)]];
                for touches in orders::interleaved(&strands, &position) {
                    // A piece that comes back while one that could take it is in the air may be that very one: then
                    // only the quickest are known to have wobbled.
                    let gap = if looks_like_a_capture(&position, &touches) { SETTINGS.swap / 3 } else { 250 };
                    assert_nothing_is_read(&position, &touches, gap);
                }
            }
        }
    }
}

fn looks_like_a_capture(position: &Position, touches: &[Touch]) -> bool {
    touches.iter().enumerate().any(|(index, &touch)| {
        let Place(to) = touch else { return false };
        let in_hand: Bitboard = touches[..index]
            .iter()
            .filter_map(|&earlier| match earlier {
                Lift(square) => (!touches[..index].contains(&Place(square)) && square != to).then_some(square),
                Place(_) => None,
            })
            .collect();
        position.legal_moves().iter().any(|mv| in_hand.has(mv.from()) && mv.to() == to && position.is_capture(*mv))
    })
}

#[test]
fn a_piece_may_be_shown_to_any_square_on_its_way_back() {
    let position = Position::start();
    for from in [Square::B1, Square::E2, Square::G8] {
        for over in Square::all().filter(|&over| !position.occupied().has(over)) {
            // Where it may go, it has gone.
            if !position.is_legal(Move::new(from, over)) {
                assert_nothing_is_read(&position, &[Lift(from), Place(over), Lift(over), Place(from)], 500);
            }
        }
    }
}
