//! Plies after which the same squares are occupied as before. Chess has none; in GMO chess two pieces can change places, a piece can change its
//! owner or come back to its square, and a promotion is a ply of its own.

use chess::Bitboard;
use rules::{Footprint, Ply};

use super::evaluate::Evaluation;
use super::reading::{Reading, Stance};
use super::{Hand, Looking, View};
use crate::time::Instant;

impl Hand {
    /// The board looks as the game says: whether that is because a ply was made that changes no reed.
    ///
    /// Pieces that are only straightened look the same, so a player's own ply of this kind is asked about: the target square must be tapped.
    pub(super) fn evaluate_unchanged(&mut self, view: &View<'_>, now: Instant) -> Option<Evaluation> {
        if let Some(ply) = self.promotion_due(view) {
            return Some(self.evaluate_promotion(ply, view, now));
        }
        let right = view.here.occupied();
        match self.looking {
            Looking::ForNothing | Looking::ForCorrection | Looking::ForWithdrawal => None,
            Looking::ForThis(ply) => {
                let made = view.expected(ply)?;
                let complete = made.after == right && self.were_swapped(made.captured | made.places);
                complete.then_some(Evaluation::Read(Reading::Moved(ply), 0))
            }
            Looking::ForMoves | Looking::ForOwnMove => {
                let is_shown = |footprint: &Footprint| {
                    let touched = footprint.lifts | footprint.captured | footprint.places;
                    footprint.after == right && touched.any() && self.were_swapped(touched)
                };
                let mut asked = Bitboard::EMPTY;
                let swapped = self.trail.swapped;
                let touching = view.here.footprints_touching(swapped, swapped, 0).map(|(_, footprint)| footprint);
                for Footprint { ply, .. } in touching.filter(is_shown) {
                    if self.has_answered(ply.to()) {
                        return Some(Evaluation::Read(Reading::Moved(ply), 0));
                    }
                    asked |= ply.to().into();
                }
                asked.any().then_some(Evaluation::Not(Stance::Asking(asked)))
            }
        }
    }

    /// The promotion that is the next ply, if the rules demand one that is not part of a move. Its choice is one of several.
    pub(super) fn promotion_due(&self, view: &View<'_>) -> Option<Ply> {
        match self.looking {
            Looking::ForMoves | Looking::ForOwnMove => {
                view.here.plies.first().copied().filter(|ply| ply.choice() != 0 && ply.from() == ply.to())
            }
            _ => None,
        }
    }

    /// Offers the choices of a promotion that is the next ply, on a board that looks as the game says.
    pub(super) fn offer_promotion(&mut self, view: &View<'_>, now: Instant) {
        if self.stance == Stance::Settled
            && let Some(ply) = self.promotion_due(view)
            && let Evaluation::Not(stance) = self.evaluate_promotion(ply, view, now)
        {
            self.stance = stance;
        }
    }

    /// Whether a ply may be under way whose target has to be tapped, because no piece arrives there.
    pub(super) fn may_be_tapping(&self, view: &View<'_>) -> bool {
        let is_begun = |footprint: Footprint| {
            let lifted = footprint.lifts | footprint.captured;
            !footprint.places.has(footprint.ply.to()) && lifted.any() && lifted.without(self.trail.lifted).is_empty()
        };
        let looks = matches!(self.looking, Looking::ForMoves | Looking::ForOwnMove);
        let mut touching = view.here.footprints_touching(self.trail.lifted, Bitboard::ALL, 0);
        looks && touching.any(|(_, footprint)| is_begun(footprint))
    }

    /// Whether all of these squares were lifted from and placed on again, by a hand.
    fn were_swapped(&self, squares: Bitboard) -> bool {
        squares.without(self.trail.swapped).is_empty()
    }
}
