//! The two banks of the journal, in flash.
//!
//! Each bank is one sector or more of the chip's own flash, the second right behind the first. What is written is read back
//! at once, and so is what was erased: a cell that is worn out is noticed while the game is still somewhere else.

use board::journal::{Bank, Banks, MIN_BANK, Unreadable};
use embedded_storage::nor_flash::NorFlash;
use wire::journal::ALIGN;

use crate::parts::{Unwritable, Vault};

/// Two banks of flash.
pub struct FlashBanks<F> {
    flash: F,
    /// How many bytes of the flash come before the first bank.
    start: u32,
    bank_len: u32,
}

impl<F: NorFlash> FlashBanks<F> {
    /// In this flash, so many bytes behind its beginning. Both numbers must be where a sector begins.
    ///
    /// # Panics
    ///
    /// If a bank has fewer than [`MIN_BANK`] bytes, or if the two are not within the flash.
    pub fn new(flash: F, start: u32, bank_len: u32) -> Self {
        const {
            assert!(ALIGN.is_multiple_of(F::WRITE_SIZE), "the journal writes in smaller pieces than this flash can");
            assert!(ALIGN.is_multiple_of(F::READ_SIZE), "the journal reads in smaller pieces than this flash can");
        };
        assert!(bank_len as usize >= MIN_BANK, "a bank has room for the longest game");
        assert!((start + 2 * bank_len) as usize <= flash.capacity(), "both banks are within the flash");
        Self { flash, start, bank_len }
    }

    /// Where a byte of a bank is in the flash.
    fn place(&self, bank: Bank, offset: usize) -> u32 {
        let before = match bank {
            Bank::A => 0,
            Bank::B => self.bank_len,
        };
        self.start + before + offset as u32
    }

    /// Whether the flash holds these pieces, from this place on.
    fn holds<'a>(&mut self, place: u32, pieces: impl Iterator<Item = &'a [u8]>) -> bool {
        let mut buffer = [0; PIECE];
        let mut place = place;
        for piece in pieces {
            let read = &mut buffer[..piece.len()];
            if self.flash.read(place, read).is_err() || read != piece {
                return false;
            }
            place += piece.len() as u32;
        }
        true
    }
}

/// So many bytes are read back at a time.
const PIECE: usize = 16 * ALIGN;
const ERASED: [u8; PIECE] = [0xff; PIECE];

impl<F: NorFlash> Banks for FlashBanks<F> {
    fn bank_len(&self) -> usize {
        self.bank_len as usize
    }

    fn read(&mut self, bank: Bank, offset: usize, buffer: &mut [u8]) -> Result<(), Unreadable> {
        self.flash.read(self.place(bank, offset), buffer).map_err(|_| Unreadable)
    }
}

impl<F: NorFlash> Vault for FlashBanks<F> {
    fn erase(&mut self, bank: Bank) -> Result<(), Unwritable> {
        let start = self.place(bank, 0);
        self.flash.erase(start, start + self.bank_len).map_err(|_| Unwritable)?;
        let pieces = self.bank_len as usize / PIECE;
        if self.holds(start, (0..pieces).map(|_| &ERASED[..])) { Ok(()) } else { Err(Unwritable) }
    }

    fn write(&mut self, bank: Bank, offset: usize, bytes: &[u8]) -> Result<(), Unwritable> {
        let place = self.place(bank, offset);
        self.flash.write(place, bytes).map_err(|_| Unwritable)?;
        if self.holds(place, bytes.chunks(PIECE)) { Ok(()) } else { Err(Unwritable) }
    }
}

#[cfg(test)]
mod tests {
    use embedded_storage::nor_flash::{ErrorType, NorFlashError, NorFlashErrorKind, ReadNorFlash};

    use super::*;

    const SECTOR: usize = 64 * 1024;
    /// What comes before the banks, as the program does in the flash of a chip.
    const BEFORE: usize = SECTOR;

    /// Flash as it is: writing makes ones into zeros, erasing makes a whole sector of ones.
    struct FakeFlash {
        bytes: Vec<u8>,
        /// The lowest bit of the byte here is always 0.
        worn_out: Option<usize>,
    }

    #[derive(Debug)]
    struct Refused;

    impl NorFlashError for Refused {
        fn kind(&self) -> NorFlashErrorKind {
            NorFlashErrorKind::Other
        }
    }

    impl ErrorType for FakeFlash {
        type Error = Refused;
    }

    impl ReadNorFlash for FakeFlash {
        const READ_SIZE: usize = 1;

        fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Refused> {
            let stored = self.bytes.get(offset as usize..).and_then(|rest| rest.get(..bytes.len())).ok_or(Refused)?;
            bytes.copy_from_slice(stored);
            Ok(())
        }

        fn capacity(&self) -> usize {
            self.bytes.len()
        }
    }

    impl NorFlash for FakeFlash {
        const WRITE_SIZE: usize = 16;
        const ERASE_SIZE: usize = SECTOR;

        fn erase(&mut self, from: u32, to: u32) -> Result<(), Refused> {
            if !(from as usize).is_multiple_of(SECTOR) || !(to as usize).is_multiple_of(SECTOR) {
                return Err(Refused);
            }
            self.bytes.get_mut(from as usize..to as usize).ok_or(Refused)?.fill(0xff);
            self.wear();
            Ok(())
        }

        fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Refused> {
            if !offset.is_multiple_of(16) || !bytes.len().is_multiple_of(16) {
                return Err(Refused);
            }
            let stored =
                self.bytes.get_mut(offset as usize..).and_then(|rest| rest.get_mut(..bytes.len())).ok_or(Refused)?;
            for (stored, byte) in stored.iter_mut().zip(bytes) {
                *stored &= byte;
            }
            self.wear();
            Ok(())
        }
    }

    impl FakeFlash {
        fn wear(&mut self) {
            if let Some(worn_out) = self.worn_out {
                self.bytes[worn_out] &= 0xfe;
            }
        }
    }

    fn banks(worn_out: Option<usize>) -> FlashBanks<FakeFlash> {
        let flash = FakeFlash { bytes: vec![0x5a; BEFORE + 2 * SECTOR], worn_out };
        FlashBanks::new(flash, BEFORE as u32, SECTOR as u32)
    }

    #[test]
    fn what_is_written_is_where_it_is_read_and_nowhere_else() {
        let mut banks = banks(None);
        assert_eq!(banks.bank_len(), SECTOR);
        for (bank, byte) in [(Bank::A, 0xaa), (Bank::B, 0xbb)] {
            banks.erase(bank).expect("flash can be erased");
            for offset in [0, 512, SECTOR - 512] {
                banks.write(bank, offset, &[byte; 512]).expect("what is erased can be written");
            }
        }
        for (bank, byte) in [(Bank::A, 0xaa), (Bank::B, 0xbb)] {
            let mut read = [0; 512];
            for (offset, expected) in [(0, byte), (512, byte), (1024, 0xff), (SECTOR - 512, byte)] {
                banks.read(bank, offset, &mut read).expect("a bank can be read");
                assert_eq!(read, [expected; 512]);
            }
        }
        assert!(banks.flash.bytes[..BEFORE].iter().all(|&byte| byte == 0x5a), "the program was touched");
    }

    #[test]
    fn a_bank_is_erased_without_the_other() {
        let mut banks = banks(None);
        banks.erase(Bank::B).expect("flash can be erased");
        assert!(banks.flash.bytes[..BEFORE + SECTOR].iter().all(|&byte| byte == 0x5a));
        assert!(banks.flash.bytes[BEFORE + SECTOR..].iter().all(|&byte| byte == 0xff));
    }

    #[test]
    fn a_cell_that_is_worn_out_is_noticed() {
        // The very last byte of the first bank.
        let mut banks = banks(Some(BEFORE + SECTOR - 1));
        assert_eq!(banks.erase(Bank::A), Err(Unwritable));
        assert_eq!(banks.write(Bank::A, SECTOR - 32, &[0xff; 32]), Err(Unwritable));
        assert_eq!(banks.erase(Bank::B), Ok(()));
        assert_eq!(banks.write(Bank::B, 0, &[1; 16]), Ok(()));
    }

    #[test]
    fn what_is_written_twice_is_noticed() {
        let mut banks = banks(None);
        banks.erase(Bank::A).expect("flash can be erased");
        assert_eq!(banks.write(Bank::A, 16, &[0x0f; 16]), Ok(()));
        assert_eq!(banks.write(Bank::A, 16, &[0xf0; 16]), Err(Unwritable));
    }

    #[test]
    fn what_is_out_of_bounds_is_refused() {
        let mut banks = banks(None);
        assert_eq!(banks.read(Bank::B, SECTOR - 16, &mut [0; 32]), Err(Unreadable));
        assert_eq!(banks.write(Bank::B, SECTOR - 16, &[0; 32]), Err(Unwritable));
    }
}
