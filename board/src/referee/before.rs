//! The position before the last ply: for lights, and because the ply may be taken back or corrected by hand.
//!
//! A ply of chess can be undone, and a turn that was told contains the one before it. Positions under other rules are only found by a replay of the
//! game, which the scans after a takeback or a load do in parts. One ply is taken back to the position that is known already; several are struck from the
//! record at once, and the position follows when it is replayed. Until then touches are only recorded.

use rules::{AnyPosition, Ply, Replay};

use super::Referee;
use crate::time::Instant;

/// How many plies a scan replays. Two more are played when the replay is over.
pub(super) const REPLAYED: usize = 3;

/// What is known of the position before the last ply.
#[derive(Clone, Debug)]
pub(super) enum Before {
    /// No ply was played.
    None,
    /// The position, the ply, and how many plies there were before it.
    Known(AnyPosition, Ply, usize),
    Replayed {
        replay: Replay,
        /// Whether the position of the game itself follows from it.
        rewinds: bool,
    },
}

impl Before {
    /// The position and the ply, if they are known.
    pub(super) const fn known(&self) -> Option<(&AnyPosition, Ply)> {
        match self {
            Self::Known(earlier, ply, _) => Some((earlier, *ply)),
            Self::None | Self::Replayed { .. } => None,
        }
    }
}

impl Referee {
    /// Finds the position before the last ply, after a takeback or a load.
    pub(super) fn look_back(&mut self) {
        self.made = None;
        self.before = Before::None;
        let Some((last, number)) = self.play.last().zip(self.play.len().checked_sub(1)) else { return };
        if self.play.is_replayed() {
            self.before = Before::Replayed { replay: Replay::of(&self.play), rewinds: false };
        } else if let Some(earlier) = self.play.before_last() {
            self.made = earlier.situation().made(last);
            self.before = Before::Known(earlier, last, number);
        }
    }

    /// Takes plies off the game, and finds the position before the last ply that is left.
    pub(super) fn shorten(&mut self, plies: u8, now: Instant) {
        let left = self.play.len().saturating_sub(plies.into());
        match &self.before {
            _ if !self.play.is_replayed() => {
                for _ in 0..plies {
                    self.play.take_back();
                }
            }
            _ if plies == 0 => {}
            Before::Known(earlier, _, number) if *number == left => self.play.rewind(left, earlier),
            _ if left == 0 => self.play.take_back_to(0),
            _ => {
                self.play.strike(left);
                self.before = Before::Replayed { replay: Replay::of(&self.play), rewinds: true };
                // Touches are only recorded.
                self.plies.forget();
                // A short game is rewound at once.
                return self.replay_on(REPLAYED, now);
            }
        }
        self.look_back();
    }

    /// Ends a replay without which the position of the game is not known: an event of the link follows.
    pub(super) fn rewind_now(&mut self, now: Instant) {
        if self.is_rewinding() {
            self.replay_on(usize::MAX, now);
        }
    }

    /// Goes on with a replay by at most this many plies.
    #[inline(never)]
    pub(super) fn replay_on(&mut self, most: usize, now: Instant) {
        let Before::Replayed { replay, rewinds } = &mut self.before else { return };
        let rewinds = *rewinds;
        let Some((last, number)) = self.play.last().zip(self.play.len().checked_sub(1)) else { return };
        match replay.go_on(&self.play, number, most) {
            Some(false) => return,
            Some(true) => {
                let earlier = *replay.position();
                if rewinds && replay.go_on(&self.play, self.play.len(), 1).is_some() {
                    self.play.place(replay.position());
                }
                self.made = earlier.situation().made(last);
                self.before = Before::Known(earlier, last, number);
            }
            None => self.before = Before::None,
        }
        if rewinds {
            self.note_takeback(now);
            self.settle(now);
        }
    }

    /// Whether the position of the game is not known before a replay is over.
    #[must_use]
    pub const fn is_rewinding(&self) -> bool {
        matches!(self.before, Before::Replayed { rewinds: true, .. })
    }

    /// Whether scans do more than to read touches: they replay the game, or search for its end. The lights may change when that is over.
    #[must_use]
    pub const fn is_working(&self) -> bool {
        matches!(self.before, Before::Replayed { .. }) || self.play.is_searching()
    }
}
