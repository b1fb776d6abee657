use chess::Scoresheet;
use rules::{Play, Start};
use wire::link::{CORRECTIONS, GameInfo, Hello, MAX_FRAME, MAX_PIECE, Message, features};

use super::endpoint::Session;
use super::error::LinkError;
use super::snapshot_sender::SnapshotSender;
use crate::time::Instant;

impl<const N: usize> Session<N> {
    /// Writes the next frame to send into a buffer of at least [`MAX_FRAME`] bytes and returns its length, or `None` if there is nothing to send
    /// now. Call it until it returns `None`, after every other call, and at [`Session::wake_at`].
    ///
    /// `info` and `play` are the game, for a snapshot.
    pub fn transmit(
        &mut self,
        info: &GameInfo,
        play: &Play<impl Scoresheet>,
        buffer: &mut [u8],
        now: Instant,
    ) -> Result<Option<usize>, LinkError> {
        let mut piece = [0; MAX_PIECE];
        if self.connection.is_none() {
            return Ok(None);
        }
        // Checked first, because the message below is taken from its queue.
        if buffer.len() < MAX_FRAME {
            return Err(LinkError::Buffer);
        }
        let Some(message) = self.next_message(info, play, &mut piece, now)? else {
            return Ok(None);
        };
        let connection = self.connection.as_mut().ok_or(LinkError::Closed)?;
        let len = connection.channel.send(&message, buffer).map_err(LinkError::Send)?;
        if matches!(message, Message::Goodbye(_)) {
            self.close();
        }
        Ok(Some(len))
    }

    /// Writes a message without a number into a buffer, if the peer has said hello. Call it when [`Session::transmit`] has nothing to send.
    pub fn transmit_unnumbered(
        &mut self,
        message: &Message<'_>,
        buffer: &mut [u8],
    ) -> Result<Option<usize>, LinkError> {
        match &mut self.connection {
            Some(connection) if connection.hello_sent && connection.hello_received => {
                connection.channel.send(message, buffer).map(Some).map_err(LinkError::Send)
            }
            _ => Ok(None),
        }
    }

    /// The next message, by priority. Messages that the peer waits for come first.
    fn next_message<'a>(
        &mut self,
        info: &GameInfo,
        play: &Play<impl Scoresheet>,
        piece: &'a mut [u8],
        now: Instant,
    ) -> Result<Option<Message<'a>>, LinkError> {
        let connection = self.connection.as_mut().ok_or(LinkError::Closed)?;
        if connection.keepalive.is_timed_out(now) {
            return Err(LinkError::KeepaliveTimeout);
        }
        if connection.keepalive.is_ack_overdue(now) {
            return Err(LinkError::AckTimeout);
        }
        if !connection.hello_sent {
            connection.hello_sent = true;
            let hello = Hello {
                stream: self.outbox.stream(),
                seen: connection.seen,
                features: Start::FEATURES | features::ALL | CORRECTIONS,
                software: self.software,
            };
            return Ok(Some(Message::Hello(hello)));
        }
        if let Some(reason) = connection.goodbye {
            return Ok(Some(Message::Goodbye(reason)));
        }
        if !connection.hello_received {
            return Ok(None);
        }
        if connection.due.pong {
            connection.due.pong = false;
            return Ok(Some(Message::Pong));
        }
        if connection.ack_sent < self.inbox.acknowledgeable() {
            connection.ack_sent = self.inbox.acknowledgeable();
            return Ok(Some(Message::Ack(connection.ack_sent)));
        }
        if let Some(message) = self.next_numbered(info, play, piece, now) {
            return Ok(Some(message));
        }
        let connection = self.connection.as_mut().ok_or(LinkError::Closed)?;
        if connection.due.occupancy {
            connection.due.occupancy = false;
            if let Some(occupancy) = self.occupancy {
                return Ok(Some(Message::Occupancy(occupancy)));
            }
        }
        if connection.due.live {
            connection.due.live = false;
            if let Some(live) = self.live {
                return Ok(Some(Message::Live(live)));
            }
        }
        if connection.due.challenge {
            connection.due.challenge = false;
            return Ok(Some(Message::Challenge(self.challenge)));
        }
        Ok(connection.keepalive.take_due_ping(now).then_some(Message::Ping))
    }

    /// The next event, or a part of a snapshot if the peer lacks an event that is no longer queued.
    fn next_numbered<'a>(
        &mut self,
        info: &GameInfo,
        play: &Play<impl Scoresheet>,
        piece: &'a mut [u8],
        now: Instant,
    ) -> Option<Message<'a>> {
        let connection = self.connection.as_mut()?;
        // A half-loaded game cannot be sent, and the queued events may be void in the game that is being loaded.
        if self.half_loaded {
            return None;
        }
        let (last, received_up_to) = (self.outbox.last(), self.inbox.last());
        if let Some(sending) = &mut connection.sending
            && sending.is_current(last, received_up_to)
        {
            let message = sending.next(play, piece);
            if message == Message::Complete {
                connection.snapshot_sent(now);
            }
            return Some(message);
        }
        if connection.owes_peer_snapshot(self.outbox.unavailable_up_to()) {
            // The snapshot includes all queued events, so all of them must be stored first.
            if self.outbox.stored() < last {
                return None;
            }
            let (sending, message) = SnapshotSender::begin(play, *info, (last, received_up_to, self.outbox.renewed()));
            connection.begin_snapshot(sending, last);
            self.resent = self.resent.saturating_add(u32::from(self.outbox.send(last)));
            return Some(message);
        }
        if connection.sent() < self.outbox.stored() {
            let event = self.outbox.get(connection.sent().saturating_add(1))?;
            connection.send(event.number, now);
            self.resent = self.resent.saturating_add(u32::from(self.outbox.send(event.number)));
            return Some(Message::Event(event));
        }
        None
    }
}
