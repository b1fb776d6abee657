use wire::link::Seen;

/// The sequence numbers of the peer's events: received, and stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inbox {
    received: Seen,
    /// The part that is in the journal.
    stored: Seen,
}

impl Inbox {
    pub(super) const fn resume(seen: Seen) -> Self {
        Self { received: seen, stored: seen }
    }

    pub(super) const fn last(&self) -> u32 {
        self.received.last
    }

    pub(super) const fn received(&self) -> Seen {
        self.received
    }

    /// The last stored event, which this side's hello names.
    pub(super) const fn stored(&self) -> Seen {
        self.stored
    }

    /// The number up to which events of the current stream may be acknowledged.
    pub(super) const fn acknowledgeable(&self) -> u32 {
        if self.stored.stream == self.received.stream { self.stored.last } else { 0 }
    }

    /// Continues with this stream of the peer. Of a new stream nothing was received yet.
    pub(super) const fn adopt_stream(&mut self, stream: u64) {
        if stream != self.received.stream {
            self.received = Seen { stream, last: 0 };
        }
    }

    pub(super) const fn receive(&mut self, number: u32) {
        self.received.last = number;
    }

    /// The journal has stored the events up to this one.
    pub(super) fn mark_stored(&mut self, seen: Seen) {
        if seen.stream == self.received.stream {
            self.stored =
                Seen { stream: seen.stream, last: seen.last.min(self.received.last).max(self.acknowledgeable()) };
        }
    }
}
