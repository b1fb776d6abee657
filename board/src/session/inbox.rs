use wire::link::Seen;

/// What this side has heard.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inbox {
    heard: Seen,
    /// What of it is in the journal.
    kept: Seen,
}

impl Inbox {
    pub(super) const fn resume(seen: Seen) -> Self {
        Self { heard: seen, kept: seen }
    }

    pub(super) const fn last(&self) -> u32 {
        self.heard.last
    }

    /// What has been heard, kept or not.
    pub(super) const fn heard(&self) -> Seen {
        self.heard
    }

    /// What has been heard and kept: what the other side may be told.
    pub(super) const fn kept(&self) -> Seen {
        self.kept
    }

    /// Up to which number this stream may be acknowledged.
    pub(super) const fn settled(&self) -> u32 {
        if self.kept.stream == self.heard.stream { self.kept.last } else { 0 }
    }

    /// The other side speaks in this stream. If that is another one than before, nothing of it has been heard.
    pub(super) const fn adopt(&mut self, stream: u64) {
        if stream != self.heard.stream {
            self.heard = Seen { stream, last: 0 };
        }
    }

    /// Everything up to this number has been heard.
    pub(super) const fn hear(&mut self, number: u32) {
        self.heard.last = number;
    }

    /// This much is in the journal.
    pub(super) fn keep(&mut self, seen: Seen) {
        if seen.stream == self.heard.stream {
            self.kept = Seen { stream: seen.stream, last: seen.last.min(self.heard.last).max(self.settled()) };
        }
    }
}
