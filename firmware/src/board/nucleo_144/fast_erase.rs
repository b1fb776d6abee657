//! The flash of the chip, erased with 32-bit parallelism, which takes half the time of the 8 bits that embassy-stm32 0.6.0 leaves.

use embassy_stm32::flash::{self, Blocking};
use embassy_stm32::pac::FLASH;
use embassy_stm32::pac::flash::vals::Psize;
use embedded_storage::nor_flash::{ErrorType, NorFlash, ReadNorFlash};

/// Keys that unlock the control register, in this order.
const KEYS: [u32; 2] = [0x4567_0123, 0xcdef_89ab];

/// The flash with fast erasures. The supply must be at least 2.7 V, which it is on a Nucleo.
pub(crate) struct FastErase(pub(super) flash::Flash<'static, Blocking>);

impl ErrorType for FastErase {
    type Error = flash::Error;
}

impl ReadNorFlash for FastErase {
    const READ_SIZE: usize = <flash::Flash<'static, Blocking> as ReadNorFlash>::READ_SIZE;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), flash::Error> {
        self.0.blocking_read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        ReadNorFlash::capacity(&self.0)
    }
}

impl NorFlash for FastErase {
    const WRITE_SIZE: usize = <flash::Flash<'static, Blocking> as NorFlash>::WRITE_SIZE;
    const ERASE_SIZE: usize = <flash::Flash<'static, Blocking> as NorFlash>::ERASE_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), flash::Error> {
        // The driver resets the parallelism after every write, and unlocks the register only if it is locked.
        if FLASH.cr().read().lock() {
            for key in KEYS {
                FLASH.keyr().write_value(key);
            }
        }
        FLASH.cr().modify(|w| w.set_psize(Psize::PSIZE32));
        self.0.blocking_erase(from, to)
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), flash::Error> {
        self.0.blocking_write(offset, bytes)
    }
}
