use wire::journal::{Check, Found, Frame, MAX_FRAME, is_blank};

use super::bank::{Bank, Banks};

/// A place in a bank, with what everything before it amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) offset: usize,
    pub(super) check: Check,
}

/// Goes through a bank, frame by frame.
pub(super) struct Walk<'b, B> {
    banks: &'b mut B,
    bank: Bank,
    place: Place,
    buffer: [u8; MAX_FRAME],
}

impl<'b, B: Banks> Walk<'b, B> {
    /// Begins at this place.
    pub(super) const fn new(banks: &'b mut B, bank: Bank, place: Place) -> Self {
        Self { banks, bank, place, buffer: [0; MAX_FRAME] }
    }

    /// How far it has come.
    pub(super) const fn place(&self) -> Place {
        self.place
    }

    /// Goes to another place.
    pub(super) const fn go_to(&mut self, place: Place) {
        self.place = place;
    }

    /// What comes next. It goes on behind a frame, and stays in front of anything else.
    pub(super) fn step(&mut self) -> Found<'_> {
        let rest = self.banks.bank_len().saturating_sub(self.place.offset);
        let len = rest.min(MAX_FRAME);
        let bytes = self.buffer.get_mut(..len).unwrap_or_default();
        if self.banks.read(self.bank, self.place.offset, bytes).is_err() {
            return Found::Torn;
        }
        let found = Frame::read(bytes, self.place.check);
        if let Found::Frame(frame) = found {
            self.place = Place { offset: self.place.offset.saturating_add(frame.len), check: frame.check };
        }
        found
    }

    /// Whether there is nothing from here to the end of the bank.
    pub(super) fn is_blank(&mut self) -> bool {
        let end = self.banks.bank_len();
        let mut offset = self.place.offset;
        while offset < end {
            let len = end.saturating_sub(offset).min(MAX_FRAME);
            let bytes = self.buffer.get_mut(..len).unwrap_or_default();
            if self.banks.read(self.bank, offset, bytes).is_err() || !is_blank(bytes) {
                return false;
            }
            offset = offset.saturating_add(len);
        }
        true
    }
}
