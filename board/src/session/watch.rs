use super::End;
use crate::time::Instant;

/// How long an acknowledgement may take while others come.
const PATIENCE: u64 = 30_000;

/// Watches whether the other side is still there. A connection can be dead for hours without anybody being told.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    /// Which end watches.
    end: End,
    /// When something last came.
    last_heard: Instant,
    /// How often it was asked since then.
    asked: u8,
    /// Since when something waits to be acknowledged.
    waiting: Option<Instant>,
}

impl Watch {
    pub(super) const fn new(end: End, now: Instant) -> Self {
        Self { end, last_heard: now, asked: 0, waiting: None }
    }

    /// How long the other side may be silent before it is asked whether it is there, in milliseconds, and each time again.
    const fn ask_after(&self) -> u64 {
        match self.end {
            End::Board => 15_000,
            // Somebody waits for the board elsewhere, and wants to know soon that its cable was pulled.
            End::Relay => 5_000,
        }
    }

    /// How long the other side may be silent at all.
    const fn silence(&self) -> u64 {
        match self.end {
            // A relay that waits for its store does not answer, and to leave it helps nobody.
            End::Board => 40_000,
            End::Relay => 15_000,
        }
    }

    /// Something came.
    pub(super) const fn heard(&mut self, now: Instant) {
        self.last_heard = now;
        self.asked = 0;
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

    /// Whether it is time to ask whether the other side is there, or to ask again.
    pub(super) fn asks(&mut self, now: Instant) -> bool {
        let due = now >= self.ask_at();
        if due {
            let silent = now.since(self.last_heard).checked_div(self.ask_after());
            self.asked = silent.and_then(|times| u8::try_from(times).ok()).unwrap_or(u8::MAX);
        }
        due
    }

    fn ask_at(&self) -> Instant {
        self.last_heard.after(self.ask_after().saturating_mul(u64::from(self.asked).saturating_add(1)))
    }

    fn silent_at(&self) -> Instant {
        self.last_heard.after(self.silence())
    }

    pub(super) fn is_silent(&self, now: Instant) -> bool {
        now >= self.silent_at()
    }

    pub(super) fn is_deaf(&self, now: Instant) -> bool {
        self.waiting.is_some_and(|since| now >= since.after(PATIENCE))
    }

    /// When one of these has to be looked at again.
    pub(super) fn wake_at(&self) -> Instant {
        let silence = self.ask_at().min(self.silent_at());
        self.waiting.map_or(silence, |since| silence.min(since.after(PATIENCE)))
    }
}
