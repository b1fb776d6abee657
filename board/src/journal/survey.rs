use wire::journal::{Found, HEAD_LEN, Head};

use super::bank::{Bank, Banks};
use super::walk::{Place, Walk};

/// What there is in a bank that was erased to the end and then given a head. Nothing else can be said of one that was
/// not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Survey {
    pub(super) bank: Bank,
    pub(super) sequence: u32,
    /// Behind the head.
    pub(super) first: Place,
    /// Behind the last batch that is complete.
    pub(super) end: Place,
    /// How many are complete.
    pub(super) batches: u32,
    /// Whether nothing comes behind them, so that more can be written there.
    pub(super) clean: bool,
}

impl Survey {
    pub(super) fn of(banks: &mut impl Banks, bank: Bank) -> Option<Self> {
        let mut bytes = [0; HEAD_LEN];
        if banks.bank_len() < HEAD_LEN {
            return None;
        }
        banks.read(bank, 0, &mut bytes).ok()?;
        let (Head { sequence }, check) = Head::read(&bytes)?;
        let first = Place { offset: HEAD_LEN, check };
        let mut survey = Self { bank, sequence, first, end: first, batches: 0, clean: false };
        survey.look(&mut Walk::new(banks, bank, first));
        Some(survey)
    }

    /// Finds the last batch that is complete and can be understood.
    fn look<B: Banks>(&mut self, walk: &mut Walk<'_, B>) {
        loop {
            match walk.step() {
                Found::Frame(frame) => {
                    // A record of a later version; nobody knows what it and those behind it mean together.
                    if frame.records().any(|record| record.is_err()) {
                        return;
                    }
                    if frame.last {
                        self.end = walk.place();
                        self.batches = self.batches.saturating_add(1);
                    }
                }
                Found::Blank => {
                    self.clean = walk.place() == self.end && walk.is_blank();
                    return;
                }
                Found::Torn => return,
            }
        }
    }
}
