use core::mem;

use chess::Scoresheet;
use rules::Play;
use wire::link::{Ephemeral, FIRST_FRAME_LEN, GameInfo, Initiator, PairingKey};

use super::backoff::Backoff;
use super::endpoint::Session;
use super::error::LinkError;
use super::incoming::Incoming;
use crate::time::Instant;

/// Handshake timeout in milliseconds.
const HANDSHAKE_TIMEOUT: u64 = 10_000;

/// The board's end of the link: a session with handshake and reconnect backoff.
#[derive(Debug)]
pub struct BoardSession<const N: usize = 256> {
    key: PairingKey,
    session: Session<N>,
    backoff: Backoff,
    stage: Stage,
}

#[cfg(target_pointer_width = "32")]
const _: () = assert!(size_of::<BoardSession>() == 6_240, "the size of a session is stated in the documentation");

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one stage for each session")]
enum Stage {
    Disconnected,
    /// The transport is connected, and the relay has not answered the first frame.
    Handshake {
        initiator: Initiator,
        first_frame: Option<[u8; FIRST_FRAME_LEN]>,
        since: Instant,
    },
    /// The handshake is complete: frames go to the session.
    Established,
}

impl<const N: usize> BoardSession<N> {
    /// Resumes a session with this pairing key. There is no connection yet.
    #[must_use]
    pub const fn new(key: PairingKey, session: Session<N>) -> Self {
        Self { key, session, backoff: Backoff::new(), stage: Stage::Disconnected }
    }

    #[expect(missing_docs, reason = "a plain getter")]
    #[must_use]
    pub const fn session(&self) -> &Session<N> {
        &self.session
    }

    #[expect(missing_docs, reason = "a plain getter")]
    pub const fn session_mut(&mut self) -> &mut Session<N> {
        &mut self.session
    }

    /// When to connect, if there is no connection.
    #[must_use]
    pub const fn connect_at(&self) -> Option<Instant> {
        match self.stage {
            Stage::Disconnected => Some(self.backoff.at()),
            Stage::Handshake { .. } | Stage::Established => None,
        }
    }

    /// The transport is connected: starts the handshake. The ephemeral key must come from a cryptographic generator.
    pub fn connected(&mut self, ephemeral: Ephemeral, now: Instant) {
        self.session.close();
        let (initiator, first_frame) = Initiator::new(&self.key, ephemeral);
        self.stage = Stage::Handshake { initiator, first_frame: Some(first_frame), since: now };
    }

    /// The transport is closed, could not be opened, or must be closed. The random number is the jitter of the backoff, and no secret.
    pub fn disconnected(&mut self, random: u32, now: Instant) {
        self.session.close();
        self.stage = Stage::Disconnected;
        self.backoff.failed(random, now);
    }

    /// The network is available again: ends the backoff.
    pub fn end_backoff(&mut self, now: Instant) {
        self.backoff.reset(now);
    }

    /// When to call [`BoardSession::transmit`] again without any input.
    #[must_use]
    pub fn wake_at(&self) -> Option<Instant> {
        match self.stage {
            Stage::Disconnected => None,
            Stage::Handshake { since, .. } => Some(since.after(HANDSHAKE_TIMEOUT)),
            Stage::Established => self.session.wake_at(),
        }
    }

    /// Writes the next frame to send into a buffer; see [`Session::transmit`].
    pub fn transmit(
        &mut self,
        info: &GameInfo,
        play: &Play<impl Scoresheet>,
        buffer: &mut [u8],
        now: Instant,
    ) -> Result<Option<usize>, LinkError> {
        match &mut self.stage {
            Stage::Disconnected => Ok(None),
            Stage::Handshake { since, .. } if now >= since.after(HANDSHAKE_TIMEOUT) => Err(LinkError::KeepaliveTimeout),
            Stage::Handshake { first_frame, .. } => {
                let Some(frame) = first_frame.take() else { return Ok(None) };
                buffer.first_chunk_mut().map(|target| *target = frame).ok_or(LinkError::Buffer)?;
                Ok(Some(FIRST_FRAME_LEN))
            }
            Stage::Established => self.session.transmit(info, play, buffer, now),
        }
    }

    /// Handles a received frame; see [`Session::receive`].
    pub fn receive<'a>(
        &mut self,
        frame: &'a mut [u8],
        play: &mut Play<impl Scoresheet>,
        now: Instant,
    ) -> Result<Option<Incoming<'a>>, LinkError> {
        match mem::replace(&mut self.stage, Stage::Established) {
            Stage::Disconnected => {
                self.stage = Stage::Disconnected;
                Err(LinkError::Closed)
            }
            Stage::Handshake { initiator, .. } => {
                let channel = initiator.answered(frame).map_err(LinkError::Answer)?;
                self.session.open(channel, now);
                Ok(None)
            }
            Stage::Established => {
                let incoming = self.session.receive(frame, play, now)?;
                if let Some(Incoming::Online(_)) = incoming {
                    self.backoff.succeeded();
                }
                Ok(incoming)
            }
        }
    }
}
