use core::ops::DerefMut;

use super::BoardCore;
use crate::lights::Frame;
use crate::surface::{Rendered, Surface};
use crate::time::Instant;

/// The shortest time between two frames, in milliseconds: about sixty frames a second.
const FRAME_MS: u64 = 16;

/// Decides when the lights are rendered: when an input has changed them or their rhythm does, and at most sixty times a second.
#[derive(Clone, Debug)]
pub(crate) struct FrameScheduler {
    shown: Frame,
    shown_at: Instant,
    next: Option<Instant>,
}

impl Default for FrameScheduler {
    fn default() -> Self {
        Self { shown: Frame::DARK, shown_at: Instant::at(0), next: None }
    }
}

impl FrameScheduler {
    /// The frame to show now, if it differs from the one that is shown.
    pub(crate) fn poll<const N: usize>(
        &mut self,
        core: &mut BoardCore<impl DerefMut<Target = Surface>, N>,
        now: Instant,
    ) -> Option<Frame> {
        let due = core.is_dirty() || self.next.is_some_and(|at| at <= now);
        let earliest = self.shown_at.after(FRAME_MS);
        if !due {
            return None;
        }
        if now < earliest {
            self.next = Some(earliest);
            return None;
        }
        let Some(Rendered { frame, next }) = core.render(now) else {
            // A game is being loaded, and marks the core as dirty when it is complete.
            self.next = None;
            return None;
        };
        let is_new = frame != self.shown;
        if is_new {
            self.shown = frame;
            self.shown_at = now;
        }
        self.next = next.map(|at| at.max(self.shown_at.after(FRAME_MS)));
        is_new.then_some(frame)
    }

    /// When to poll again without any input.
    pub(crate) const fn next(&self) -> Option<Instant> {
        self.next
    }

    pub(crate) const fn shown(&self) -> &Frame {
        &self.shown
    }
}
