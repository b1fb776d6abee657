//! The journal.

use core::hint::black_box;

use board::Settings;
use board::journal::{Bank, Banks, Condition, Journal, PersistentState, Unreadable, Values};
use board::session::{End, Session};
use rules::Play;
use wire::journal::SessionMemory;

use crate::image::show;
use crate::surface::{clocks, info};

/// Banks with contents that the optimiser does not know.
pub(crate) struct Anything;

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
    let mut play = black_box(Play::new());
    let (mut journal, recovered) = Journal::recover(&mut Anything, &mut play);
    let journal = black_box(&mut journal);
    black_box((recovered.info, recovered.condition == Condition::Whole));
    let memory = recovered.memory.unwrap_or(SessionMemory::new(black_box(1)));
    let session: Session<256> = Session::new(End::Board, "", &memory, recovered.events(&mut Anything));

    let mut values = Values::new();
    if let Err(error) = values.set(black_box(1), black_box(&[1])) {
        show(error);
    }
    black_box(values.get(black_box(1)));

    let settings = black_box(Settings::default());
    let clocks = black_box(true).then(clocks);
    let now = PersistentState {
        play: &play,
        info: info(),
        clocks,
        settings: &settings,
        values: &values,
        session: black_box(&session),
    };
    black_box(journal.poll(&now, black_box(true)));
    journal.done();
    black_box(journal.poll(&now, black_box(true)));
    journal.failed();
    black_box((journal.memory(), journal.has(&now)));
    show(Unreadable);
}
