//! The journal's flash, emulated in a file of the host, or in PSRAM if no file is ordered.

use core::ffi::CStr;
use core::sync::atomic::{AtomicU32, Ordering};

use board::journal::{Bank, Banks, MIN_BANK, Unreadable};
use cortex_m::interrupt;
use defmt::{info, warn};
use embassy_time_driver::TICK_HZ;
use semihosting::fs::{File, OpenOptions};
use semihosting::io::{Read, Seek, SeekFrom, Write};

use super::options;
use super::registers::{FPGAIO_COUNTER, Psram};
use crate::fault;
use crate::hal::{Flash, FlashWriteError};

/// The minimum, so that the tests reach the end of a bank early.
const BANK_LEN: usize = MIN_BANK;

/// Bytes that are written and verified at a time.
const PIECE: usize = 256;
const ERASED: [u8; PIECE] = [0xff; PIECE];

/// Operations left until the simulated power cut: 1 is the next one, 0 is never.
static POWER_CUT_IN: AtomicU32 = AtomicU32::new(0);

/// Simulates a power cut in the middle of the write or erase with this number, counted from 1.
pub(super) fn cut_power_at(number: u32) {
    POWER_CUT_IN.store(number, Ordering::Relaxed);
}

/// Duration of the stall of an erase in milliseconds.
static ERASE_STALL_MS: AtomicU32 = AtomicU32::new(0);

/// Has every erase mask interrupts for this time, as on a chip that executes from the flash that it erases.
pub(super) fn stall_erases(milliseconds: u32) {
    ERASE_STALL_MS.store(milliseconds, Ordering::Relaxed);
}

fn stall() {
    let duration = ERASE_STALL_MS.load(Ordering::Relaxed) * (TICK_HZ as u32 / 1000);
    interrupt::free(|_| {
        let start = FPGAIO_COUNTER.read();
        while FPGAIO_COUNTER.read().wrapping_sub(start) < duration {}
    });
}

/// Counts one operation, and returns whether the power cut is due in it.
fn is_power_cut_due() -> bool {
    let left = POWER_CUT_IN.load(Ordering::Relaxed);
    POWER_CUT_IN.store(left.saturating_sub(1), Ordering::Relaxed);
    left == 1
}

fn cut_power() -> ! {
    fault::fail(format_args!("simulated power cut during a flash operation"))
}

pub(crate) enum EmulatedFlash {
    /// Both banks, one after the other.
    File(File),
    /// The same in memory that a reset does not clear.
    Memory(Psram),
}

impl EmulatedFlash {
    /// Opens the ordered file, and creates it if necessary.
    pub(super) fn open() -> Self {
        let Some(mut path) = options::value("journal") else { return Self::Memory(Psram::new()) };
        let opened = path.push('\0').ok().and_then(|()| {
            let path = CStr::from_bytes_until_nul(path.as_bytes()).ok()?;
            let existing = OpenOptions::new().read(true).write(true).open(path).ok();
            existing.or_else(|| OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path).ok())
        });
        let Some(file) = opened else {
            warn!("cannot open the journal file, using memory instead");
            return Self::Memory(Psram::new());
        };
        info!("journal in a file");
        let mut flash = Self::File(file);
        if !flash.is_complete() {
            // A new or truncated file: the missing part counts as erased.
            for bank in [Bank::A, Bank::B] {
                if flash.erase(bank).is_err() {
                    warn!("cannot write the journal file");
                }
            }
        }
        flash
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

    /// Writes bytes, and verifies them.
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

/// The position of a byte of a bank in the file or memory.
const fn place(bank: Bank, offset: usize) -> usize {
    match bank {
        Bank::A => offset,
        Bank::B => BANK_LEN + offset,
    }
}

impl Banks for EmulatedFlash {
    fn bank_len(&self) -> usize {
        BANK_LEN
    }

    fn read(&mut self, bank: Bank, offset: usize, buffer: &mut [u8]) -> Result<(), Unreadable> {
        self.read_at(place(bank, offset), buffer).ok_or(Unreadable)
    }
}

impl Flash for EmulatedFlash {
    fn erase(&mut self, bank: Bank) -> Result<(), FlashWriteError> {
        if is_power_cut_due() {
            let mut half = (0..BANK_LEN / 2).step_by(PIECE);
            half.try_for_each(|at| self.write_at(place(bank, at), &ERASED));
            cut_power();
        }
        stall();
        (0..BANK_LEN).step_by(PIECE).try_for_each(|at| self.write_at(place(bank, at), &ERASED)).ok_or(FlashWriteError)
    }

    fn write(&mut self, bank: Bank, offset: usize, bytes: &[u8]) -> Result<(), FlashWriteError> {
        if is_power_cut_due() {
            self.write_at(place(bank, offset), &bytes[..bytes.len() / 2]);
            cut_power();
        }
        let mut pieces = (offset..).step_by(PIECE).zip(bytes.chunks(PIECE));
        pieces.try_for_each(|(at, piece)| self.write_at(place(bank, at), piece)).ok_or(FlashWriteError)
    }
}
