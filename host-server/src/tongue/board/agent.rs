//! The relay's side of one board, without input or output: frames and rooms in, frames and errands out.
//!
//! The agent sits in a room for the board, as a client would. It knows what the board has before it (its
//! [mirror](super::mirror)) and what the room is like, and says to the board whatever makes the two the same
//! (`agree.rs`). What the board says is an [errand](Agent::errand) to the room first; only when the room has it is it in
//! the mirror.
//!
//! **Invariant:** nothing is sent to the board, and nothing of the board's is acknowledged, before the
//! [record](Agent::record) of it is [kept](Agent::kept). The room comes before the record. So after a crash between any
//! two steps the board says again what the record lacks, and the room, which knows whom it has heard, hears it once.

mod agree;
mod seat;

use board::Instant;
use board::session::{Broken, Conversation, End, Memory, News};
use chess::{Color, Game};
use wire::link::{Channel, Event, Goodbye, Wood};

use super::mirror::{Card, Mirror};
use super::place::Place;
use super::record::{Record, Remembered};
use super::want::Want;
use crate::room::{GameId, Room, RoomId, Sheet};

pub use seat::Plan;

/// What this side calls itself.
const SOFTWARE: &str = concat!("tabiya ", env!("CARGO_PKG_VERSION"));

/// So many events wait for a board at most. One that lacks more is given the game.
const QUEUE: usize = 64;

/// The relay's side of one board.
#[derive(Debug)]
pub struct Agent {
    conversation: Conversation<QUEUE>,
    mirror: Mirror,
    /// Where a game that comes from the board is read into, so that the mirror is whole at any time.
    coming: Game<Sheet>,
    coming_card: Card,
    coming_outcome: Option<chess::Outcome>,
    place: Option<Place>,
    invited: u64,
    /// What the room has still to be asked.
    asked: Option<Asked>,
    /// A game has come from the board, and may have more in it than the room knows.
    ahead: bool,
    /// The board has something before it that this side cannot know. It is to be given a game.
    astray: bool,
    questions: Questions,
    /// How long the last move took, for those who are told of it.
    thought: Option<(usize, u32)>,
    /// After which game the board was offered another one.
    again: Option<GameId>,
    /// As of when the clocks were shown.
    shown: Option<(RoomId, u64)>,
    /// The record lacks something that the conversation does not know of.
    changed: bool,
}

/// What others have asked the one at the board.
#[derive(Debug, Default)]
struct Questions {
    /// The number of the last one that was passed on.
    last: u32,
    /// The board may have forgotten them, since they are not in its journal.
    remind: bool,
}

/// Something that the room is asked.
#[derive(Clone, Copy, Debug)]
struct Asked {
    /// What the board said, if it is because of that.
    event: Option<Event>,
    want: Want,
}

/// What is to be asked of the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errand {
    /// What.
    pub want: Want,
    /// The stream and the number under which the board said it, if it did. The room hears it once.
    pub from: Option<(u64, u32)>,
}

/// What has no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// The wood looks like this.
    Wood(Wood),
    /// The board hangs up.
    Goodbye(Goodbye),
}

impl Agent {
    /// For a board of which nothing is known. The number has to be random.
    #[must_use]
    pub fn new(random: u64) -> Self {
        let memory = Memory::blank(random);
        Self::resume(Remembered { memory, pending: Vec::new(), mirror: Mirror::new(), place: None, invited: 0 })
    }

    /// Goes on from a record. If that makes no sense there is nothing to go on from.
    #[must_use]
    pub fn from_record(record: Record) -> Option<Self> {
        record.read().map(Self::resume)
    }

    fn resume(Remembered { memory, pending, mirror, place, invited }: Remembered) -> Self {
        Self {
            conversation: Conversation::new(End::Relay, SOFTWARE, &memory, pending),
            mirror,
            coming: Game::on(Sheet::default()),
            coming_card: Card::local(),
            coming_outcome: None,
            place,
            invited,
            asked: None,
            ahead: false,
            astray: false,
            questions: Questions::default(),
            thought: None,
            again: None,
            shown: None,
            changed: false,
        }
    }

    /// What has to be written down.
    #[must_use]
    pub fn record(&self) -> Record {
        let pending = self.conversation.pending().collect();
        Record::new(&self.conversation.memory(), pending, &self.mirror, self.place.as_ref(), self.invited)
    }

    /// Whether it has to be written down now.
    #[must_use]
    pub fn is_unkept(&self) -> bool {
        self.is_whole() && (self.changed || self.conversation.unkept())
    }

    /// Whether all that the board has said has been done: what waits for the room has not happened yet, and must not be in a
    /// record as if it had.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.asked.is_none() && !self.ahead
    }

    /// This record has been written. Only now is what was said sent, and what was heard acknowledged.
    pub fn kept(&mut self, record: &Record) {
        self.conversation.kept(&record.memory());
        self.changed = false;
    }

    /// The board has been let in, and this is its hello. A connection that was there before is given up for it. Returns what
    /// the board says of itself.
    pub fn accept(&mut self, channel: Channel, hello: &mut [u8], now: Instant) -> Result<String, Broken> {
        // Whether it is let in or not: a side that finds out that it has forgotten something must remember that, and one that
        // takes over from another relay must say so.
        let accepted = self.conversation.accept(channel, hello, now);
        self.changed |= matches!(accepted, Ok(_) | Err(Broken::Forgetful));
        let software = match accepted? {
            News::Online(hello) => hello.software.to_owned(),
            _ => String::new(),
        };
        // Whatever was half done on the connection before comes again on this one.
        self.conversation.mended();
        self.questions.remind = true;
        self.shown = None;
        Ok(software)
    }

    /// Whether the board is there.
    #[must_use]
    pub const fn is_online(&self) -> bool {
        self.conversation.is_online()
    }

    /// Takes a frame that came. Afterwards there may be [errands](Agent::errand) to run, before the next frame.
    pub fn receive(&mut self, frame: &mut [u8], now: Instant) -> Result<Option<Passing>, Broken> {
        let news = self.conversation.receive(frame, &mut self.coming, now)?;
        Ok(match news {
            None | Some(News::Online(_) | News::Live(_)) => None,
            Some(News::Event(event)) => {
                self.hear(event);
                None
            }
            Some(News::Loading(table)) => {
                self.coming_card = Card::of(&table);
                self.coming_outcome = table.outcome;
                None
            }
            Some(News::Loaded(basis)) => {
                let game = std::mem::replace(&mut self.coming, Game::on(Sheet::default()));
                let card = std::mem::replace(&mut self.coming_card, Card::local());
                let is_same = card.game == self.mirror.card.game && card.game != 0;
                let mut mirror = Mirror::showing(card, game, self.coming_outcome.take());
                if is_same {
                    // It is the same game, of which only too much was to be told.
                    (mirror.draw, mirror.takeback) = (self.mirror.draw, self.mirror.takeback);
                }
                self.mirror = mirror;
                for event in self.conversation.standing(basis).collect::<Vec<_>>() {
                    self.astray |= !self.mirror.take(event, false);
                }
                self.ahead = self.mirror.is_shared();
                None
            }
            Some(News::Wood(wood)) => Some(Passing::Wood(wood)),
            Some(News::Goodbye(reason)) => Some(Passing::Goodbye(reason)),
        })
    }

    fn hear(&mut self, event: Event) {
        if self.mirror.is_shared() && self.place.is_some() {
            // What is asked for depends on the room, which is not here.
            self.asked = Some(Asked { event: Some(event), want: Want::Nonsense });
        } else {
            // The board's own game: nobody else has a say in it.
            self.astray |= !self.mirror.take(event, true);
        }
    }

    /// What the room has to be asked next. [`Agent::answered`] must follow, and then this again.
    pub fn errand(&mut self, room: Option<&Room>) -> Option<Errand> {
        let us = room.and_then(|room| self.side_in(room));
        if let Some(asked) = &mut self.asked {
            if let (Some(event), Some(room), Some(us)) = (asked.event, room, us)
                && room.game_id().0 == self.mirror.card.game
            {
                asked.want = Want::of(event, room, us);
            }
            let seen = self.conversation.memory().seen;
            return Some(Errand { want: asked.want, from: Some((seen.stream, seen.last)) });
        }
        if self.ahead && !self.conversation.is_torn() {
            if let (Some(room), Some(us)) = (room, us)
                && let Some(want) = self.lead(room, us)
            {
                self.asked = Some(Asked { event: None, want });
                return Some(Errand { want, from: None });
            }
            self.ahead = false;
        }
        None
    }

    /// Whether the room has done the last errand.
    pub fn answered(&mut self, is_done: bool) {
        let Some(Asked { event, want }) = self.asked.take() else { return };
        let (draw, takeback, was_over) = (self.mirror.draw, self.mirror.takeback, self.mirror.outcome.is_some());
        let is_understood = event.is_none_or(|event| self.mirror.take(event, true));
        let memory = self.conversation.memory();
        if event.is_some() && self.mirror.outcome.is_some() && !was_over && memory.acknowledged < memory.said {
            // The board may have ended the game before it heard of the last move, which it does not play any more then.
            self.astray = true;
        }
        if self.questions.last > memory.acknowledged {
            // The board may have said this before it heard the question, and be left with that. It will be told that
            // nobody asks any more.
            self.mirror.draw = self.mirror.draw.or(draw.filter(|&by| Some(by) != self.mirror.color()));
            self.mirror.takeback = self.mirror.takeback.or(takeback.filter(|takeback| !takeback.asked_here));
        }
        if !is_understood || !(is_done || want.is_only_asked()) {
            self.astray = true;
            self.ahead = false;
        }
    }

    /// Puts the next frame to send into a buffer; nothing if there is nothing to send now.
    pub fn transmit(&mut self, buffer: &mut [u8], now: Instant) -> Result<Option<usize>, Broken> {
        let Self { conversation, mirror, .. } = self;
        conversation.transmit(&mirror.table(), &mirror.game, buffer, now)
    }

    /// When to call [`Agent::transmit`] again even if nothing happens until then.
    #[must_use]
    pub fn wake_at(&self) -> Option<Instant> {
        self.conversation.wake_at()
    }

    /// Nobody has listened to the board for a while. That was not the board's fault.
    pub const fn excuse(&mut self, now: Instant) {
        self.conversation.excuse(now);
    }

    /// Takes leave. The connection is to be closed after the next frame.
    pub fn hang_up(&mut self, reason: Goodbye) {
        self.conversation.hang_up(reason);
    }

    /// Which side the board plays in a room; or has played, if it has lost its seat in the meantime.
    fn side_in(&self, room: &Room) -> Option<Color> {
        let seated = self.place.as_ref().and_then(|place| room.seat_of(&place.user));
        seated.or_else(|| self.mirror.color().filter(|_| self.mirror.card.game == room.game_id().0))
    }

    /// The game that the board has before it.
    #[must_use]
    pub const fn game(&self) -> &Game<Sheet> {
        &self.mirror.game
    }
}
