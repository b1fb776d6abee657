//! Why the board went down, kept over the reset in memory that nobody clears.

use core::fmt::{self, Write as _};

use crc::{CRC_32_ISCSI, Crc};
use heapless::String;

/// How much of a reason is kept.
pub const LAST_WORDS_BYTES: usize = 160;

const CHECK: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);

/// What is in that memory. After power-up it is anything, so any bytes are a value of it, and it counts only if its check
/// does.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct LastWords {
    len: u32,
    check: u32,
    text: [u8; LAST_WORDS_BYTES],
}

impl LastWords {
    /// Nothing was said.
    pub const NONE: Self = Self { len: 0, check: 0, text: [0; LAST_WORDS_BYTES] };

    /// Writes down why the board goes down, as far as there is room.
    pub fn say(&mut self, reason: fmt::Arguments<'_>) {
        let mut words = Clipped { text: &mut self.text, len: 0 };
        // It never fails: what does not fit is left out.
        let _ = words.write_fmt(reason);
        self.len = words.len as u32;
        self.check = self.sum();
    }

    /// What was said, if anything was; it is forgotten with that.
    pub fn take(&mut self) -> Option<String<LAST_WORDS_BYTES>> {
        let said = self.said();
        *self = Self::NONE;
        said
    }

    fn said(&self) -> Option<String<LAST_WORDS_BYTES>> {
        let text = self.text.get(..self.len as usize).filter(|text| !text.is_empty() && self.check == self.sum())?;
        String::try_from(str::from_utf8(text).ok()?).ok()
    }

    /// The length is summed up as well, so that zeros are no words.
    fn sum(&self) -> u32 {
        let mut digest = CHECK.digest();
        digest.update(&self.len.to_le_bytes());
        digest.update(&self.text);
        digest.finalize()
    }
}

/// Text that ends where its room does, and breaks no line.
struct Clipped<'a> {
    text: &'a mut [u8; LAST_WORDS_BYTES],
    len: usize,
}

impl fmt::Write for Clipped<'_> {
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
    fn words_are_kept_once() {
        let mut kept = LastWords::NONE;
        kept.say(format_args!("panicked at {}:\nout of {}", "a.rs:1", "tea"));
        assert_eq!(kept.take().as_deref(), Some("panicked at a.rs:1: out of tea"));
        assert_eq!(kept.take(), None);
    }

    #[test]
    fn what_is_in_memory_at_power_up_is_no_words() {
        for byte in [0, 0x20, 0x5a, 0xff] {
            let mut kept = LastWords { len: u32::from_le_bytes([byte; 4]), check: 0, text: [byte; LAST_WORDS_BYTES] };
            assert_eq!(kept.take(), None);
        }
        let mut kept = LastWords::NONE;
        kept.say(format_args!("words"));
        kept.text[1] ^= 1;
        assert_eq!(kept.take(), None);
    }

    #[test]
    fn long_words_end_at_a_whole_character() {
        let mut kept = LastWords::NONE;
        kept.say(format_args!("x{}", "ü".repeat(200)));
        assert_eq!(kept.take().map(|words| words.len()), Some(LAST_WORDS_BYTES - 1));
    }
}
