//! Reads a bank frame by frame, and finds the end of its valid part.

use wire::journal::{BankHeader, Checksum, FrameRead, HEADER_LEN, MAX_FRAME, RecordFrame, is_blank};

use super::bank::{Bank, Banks};

/// An offset in a bank, with the checksum that the frame at this offset is chained to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    pub(super) offset: usize,
    pub(super) checksum: Checksum,
}

/// Reads the frames of a bank in order.
pub(super) struct FrameReader<'b, B> {
    banks: &'b mut B,
    bank: Bank,
    cursor: Cursor,
    buffer: [u8; MAX_FRAME],
}

impl<'b, B: Banks> FrameReader<'b, B> {
    pub(super) const fn new(banks: &'b mut B, bank: Bank, cursor: Cursor) -> Self {
        Self { banks, bank, cursor, buffer: [0; MAX_FRAME] }
    }

    pub(super) const fn cursor(&self) -> Cursor {
        self.cursor
    }

    pub(super) const fn seek(&mut self, cursor: Cursor) {
        self.cursor = cursor;
    }

    /// Reads the next frame. The cursor advances only past a valid frame. A read error counts as a torn frame.
    pub(super) fn next(&mut self) -> FrameRead<'_> {
        let rest = self.banks.bank_len().saturating_sub(self.cursor.offset);
        let len = rest.min(MAX_FRAME);
        let bytes = self.buffer.get_mut(..len).unwrap_or_default();
        if self.banks.read(self.bank, self.cursor.offset, bytes).is_err() {
            return FrameRead::Torn;
        }
        let result = RecordFrame::read(bytes, self.cursor.checksum);
        if let FrameRead::Frame(frame) = result {
            self.cursor = Cursor { offset: self.cursor.offset.saturating_add(frame.len), checksum: frame.checksum };
        }
        result
    }

    /// Whether the bank is erased from the cursor to its end.
    fn rest_is_blank(&mut self) -> bool {
        let end = self.banks.bank_len();
        let mut offset = self.cursor.offset;
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

/// The result of scanning a bank with a valid header. A bank without one has no content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BankScan {
    pub(super) bank: Bank,
    pub(super) sequence: u32,
    /// After the header.
    pub(super) first: Cursor,
    /// After the last complete batch.
    pub(super) end: Cursor,
    /// Number of complete batches.
    pub(super) batches: u32,
    /// Whether the rest of the bank is erased, so that more frames can be appended.
    pub(super) clean: bool,
}

impl BankScan {
    pub(super) fn of(banks: &mut impl Banks, bank: Bank) -> Option<Self> {
        let mut bytes = [0; HEADER_LEN];
        if banks.bank_len() < HEADER_LEN {
            return None;
        }
        banks.read(bank, 0, &mut bytes).ok()?;
        let (BankHeader { sequence }, checksum) = BankHeader::read(&bytes)?;
        let first = Cursor { offset: HEADER_LEN, checksum };
        let mut scan = Self { bank, sequence, first, end: first, batches: 0, clean: false };
        scan.read_batches(&mut FrameReader::new(banks, bank, first));
        Some(scan)
    }

    /// Finds the last batch that is complete and readable.
    fn read_batches<B: Banks>(&mut self, frames: &mut FrameReader<'_, B>) {
        loop {
            match frames.next() {
                FrameRead::Frame(frame) => {
                    // A record of a later version may change the meaning of the records after it, so the log ends here.
                    if frame.records().any(|record| record.is_err()) {
                        return;
                    }
                    if frame.last {
                        self.end = frames.cursor();
                        self.batches = self.batches.saturating_add(1);
                    }
                }
                FrameRead::Blank => {
                    self.clean = frames.cursor() == self.end && frames.rest_is_blank();
                    return;
                }
                FrameRead::Torn => return,
            }
        }
    }
}
