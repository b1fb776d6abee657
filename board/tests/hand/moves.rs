//! Every legal move, in every order of touches, is read as that move, in time, and nothing is read before it is complete.

use board::Looking;
use chess::{Move, Position, Role};

use crate::orders;
use crate::positions;
use crate::table::Touch::{self, Lift, Place};
use crate::table::{SETTINGS, Table, moved};

/// From the quickest hands to the slowest that still mean one thing: a rook waits for its king no longer than its rest.
const GAPS: [u64; 5] = [110, 200, 450, 900, 1450];

/// How long a move may be waited for that is complete, by the words of the specification.
fn rest_of(position: &Position, mv: Move, touches: &[Touch], gap: u64, looking: Looking) -> u64 {
    let legal = position.legal_moves();
    let castles = legal.iter().any(|&other| position.castling_rook(other) == Some((mv.from(), mv.to())));
    let slides_on =
        legal.iter().any(|other| other.from() == mv.from() && orders::path(mv.from(), other.to()).contains(&mv.to()));
    let captures = position.victim(mv) == Some(mv.to());
    let is_sent = looking == Looking::ForOwnMove;
    let role = position.piece_at(mv.from()).expect("a piece").role();
    let stops = is_sent && matches!(role, Role::Bishop | Role::Queen);
    let place_in_order = |touch| touches.iter().position(|other| *other == touch);
    let was_open = |square| {
        place_in_order(Place(square)).zip(place_in_order(Lift(square))).map(|(place, lift)| (place - lift) as u64 * gap)
    };
    // A sleeve that tilts a piece while another one is in the air looks the same.
    let is_alone = place_in_order(Lift(mv.from())) < place_in_order(Lift(mv.to()));
    let may_be_tilted = captures && (is_alone || (is_sent && was_open(mv.to()).is_some_and(|open| open < 400)));
    let (any, slide, rook) =
        if looking == Looking::ForOwnMove { (400, 1000, 3000) } else { (0, SETTINGS.rest, SETTINGS.rook_rest) };
    let rest = if castles {
        rook
    } else if (slides_on || stops) && !position.is_capture(mv) {
        slide
    } else {
        any
    };
    let ends = position.play(mv).is_ok_and(|next| next.legal_moves().is_empty());
    let tilt = if is_sent { slide } else { 200 };
    let (tilt, end) = (if may_be_tilted { tilt } else { 0 }, if ends { 1800 } else { 0 });
    rest.max(tilt).max(end)
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
                    table.wait(4000);
                    let read = table.read_and_when();
                    let rest = rest_of(&position, mv, &touches, gap, looking);
                    assert_eq!(read, [(moved(mv), 4000 - rest)], "{context}");
                }
            }
        }
    }
}
