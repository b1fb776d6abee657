use super::VERSION;
use super::checksum::Checksum;

/// Length of a bank header in bytes. It is written at once.
pub const HEADER_LEN: usize = 16;

const NAME: [u8; 4] = *b"tabj";
const VERSION_AT: usize = 4;
const SEQUENCE_AT: usize = 8;
const CHECK_AT: usize = 12;

/// The header of a bank. It is written after the erase and proves that the erase was complete: an interrupted erase may
/// leave a bank that reads as erased in part or as a whole, and must be repeated. A chip erases a bank as one unit, so no
/// part of a bank can be erased while its header is intact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankHeader {
    /// Greater than the sequence of any header before, so the bank with the greater number is the newer one. It counts
    /// the erases of both banks.
    pub sequence: u32,
}

impl BankHeader {
    /// Encodes the header, and returns the checksum that the first frame is chained to.
    #[must_use]
    pub fn write(self) -> ([u8; HEADER_LEN], Checksum) {
        let mut bytes = [0; HEADER_LEN];
        put(&mut bytes, 0, NAME);
        put(&mut bytes, VERSION_AT, [VERSION]);
        put(&mut bytes, SEQUENCE_AT, self.sequence.to_le_bytes());
        let check = Checksum::first(bytes.get(..CHECK_AT).unwrap_or_default());
        put(&mut bytes, CHECK_AT, check.to_bytes());
        (bytes, check)
    }

    /// Decodes a header, and returns it with the checksum that the first frame is chained to. `None` for all bytes that
    /// [`BankHeader::write`] does not write, including headers of other versions.
    #[must_use]
    pub fn read(bytes: &[u8; HEADER_LEN]) -> Option<(Self, Checksum)> {
        let sequence = bytes.get(SEQUENCE_AT..).and_then(<[u8]>::first_chunk).copied()?;
        let head = Self { sequence: u32::from_le_bytes(sequence) };
        let (expected, check) = head.write();
        (*bytes == expected).then_some((head, check))
    }
}

/// Writes bytes at an offset. All offsets in this file are in range.
fn put<const N: usize>(bytes: &mut [u8; HEADER_LEN], offset: usize, part: [u8; N]) {
    if let Some(target) = bytes.get_mut(offset..).and_then(<[u8]>::first_chunk_mut) {
        *target = part;
    }
}
