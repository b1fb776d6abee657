use std::boxed::Box;
use std::vec::Vec;

use chess::{Game, Move};
use wire::link::{Channel, Ephemeral, Event, Knock, MAX_FRAME, PairingKey, Seat, Table};

use super::{Brain, Instant, Mind};
use crate::session::{Conversation, End, Memory, News};

pub(super) const KEY: [u8; 32] = [1; 32];

/// Somebody far away, with the relay's end of the link and a game.
pub(super) struct Far {
    conversation: Conversation<64>,
    pub(super) game: Box<Game>,
    table: Table<'static>,
    calls: u8,
}

impl Far {
    /// Who knows nothing of the board.
    pub(super) fn new() -> Self {
        let conversation = Conversation::new(End::Relay, "test", &Memory::blank(77), []);
        let table = Table { game: 5, seat: Seat::White, white: "Vera", black: "Ana", ..Table::LOCAL };
        Self { conversation, game: Box::new(Game::new()), table, calls: 0 }
    }

    /// The board calls, and both say hello. Nothing else is on its way yet.
    pub(super) fn meet(&mut self, mind: &mut Mind<Box<Brain>>, now: Instant) {
        self.calls += 1;
        mind.connected(Ephemeral::new([self.calls; 32]), now);
        let knock = next(mind, now).expect("a knock");
        let knock = Knock::read(&knock).expect("a knock");
        let (answer, channel): (_, Channel) =
            knock.answer(&PairingKey::new(KEY), Ephemeral::new([100 + self.calls; 32])).expect("the key is right");
        mind.receive(&mut answer.to_vec(), now).expect("an answer");
        let mut hello = next(mind, now).expect("a hello");
        self.conversation.accept(channel, &mut hello, now).expect("a hello");
        self.tell(mind, 1, now);
    }

    /// Begins a game, in which the board plays White.
    pub(super) fn begin(&mut self) {
        self.game.restart(chess::Position::start());
        self.conversation.renew();
    }

    /// At most so many frames go to the board. Returns how many went.
    pub(super) fn tell(&mut self, mind: &mut Mind<Box<Brain>>, most: usize, now: Instant) -> usize {
        let memory = self.conversation.memory();
        self.conversation.kept(&memory);
        for told in 0..most {
            let mut frame = [0; MAX_FRAME];
            let len = self.conversation.transmit(&self.table, &self.game, &mut frame, now).expect("all is well");
            let Some(len) = len else { return told };
            mind.receive(&mut frame[..len], now).expect("all is well");
        }
        most
    }

    /// All that the board has to say gets lost.
    pub(super) fn lose(mind: &mut Mind<Box<Brain>>, now: Instant) {
        while next(mind, now).is_some() {}
    }

    /// What it said before is to be told by the game, in which there is nothing that the board has not been heard to say.
    pub(super) fn conversation_forgets(&mut self) {
        self.conversation.say(Event::Hints { on: true }).expect("there is room");
        self.conversation.condense();
    }

    /// Takes all that the board says, and does what it says to the game.
    pub(super) fn hear(&mut self, mind: &mut Mind<Box<Brain>>, now: Instant) {
        let mut coming = Box::new(Game::new());
        while let Some(mut frame) = next(mind, now) {
            let news = self.conversation.receive(&mut frame, &mut coming, now).expect("all is well");
            if let Some(News::Event(Event::Moved { mv, .. })) = news {
                self.game.play(mv).expect("a legal move");
            }
        }
    }

    /// A move is made here; how it was told is forgotten, so the board is given the game.
    pub(super) fn play_and_forget(&mut self, text: &str) {
        let ply = self.game.moves().len() as u16;
        let mv: Move = text.parse().expect("a move");
        self.game.play(mv).expect("a legal one");
        self.conversation.say(Event::Moved { ply, mv, thought_ms: 0 }).expect("there is room");
        self.conversation.condense();
    }
}

/// The next frame of the board.
fn next(mind: &mut Mind<Box<Brain>>, now: Instant) -> Option<Vec<u8>> {
    let mut frame = [0; MAX_FRAME];
    let len = mind.transmit(&mut frame, now).expect("all is well")?;
    Some(frame[..len].to_vec())
}
