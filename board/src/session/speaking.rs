use chess::{Game, Scoresheet};
use wire::link::{Hello, MAX_FRAME, MAX_PIECE, Message, Table};

use super::broken::Broken;
use super::conversation::Conversation;
use super::telling::{FenText, Telling};
use crate::time::Instant;

impl<const N: usize> Conversation<N> {
    /// Puts the next frame to send into a buffer of at least [`MAX_FRAME`] bytes and returns its length; nothing if there
    /// is nothing to say now. It has to be asked again until then, after every other call and when it is
    /// [time](Conversation::wake_at).
    ///
    /// The game, and what there is to know beside it, is what the other side gets if it has to be given a whole game.
    pub fn transmit(
        &mut self,
        table: &Table<'_>,
        game: &Game<impl Scoresheet>,
        buffer: &mut [u8],
        now: Instant,
    ) -> Result<Option<usize>, Broken> {
        let mut fen = FenText::new();
        let mut piece = [0; MAX_PIECE];
        if self.line.is_none() {
            return Ok(None);
        }
        // Before anything is done that would have to be undone.
        if buffer.len() < MAX_FRAME {
            return Err(Broken::Buffer);
        }
        let Some(message) = self.next_message(table, game, &mut fen, &mut piece, now)? else {
            return Ok(None);
        };
        let line = self.line.as_mut().ok_or(Broken::Closed)?;
        let len = line.channel.send(&message, buffer).map_err(Broken::Send)?;
        if matches!(message, Message::Goodbye(_)) {
            self.close();
        }
        Ok(Some(len))
    }

    /// The most urgent thing to say. What keeps the other side from waiting comes first.
    fn next_message<'a>(
        &mut self,
        table: &Table<'a>,
        game: &Game<impl Scoresheet>,
        fen: &'a mut FenText,
        piece: &'a mut [u8],
        now: Instant,
    ) -> Result<Option<Message<'a>>, Broken> {
        let line = self.line.as_mut().ok_or(Broken::Closed)?;
        if line.watch.is_silent(now) {
            return Err(Broken::Silent);
        }
        if line.watch.is_deaf(now) {
            return Err(Broken::Unheard);
        }
        if !line.greeted {
            line.greeted = true;
            let hello = Hello { stream: self.outbox.stream(), seen: line.seen, features: 0, software: self.software };
            return Ok(Some(Message::Hello(hello)));
        }
        if let Some(reason) = line.goodbye {
            return Ok(Some(Message::Goodbye(reason)));
        }
        if !line.welcomed {
            return Ok(None);
        }
        if line.due.pong {
            line.due.pong = false;
            return Ok(Some(Message::Pong));
        }
        if line.thanked < self.inbox.settled() {
            line.thanked = self.inbox.settled();
            return Ok(Some(Message::Ack(line.thanked)));
        }
        if let Some(message) = self.next_numbered(table, game, fen, piece, now) {
            return Ok(Some(message));
        }
        let line = self.line.as_mut().ok_or(Broken::Closed)?;
        if line.due.wood {
            line.due.wood = false;
            if let Some(wood) = self.wood {
                return Ok(Some(Message::Wood(wood)));
            }
        }
        if line.due.live {
            line.due.live = false;
            if let Some(live) = self.live {
                return Ok(Some(Message::Live(live)));
            }
        }
        Ok(line.watch.asks(now).then_some(Message::Ping))
    }

    /// The next event; or, if the other side lacks one that is no longer here, the game.
    fn next_numbered<'a>(
        &mut self,
        table: &Table<'a>,
        game: &Game<impl Scoresheet>,
        fen: &'a mut FenText,
        piece: &'a mut [u8],
        now: Instant,
    ) -> Option<Message<'a>> {
        let line = self.line.as_mut()?;
        // A game that is half loaded is none to send, and what was said may not hold in the one that comes.
        if self.torn {
            return None;
        }
        let (said, heard) = (self.outbox.said(), self.inbox.last());
        if let Some(telling) = &mut line.telling
            && telling.is_current(said, heard)
        {
            let message = telling.next(game, piece);
            if message == Message::Complete {
                line.complete(now);
            }
            return Some(message);
        }
        if line.owes_game(self.outbox.told()) {
            // The game has everything in it that was said, so it waits until all that is kept.
            if self.outbox.kept() < said {
                return None;
            }
            let (telling, message) = Telling::begin(game, *table, (said, heard, self.outbox.renewed()), fen);
            line.tell(telling, said);
            self.outbox.send(said);
            return Some(message);
        }
        if line.sent() < self.outbox.kept() {
            let said = self.outbox.get(line.sent().saturating_add(1))?;
            line.send(said.number, now);
            self.outbox.send(said.number);
            return Some(Message::Event(said));
        }
        None
    }
}
