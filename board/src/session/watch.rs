use crate::time::Instant;

/// How long the other side may be silent before it is asked whether it is there, in milliseconds.
const PING_AFTER: u64 = 15_000;
/// How long the other side may be silent.
const SILENCE: u64 = 40_000;
/// How long an acknowledgement may take while others come.
const PATIENCE: u64 = 30_000;

/// Watches whether the other side is still there. A connection can be dead for hours without anybody being told.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    /// When something last came.
    last_heard: Instant,
    asked: bool,
    /// Since when something waits to be acknowledged.
    waiting: Option<Instant>,
}

impl Watch {
    pub(super) const fn new(now: Instant) -> Self {
        Self { last_heard: now, asked: false, waiting: None }
    }

    /// Something came.
    pub(super) const fn heard(&mut self, now: Instant) {
        self.last_heard = now;
        self.asked = false;
    }

    /// Something was sent that has to be acknowledged.
    pub(super) const fn sent(&mut self, now: Instant) {
        if self.waiting.is_none() {
            self.waiting = Some(now);
        }
    }

    /// Something was acknowledged; whether there is more to wait for is what counts.
    pub(super) const fn acknowledged(&mut self, all: bool, now: Instant) {
        self.waiting = if all { None } else { Some(now) };
    }

    /// Whether it is time to ask whether the other side is there. It is asked once.
    pub(super) fn asks(&mut self, now: Instant) -> bool {
        let due = !self.asked && now >= self.last_heard.after(PING_AFTER);
        self.asked |= due;
        due
    }

    pub(super) fn is_silent(&self, now: Instant) -> bool {
        now >= self.last_heard.after(SILENCE)
    }

    pub(super) fn is_deaf(&self, now: Instant) -> bool {
        self.waiting.is_some_and(|since| now >= since.after(PATIENCE))
    }

    /// When one of these has to be looked at again.
    pub(super) fn wake_at(&self) -> Instant {
        let silence = self.last_heard.after(if self.asked { SILENCE } else { PING_AFTER });
        self.waiting.map_or(silence, |since| silence.min(since.after(PATIENCE)))
    }
}
