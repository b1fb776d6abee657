use core::error::Error;
use core::fmt;

/// One of the two places where a journal can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bank {
    /// The first.
    A,
    /// The second.
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

/// What has to be done to a bank. Each must be finished before the next one is begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action<'a> {
    /// Make all of it `ff`. That may take seconds, and may stop everything else for as long.
    Erase(Bank),
    /// Write these bytes, from the first to the last, where nothing has been written since the last erasure.
    Write {
        /// Where.
        bank: Bank,
        /// How many bytes of the bank come before them: a multiple of [`ALIGN`](wire::journal::ALIGN).
        offset: usize,
        /// So many that it is a multiple of [`ALIGN`](wire::journal::ALIGN), and at most
        /// [`MAX_FRAME`](wire::journal::MAX_FRAME).
        bytes: &'a [u8],
    },
}

/// The two banks, to be read.
pub trait Banks {
    /// How many bytes each of them has: a multiple of [`ALIGN`](wire::journal::ALIGN), and at least
    /// [`MIN_BANK`](super::MIN_BANK) so that the longest game has room.
    fn bank_len(&self) -> usize;

    /// Reads as many bytes as the buffer has, from this offset on. They are all within the bank.
    fn read(&mut self, bank: Bank, offset: usize, buffer: &mut [u8]) -> Result<(), Unreadable>;
}

/// Bytes of a bank cannot be read. They are taken for damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the journal cannot be read here")
    }
}

impl Error for Unreadable {}
