use core::fmt;
use core::mem;

use chess::Bitboard;
use wire::link::{Ephemeral, Name, clipped_name};
use wire::pairing::{BoardChannel, BoardOpening, Message, Nonce, OPENING_LEN, PairingError};

use super::SILENCE;
use crate::session::LinkError;
use crate::session::backoff::Backoff;
use crate::time::Instant;

/// The board's end of pairing.
pub struct BoardPairing {
    stage: Stage,
    nonce: Nonce,
    last_received: Instant,
    backoff: Backoff,
    /// Whether the last attempt ended before the squares were compared.
    has_failed: bool,
    /// Whether the relay has taken the request of this connection.
    is_taken: bool,
    is_declined: bool,
}

#[expect(clippy::large_enum_variant, reason = "there is one stage for each board")]
enum Stage {
    Closed,
    /// The transport is connected, and the relay has not answered the opening.
    Opening {
        opening: BoardOpening,
        frame: Option<[u8; OPENING_LEN]>,
    },
    /// The relay has not revealed its nonce.
    Requesting {
        channel: BoardChannel,
        is_sent: bool,
    },
    /// The owner compares the squares.
    Comparing {
        channel: BoardChannel,
        squares: Bitboard,
        owes_pong: bool,
    },
    /// The key has arrived.
    Accepted {
        channel: BoardChannel,
        squares: Bitboard,
    },
    /// The connection is to be closed.
    Over,
}

/// What a frame of the relay means.
#[derive(Clone, PartialEq, Eq)]
pub enum PairingEvent {
    /// The owner compares these squares.
    Compare(Bitboard),
    /// The board is paired.
    Accepted {
        #[expect(missing_docs, reason = "see the variant")]
        key: [u8; 32],
        /// The name under which the relay has stored the board.
        name: Name,
    },
    /// The owner has declined the request, or it has expired.
    Declined,
}

/// Hides the key.
impl fmt::Debug for PairingEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compare(squares) => f.debug_tuple("Compare").field(squares).finish(),
            Self::Accepted { name, .. } => write!(f, "Accepted as {name:?}"),
            Self::Declined => f.write_str("Declined"),
        }
    }
}

impl BoardPairing {
    /// No connection yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            stage: Stage::Closed,
            nonce: [0; 16],
            last_received: Instant::at(0),
            backoff: Backoff::new(),
            has_failed: false,
            is_taken: false,
            is_declined: false,
        }
    }

    /// When to connect, if there is no connection; never again after the owner has declined.
    #[must_use]
    pub const fn connect_at(&self) -> Option<Instant> {
        match self.stage {
            Stage::Closed if !self.is_declined => Some(self.backoff.at()),
            _ => None,
        }
    }

    /// Whether there is a connection.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        !matches!(self.stage, Stage::Closed)
    }

    /// Whether no relay has taken the last request.
    #[must_use]
    pub const fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// The squares that the owner compares, or has compared.
    #[must_use]
    pub const fn squares(&self) -> Option<Bitboard> {
        match self.stage {
            Stage::Comparing { squares, .. } | Stage::Accepted { squares, .. } => Some(squares),
            _ => None,
        }
    }

    /// The transport is connected: starts the handshake. Both secrets must come from a cryptographic generator.
    pub fn connected(&mut self, ephemeral: Ephemeral, nonce: Nonce, now: Instant) {
        let (opening, frame) = BoardOpening::new(ephemeral);
        self.nonce = nonce;
        self.last_received = now;
        self.is_taken = false;
        self.stage = Stage::Opening { opening, frame: Some(frame) };
    }

    /// The transport is closed, or could not be opened. The random number is the jitter of the backoff, and no secret.
    pub fn disconnected(&mut self, random: u32, now: Instant) {
        self.has_failed = !self.is_open() || !self.is_taken;
        self.stage = Stage::Closed;
        self.backoff.failed(random, now);
    }

    /// The network is available again: ends the backoff.
    pub fn end_backoff(&mut self, now: Instant) {
        self.backoff.reset(now);
    }

    /// Closes the connection with the next frame: the board no longer asks.
    pub fn stop(&mut self) {
        if self.is_open() {
            self.stage = Stage::Over;
        }
    }

    /// When to call [`BoardPairing::transmit`] again without any input.
    #[must_use]
    pub fn wake_at(&self) -> Option<Instant> {
        self.is_open().then(|| self.last_received.after(SILENCE))
    }

    /// Writes the next frame to send into a buffer, and returns its length. An error closes the connection.
    pub fn transmit(
        &mut self,
        name: &str,
        software: &str,
        buffer: &mut [u8],
        now: Instant,
    ) -> Result<Option<usize>, LinkError> {
        if self.is_open() && now >= self.last_received.after(SILENCE) {
            return Err(LinkError::KeepaliveTimeout);
        }
        let (sent, next) = match mem::replace(&mut self.stage, Stage::Over) {
            Stage::Closed => (None, Stage::Closed),
            Stage::Opening { opening, frame } => {
                let len = frame.map(|frame| {
                    let target = buffer.first_chunk_mut().ok_or(LinkError::Buffer)?;
                    *target = frame;
                    Ok(OPENING_LEN)
                });
                (len.transpose()?, Stage::Opening { opening, frame: None })
            }
            Stage::Requesting { channel, is_sent: true } => (None, Stage::Requesting { channel, is_sent: true }),
            Stage::Requesting { mut channel, is_sent: false } => {
                let request = Message::Request { nonce: self.nonce, name: &clipped_name(name), software };
                let len = channel.send(&request, buffer).map_err(LinkError::Pairing)?;
                (Some(len), Stage::Requesting { channel, is_sent: true })
            }
            Stage::Comparing { mut channel, squares, owes_pong } => {
                let pong = owes_pong.then(|| channel.send(&Message::Pong, buffer));
                let len = pong.transpose().map_err(LinkError::Pairing)?;
                (len, Stage::Comparing { channel, squares, owes_pong: false })
            }
            // The relay need not wait for the close of the transport.
            Stage::Accepted { mut channel, .. } => {
                let len = channel.send(&Message::Received, buffer).map_err(LinkError::Pairing)?;
                (Some(len), Stage::Over)
            }
            Stage::Over => return Err(LinkError::PairingOver),
        };
        self.stage = next;
        Ok(sent)
    }

    /// Takes a frame of the relay. An error closes the connection.
    pub fn receive(&mut self, frame: &mut [u8], now: Instant) -> Result<Option<PairingEvent>, LinkError> {
        self.last_received = now;
        let (event, next) = match mem::replace(&mut self.stage, Stage::Over) {
            Stage::Closed => {
                self.stage = Stage::Closed;
                return Err(LinkError::Closed);
            }
            Stage::Opening { opening, .. } => {
                let channel = opening.answered(frame).map_err(LinkError::Pairing)?;
                (None, Stage::Requesting { channel, is_sent: false })
            }
            Stage::Requesting { mut channel, is_sent } => {
                match channel.receive(frame).map_err(LinkError::Pairing)? {
                    // A relay that reveals its nonce before it has the request breaks the protocol.
                    Message::Reveal { nonce } if is_sent => {
                        let squares = channel.squares(&nonce, &self.nonce).map_err(LinkError::Pairing)?;
                        self.backoff.succeeded();
                        self.is_taken = true;
                        (Some(PairingEvent::Compare(squares)), Stage::Comparing { channel, squares, owes_pong: false })
                    }
                    _ => return Err(LinkError::Pairing(PairingError::Unexpected)),
                }
            }
            Stage::Comparing { mut channel, squares, .. } => {
                match channel.receive(frame).map_err(LinkError::Pairing)? {
                    Message::Ping => (None, Stage::Comparing { channel, squares, owes_pong: true }),
                    Message::Accepted { key, name } => {
                        let event = PairingEvent::Accepted { key, name: clipped_name(name) };
                        (Some(event), Stage::Accepted { channel, squares })
                    }
                    Message::Declined => {
                        self.is_declined = true;
                        (Some(PairingEvent::Declined), Stage::Over)
                    }
                    _ => return Err(LinkError::Pairing(PairingError::Unexpected)),
                }
            }
            // The board closes the connection anyway.
            stage @ (Stage::Accepted { .. } | Stage::Over) => (None, stage),
        };
        self.stage = next;
        Ok(event)
    }
}

impl Default for BoardPairing {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for BoardPairing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.stage {
            Stage::Closed => "BoardPairing, closed",
            Stage::Opening { .. } => "BoardPairing, opening",
            Stage::Requesting { .. } => "BoardPairing, requesting",
            Stage::Comparing { .. } => "BoardPairing, comparing",
            Stage::Accepted { .. } => "BoardPairing, accepted",
            Stage::Over => "BoardPairing, over",
        })
    }
}
