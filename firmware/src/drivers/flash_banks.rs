//! The two banks of the journal in NOR flash.
//!
//! Each bank is one or more sectors of the chip's flash, the second directly after the first. Writes and erasures are
//! verified by reading: a worn-out cell is detected while the game is still stored elsewhere.

use board::journal::{Bank, Banks, MIN_BANK, Unreadable};
use embedded_storage::nor_flash::NorFlash;
use wire::journal::ALIGN;

use crate::hal::{Flash, FlashWriteError};

/// The journal's banks in a NOR flash.
pub struct FlashBanks<F> {
    flash: F,
    /// Offset of the first bank in the flash, in bytes.
    start: u32,
    bank_len: u32,
}

impl<F: NorFlash> FlashBanks<F> {
    /// Two banks of `bank_len` bytes from offset `start`. Both must be multiples of the sector size.
    ///
    /// # Panics
    ///
    /// If a bank has fewer than [`MIN_BANK`] bytes, or if the banks exceed the flash.
    pub fn new(flash: F, start: u32, bank_len: u32) -> Self {
        const {
            assert!(ALIGN.is_multiple_of(F::WRITE_SIZE), "the journal writes in smaller pieces than this flash can");
            assert!(ALIGN.is_multiple_of(F::READ_SIZE), "the journal reads in smaller pieces than this flash can");
        };
        assert!(bank_len as usize >= MIN_BANK, "a bank is too small for the longest game");
        assert!((start + 2 * bank_len) as usize <= flash.capacity(), "the banks exceed the flash");
        Self { flash, start, bank_len }
    }

    /// The flash offset of a byte of a bank.
    fn address(&self, bank: Bank, offset: usize) -> u32 {
        let before = match bank {
            Bank::A => 0,
            Bank::B => self.bank_len,
        };
        self.start + before + offset as u32
    }

    /// Whether the flash contains these pieces from an address on.
    fn contains<'a>(&mut self, address: u32, pieces: impl Iterator<Item = &'a [u8]>) -> bool {
        let mut buffer = [0; PIECE];
        let mut address = address;
        for piece in pieces {
            let read = &mut buffer[..piece.len()];
            if self.flash.read(address, read).is_err() || read != piece {
                return false;
            }
            address += piece.len() as u32;
        }
        true
    }
}

/// Bytes that are verified at a time.
const PIECE: usize = 16 * ALIGN;
const ERASED: [u8; PIECE] = [0xff; PIECE];

impl<F: NorFlash> Banks for FlashBanks<F> {
    fn bank_len(&self) -> usize {
        self.bank_len as usize
    }

    fn read(&mut self, bank: Bank, offset: usize, buffer: &mut [u8]) -> Result<(), Unreadable> {
        self.flash.read(self.address(bank, offset), buffer).map_err(|_| Unreadable)
    }
}

impl<F: NorFlash> Flash for FlashBanks<F> {
    fn erase(&mut self, bank: Bank) -> Result<(), FlashWriteError> {
        let start = self.address(bank, 0);
        self.flash.erase(start, start + self.bank_len).map_err(|_| FlashWriteError)?;
        let pieces = self.bank_len as usize / PIECE;
        if self.contains(start, (0..pieces).map(|_| &ERASED[..])) { Ok(()) } else { Err(FlashWriteError) }
    }

    fn write(&mut self, bank: Bank, offset: usize, bytes: &[u8]) -> Result<(), FlashWriteError> {
        let address = self.address(bank, offset);
        self.flash.write(address, bytes).map_err(|_| FlashWriteError)?;
        if self.contains(address, bytes.chunks(PIECE)) { Ok(()) } else { Err(FlashWriteError) }
    }
}

#[cfg(test)]
mod tests {
    use embedded_storage::nor_flash::{ErrorType, NorFlashError, NorFlashErrorKind, ReadNorFlash};

    use super::*;

    const SECTOR: usize = 64 * 1024;
    /// Bytes before the banks, like the program in the flash of a chip.
    const BEFORE: usize = SECTOR;

    /// A model of NOR flash: writing clears bits, erasing sets all bits of a sector.
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
    fn writes_go_to_the_right_bank_and_nowhere_else() {
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
    fn erasing_a_bank_leaves_the_other_unchanged() {
        let mut banks = banks(None);
        banks.erase(Bank::B).expect("flash can be erased");
        assert!(banks.flash.bytes[..BEFORE + SECTOR].iter().all(|&byte| byte == 0x5a));
        assert!(banks.flash.bytes[BEFORE + SECTOR..].iter().all(|&byte| byte == 0xff));
    }

    #[test]
    fn a_worn_out_cell_is_an_error() {
        // The very last byte of the first bank.
        let mut banks = banks(Some(BEFORE + SECTOR - 1));
        assert_eq!(banks.erase(Bank::A), Err(FlashWriteError));
        assert_eq!(banks.write(Bank::A, SECTOR - 32, &[0xff; 32]), Err(FlashWriteError));
        assert_eq!(banks.erase(Bank::B), Ok(()));
        assert_eq!(banks.write(Bank::B, 0, &[1; 16]), Ok(()));
    }

    #[test]
    fn writing_without_erasing_is_an_error() {
        let mut banks = banks(None);
        banks.erase(Bank::A).expect("flash can be erased");
        assert_eq!(banks.write(Bank::A, 16, &[0x0f; 16]), Ok(()));
        assert_eq!(banks.write(Bank::A, 16, &[0xf0; 16]), Err(FlashWriteError));
    }

    #[test]
    fn rejects_accesses_out_of_bounds() {
        let mut banks = banks(None);
        assert_eq!(banks.read(Bank::B, SECTOR - 16, &mut [0; 32]), Err(Unreadable));
        assert_eq!(banks.write(Bank::B, SECTOR - 16, &[0; 32]), Err(FlashWriteError));
    }
}
