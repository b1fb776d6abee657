//! What survives a power cut.

use core::hint::black_box;

use board::Settings;
use board::journal::{Bank, Banks, Condition, Holdings, Journal, Unreadable, Values};
use board::session::{Conversation, End, Memory};
use chess::Game;

use crate::brain::{clocks, table};
use crate::image::show;

/// Banks with anything in them.
struct Anything;

impl Banks for Anything {
    fn bank_len(&self) -> usize {
        black_box(65_536)
    }

    fn read(&mut self, bank: Bank, offset: usize, buffer: &mut [u8]) -> Result<(), Unreadable> {
        black_box((bank, offset, buffer));
        black_box(Ok(()))
    }
}

pub(crate) fn run() {
    let mut game = black_box(Game::new());
    let (mut journal, recovered) = Journal::recover(&mut Anything, &mut game);
    let journal = black_box(&mut journal);
    black_box((recovered.table(&game), recovered.condition == Condition::Whole));
    let memory = recovered.memory.unwrap_or(Memory::blank(black_box(1)));
    let conversation: Conversation<256> = Conversation::new(End::Board, "", &memory, recovered.events(&mut Anything));

    let mut values = Values::new();
    if let Err(error) = values.set(black_box(1), black_box(&[1])) {
        show(error);
    }
    black_box(values.get(black_box(1)));

    let settings = black_box(Settings::default());
    let clocks = black_box(true).then(clocks);
    let now = Holdings {
        game: &game,
        table: table(),
        clocks,
        settings: &settings,
        values: &values,
        conversation: black_box(&conversation),
    };
    black_box(journal.poll(&now, black_box(true)));
    journal.done();
    black_box(journal.poll(&now, black_box(true)));
    journal.failed();
    black_box((journal.memory(), journal.has(&now)));
    show(Unreadable);
}
