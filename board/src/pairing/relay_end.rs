use core::fmt;

use chess::Bitboard;
use wire::link::{Ephemeral, Name, clipped_name};
use wire::pairing::{ANSWER_LEN, Message, Nonce, PairingError, RelayChannel, RelayOpening};

use super::{PING_INTERVAL, SILENCE};
use crate::session::LinkError;
use crate::time::Instant;

/// The relay's end of one connection of a board that asks to be paired.
pub struct RelayPairing {
    channel: RelayChannel,
    stage: Stage,
    last_received: Instant,
    pinged: Instant,
}

enum Stage {
    /// The board's request has not arrived.
    Answered,
    /// The nonce is to be revealed.
    Requested,
    /// The owner compares the squares.
    Comparing,
    Decided(Decision),
    /// The decision was sent.
    Sent,
}

/// The decision of the owner.
#[derive(Clone, PartialEq, Eq)]
pub enum Decision {
    /// The board gets this key, and is stored under this name.
    Accept {
        #[expect(missing_docs, reason = "see the variant")]
        key: [u8; 32],
        #[expect(missing_docs, reason = "see the variant")]
        name: Name,
    },
    /// The board gets no key.
    Decline,
}

/// What a frame of the board means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestEvent<'a> {
    /// The board asks to be paired: show the owner these squares.
    Requested {
        #[expect(missing_docs, reason = "see the variant")]
        squares: Bitboard,
        /// The name that the board has; empty if none.
        name: Name,
        /// Name and version of the board's software.
        software: &'a str,
    },
    /// The board has received its key.
    Received,
}

impl RelayPairing {
    /// Answers the first frame of a connection. Both secrets must come from a cryptographic generator.
    pub fn answer(
        opening: &[u8],
        ephemeral: Ephemeral,
        nonce: Nonce,
        now: Instant,
    ) -> Result<([u8; ANSWER_LEN], Self), PairingError> {
        let (answer, channel) = RelayOpening::read(opening)?.answer(ephemeral, nonce)?;
        Ok((answer, Self { channel, stage: Stage::Answered, last_received: now, pinged: now }))
    }

    /// Sends the owner's decision with the next frame. Without a request that is being compared it has no effect.
    pub fn decide(&mut self, decision: Decision) {
        if matches!(self.stage, Stage::Comparing) {
            self.stage = Stage::Decided(decision);
        }
    }

    /// Whether the decision was sent.
    #[must_use]
    pub const fn is_decided(&self) -> bool {
        matches!(self.stage, Stage::Sent)
    }

    /// When to call [`RelayPairing::transmit`] again without any input.
    #[must_use]
    pub fn wake_at(&self) -> Instant {
        self.last_received.after(SILENCE).min(self.pinged.after(PING_INTERVAL))
    }

    /// Writes the next frame to send into a buffer, and returns its length. An error closes the connection.
    pub fn transmit(&mut self, buffer: &mut [u8], now: Instant) -> Result<Option<usize>, LinkError> {
        if now >= self.last_received.after(SILENCE) {
            return Err(LinkError::KeepaliveTimeout);
        }
        let (message, next) = match &self.stage {
            Stage::Requested => (Message::Reveal { nonce: self.channel.nonce() }, Some(Stage::Comparing)),
            Stage::Decided(Decision::Accept { key, name }) => {
                let message = Message::Accepted { key: *key, name };
                let sent = self.channel.send(&message, buffer).map_err(LinkError::Pairing)?;
                self.stage = Stage::Sent;
                return Ok(Some(sent));
            }
            Stage::Decided(Decision::Decline) => (Message::Declined, Some(Stage::Sent)),
            Stage::Comparing if now >= self.pinged.after(PING_INTERVAL) => (Message::Ping, None),
            _ if now >= self.pinged.after(PING_INTERVAL) => {
                self.pinged = now;
                return Ok(None);
            }
            _ => return Ok(None),
        };
        let sent = self.channel.send(&message, buffer).map_err(LinkError::Pairing)?;
        match next {
            Some(next) => self.stage = next,
            None => self.pinged = now,
        }
        Ok(Some(sent))
    }

    /// Takes a frame of the board. An error closes the connection.
    pub fn receive<'a>(&mut self, frame: &'a mut [u8], now: Instant) -> Result<Option<RequestEvent<'a>>, LinkError> {
        self.last_received = now;
        let message = self.channel.receive(frame).map_err(LinkError::Pairing)?;
        match (&self.stage, message) {
            (Stage::Answered, Message::Request { nonce, name, software }) => {
                self.stage = Stage::Requested;
                let squares = self.channel.squares(&nonce);
                Ok(Some(RequestEvent::Requested { squares, name: clipped_name(name), software }))
            }
            (Stage::Comparing | Stage::Decided(_) | Stage::Sent, Message::Pong) => Ok(None),
            (Stage::Sent, Message::Received) => Ok(Some(RequestEvent::Received)),
            _ => Err(LinkError::Pairing(PairingError::Unexpected)),
        }
    }
}

impl fmt::Debug for RelayPairing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RelayPairing")
    }
}

/// Hides the key.
impl fmt::Debug for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accept { name, .. } => write!(f, "Accept as {name:?}"),
            Self::Decline => f.write_str("Decline"),
        }
    }
}
