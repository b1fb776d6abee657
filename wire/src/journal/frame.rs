use super::checksum::Checksum;
use super::record::{Record, RecordReadError, RecordWriteError};

/// Alignment of offset and length of every frame in bytes. Flash is written in words, and 16 is a multiple of the word
/// size of most chips. No byte is written twice.
pub const ALIGN: usize = 16;

/// Length of the longest frame in bytes.
pub const MAX_FRAME: usize = 256;

/// Length of the records of the longest frame in bytes.
pub const MAX_PAYLOAD: usize = MAX_FRAME - PAYLOAD_AT;

const _: () = assert!(MAX_PAYLOAD == 250, "docs/protocol.md states the greatest length");

/// The checksum comes first and covers the rest of the frame.
const LEN_AT: usize = Checksum::LEN;
const MARK_AT: usize = LEN_AT + 1;
const PAYLOAD_AT: usize = MARK_AT + 1;

/// The frame is the last of its batch.
const LAST: u8 = 1;
/// The batch goes on in the next frame.
const MORE: u8 = 0;

/// Encodes a frame, record by record.
#[derive(Debug)]
pub struct FrameWriter<'b> {
    buffer: &'b mut [u8; MAX_FRAME],
    /// Length of the records in bytes.
    len: usize,
}

impl<'b> FrameWriter<'b> {
    /// Begins an empty frame.
    #[must_use]
    pub fn new(buffer: &'b mut [u8; MAX_FRAME]) -> Self {
        buffer.fill(0);
        Self { buffer, len: 0 }
    }

    /// Remaining space for records in bytes.
    #[must_use]
    pub const fn room(&self) -> usize {
        MAX_PAYLOAD.saturating_sub(self.len)
    }

    /// Appends a record. On an error the frame is unchanged.
    pub fn push(&mut self, record: &Record<'_>) -> Result<(), RecordWriteError> {
        let start = PAYLOAD_AT.saturating_add(self.len);
        let target = self.buffer.get_mut(start..).unwrap_or_default();
        match record.write(target) {
            Ok(len) => {
                self.len = self.len.saturating_add(len);
                Ok(())
            }
            Err(error) => {
                // The padding after the records must be 0.
                target.fill(0);
                Err(error)
            }
        }
    }

    /// Completes the frame with the checksum chained to `before`, and returns its length in bytes and its checksum. A
    /// frame without records has length 0 and is not written.
    #[must_use]
    pub fn finish(self, last: bool, before: Checksum) -> (usize, Checksum) {
        if self.len == 0 {
            return (0, before);
        }
        let end = frame_len(self.len);
        // MAX_PAYLOAD fits in a byte.
        if let Some([len, mark]) = self.buffer.get_mut(LEN_AT..PAYLOAD_AT) {
            (*len, *mark) = (self.len as u8, if last { LAST } else { MORE });
        }
        let checksum = before.chain(self.buffer.get(LEN_AT..end).unwrap_or_default());
        if let Some(target) = self.buffer.first_chunk_mut() {
            *target = checksum.to_bytes();
        }
        (end, checksum)
    }
}

/// Length of a frame with `payload` bytes of records.
const fn frame_len(payload: usize) -> usize {
    PAYLOAD_AT.saturating_add(payload).div_ceil(ALIGN).saturating_mul(ALIGN)
}

/// The result of reading a frame at some offset of a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameRead<'a> {
    /// A valid frame.
    Frame(RecordFrame<'a>),
    /// Erased: the log ends here.
    Blank,
    /// A torn write, damage, or a frame that belongs elsewhere.
    Torn,
}

/// A frame with a valid checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordFrame<'a> {
    payload: &'a [u8],
    /// Length in bytes, with header and padding.
    pub len: usize,
    /// Whether this is the last frame of its batch. A batch is atomic: its records are valid only if it is complete.
    pub last: bool,
    /// The checksum that the next frame is chained to.
    pub checksum: Checksum,
}

impl<'a> RecordFrame<'a> {
    /// Reads the frame at the start of `bytes`, which must be [`MAX_FRAME`] long or reach to the end of the bank.
    /// `before` is the checksum of the frame before it, or of the bank header.
    #[must_use]
    pub fn read(bytes: &'a [u8], before: Checksum) -> FrameRead<'a> {
        if bytes.get(..ALIGN).is_none_or(is_blank) {
            return FrameRead::Blank;
        }
        Self::read_valid(bytes, before).map_or(FrameRead::Torn, FrameRead::Frame)
    }

    fn read_valid(bytes: &'a [u8], before: Checksum) -> Option<Self> {
        let checksum = Checksum::from_bytes(*bytes.first_chunk()?);
        let [len, mark] = *bytes.get(LEN_AT..)?.first_chunk()?;
        let payload = usize::from(len);
        let len = frame_len(payload);
        if !(1..=MAX_PAYLOAD).contains(&payload) || before.chain(bytes.get(LEN_AT..len)?) != checksum {
            return None;
        }
        let last = match mark {
            LAST => true,
            MORE => false,
            _ => return None,
        };
        let payload = bytes.get(PAYLOAD_AT..)?.get(..payload)?;
        Some(Self { payload, len, last, checksum })
    }

    /// The records in it.
    #[must_use]
    pub const fn records(&self) -> Records<'a> {
        Records(self.payload)
    }
}

/// Iterator over the records of a frame. It ends after the first record that cannot be read.
#[derive(Clone, Debug)]
pub struct Records<'a>(&'a [u8]);

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, RecordReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let read = Record::read(self.0);
        self.0 = read.map_or(&[], |(_, rest)| rest);
        Some(read.map(|(record, _)| record))
    }
}

/// Whether all bytes are in the erased state.
#[must_use]
pub fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == 0xff)
}
