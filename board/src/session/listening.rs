use chess::{Game, Scoresheet};
use wire::link::{Channel, Hello, Message, Said, Snapshot};

use super::broken::Broken;
use super::conversation::{Conversation, End};
use super::line::Passing;
use super::loading::Loading;
use super::news::News;
use crate::time::Instant;

impl<const N: usize> Conversation<N> {
    /// A board has been let in, and this is the first frame that came through its channel: its hello. A connection that
    /// was there before is given up for it, but only now that the board has proved to be at the other end.
    pub fn accept<'a>(&mut self, mut channel: Channel, first: &'a mut [u8], now: Instant) -> Result<News<'a>, Broken> {
        match channel.receive(first).map_err(Broken::Receive)? {
            Message::Hello(hello) => {
                self.open(channel, now);
                self.greet(hello).inspect_err(|_| self.close())
            }
            _ => Err(Broken::OutOfPlace),
        }
    }

    /// Takes a frame that came. A game that comes is read into this one, which is therefore no game in between: see
    /// [`News::Loading`].
    pub fn receive<'a>(
        &mut self,
        frame: &'a mut [u8],
        game: &mut Game<impl Scoresheet>,
        now: Instant,
    ) -> Result<Option<News<'a>>, Broken> {
        let line = self.line.as_mut().ok_or(Broken::Closed)?;
        let message = line.channel.receive(frame).map_err(Broken::Receive)?;
        line.watch.heard(now);
        if line.welcomed == matches!(message, Message::Hello(_)) {
            return Err(Broken::OutOfPlace);
        }
        Ok(match message {
            Message::Hello(hello) => Some(self.greet(hello)?),
            Message::Event(said) => self.hear(&said)?,
            Message::Ack(number) => {
                if number > self.outbox.said() {
                    return Err(Broken::NeverSaid(number));
                }
                line.acknowledge(number, now);
                self.outbox.acknowledge(number);
                None
            }
            Message::Snapshot(snapshot) => self.begin_loading(snapshot, game)?,
            Message::Piece(bytes) => {
                if line.passing == Passing::Nothing {
                    line.loading.as_mut().ok_or(Broken::OutOfPlace)?.feed(bytes, game)?;
                }
                None
            }
            Message::Complete => self.finish_loading(game, now)?,
            Message::Ping => {
                line.due.pong = true;
                None
            }
            Message::Pong => None,
            Message::Wood(wood) => Some(News::Wood(wood)),
            Message::Live(table) => Some(News::Live(table)),
            Message::Goodbye(reason) => Some(News::Goodbye(reason)),
        })
    }

    /// Finds out what the other side lacks.
    fn greet<'a>(&mut self, hello: Hello<'a>) -> Result<News<'a>, Broken> {
        let line = self.line.as_mut().ok_or(Broken::Closed)?;
        if hello.stream == 0 {
            return Err(Broken::OutOfPlace);
        }
        let knows = hello.seen.stream == self.outbox.stream();
        let last = if knows { hello.seen.last } else { 0 };
        if last > self.outbox.said() {
            let fingerprint = line.channel.fingerprint();
            self.begin_anew(fingerprint);
            return Err(Broken::Forgetful);
        }
        // Another one than before, that knows nothing: the one before has lost its memory. What was between it and this
        // side is in the game, and only there, and whatever it says before it has heard that, it says in ignorance.
        let before = self.inbox.heard();
        let is_stranger = !knows && before.stream != 0 && before.stream != hello.stream;
        if is_stranger && (self.outbox.said() > 0 || before.last > 0) {
            self.outbox.renew();
        }
        self.inbox.adopt(hello.stream);
        self.outbox.acknowledge(last);
        line.welcome(hello.stream, last);
        Ok(News::Online(hello))
    }

    /// Takes an event, if it is the next one.
    fn hear(&mut self, said: &Said) -> Result<Option<News<'static>>, Broken> {
        let line = self.line.as_mut().ok_or(Broken::Closed)?;
        if line.loading.is_some() || line.passing == Passing::Game {
            return Err(Broken::OutOfPlace);
        }
        // What was heard before was heard over another connection, and is not yet acknowledged.
        if line.passing == Passing::Everything || said.number <= self.inbox.last() {
            return Ok(None);
        }
        let expected = self.inbox.last().saturating_add(1);
        if said.number != expected {
            return Err(Broken::Gap { expected, found: said.number });
        }
        if said.heard > self.outbox.said() {
            return Err(Broken::NeverSaid(said.heard));
        }
        self.inbox.hear(said.number);
        // Said about the game before, by one that did not know that there is another.
        let is_void = said.heard < self.outbox.renewed();
        Ok((!is_void).then_some(News::Event(said.event)))
    }

    /// Whether a game that comes is to be left alone, since it crosses one of this side that it does not take into
    /// account. The other side decides the same way, takes this side's, and will send what it has made of it.
    fn passes_over(&self, theirs: &Snapshot<'_>) -> bool {
        // Whether there is something that the other side can only be given as a game.
        let crosses = theirs.heard < self.outbox.told();
        let is_mine_new = theirs.heard < self.outbox.renewed();
        let is_theirs_new = theirs.renewed > self.inbox.last();
        // A new game counts more than what became of the old one; of two that are equally new the board's counts.
        crosses && if is_mine_new == is_theirs_new { self.end == End::Board } else { is_mine_new }
    }

    fn begin_loading<'a>(
        &mut self,
        snapshot: Snapshot<'a>,
        game: &mut Game<impl Scoresheet>,
    ) -> Result<Option<News<'a>>, Broken> {
        if snapshot.number < self.inbox.last() {
            return Err(Broken::Gap { expected: self.inbox.last(), found: snapshot.number });
        }
        if snapshot.heard > self.outbox.said() {
            return Err(Broken::NeverSaid(snapshot.heard));
        }
        let passes_over = self.passes_over(&snapshot);
        let line = self.line.as_mut().ok_or(Broken::Closed)?;
        if passes_over {
            line.loading = None;
            let is_more = snapshot.number > self.inbox.last();
            line.passing = if is_more { Passing::Everything } else { Passing::Game };
            return Ok(None);
        }
        line.loading = Some(Loading::begin(&snapshot, game)?);
        line.passing = Passing::Nothing;
        self.torn = true;
        Ok(Some(News::Loading(snapshot.table)))
    }

    fn finish_loading(
        &mut self,
        game: &mut Game<impl Scoresheet>,
        now: Instant,
    ) -> Result<Option<News<'static>>, Broken> {
        let line = self.line.as_mut().ok_or(Broken::Closed)?;
        match line.passing {
            Passing::Nothing => {}
            Passing::Game => {
                line.passing = Passing::Nothing;
                return Ok(None);
            }
            Passing::Everything => return Ok(None),
        }
        let (number, basis) = line.loading.take().ok_or(Broken::OutOfPlace)?.finish(game)?;
        self.torn = false;
        self.inbox.hear(number);
        self.outbox.replaced();
        line.yield_to(basis.heard, now);
        Ok(Some(News::Loaded(basis)))
    }
}
