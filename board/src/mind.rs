//! Everything that the board knows and decides, with no hardware in it: the brain, its link and its journal, kept in step.
//!
//! The brain knows nothing of the link, the link nothing of the journal. Here what one of them says is done to the others,
//! in the order that keeps their promises: the game is changed before its news are told, and nothing is told before the
//! journal has it.

mod redo;
mod seating;
mod shine;

use core::ops::DerefMut;

use chess::{Bitboard, Game};
use wire::link::{Clocks, Ephemeral, Event, Goodbye, PairingKey, Table};

use crate::brain::Brain;
use crate::journal::{Action, Banks, Condition, Holdings, Journal, Values};
use crate::lights::Frame;
use crate::profile::Profile;
use crate::referee::Deed;
use crate::session::{BoardEnd, BoardSession, Broken, Conversation, End, Memory, News};
use crate::settings::Settings;
use crate::time::Instant;
use seating::Seating;
pub use shine::Shine;

/// The mind of a board. The brain is too big to be moved about, so whoever makes it says where it is: in memory that is
/// always there, or in a box.
pub struct Mind<B = &'static mut Brain> {
    brain: B,
    session: BoardSession,
    /// Whether there is a key to speak to a relay with. Without one nothing is said, and there is nobody to say it to.
    paired: bool,
    journal: Journal,
    values: Values,
    seating: Seating,
    /// Who sits at a table whose game is on its way.
    coming: Option<Seating>,
    software: &'static str,
    /// What the lights show may have changed.
    restless: bool,
}

/// What came of a frame that was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Nothing that concerns the connection.
    Something,
    /// The relay has said hello.
    Online,
    /// A game has come.
    Game {
        /// How many moves were made in it.
        plies: usize,
    },
    /// The relay takes leave.
    Goodbye(Goodbye),
}

impl<B: DerefMut<Target = Brain>> Mind<B> {
    /// Wakes up: goes on where the journal ends. The random number is for a board that has never spoken before, and
    /// `amend` may change the values that were kept, before anybody looks at them.
    pub fn wake(
        mut brain: B,
        banks: &mut impl Banks,
        amend: impl FnOnce(&mut Values),
        software: &'static str,
        random: u64,
        now: Instant,
    ) -> (Self, Condition) {
        let (journal, recovered) = Journal::recover(banks, brain.game_mut());
        let mut values = recovered.values.clone();
        let key = Profile(&values).key();
        amend(&mut values);
        // Who has another key speaks to somebody else, and has told that one nothing.
        let same = Profile(&values).key() == key;
        let memory = recovered.memory.filter(|_| same).unwrap_or(Memory::blank(random));
        let mut conversation =
            Conversation::new(End::Board, software, &memory, recovered.events(banks).filter(|_| same));
        if !same {
            conversation.renew();
        }
        brain.set(recovered.settings, now);
        let table = recovered.table(brain.game());
        let seating = Seating::of(&table);
        brain.sit_down(&table, now);
        if let Some(clocks) = recovered.clocks {
            brain.set_clocks(clocks, now);
        }
        let key = Profile(&values).key();
        let session = BoardEnd::new(PairingKey::new(key.unwrap_or_default()), conversation);
        // A board that knows of no relay misses none.
        brain.set_online(key.is_none());
        let mind = Self {
            brain,
            session,
            paired: key.is_some(),
            journal,
            values,
            seating,
            coming: None,
            software,
            restless: true,
        };
        (mind, recovered.condition)
    }

    /// The game is half of one and the rest does not come: goes back to what the journal has, as after a restart.
    pub fn recall(&mut self, banks: &mut impl Banks, now: Instant) {
        let (journal, recovered) = Journal::recover(banks, self.brain.game_mut());
        let memory = recovered.memory.unwrap_or(self.session.conversation().memory());
        *self.session.conversation_mut() =
            Conversation::new(End::Board, self.software, &memory, recovered.events(banks));
        self.journal = journal;
        self.coming = None;
        let table = recovered.table(self.brain.game());
        self.seating = Seating::of(&table);
        self.brain.sit_down(&table, now);
        if let Some(clocks) = recovered.clocks {
            self.brain.set_clocks(clocks, now);
        }
        self.restless = true;
    }

    /// Whether half of a game has come, over a connection that is gone.
    #[must_use]
    pub fn is_torn_apart(&self) -> bool {
        self.is_torn() && self.session.connect_at().is_some()
    }

    /// Whether the game is not to be looked at.
    fn is_torn(&self) -> bool {
        self.session.conversation().is_torn()
    }

    /// Takes in one scan of the reeds, and returns whether something came of it.
    pub fn scan(&mut self, raw: Bitboard, now: Instant) -> bool {
        if self.is_torn() {
            return false;
        }
        let before = (self.brain.referee().occupied(), self.brain.referee().stance());
        let deeds = self.brain.scan(raw, now);
        let changed = !deeds.is_empty() || before != (self.brain.referee().occupied(), self.brain.referee().stance());
        if changed {
            self.restless = true;
            self.carry_out(deeds);
            self.session.conversation_mut().show_wood(self.brain.wood());
        }
        changed
    }

    fn carry_out(&mut self, deeds: impl IntoIterator<Item = Deed>) {
        for deed in deeds {
            if deed == Deed::Begin {
                let hints = if self.seating.is_shared() { Table::LOCAL.hints } else { self.seating.hints };
                self.seating = Seating::of(&Table { hints, clock: self.seating.clock, ..Table::LOCAL });
            }
            if !self.paired {
                continue;
            }
            let conversation = self.session.conversation_mut();
            match deed {
                // If it is too much to tell one by one, the game tells it.
                Deed::Say(event) => {
                    if conversation.say(event).is_err() {
                        conversation.condense();
                    }
                }
                Deed::Begin => conversation.renew(),
            }
        }
    }

    /// When to connect to the relay, if there is one to connect to and no connection.
    #[must_use]
    pub fn connect_at(&self) -> Option<Instant> {
        Profile(&self.values).relay()?;
        self.session.connect_at().filter(|_| self.paired)
    }

    /// When to [transmit](Mind::transmit) again even if nothing happens.
    #[must_use]
    pub fn wake_at(&self) -> Option<Instant> {
        self.session.wake_at()
    }

    /// The network is there again.
    pub fn network_is_up(&mut self, now: Instant) {
        self.session.hurry(now);
    }

    /// There is a connection to the relay.
    pub fn connected(&mut self, ephemeral: Ephemeral, now: Instant) {
        self.session.connected(ephemeral, now);
    }

    /// The connection is gone, or there was none to be had.
    pub fn disconnected(&mut self, random: u32, now: Instant) {
        self.session.disconnected(random, now);
        self.brain.set_online(!self.paired);
        self.restless = true;
    }

    /// Puts the next frame for the relay into a buffer, and returns its length.
    pub fn transmit(&mut self, buffer: &mut [u8], now: Instant) -> Result<Option<usize>, Broken> {
        let table = self.seating.table(self.brain.game());
        self.session.transmit(&table, self.brain.game(), buffer, now)
    }

    /// Takes a frame of the relay.
    pub fn receive(&mut self, frame: &mut [u8], now: Instant) -> Result<Heard, Broken> {
        let received = self.session.receive(frame, self.brain.game_mut(), now)?;
        let Some(news) = received else { return Ok(Heard::Something) };
        self.restless = true;
        match news {
            News::Online(_) => {
                self.brain.set_online(true);
                self.session.conversation_mut().show_wood(self.brain.wood());
                return Ok(Heard::Online);
            }
            News::Event(event) => {
                if let Event::Hints { on } = event {
                    self.seating.hints = on;
                }
                let deeds = self.brain.hear(event, now);
                self.carry_out(deeds);
            }
            News::Loading(table) => self.coming = Some(Seating::of(&table)),
            News::Loaded(basis) => {
                let before = self.seating.game;
                if let Some(coming) = self.coming.take() {
                    self.seating = coming;
                }
                if let Some(outcome) = self.seating.outcome.take() {
                    redo::redo(self.brain.game_mut(), Event::Ended { outcome });
                }
                for event in self.session.conversation().standing(basis) {
                    redo::redo(self.brain.game_mut(), event);
                }
                let table = self.seating.table(self.brain.game());
                self.brain.sit_down(&table, now);
                if self.seating.game != before && Profile(&self.values).hints() {
                    self.tell_hints();
                }
                return Ok(Heard::Game { plies: self.brain.game().moves().len() });
            }
            News::Live(live) => {
                if let Some(clocks) = live.clocks {
                    self.brain.set_clocks(clocks, now);
                }
            }
            News::Wood(_) => {}
            News::Goodbye(reason) => return Ok(Heard::Goodbye(reason)),
        }
        Ok(Heard::Something)
    }

    /// What the journal wants done next, if anything.
    pub fn keep(&mut self, now: Instant) -> Option<Action<'_>> {
        let game = self.brain.game();
        // Between two games, an erasure that stops everything for a second disturbs nobody.
        let quiet = game.outcome().is_some() || game.moves().is_empty();
        let holdings = Holdings {
            game,
            table: self.seating.table(game),
            clocks: clocks(&self.brain, now),
            settings: self.brain.settings(),
            values: &self.values,
            conversation: self.session.conversation(),
        };
        self.journal.poll(&holdings, quiet)
    }

    /// What the journal wanted has been done, or could not be.
    pub fn kept(&mut self, done: bool) {
        self.restless |= self.brain.set_kept(done);
        if !done {
            return self.journal.failed();
        }
        self.journal.done();
        if let Some(memory) = self.journal.memory() {
            self.session.conversation_mut().kept(memory);
        }
    }

    /// The light of this moment, unless there is none to be seen because a game is on its way.
    pub fn frame(&mut self, now: Instant) -> Option<Frame> {
        if self.is_torn() {
            return None;
        }
        self.restless = false;
        Some(self.brain.frame(now))
    }

    /// When the light changes next if nothing happens.
    pub fn next_frame(&mut self, now: Instant) -> Option<Instant> {
        match self.is_torn() {
            true => None,
            false if self.restless => Some(now),
            false => self.brain.next_frame(now),
        }
    }

    /// The switches under these squares cannot be trusted.
    pub fn set_faults(&mut self, raw: Bitboard) {
        self.brain.set_faults(raw);
        self.restless = true;
    }

    /// Shows all lights for a moment, and then what the switches see.
    pub fn show_lights(&mut self, now: Instant) {
        self.brain.show_lights(now);
        self.restless = true;
    }

    /// Takes over other settings of the board.
    pub fn set(&mut self, settings: Settings, now: Instant) {
        self.brain.set(settings, now);
        self.restless = true;
    }

    /// Changes what is kept beside the game. With another key, the board begins a conversation with somebody else, who is
    /// told the game as it is.
    pub fn change(&mut self, change: impl FnOnce(&mut Values), random: u64) {
        let key = Profile(&self.values).key();
        change(&mut self.values);
        let new = Profile(&self.values).key();
        if new != key {
            let mut conversation = Conversation::new(End::Board, self.software, &Memory::blank(random), []);
            conversation.renew();
            self.session = BoardEnd::new(PairingKey::new(new.unwrap_or_default()), conversation);
            self.paired = new.is_some();
            self.brain.set_online(new.is_none());
            self.restless = true;
        }
    }

    /// Tells whoever plays elsewhere whether hints are agreed to here. Whether there are any is then the relay's word.
    pub fn tell_hints(&mut self) {
        if self.seating.is_shared() {
            let on = Profile(&self.values).hints();
            self.carry_out([Deed::Say(Event::Hints { on })]);
        }
    }

    /// Whether the relay is there.
    #[must_use]
    pub fn is_online(&self) -> bool {
        self.session.conversation().is_online()
    }

    /// The settings of the board.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        self.brain.settings()
    }

    /// What is kept beside the game.
    #[must_use]
    pub const fn values(&self) -> &Values {
        &self.values
    }

    /// The brain, to be looked at.
    #[must_use]
    pub fn brain(&self) -> &Brain {
        &self.brain
    }

    /// Who sits at the table, if there is a game to be looked at.
    #[must_use]
    pub fn table(&self) -> Option<Table<'_>> {
        Some(self.seating.table(self.game()?))
    }

    /// The game, if it is one to be looked at.
    #[must_use]
    pub fn game(&self) -> Option<&Game> {
        (!self.is_torn()).then(|| self.brain.game())
    }
}

/// What the clocks show, if there are any.
fn clocks(brain: &Brain, now: Instant) -> Option<Clocks> {
    let clock = brain.referee().clock()?;
    let left = |color| u32::try_from(clock.left(color, now)).unwrap_or(u32::MAX);
    let (white_ms, black_ms) = (left(chess::Color::White), left(chess::Color::Black));
    Some(Clocks { white_ms, black_ms, running: clock.running() })
}

#[cfg(test)]
mod tests;
