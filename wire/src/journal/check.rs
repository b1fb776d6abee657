use crc::{CRC_32_ISCSI, Crc, Digest, Table};

/// CRC-32C. In up to 655 bytes, and no frame has as many, it finds every change of up to five bits and every change that
/// lies within 32 bits. Anything else, also a change of the length, passes for true once in four thousand million times.
static CRC: Crc<u32, Table<1>> = Crc::<u32, Table<1>>::new(&CRC_32_ISCSI);

/// What everything in a bank up to some place amounts to: the checksum of the last frame, which covers that of the frame
/// before it, and so on back to the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check(u32);

impl Check {
    /// How many bytes it takes.
    pub(super) const LEN: usize = 4;

    pub(super) const fn from_bytes(bytes: [u8; Self::LEN]) -> Self {
        Self(u32::from_le_bytes(bytes))
    }

    pub(super) const fn to_bytes(self) -> [u8; Self::LEN] {
        self.0.to_le_bytes()
    }

    /// Of the first bytes of a bank, which have nothing before them.
    pub(super) fn first(bytes: &[u8]) -> Self {
        let mut digest = CRC.digest();
        digest.update(bytes);
        Self::of(digest)
    }

    /// Of what is here, and then these bytes.
    pub(super) fn then(self, bytes: &[u8]) -> Self {
        let mut digest = CRC.digest();
        digest.update(&self.to_bytes());
        digest.update(bytes);
        Self::of(digest)
    }

    const fn of(digest: Digest<'static, u32, Table<1>>) -> Self {
        Self(digest.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_checksum_that_the_document_names() {
        assert_eq!(Check::first(b"123456789"), Check(0xe306_9283));
        assert_eq!(Check(0x3433_3231).then(b"56789"), Check(0xe306_9283));
    }
}
