//! Every legal move, in every order of touches, is read as that move, in time, and nothing is read before it is complete.

use board::Looking;
use chess::{Move, Position};

use crate::orders;
use crate::positions;
use crate::table::{SETTINGS, Table, moved};

/// From the quickest hands to the slowest that still mean one thing: a rook waits for its king no longer than its rest.
const GAPS: [u64; 5] = [110, 200, 450, 900, 1450];

/// How long a move may be waited for that is complete, by the words of the specification.
fn rest_of(position: &Position, mv: Move) -> u64 {
    let legal = position.legal_moves();
    let castles = legal.iter().any(|&other| position.castling_rook(other) == Some((mv.from(), mv.to())));
    let slides_on =
        legal.iter().any(|other| other.from() == mv.from() && orders::path(mv.from(), other.to()).contains(&mv.to()));
    if castles {
        SETTINGS.rook_rest
    } else if slides_on && !position.is_capture(mv) {
        SETTINGS.rest
    } else {
        0
    }
}

#[test]
fn every_move_is_read_in_every_order_of_touches_and_in_time() {
    for looking in [Looking::ForMoves, Looking::ForOwnMove] {
        for (position, mv) in positions::plain_moves() {
            for touches in orders::of_move(&position, mv) {
                for gap in GAPS {
                    let mut table = Table::looking(&position, looking);
                    table.touch_all(&touches[..touches.len() - 1], gap);
                    table.wait(gap);
                    let context = format!("{mv} in {} by {touches:?} every {gap} ms", position.fen());
                    assert_eq!(table.read(), [], "before {context} was complete");
                    table.touch(touches[touches.len() - 1]);
                    table.wait(3000);
                    let read = table.read_and_when();
                    assert_eq!(read, [(moved(mv), 3000 - rest_of(&position, mv))], "{context}");
                }
            }
        }
    }
}
