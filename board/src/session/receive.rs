use chess::Scoresheet;
use rules::Play;
use wire::link::{Channel, Hello, Message, NumberedEvent, Snapshot};

use super::connection::Skipping;
use super::endpoint::{End, Session};
use super::error::LinkError;
use super::incoming::Incoming;
use super::snapshot_receiver::SnapshotReceiver;
use crate::time::Instant;

impl<const N: usize> Session<N> {
    /// Accepts a connection of an authenticated board. The first frame must be its hello, which proves that the board is live and not a replayed
    /// handshake. Only then is an earlier connection dropped.
    pub fn accept<'a>(
        &mut self,
        mut channel: Channel,
        first: &'a mut [u8],
        now: Instant,
    ) -> Result<Incoming<'a>, LinkError> {
        match channel.receive(first).map_err(LinkError::Receive)? {
            Message::Hello(hello) => {
                self.open(channel, now);
                self.handle_hello(hello).inspect_err(|_| self.close())
            }
            _ => Err(LinkError::UnexpectedMessage),
        }
    }

    /// Handles a received frame. A snapshot is decoded into the memory of the game, which is invalid meanwhile: see
    /// [`Incoming::SnapshotBegins`].
    pub fn receive<'a>(
        &mut self,
        frame: &'a mut [u8],
        play: &mut Play<impl Scoresheet>,
        now: Instant,
    ) -> Result<Option<Incoming<'a>>, LinkError> {
        let connection = self.connection.as_mut().ok_or(LinkError::Closed)?;
        let message = connection.channel.receive(frame).map_err(LinkError::Receive)?;
        connection.keepalive.received(now);
        if connection.hello_received == matches!(message, Message::Hello(_)) {
            return Err(LinkError::UnexpectedMessage);
        }
        Ok(match message {
            Message::Hello(hello) => Some(self.handle_hello(hello)?),
            Message::Event(event) => self.receive_event(&event)?,
            Message::Ack(number) => {
                if number > self.outbox.last() {
                    return Err(LinkError::NeverSent(number));
                }
                connection.acknowledge(number, now);
                self.outbox.acknowledge(number);
                None
            }
            Message::Snapshot(snapshot) => self.begin_snapshot(&snapshot, play)?,
            Message::Piece(bytes) => {
                if connection.skipping == Skipping::Nothing {
                    connection.receiving.as_mut().ok_or(LinkError::UnexpectedMessage)?.feed(bytes, play)?;
                }
                None
            }
            Message::Complete => self.finish_snapshot(play, now)?,
            Message::Ping => {
                connection.due.pong = true;
                None
            }
            Message::Pong => None,
            Message::Occupancy(occupancy) => Some(Incoming::Occupancy(occupancy)),
            Message::Live(info) => Some(Incoming::Live(info)),
            Message::Challenge(challenge) => Some(Incoming::Challenge(challenge)),
            Message::Goodbye(reason) => Some(Incoming::Goodbye(reason)),
            Message::ConsoleLine(line) if self.end == End::Board => Some(Incoming::ConsoleLine(line)),
            Message::ConsoleOutput(output) if self.end == End::Relay => Some(Incoming::ConsoleOutput(output)),
            Message::ConsoleLine(_) | Message::ConsoleOutput(_) => return Err(LinkError::UnexpectedMessage),
        })
    }

    /// Handles the peer's hello: which events it has, and whether it has lost its state.
    fn handle_hello<'a>(&mut self, hello: Hello<'a>) -> Result<Incoming<'a>, LinkError> {
        let connection = self.connection.as_mut().ok_or(LinkError::Closed)?;
        if hello.stream == 0 {
            return Err(LinkError::UnexpectedMessage);
        }
        let is_known = hello.seen.stream == self.outbox.stream();
        let last = if is_known { hello.seen.last } else { 0 };
        if last > self.outbox.last() {
            let fingerprint = connection.channel.fingerprint();
            self.restart_stream(fingerprint);
            return Err(LinkError::StateLost);
        }
        // The peer lost its state: what both sides had exchanged is only in the game now, so it gets a snapshot, and what it sends
        // before it has that snapshot is void.
        let before = self.inbox.received();
        let has_lost_state = !is_known && before.stream != 0 && before.stream != hello.stream;
        if has_lost_state && (self.outbox.last() > 0 || before.last > 0) {
            self.outbox.force_snapshot();
        }
        self.inbox.adopt_stream(hello.stream);
        self.outbox.acknowledge(last);
        connection.peer_hello(hello.stream, last);
        Ok(Incoming::Online(hello))
    }

    /// Handles an event: ignores a duplicate, rejects a gap.
    fn receive_event(&mut self, event: &NumberedEvent) -> Result<Option<Incoming<'static>>, LinkError> {
        let connection = self.connection.as_mut().ok_or(LinkError::Closed)?;
        if connection.receiving.is_some() || connection.skipping == Skipping::Snapshot {
            return Err(LinkError::UnexpectedMessage);
        }
        // A duplicate was received over an earlier connection, and is not yet acknowledged.
        if connection.skipping == Skipping::Everything || event.number <= self.inbox.last() {
            return Ok(None);
        }
        let expected = self.inbox.last().saturating_add(1);
        if event.number != expected {
            return Err(LinkError::Gap { expected, found: event.number });
        }
        if event.received_up_to > self.outbox.last() {
            return Err(LinkError::NeverSent(event.received_up_to));
        }
        self.inbox.receive(event.number);
        // It is about the game before, sent before the peer knew of the new one.
        let is_void = event.received_up_to < self.outbox.renewed();
        Ok((!is_void).then_some(Incoming::Event(event.event)))
    }

    /// Whether to skip a snapshot of the peer because it crosses one of this side that it does not include. The peer decides by the same
    /// rule: it loads this side's snapshot and answers with the resulting game.
    fn skips(&self, theirs: &Snapshot) -> bool {
        // Whether this side has a snapshot to send that the peer has not received.
        let crosses = theirs.received_up_to < self.outbox.unavailable_up_to();
        let is_mine_new = theirs.received_up_to < self.outbox.renewed();
        let is_theirs_new = theirs.renewed > self.inbox.last();
        // A new game has priority over changes of the old one. If both games are new, or neither is, the board's has priority.
        crosses && if is_mine_new == is_theirs_new { self.end == End::Board } else { is_mine_new }
    }

    fn begin_snapshot<'a>(
        &mut self,
        snapshot: &Snapshot,
        play: &mut Play<impl Scoresheet>,
    ) -> Result<Option<Incoming<'a>>, LinkError> {
        if snapshot.number < self.inbox.last() {
            return Err(LinkError::Gap { expected: self.inbox.last(), found: snapshot.number });
        }
        if snapshot.received_up_to > self.outbox.last() {
            return Err(LinkError::NeverSent(snapshot.received_up_to));
        }
        let skips = self.skips(snapshot);
        let connection = self.connection.as_mut().ok_or(LinkError::Closed)?;
        if skips {
            connection.receiving = None;
            let is_more = snapshot.number > self.inbox.last();
            connection.skipping = if is_more { Skipping::Everything } else { Skipping::Snapshot };
            return Ok(None);
        }
        connection.receiving = Some(SnapshotReceiver::begin(snapshot, play));
        connection.skipping = Skipping::Nothing;
        self.half_loaded = true;
        Ok(Some(Incoming::SnapshotBegins(snapshot.info)))
    }

    fn finish_snapshot(
        &mut self,
        play: &mut Play<impl Scoresheet>,
        now: Instant,
    ) -> Result<Option<Incoming<'static>>, LinkError> {
        let connection = self.connection.as_mut().ok_or(LinkError::Closed)?;
        match connection.skipping {
            Skipping::Nothing => {}
            Skipping::Snapshot => {
                connection.skipping = Skipping::Nothing;
                return Ok(None);
            }
            Skipping::Everything => return Ok(None),
        }
        let (number, basis) = connection.receiving.take().ok_or(LinkError::UnexpectedMessage)?.finish(play)?;
        self.half_loaded = false;
        self.inbox.receive(number);
        self.outbox.adopt_peer_game();
        connection.resend_if_crossed(basis.received_up_to, now);
        Ok(Some(Incoming::SnapshotComplete(basis)))
    }
}
