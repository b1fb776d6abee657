use wire::link::{Channel, Event, Goodbye, Live, Said, Wood};

use super::inbox::Inbox;
use super::line::Line;
use super::memory::Memory;
use super::news::Basis;
use super::outbox::{Full, Outbox};
use crate::time::Instant;

/// One end of the link: everything that was said and heard and is not settled yet, and the connection, if there is one.
///
/// `N` is how many events it can say without being heard.
#[derive(Debug)]
pub struct Conversation<const N: usize> {
    pub(super) end: End,
    pub(super) software: &'static str,
    pub(super) outbox: Outbox<N>,
    pub(super) inbox: Inbox,
    pub(super) wood: Option<Wood>,
    pub(super) live: Option<Live>,
    pub(super) line: Option<Line>,
    /// The game is half of one.
    pub(super) torn: bool,
}

/// Which end it is. Both do the same, but for two things. If both have begun a game without knowing of the other's, the
/// board's counts: there are pieces standing on it, and a board has memory for one game where a relay has for many. And
/// the relay is quicker to find out that nobody is there any more, since it has others to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The board's.
    Board,
    /// The relay's.
    Relay,
}

impl<const N: usize> Conversation<N> {
    /// Goes on from what a journal has kept: the last memory, and the events that were said since they were last
    /// acknowledged, in their order. More of them do no harm.
    pub fn new(end: End, software: &'static str, memory: &Memory, events: impl IntoIterator<Item = Said>) -> Self {
        Self {
            end,
            software,
            outbox: Outbox::resume(memory, events),
            inbox: Inbox::resume(memory.seen),
            wood: None,
            live: None,
            line: None,
            torn: false,
        }
    }

    /// Says something that happened. It is in the game already, or will be before the next call; it is sent once it is
    /// [kept](Conversation::kept). As long as the game is [torn](Conversation::is_torn) there is nothing to say about it.
    ///
    /// If there is no room, nothing old is given up for it. Whoever can do without the single events, since the game has
    /// all of them, can [condense](Conversation::condense) them and need not say this one either.
    pub fn say(&mut self, event: Event) -> Result<u32, Full> {
        self.outbox.say(event, self.inbox.last())
    }

    /// Tells the events that were not heard yet no more, one by one. The other side gets the game as it is instead.
    pub fn condense(&mut self) {
        self.outbox.condense();
    }

    /// Another game has begun at this end. The other side gets it, and what it says before it has is void.
    pub fn renew(&mut self) {
        self.outbox.renew();
    }

    /// Shows what the wood looks like now.
    pub fn show_wood(&mut self, wood: Wood) {
        if self.wood.replace(wood) != Some(wood)
            && let Some(line) = &mut self.line
        {
            line.due.wood = true;
        }
    }

    /// Shows what the clocks are at now, and who is there.
    pub fn show_live(&mut self, live: Live) {
        if self.live.replace(live) != Some(live)
            && let Some(line) = &mut self.line
        {
            line.due.live = true;
        }
    }

    /// What a journal has to keep, beside the game and the [pending](Conversation::pending) events.
    #[must_use]
    pub const fn memory(&self) -> Memory {
        let outbox = &self.outbox;
        Memory {
            stream: outbox.stream(),
            acknowledged: outbox.acknowledged(),
            floor: outbox.floor(),
            said: outbox.said(),
            renewed: outbox.renewed(),
            seen: self.inbox.heard(),
        }
    }

    /// The events that the other side has not acknowledged, the oldest first.
    pub fn pending(&self) -> impl Iterator<Item = Said> + '_ {
        self.outbox.pending()
    }

    /// The journal has kept this memory, and with it the game and the events as they were when it was taken. Only now
    /// is what was said sent, and what was heard acknowledged.
    ///
    /// If it were not so, a restart could take back what the other side has heard already, and give its number to
    /// something else.
    pub fn kept(&mut self, memory: &Memory) {
        if memory.stream == self.outbox.stream() {
            self.outbox.keep(memory.said);
        }
        self.inbox.keep(memory.seen);
    }

    /// Whether something waits for the journal.
    #[must_use]
    pub fn unkept(&self) -> bool {
        self.outbox.kept() < self.outbox.said() || self.inbox.kept() != self.inbox.heard()
    }

    /// What this side has said and is not in a game that came from the other side, but should be.
    pub fn standing(&self, basis: Basis) -> impl Iterator<Item = Event> + '_ {
        self.outbox.pending().filter(move |said| basis.lacks(said)).map(|said| said.event)
    }

    /// Whether the other side is there.
    #[must_use]
    pub const fn is_online(&self) -> bool {
        matches!(&self.line, Some(line) if line.welcomed)
    }

    /// When to call [`Conversation::transmit`] again even if nothing happens until then.
    #[must_use]
    pub fn wake_at(&self) -> Option<Instant> {
        self.line.as_ref().map(|line| line.watch.wake_at())
    }

    /// Nobody has listened until now, for another reason than that there was nothing to hear. What the other side has said
    /// meanwhile is still to come, so it was not silent.
    pub const fn excuse(&mut self, now: Instant) {
        if let Some(line) = &mut self.line {
            line.watch.heard(now);
        }
    }

    /// There is a connection, and this side speaks first.
    pub(super) fn open(&mut self, channel: Channel, now: Instant) {
        self.line = Some(Line::new(self.end, channel, self.inbox.kept(), now));
    }

    /// Takes leave. The connection is to be closed after the next frame.
    pub const fn hang_up(&mut self, reason: Goodbye) {
        if let Some(line) = &mut self.line {
            line.goodbye = Some(reason);
        }
    }

    /// The connection is gone.
    pub fn close(&mut self) {
        self.line = None;
    }

    /// Whether the game is half of one, since another one is coming, or since the connection broke while it came. In that
    /// case it will come again, and until then nothing is said about it. If the journal has everything, going on from
    /// there as after a restart is better than waiting.
    #[must_use]
    pub const fn is_torn(&self) -> bool {
        self.torn
    }

    /// The game is exactly what it was before the half of another one came; as for those who let it come into another
    /// place, and only then look at it.
    pub const fn mended(&mut self) {
        self.torn = false;
    }

    /// The other side knows more of this side than this side does: the journal has lost something. What it still has
    /// cannot be trusted, so this side begins anew, in a stream of its own, as one that knows nothing.
    pub(super) fn begin_anew(&mut self, random: u64) {
        let blank = Memory::blank(random);
        self.outbox = Outbox::resume(&blank, []);
        self.inbox = Inbox::resume(blank.seen);
        self.line = None;
    }
}
