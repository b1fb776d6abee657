use super::End;
use crate::time::Instant;

/// Acknowledgement timeout in milliseconds. It starts again with every acknowledgement.
const ACK_TIMEOUT: u64 = 30_000;

/// Keepalive timer: detects a dead connection by pings and by missing acknowledgements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keepalive {
    end: End,
    /// When the last frame was received.
    last_received: Instant,
    /// The number of pings since then.
    pings: u8,
    /// Since when an event waits for its acknowledgement.
    unacknowledged_since: Option<Instant>,
}

impl Keepalive {
    pub(super) const fn new(end: End, now: Instant) -> Self {
        Self { end, last_received: now, pings: 0, unacknowledged_since: None }
    }

    /// Milliseconds without a frame after which a ping is sent, and between two pings.
    const fn ping_interval(&self) -> u64 {
        match self.end {
            End::Board => 15_000,
            // The opponent waits for the board, so the relay finds a pulled cable sooner.
            End::Relay => 5_000,
        }
    }

    /// Milliseconds without a frame after which the connection is dead.
    const fn timeout(&self) -> u64 {
        match self.end {
            // A relay does not answer while it waits for its store. Reconnecting would not help.
            End::Board => 40_000,
            End::Relay => 15_000,
        }
    }

    /// A frame was received.
    pub(super) const fn received(&mut self, now: Instant) {
        self.last_received = now;
        self.pings = 0;
    }

    /// An event or a snapshot was sent.
    pub(super) const fn sent(&mut self, now: Instant) {
        if self.unacknowledged_since.is_none() {
            self.unacknowledged_since = Some(now);
        }
    }

    /// An acknowledgement was received. `all` says whether nothing is left to be acknowledged.
    pub(super) const fn acknowledged(&mut self, all: bool, now: Instant) {
        self.unacknowledged_since = if all { None } else { Some(now) };
    }

    /// Whether a ping is due. If so, it counts as sent.
    pub(super) fn take_due_ping(&mut self, now: Instant) -> bool {
        let due = now >= self.ping_at();
        if due {
            let silent = now.since(self.last_received).checked_div(self.ping_interval());
            self.pings = silent.and_then(|times| u8::try_from(times).ok()).unwrap_or(u8::MAX);
        }
        due
    }

    fn ping_at(&self) -> Instant {
        self.last_received.after(self.ping_interval().saturating_mul(u64::from(self.pings).saturating_add(1)))
    }

    fn timeout_at(&self) -> Instant {
        self.last_received.after(self.timeout())
    }

    pub(super) fn is_timed_out(&self, now: Instant) -> bool {
        now >= self.timeout_at()
    }

    pub(super) fn is_ack_overdue(&self, now: Instant) -> bool {
        self.unacknowledged_since.is_some_and(|since| now >= since.after(ACK_TIMEOUT))
    }

    /// When the next ping or timeout is due.
    pub(super) fn wake_at(&self) -> Instant {
        let timeout = self.ping_at().min(self.timeout_at());
        self.unacknowledged_since.map_or(timeout, |since| timeout.min(since.after(ACK_TIMEOUT)))
    }
}
