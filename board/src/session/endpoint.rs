use wire::journal::SessionMemory;
use wire::link::{Challenge, Channel, Event, Goodbye, Live, NumberedEvent, Occupancy};

use super::connection::Connection;
use super::inbox::Inbox;
use super::incoming::SnapshotBasis;
use super::outbox::{Full, Outbox};
use crate::time::Instant;

/// One end of the link: its outgoing and incoming events, and the connection, if there is one.
///
/// `N` is the capacity of the queue of unacknowledged events.
#[derive(Debug)]
pub struct Session<const N: usize> {
    pub(super) end: End,
    pub(super) software: &'static str,
    pub(super) outbox: Outbox<N>,
    pub(super) inbox: Inbox,
    pub(super) occupancy: Option<Occupancy>,
    pub(super) live: Option<Live>,
    pub(super) challenge: Option<Challenge>,
    pub(super) connection: Option<Connection>,
    /// A snapshot was received in part: the game is invalid.
    pub(super) half_loaded: bool,
    /// How many frames were sent again since [`Session::take_resent`] was called.
    pub(super) resent: u32,
}

/// Which end of the link a session is. The ends differ in two ways. If both start a game without knowing of the other's, the board's game
/// counts: pieces stand on it, and a board has memory for one game only. And the relay has shorter keepalive times, because it reports the
/// opponent that the board is offline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants are the two ends")]
pub enum End {
    Board,
    Relay,
}

impl<const N: usize> Session<N> {
    /// Resumes from a journal: the last stored memory, and the stored events that may not be acknowledged, in order. Older events are
    /// ignored.
    pub fn new(
        end: End,
        software: &'static str,
        memory: &SessionMemory,
        events: impl IntoIterator<Item = NumberedEvent>,
    ) -> Self {
        Self {
            end,
            software,
            outbox: Outbox::resume(memory, events),
            inbox: Inbox::resume(memory.seen),
            occupancy: None,
            live: None,
            challenge: None,
            connection: None,
            half_loaded: false,
            resent: 0,
        }
    }

    /// How many frames with numbered events were sent since the last call that were sent before: the connection broke before the peer had
    /// acknowledged them, so they, or their acknowledgement, may have been lost. Call it after [`Session::transmit`].
    pub const fn take_resent(&mut self) -> u32 {
        core::mem::replace(&mut self.resent, 0)
    }

    /// Queues an event. The caller has applied it to the game, or does so before the next call. It is sent once it is
    /// [stored](Session::mark_stored). While the game is [half loaded](Session::is_half_loaded), no event may be queued.
    ///
    /// A full queue is an error and stays unchanged. The caller may then [compact](Session::compact) it: the game includes this event too, so the
    /// event need not be queued.
    pub fn queue_event(&mut self, event: Event) -> Result<u32, Full> {
        self.outbox.push(event, self.inbox.last())
    }

    /// Stops sending the unacknowledged events one by one. The peer gets a snapshot instead.
    pub fn compact(&mut self) {
        self.outbox.compact();
    }

    /// A new game has started at this end. The peer gets a snapshot of it, and events that the peer sent before it had that snapshot are void.
    pub fn force_snapshot(&mut self) {
        self.outbox.force_snapshot();
    }

    /// Reports the occupancy of the board, for spectators.
    pub fn report_occupancy(&mut self, occupancy: Occupancy) {
        if self.occupancy.replace(occupancy) != Some(occupancy)
            && let Some(connection) = &mut self.connection
        {
            connection.due.occupancy = true;
        }
    }

    /// Reports the clocks and the presence of the opponent.
    pub fn report_live(&mut self, live: Live) {
        if self.live.replace(live) != Some(live)
            && let Some(connection) = &mut self.connection
        {
            connection.due.live = true;
        }
    }

    /// Offers a game to the player at the board, or withdraws the offer. The peer must have [`features::CHALLENGES`](wire::link::features::CHALLENGES).
    pub fn report_challenge(&mut self, challenge: Option<Challenge>) {
        if self.challenge != challenge
            && let Some(connection) = &mut self.connection
        {
            self.challenge = challenge;
            connection.due.challenge = true;
        }
    }

    /// The state that the journal stores, beside the game and the [pending](Session::pending) events.
    #[must_use]
    pub const fn memory(&self) -> SessionMemory {
        let outbox = &self.outbox;
        SessionMemory {
            stream: outbox.stream(),
            acknowledged: outbox.acknowledged(),
            compacted: outbox.compacted(),
            last: outbox.last(),
            renewed: outbox.renewed(),
            seen: self.inbox.received(),
        }
    }

    /// The events that the peer has not acknowledged, the oldest first.
    pub fn pending(&self) -> impl Iterator<Item = NumberedEvent> + '_ {
        self.outbox.pending()
    }

    /// The journal has stored this memory, with the game and the pending events as they were when it was taken. Only now are the events sent, and
    /// received events acknowledged.
    ///
    /// Otherwise a restart could lose an event that the peer has already received, and give its number to another event.
    pub fn mark_stored(&mut self, memory: &SessionMemory) {
        if memory.stream == self.outbox.stream() {
            self.outbox.mark_stored(memory.last);
        }
        self.inbox.mark_stored(memory.seen);
    }

    /// Whether there are events, queued or received, that the journal has not stored.
    #[must_use]
    pub fn needs_storing(&self) -> bool {
        self.outbox.stored() < self.outbox.last() || self.inbox.stored() != self.inbox.received()
    }

    /// The events of this side that a snapshot of the peer does not include, although it should.
    pub fn events_missing_in(&self, basis: SnapshotBasis) -> impl Iterator<Item = Event> + '_ {
        self.outbox.pending().filter(move |event| basis.excludes(event)).map(|numbered| numbered.event)
    }

    /// Whether the peer has said hello over the current connection.
    #[must_use]
    pub const fn is_online(&self) -> bool {
        matches!(&self.connection, Some(connection) if connection.hello_received)
    }

    /// When to call [`Session::transmit`] again without any input.
    #[must_use]
    pub fn wake_at(&self) -> Option<Instant> {
        self.connection.as_ref().map(|connection| connection.keepalive.wake_at())
    }

    /// Resets the keepalive timer after the caller paused reading, so that the pause does not count as the peer's silence.
    pub const fn reset_keepalive(&mut self, now: Instant) {
        if let Some(connection) = &mut self.connection {
            connection.keepalive.received(now);
        }
    }

    /// Opens a connection. This side sends its hello first.
    pub(super) fn open(&mut self, channel: Channel, now: Instant) {
        self.connection = Some(Connection::new(self.end, channel, self.inbox.stored(), now));
        // The peer has forgotten it.
        self.challenge = None;
    }

    /// Sends a goodbye with the next frame. The connection is to be closed after it.
    pub const fn send_goodbye(&mut self, reason: Goodbye) {
        if let Some(connection) = &mut self.connection {
            connection.goodbye = Some(reason);
        }
    }

    /// The connection is closed.
    pub fn close(&mut self) {
        self.connection = None;
    }

    /// Whether the game is invalid because a snapshot is being received, or because the connection broke meanwhile. The peer will send the
    /// snapshot again. Until then no event may be queued. A caller with a complete journal can resume from it instead of waiting.
    #[must_use]
    pub const fn is_half_loaded(&self) -> bool {
        self.half_loaded
    }

    /// The game is valid again without the rest of the snapshot, because the caller had let it be loaded into other memory.
    pub const fn discard_half_load(&mut self) {
        self.half_loaded = false;
    }

    /// The peer has more events of this side than this side remembers: the journal has lost state. This side starts a new stream without any
    /// state.
    pub(super) fn restart_stream(&mut self, random: u64) {
        let blank = SessionMemory::new(random);
        self.outbox = Outbox::resume(&blank, []);
        self.inbox = Inbox::resume(blank.seen);
        self.connection = None;
    }
}
