use crc::{CRC_32_ISCSI, Crc, Digest, Table};

/// CRC-32C. In up to 655 bytes, which is longer than any frame, it detects every change of up to five bits and every
/// burst of up to 32 bits. Any other change, including one of the length, goes undetected with a probability of 2^-32.
static CRC: Crc<u32, Table<1>> = Crc::<u32, Table<1>>::new(&CRC_32_ISCSI);

/// Chained checksum of a bank up to some offset: the checksum of a frame covers that of the frame before it, and so on
/// back to the bank header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum(u32);

impl Checksum {
    /// Length in bytes.
    pub(super) const LEN: usize = 4;

    pub(super) const fn from_bytes(bytes: [u8; Self::LEN]) -> Self {
        Self(u32::from_le_bytes(bytes))
    }

    pub(super) const fn to_bytes(self) -> [u8; Self::LEN] {
        self.0.to_le_bytes()
    }

    /// The first checksum of a bank, that of its header.
    pub(super) fn first(bytes: &[u8]) -> Self {
        let mut digest = CRC.digest();
        digest.update(bytes);
        Self::finish(digest)
    }

    /// The checksum of this checksum followed by `bytes`.
    pub(super) fn chain(self, bytes: &[u8]) -> Self {
        let mut digest = CRC.digest();
        digest.update(&self.to_bytes());
        digest.update(bytes);
        Self::finish(digest)
    }

    const fn finish(digest: Digest<'static, u32, Table<1>>) -> Self {
        Self(digest.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_crc_32c_of_the_document() {
        assert_eq!(Checksum::first(b"123456789"), Checksum(0xe306_9283));
        assert_eq!(Checksum(0x3433_3231).chain(b"56789"), Checksum(0xe306_9283));
    }
}
