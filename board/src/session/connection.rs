use wire::link::{Channel, Goodbye, Seen};

use super::End;
use super::keepalive::Keepalive;
use super::snapshot_receiver::SnapshotReceiver;
use super::snapshot_sender::SnapshotSender;
use crate::time::Instant;

/// The state of one connection. It is dropped with the connection.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) channel: Channel,
    pub(super) keepalive: Keepalive,
    /// The last stored event of the peer when the connection opened, for this side's hello.
    pub(super) seen: Seen,
    pub(super) hello_sent: bool,
    pub(super) hello_received: bool,
    /// This side's events up to this number were sent, or the peer has them.
    sent: u32,
    /// The peer has acknowledged this side's events up to this number.
    acknowledged: u32,
    /// This side has acknowledged the peer's events up to this number.
    pub(super) ack_sent: u32,
    /// The number of the last snapshot that was sent.
    snapshot_number: u32,
    /// The peer has skipped the last snapshot and needs another one.
    owes_snapshot: bool,
    /// The snapshot that is being sent.
    pub(super) sending: Option<SnapshotSender>,
    /// The snapshot that is being received.
    pub(super) receiving: Option<SnapshotReceiver>,
    pub(super) skipping: Skipping,
    pub(super) due: Due,
    pub(super) goodbye: Option<Goodbye>,
}

/// Which messages of the peer are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skipping {
    Nothing,
    /// A snapshot up to its end. All events that it includes were received.
    Snapshot,
    /// All numbered messages up to the next snapshot, because the skipped one includes events that were not received. The peer finds
    /// out from this side's snapshot that its own was skipped.
    Everything,
}

/// Messages without a number that are due.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one for each kind of message")]
pub(super) struct Due {
    pub(super) pong: bool,
    pub(super) occupancy: bool,
    pub(super) live: bool,
    pub(super) challenge: bool,
}

impl Connection {
    pub(super) const fn new(end: End, channel: Channel, seen: Seen, now: Instant) -> Self {
        Self {
            channel,
            keepalive: Keepalive::new(end, now),
            seen,
            hello_sent: false,
            hello_received: false,
            sent: 0,
            acknowledged: 0,
            ack_sent: 0,
            snapshot_number: 0,
            owes_snapshot: false,
            sending: None,
            receiving: None,
            skipping: Skipping::Nothing,
            due: Due { pong: false, occupancy: true, live: true, challenge: false },
            goodbye: None,
        }
    }

    /// The peer's hello names its stream, and the last event of this side that it has stored.
    pub(super) const fn peer_hello(&mut self, stream: u64, last: u32) {
        self.hello_received = true;
        self.sent = last;
        self.acknowledged = last;
        self.ack_sent = if self.seen.stream == stream { self.seen.last } else { 0 };
    }

    pub(super) const fn sent(&self) -> u32 {
        self.sent
    }

    /// This side's events were sent up to this number.
    pub(super) const fn send(&mut self, number: u32, now: Instant) {
        self.sent = number;
        self.keepalive.sent(now);
    }

    /// The peer has acknowledged this side's events up to this number. It may have received them over an earlier connection: they are not
    /// sent again. A snapshot in progress is sent to its end all the same.
    pub(super) fn acknowledge(&mut self, number: u32, now: Instant) {
        self.acknowledged = self.acknowledged.max(number);
        if self.sending.is_none() {
            self.sent = self.sent.max(number);
        }
        self.keepalive.acknowledged(self.acknowledged >= self.sent, now);
    }

    /// Starts to send a snapshot that includes all events up to this number.
    pub(super) const fn begin_snapshot(&mut self, sending: SnapshotSender, number: u32) {
        self.sending = Some(sending);
        self.snapshot_number = number;
    }

    /// The snapshot was sent completely.
    pub(super) fn snapshot_sent(&mut self, now: Instant) {
        self.sending = None;
        self.owes_snapshot = false;
        self.send(self.snapshot_number, now);
    }

    /// Whether the peer needs a snapshot: one is in progress, it skipped the last one, or it lacks an event that can no longer be sent.
    pub(super) const fn owes_peer_snapshot(&self, compacted_up_to: u32) -> bool {
        self.sending.is_some() || self.owes_snapshot || self.sent < compacted_up_to
    }

    /// A snapshot of the peer was loaded, which includes this side's events up to `received_up_to`. If that is less than this side's last
    /// snapshot includes, the two have crossed: the peer has skipped this side's snapshot and needs another one.
    pub(super) fn resend_if_crossed(&mut self, received_up_to: u32, now: Instant) {
        if received_up_to < self.snapshot_number {
            self.sent = self.acknowledged;
            self.owes_snapshot = true;
            self.keepalive.acknowledged(true, now);
        }
    }
}
