//! The reason of a panic or fault, kept over the reset in uninitialised RAM.

use core::fmt::{self, Write as _};

use crc::{CRC_32_ISCSI, Crc};
use heapless::String;

/// Bytes of the reason that are kept.
pub const PANIC_RECORD_BYTES: usize = 160;

const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);

/// The content of that RAM. After power-up it is random, so every bit pattern is a valid value, and a CRC shows whether it
/// holds a reason.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct PanicRecord {
    len: u32,
    crc: u32,
    text: [u8; PANIC_RECORD_BYTES],
}

impl PanicRecord {
    /// No reason.
    pub const NONE: Self = Self { len: 0, crc: 0, text: [0; PANIC_RECORD_BYTES] };

    /// Stores a reason, truncated to [`PANIC_RECORD_BYTES`].
    pub fn store(&mut self, reason: fmt::Arguments<'_>) {
        let mut text = Truncated { text: &mut self.text, len: 0 };
        // It never fails: text that does not fit is dropped.
        let _ = text.write_fmt(reason);
        self.len = text.len as u32;
        self.crc = self.checksum();
    }

    /// Returns the stored reason, if there is one, and clears it.
    pub fn take(&mut self) -> Option<String<PANIC_RECORD_BYTES>> {
        let reason = self.reason();
        *self = Self::NONE;
        reason
    }

    fn reason(&self) -> Option<String<PANIC_RECORD_BYTES>> {
        let text = self.text.get(..self.len as usize).filter(|text| !text.is_empty() && self.crc == self.checksum())?;
        String::try_from(str::from_utf8(text).ok()?).ok()
    }

    /// Includes the length, so that RAM full of zeros is not a valid record.
    fn checksum(&self) -> u32 {
        let mut digest = CRC.digest();
        digest.update(&self.len.to_le_bytes());
        digest.update(&self.text);
        digest.finalize()
    }
}

/// A writer that truncates at the end of its buffer, and replaces control characters by spaces.
struct Truncated<'a> {
    text: &'a mut [u8; PANIC_RECORD_BYTES],
    len: usize,
}

impl fmt::Write for Truncated<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            let character = if character.is_control() { ' ' } else { character };
            let mut bytes = [0; 4];
            let bytes = character.encode_utf8(&mut bytes).as_bytes();
            let Some(target) = self.text.get_mut(self.len..self.len + bytes.len()) else { break };
            target.copy_from_slice(bytes);
            self.len += bytes.len();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_returned_once() {
        let mut record = PanicRecord::NONE;
        record.store(format_args!("panicked at {}:\nout of {}", "a.rs:1", "tea"));
        assert_eq!(record.take().as_deref(), Some("panicked at a.rs:1: out of tea"));
        assert_eq!(record.take(), None);
    }

    #[test]
    fn random_memory_is_not_a_reason() {
        for byte in [0, 0x20, 0x5a, 0xff] {
            let mut record =
                PanicRecord { len: u32::from_le_bytes([byte; 4]), crc: 0, text: [byte; PANIC_RECORD_BYTES] };
            assert_eq!(record.take(), None);
        }
        let mut record = PanicRecord::NONE;
        record.store(format_args!("words"));
        record.text[1] ^= 1;
        assert_eq!(record.take(), None);
    }

    #[test]
    fn a_long_reason_is_truncated_at_a_whole_character() {
        let mut record = PanicRecord::NONE;
        record.store(format_args!("x{}", "ü".repeat(200)));
        assert_eq!(record.take().map(|reason| reason.len()), Some(PANIC_RECORD_BYTES - 1));
    }
}
