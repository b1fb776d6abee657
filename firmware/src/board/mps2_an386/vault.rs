//! The journal, in a file of the host; or, if none is ordered, in memory that lasts as long as the emulator does.

use core::ffi::CStr;
use core::sync::atomic::{AtomicU32, Ordering};

use board::journal::{Bank, Banks, MIN_BANK, Unreadable};
use defmt::{info, warn};
use semihosting::fs::{File, OpenOptions};
use semihosting::io::{Read, Seek, SeekFrom, Write};

use super::orders;
use super::registers::Psram;
use crate::fault;
use crate::parts::{Unwritable, Vault};

/// Each bank is as small as it may be.
const BANK_LEN: usize = MIN_BANK;

/// So many bytes are read back at a time.
const PIECE: usize = 256;
const ERASED: [u8; PIECE] = [0xff; PIECE];

/// After so many more things that were written or erased, counted from one, the next one is cut off in the middle.
static TORN_IN: AtomicU32 = AtomicU32::new(0);

/// From now on, the given number of what is written or erased is cut off in the middle, and the board with it, as if
/// somebody had pulled the plug just then.
pub(super) fn tear(number: u32) {
    TORN_IN.store(number, Ordering::Relaxed);
}

/// Whether it is time for that.
fn is_torn() -> bool {
    let left = TORN_IN.load(Ordering::Relaxed);
    TORN_IN.store(left.saturating_sub(1), Ordering::Relaxed);
    left == 1
}

fn cut_off() -> ! {
    fault::end(format_args!("the journal was cut off, as ordered"))
}

pub(crate) enum EmulatedVault {
    /// Both banks, one behind the other.
    File(File),
    /// The same in memory that no reset clears.
    Memory(Psram),
}

impl EmulatedVault {
    /// Opens the file that was ordered, and makes it if it is not there.
    pub(super) fn open() -> Self {
        let Some(mut path) = orders::value("journal") else { return Self::Memory(Psram::new()) };
        let opened = path.push('\0').ok().and_then(|()| {
            let path = CStr::from_bytes_until_nul(path.as_bytes()).ok()?;
            let existing = OpenOptions::new().read(true).write(true).open(path).ok();
            existing.or_else(|| OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path).ok())
        });
        let Some(file) = opened else {
            warn!("the file for the journal cannot be opened");
            return Self::Memory(Psram::new());
        };
        info!("the journal is in a file");
        let mut vault = Self::File(file);
        if !vault.is_complete() {
            // A new one, or one that is cut off: what is not there counts as erased.
            for bank in [Bank::A, Bank::B] {
                if vault.erase(bank).is_err() {
                    warn!("the file for the journal cannot be written");
                }
            }
        }
        vault
    }

    fn is_complete(&mut self) -> bool {
        let Self::File(file) = self else { return true };
        file.metadata().is_ok_and(|metadata| metadata.len() >= 2 * BANK_LEN as u64)
    }

    fn read_at(&mut self, place: usize, buffer: &mut [u8]) -> Option<()> {
        match self {
            Self::File(file) => {
                file.seek(SeekFrom::Start(place as u64)).ok()?;
                file.read_exact(buffer).ok()
            }
            Self::Memory(memory) => {
                memory.read(place, buffer);
                Some(())
            }
        }
    }

    /// Writes bytes, and reads them back.
    fn write_at(&mut self, place: usize, bytes: &[u8]) -> Option<()> {
        match self {
            Self::File(file) => {
                file.seek(SeekFrom::Start(place as u64)).ok()?;
                file.write_all(bytes).ok()?;
            }
            Self::Memory(memory) => memory.write(place, bytes),
        }
        let mut read = [0; PIECE];
        let read = read.get_mut(..bytes.len())?;
        self.read_at(place, read)?;
        (read == bytes).then_some(())
    }
}

/// Where a byte of a bank is.
const fn place(bank: Bank, offset: usize) -> usize {
    match bank {
        Bank::A => offset,
        Bank::B => BANK_LEN + offset,
    }
}

impl Banks for EmulatedVault {
    fn bank_len(&self) -> usize {
        BANK_LEN
    }

    fn read(&mut self, bank: Bank, offset: usize, buffer: &mut [u8]) -> Result<(), Unreadable> {
        self.read_at(place(bank, offset), buffer).ok_or(Unreadable)
    }
}

impl Vault for EmulatedVault {
    fn erase(&mut self, bank: Bank) -> Result<(), Unwritable> {
        if is_torn() {
            let mut half = (0..BANK_LEN / 2).step_by(PIECE);
            half.try_for_each(|at| self.write_at(place(bank, at), &ERASED));
            cut_off();
        }
        (0..BANK_LEN).step_by(PIECE).try_for_each(|at| self.write_at(place(bank, at), &ERASED)).ok_or(Unwritable)
    }

    fn write(&mut self, bank: Bank, offset: usize, bytes: &[u8]) -> Result<(), Unwritable> {
        if is_torn() {
            self.write_at(place(bank, offset), &bytes[..bytes.len() / 2]);
            cut_off();
        }
        let mut pieces = (offset..).step_by(PIECE).zip(bytes.chunks(PIECE));
        pieces.try_for_each(|(at, piece)| self.write_at(place(bank, at), piece)).ok_or(Unwritable)
    }
}
