use super::VERSION;
use super::check::Check;

/// How many bytes the head of a bank takes. They are written at once.
pub const HEAD_LEN: usize = 16;

const NAME: [u8; 4] = *b"tabj";
const VERSION_AT: usize = 4;
const SEQUENCE_AT: usize = 8;
const CHECK_AT: usize = 12;

/// The first bytes of a bank. They are written when the bank has been erased, and prove that it has been: an erasure that
/// was cut off may leave a bank that looks erased, here and there or altogether, and must be done again. A chip erases all
/// of a bank at once, so nothing of it can be erased while the head is still whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Greater than that of any bank before, so of two banks the one with the greater number is the newer. It counts the
    /// erasures of both.
    pub sequence: u32,
}

impl Head {
    /// Its bytes, and what the check of the first frame begins with.
    #[must_use]
    pub fn write(self) -> ([u8; HEAD_LEN], Check) {
        let mut bytes = [0; HEAD_LEN];
        put(&mut bytes, 0, NAME);
        put(&mut bytes, VERSION_AT, [VERSION]);
        put(&mut bytes, SEQUENCE_AT, self.sequence.to_le_bytes());
        let check = Check::first(bytes.get(..CHECK_AT).unwrap_or_default());
        put(&mut bytes, CHECK_AT, check.to_bytes());
        (bytes, check)
    }

    /// Reads it, with what the check of the first frame begins with. Whatever is not exactly what [`Head::write`] writes is
    /// none, also a head of another version.
    #[must_use]
    pub fn read(bytes: &[u8; HEAD_LEN]) -> Option<(Self, Check)> {
        let sequence = bytes.get(SEQUENCE_AT..).and_then(<[u8]>::first_chunk).copied()?;
        let head = Self { sequence: u32::from_le_bytes(sequence) };
        let (expected, check) = head.write();
        (*bytes == expected).then_some((head, check))
    }
}

/// Writes some bytes from this offset on. All offsets here leave room.
fn put<const N: usize>(bytes: &mut [u8; HEAD_LEN], offset: usize, part: [u8; N]) {
    if let Some(target) = bytes.get_mut(offset..).and_then(<[u8]>::first_chunk_mut) {
        *target = part;
    }
}
