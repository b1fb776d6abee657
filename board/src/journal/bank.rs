use core::error::Error;
use core::fmt;

/// One of the two banks of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bank {
    /// First bank.
    A,
    /// Second bank.
    B,
}

impl Bank {
    pub(super) const BOTH: [Self; 2] = [Self::A, Self::B];

    pub(super) const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// A flash operation. Each must be finished before the next one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action<'a> {
    /// Erase the whole bank to `ff`. This may take seconds and may stop the processor.
    Erase(Bank),
    /// Write bytes in ascending order to a part of the bank that is erased.
    Write {
        /// Target bank.
        bank: Bank,
        /// Offset in the bank, a multiple of [`ALIGN`](wire::journal::ALIGN).
        offset: usize,
        /// The length is a multiple of [`ALIGN`](wire::journal::ALIGN) and at most
        /// [`MAX_FRAME`](wire::journal::MAX_FRAME).
        bytes: &'a [u8],
    },
}

/// Read access to both banks.
pub trait Banks {
    /// Length of each bank in bytes: a multiple of [`ALIGN`](wire::journal::ALIGN), and at least
    /// [`MIN_BANK`](super::MIN_BANK) to hold the longest game.
    fn bank_len(&self) -> usize;

    /// Fills the buffer from this offset on. The range is always within the bank.
    fn read(&mut self, bank: Bank, offset: usize, buffer: &mut [u8]) -> Result<(), Unreadable>;
}

/// Reading a bank failed. The journal treats the bytes as damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("reading the journal bank failed")
    }
}

impl Error for Unreadable {}
