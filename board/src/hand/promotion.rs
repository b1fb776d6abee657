//! A pawn has arrived, and the player says on the board what it becomes.

use chess::{Move, Promotion, Rank, Square};

use super::Hand;
use super::evaluate::Verdict;
use super::reading::{Reading, Stance};
use crate::time::Instant;

/// Which piece each of four squares stands for: the pawn's own square, where most hands put a queen at once, and the
/// three behind it.
#[must_use]
pub fn choices(to: Square) -> [(Square, Promotion); 4] {
    let behind = |steps: u8| {
        let rank = to.rank().index();
        let rank = if to.rank() == Rank::Eighth { rank.wrapping_sub(steps) } else { rank.wrapping_add(steps) };
        Square::new(to.file(), Rank::from_index(rank))
    };
    [
        (to, Promotion::Queen),
        (behind(1), Promotion::Knight),
        (behind(2), Promotion::Rook),
        (behind(3), Promotion::Bishop),
    ]
}

impl Hand {
    /// The pawn stands on its last square. Touching one of four squares, that is lifting and placing there in either
    /// order, chooses; nothing is guessed, however long it takes. A touch takes as long as hands need: a pawn that wobbles
    /// when it lands, or a magnet that flickers, has chosen nothing.
    pub(super) fn evaluate_promotion(&mut self, from: Square, to: Square, now: Instant) -> Verdict {
        let asked = match self.choosing {
            Some((same_from, same_to, asked)) if (same_from, same_to) == (from, to) => asked,
            _ => {
                self.choosing = Some((from, to, now));
                now
            }
        };
        let is_tapped = |(square, _): &(Square, Promotion)| self.trail.tapped_since(*square, asked, self.settings.swap);
        // The pawn itself may have been used to touch another square, and then its own was touched as well.
        let touched = choices(to).into_iter().rev().find(is_tapped);
        match touched {
            Some((_, promotion)) => Verdict::Read(Reading::Moved(Move::new(from, to).promoting(Some(promotion))), 0),
            None => Verdict::Not(Stance::Choosing { to }),
        }
    }
}
