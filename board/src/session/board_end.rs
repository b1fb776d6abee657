use core::mem;

use chess::{Game, Scoresheet};
use wire::link::{Call, Ephemeral, KNOCK_LEN, PairingKey, Table};

use super::broken::Broken;
use super::conversation::Conversation;
use super::news::News;
use super::redial::Redial;
use crate::time::Instant;

/// How long a relay may take to answer a call, in milliseconds.
const ANSWER_WITHIN: u64 = 10_000;

/// The board's end of the link, with the connection that it has to care for.
#[derive(Debug)]
pub struct BoardEnd<const N: usize> {
    key: PairingKey,
    conversation: Conversation<N>,
    redial: Redial,
    stage: Stage,
}

/// The end that a board has, with room for the events of a usual game.
pub type BoardSession = BoardEnd<256>;

#[cfg(target_pointer_width = "32")]
const _: () = assert!(size_of::<BoardSession>() == 5_320, "the size of a session is stated in the documentation");

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of it, and it has a place for each in turn")]
enum Stage {
    /// There is no connection.
    Away,
    /// There is one, and the relay has yet to answer.
    Calling { call: Call, knock: Option<[u8; KNOCK_LEN]>, since: Instant },
    /// The conversation has it.
    Talking,
}

impl<const N: usize> BoardEnd<N> {
    /// A board with this key, which goes on with this conversation.
    #[must_use]
    pub const fn new(key: PairingKey, conversation: Conversation<N>) -> Self {
        Self { key, conversation, redial: Redial::new(), stage: Stage::Away }
    }

    /// What is said and heard.
    #[must_use]
    pub const fn conversation(&self) -> &Conversation<N> {
        &self.conversation
    }

    /// What is said and heard.
    pub const fn conversation_mut(&mut self) -> &mut Conversation<N> {
        &mut self.conversation
    }

    /// When to connect, if there is no connection.
    #[must_use]
    pub const fn connect_at(&self) -> Option<Instant> {
        match self.stage {
            Stage::Away => Some(self.redial.at()),
            Stage::Calling { .. } | Stage::Talking => None,
        }
    }

    /// There is a connection.
    pub fn connected(&mut self, ephemeral: Ephemeral, now: Instant) {
        self.conversation.close();
        let (call, knock) = Call::new(&self.key, ephemeral);
        self.stage = Stage::Calling { call, knock: Some(knock), since: now };
    }

    /// The connection is gone, or could not be made, or is of no more use. The random number need not be a secret.
    pub fn disconnected(&mut self, random: u32, now: Instant) {
        self.conversation.close();
        self.stage = Stage::Away;
        self.redial.failed(random, now);
    }

    /// The network is there again. If there is no connection, there is no reason to wait any longer before another call.
    pub fn hurry(&mut self, now: Instant) {
        self.redial.hurry(now);
    }

    /// When to call [`BoardEnd::transmit`] again even if nothing happens until then.
    #[must_use]
    pub fn wake_at(&self) -> Option<Instant> {
        match self.stage {
            Stage::Away => None,
            Stage::Calling { since, .. } => Some(since.after(ANSWER_WITHIN)),
            Stage::Talking => self.conversation.wake_at(),
        }
    }

    /// Puts the next frame to send into a buffer, as [`Conversation::transmit`] does.
    pub fn transmit(
        &mut self,
        table: &Table<'_>,
        game: &Game<impl Scoresheet>,
        buffer: &mut [u8],
        now: Instant,
    ) -> Result<Option<usize>, Broken> {
        match &mut self.stage {
            Stage::Away => Ok(None),
            Stage::Calling { since, .. } if now >= since.after(ANSWER_WITHIN) => Err(Broken::Silent),
            Stage::Calling { knock, .. } => {
                let Some(frame) = knock.take() else { return Ok(None) };
                buffer.first_chunk_mut().map(|target| *target = frame).ok_or(Broken::Buffer)?;
                Ok(Some(KNOCK_LEN))
            }
            Stage::Talking => self.conversation.transmit(table, game, buffer, now),
        }
    }

    /// Takes a frame that came, as [`Conversation::receive`] does.
    pub fn receive<'a>(
        &mut self,
        frame: &'a mut [u8],
        game: &mut Game<impl Scoresheet>,
        now: Instant,
    ) -> Result<Option<News<'a>>, Broken> {
        match mem::replace(&mut self.stage, Stage::Talking) {
            Stage::Away => {
                self.stage = Stage::Away;
                Err(Broken::Closed)
            }
            Stage::Calling { call, .. } => {
                let channel = call.answered(frame).map_err(Broken::Answer)?;
                self.conversation.open(channel, now);
                Ok(None)
            }
            Stage::Talking => {
                let news = self.conversation.receive(frame, game, now)?;
                if let Some(News::Online(_)) = news {
                    self.redial.succeeded();
                }
                Ok(news)
            }
        }
    }
}
