//! The last move, undone or put right by hand.

use super::evaluate::Verdict;
use super::footprint::{self, Footprint};
use super::reading::{Reading, Stance};
use super::{Hand, Looking};
use crate::time::Instant;

/// The two halves of a takeback are no further apart than this.
const BOTH_HALVES: u64 = 3000;

impl Hand {
    /// The last move taken back, or put right, where that may be done by hand.
    pub(super) fn evaluate_past(&self, now: Instant) -> Option<Verdict> {
        let (earlier, last) = self.before.as_ref()?;
        let undo = Footprint::undone(earlier, *last);
        let halved = self.swapped_back.is_some_and(|back| now.since(back) < BOTH_HALVES);
        if undo.after == self.occupied && (undo.is_in(&self.trail) || (halved && undo.is_rest_of(&self.trail))) {
            // A square may just be touched to say what a pawn is to become.
            let rest = if self.choosing.is_some() { self.settings.rook_rest } else { self.settings.rest };
            return Some(Verdict::Read(Reading::TakenBack, rest));
        }
        if self.looking != Looking::ForMoves || earlier.is_capture(*last) {
            return None;
        }
        let mut found = None;
        for &mv in &earlier.legal_moves() {
            let footprint = Footprint::of(earlier, mv);
            if footprint.after != self.occupied || mv.promotion().is_some() {
                continue;
            }
            // The piece goes on from where it came to rest, or the king follows the rook that went first.
            let followed = footprint.rook.is_none_or(|(from, to)| self.trail.went(from, to));
            let on_the_way = mv.from() == last.from() && footprint::passes(mv.from(), last.to(), mv.to());
            let slid_on = on_the_way && self.trail.went(last.to(), mv.to()) && followed;
            let castled = footprint.rook == Some((last.from(), last.to())) && self.trail.went(mv.from(), mv.to());
            if !slid_on && !castled {
                continue;
            }
            let taken = footprint.victim.is_none_or(|victim| self.trail.swapped.has(victim));
            let touched = footprint.victim.is_none_or(|victim| (self.trail.lifted & self.trail.placed).has(victim));
            if touched && !taken {
                return Some(Verdict::Not(Stance::Asking(mv.to().into())));
            }
            if taken && found.replace(mv).is_some() {
                return None;
            }
        }
        // If it takes something there, it looks as if the other player had lifted both pieces and put back the own one:
        // then the other may soon be put back as well.
        let rest = |mv| if earlier.is_capture(mv) { self.settings.rook_rest } else { self.settings.rest };
        found.map(|mv| Verdict::Read(Reading::Corrected(mv), rest(mv)))
    }

    /// Whether the piece that took another last was gone from its square for as long as hands need to swap them.
    pub(super) fn has_swapped_back(&self) -> bool {
        self.before.as_ref().is_some_and(|(earlier, last)| {
            let to = last.to();
            earlier.victim(*last) == Some(to) && self.trail.tapped_since(to, Instant::default(), self.settings.swap)
        })
    }
}
