//! Plies that do the same to the reeds, and are distinguished by their targets: a script has no choices, so it offers the pieces of a promotion as
//! moves to different squares. One of the targets must be tapped.

use chess::{Bitboard, Square};
use rules::Footprint;

use super::evaluate::Evaluation;
use super::reading::{Reading, Stance};
use super::timing::{TAP, WEAK_TAP};
use super::{Hand, View};
use crate::time::Instant;

/// A question which of several plies was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Alike {
    /// The targets of the plies.
    targets: Bitboard,
    /// What was occupied when the question was asked.
    arrived: Bitboard,
    /// When it was asked.
    since: Instant,
}

impl Hand {
    /// Whether the question which of several plies was made is open, and this is the target of one of them.
    pub(super) fn asks_between(&self, target: Square) -> bool {
        self.alike.is_some_and(|asked| asked.targets.has(target))
    }

    /// The board looks as it does after this ply. If it looks so after others as well, asks which of them it was, until a target is tapped.
    /// Nothing if plies with other targets explain the board, too: then the question is where the piece has captured.
    pub(super) fn evaluate_alike(
        &mut self,
        footprint: &Footprint,
        explaining: Bitboard,
        view: &View<'_>,
        now: Instant,
    ) -> Option<Evaluation> {
        let is_alike = |other: &Footprint| other.ply.choice() == 0 && other.is_alike(footprint);
        let targets: Bitboard =
            view.here.footprints_beside(footprint.ply).filter(is_alike).map(|other| other.ply.to()).collect();
        if footprint.ply.choice() != 0 || !targets.several() || explaining.without(targets).any() {
            return None;
        }
        let new = Alike { targets, arrived: self.occupied, since: now };
        let asked = self.alike.filter(|asked| asked.targets == targets).unwrap_or(new);
        self.alike = Some(asked);
        let is_tapped = |other: &Footprint| self.is_tapped(other.ply.to(), asked.arrived, asked.since);
        // A piece that taps another square leaves its own: the tap of the square where it stands counts only if it is the only one.
        let tapped = |own: bool| {
            let is_own = |other: &Footprint| asked.arrived.has(other.ply.to()) == own;
            view.here.footprints_beside(footprint.ply).filter(is_alike).find(|other| is_own(other) && is_tapped(other))
        };
        Some(match tapped(false).or_else(|| tapped(true)) {
            Some(chosen) => Evaluation::Read(Reading::Moved(chosen.ply), 0),
            None => Evaluation::Not(Stance::Asking(targets)),
        })
    }

    /// Whether a square was tapped since then: lifted and put, or put and lifted.
    pub(super) fn is_tapped(&self, square: Square, arrived: Bitboard, since: Instant) -> bool {
        let apart = match arrived.has(square) {
            true if self.flicker.weak().has(square) => WEAK_TAP,
            true => TAP,
            false => self.settings.swap,
        };
        self.trail.tapped_since(square, since, apart)
    }

    /// Whether nothing has changed since the question was asked but on the targets: then one of them is being tapped.
    pub(super) fn still_asking(&self) -> Option<Stance> {
        let Alike { targets, arrived, .. } = self.alike?;
        (self.occupied ^ arrived).without(targets).is_empty().then_some(Stance::Asking(targets))
    }
}
