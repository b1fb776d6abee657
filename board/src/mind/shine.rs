use core::ops::DerefMut;

use super::Mind;
use crate::brain::Brain;
use crate::lights::Frame;
use crate::time::Instant;

/// Sixty frames a second are enough for any eye.
const FRAME_MS: u64 = 16;

/// What the lights show, and when they are to be told something else.
#[derive(Clone, Debug)]
pub struct Shine {
    shown: Frame,
    shown_at: Instant,
    next: Option<Instant>,
}

impl Default for Shine {
    fn default() -> Self {
        Self { shown: Frame::DARK, shown_at: Instant::at(0), next: None }
    }
}

impl Shine {
    /// What the lights are to show now, if that is something else than what they do, and if it is time.
    pub fn poll(&mut self, mind: &mut Mind<impl DerefMut<Target = Brain>>, now: Instant) -> Option<Frame> {
        // What was due has to be remembered: asked again when its moment has come, the mind names the one after it.
        let due = self.next.filter(|at| *at <= now).or_else(|| mind.next_frame(now));
        let gap = self.shown_at.after(FRAME_MS);
        if due.is_some_and(|at| at <= now)
            && now >= gap
            && let Some(frame) = mind.frame(now)
        {
            let is_new = frame != self.shown;
            if is_new {
                self.shown = frame;
                self.shown_at = now;
            }
            self.next = mind.next_frame(now).map(|at| at.max(self.shown_at.after(FRAME_MS)));
            is_new.then_some(frame)
        } else {
            self.next = due.map(|at| at.max(gap));
            None
        }
    }

    /// When to poll again, if nothing happens before.
    #[must_use]
    pub const fn next(&self) -> Option<Instant> {
        self.next
    }

    /// What the lights show.
    #[must_use]
    pub const fn shown(&self) -> &Frame {
        &self.shown
    }
}
