use super::check::Check;
use super::record::{Record, RecordError, WriteError};

/// Every frame begins at a multiple of this and is as long as a multiple of it: flash is written in words, and this is a
/// multiple of the words of most chips. No byte is ever written twice.
pub const ALIGN: usize = 16;

/// No frame is longer than this.
pub const MAX_FRAME: usize = 256;

/// So many bytes of a frame can be records.
pub const MAX_PAYLOAD: usize = MAX_FRAME - PAYLOAD_AT;

const _: () = assert!(MAX_PAYLOAD == 250, "the greatest length is stated in the specification");

/// The check comes first, and covers everything behind it.
const LEN_AT: usize = Check::LEN;
const MARK_AT: usize = LEN_AT + 1;
const PAYLOAD_AT: usize = MARK_AT + 1;

/// The frame is the last of its batch.
const LAST: u8 = 1;
/// The batch goes on in the next frame.
const MORE: u8 = 0;

/// A frame that is being written, record by record.
#[derive(Debug)]
pub struct Draft<'b> {
    buffer: &'b mut [u8; MAX_FRAME],
    /// How many bytes of records there are.
    len: usize,
}

impl<'b> Draft<'b> {
    /// Begins a frame in this buffer.
    #[must_use]
    pub fn new(buffer: &'b mut [u8; MAX_FRAME]) -> Self {
        buffer.fill(0);
        Self { buffer, len: 0 }
    }

    /// How many bytes of records it has room for.
    #[must_use]
    pub const fn room(&self) -> usize {
        MAX_PAYLOAD.saturating_sub(self.len)
    }

    /// Adds a record. If that fails, the frame is as it was.
    pub fn push(&mut self, record: &Record<'_>) -> Result<(), WriteError> {
        let start = PAYLOAD_AT.saturating_add(self.len);
        let target = self.buffer.get_mut(start..).unwrap_or_default();
        match record.write(target) {
            Ok(len) => {
                self.len = self.len.saturating_add(len);
                Ok(())
            }
            Err(error) => {
                // What comes behind the records is 0.
                target.fill(0);
                Err(error)
            }
        }
    }

    /// Finishes the frame, which comes after everything that `before` covers. Returns its length in the buffer and its
    /// check. A frame without a record is none, and has no length.
    #[must_use]
    pub fn seal(self, last: bool, before: Check) -> (usize, Check) {
        if self.len == 0 {
            return (0, before);
        }
        let end = frame_len(self.len);
        // A length fits in a byte, since MAX_PAYLOAD does.
        if let Some([len, mark]) = self.buffer.get_mut(LEN_AT..PAYLOAD_AT) {
            (*len, *mark) = (self.len as u8, if last { LAST } else { MORE });
        }
        let check = before.then(self.buffer.get(LEN_AT..end).unwrap_or_default());
        if let Some(target) = self.buffer.first_chunk_mut() {
            *target = check.to_bytes();
        }
        (end, check)
    }
}

/// How long a frame with so many bytes of records is.
const fn frame_len(payload: usize) -> usize {
    PAYLOAD_AT.saturating_add(payload).div_ceil(ALIGN).saturating_mul(ALIGN)
}

/// What is at some place in a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found<'a> {
    /// A frame that belongs here.
    Frame(Frame<'a>),
    /// Nothing yet.
    Blank,
    /// Something that was not written here, or not to its end, or is no longer what it was.
    Torn,
}

/// A frame that is just as it was written, after all that came before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    payload: &'a [u8],
    /// How many bytes it takes in all.
    pub len: usize,
    /// Whether the batch of records ends with it. Records count only if their whole batch does.
    pub last: bool,
    /// What the next frame comes after.
    pub check: Check,
}

impl<'a> Frame<'a> {
    /// Looks at these bytes, of which the first is the first of a frame if there is one, and which are up to
    /// [`MAX_FRAME`]: as many as the bank has. `before` covers all that comes before them.
    #[must_use]
    pub fn read(bytes: &'a [u8], before: Check) -> Found<'a> {
        if bytes.get(..ALIGN).is_none_or(is_blank) {
            return Found::Blank;
        }
        Self::whole(bytes, before).map_or(Found::Torn, Found::Frame)
    }

    fn whole(bytes: &'a [u8], before: Check) -> Option<Self> {
        let check = Check::from_bytes(*bytes.first_chunk()?);
        let [len, mark] = *bytes.get(LEN_AT..)?.first_chunk()?;
        let payload = usize::from(len);
        let len = frame_len(payload);
        if !(1..=MAX_PAYLOAD).contains(&payload) || before.then(bytes.get(LEN_AT..len)?) != check {
            return None;
        }
        let last = match mark {
            LAST => true,
            MORE => false,
            _ => return None,
        };
        let payload = bytes.get(PAYLOAD_AT..)?.get(..payload)?;
        Some(Self { payload, len, last, check })
    }

    /// The records in it.
    #[must_use]
    pub const fn records(&self) -> Records<'a> {
        Records(self.payload)
    }
}

/// The records of a frame, one after the other. After one that cannot be read there are no more.
#[derive(Clone, Debug)]
pub struct Records<'a>(&'a [u8]);

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let read = Record::read(self.0);
        self.0 = read.map_or(&[], |(_, rest)| rest);
        Some(read.map(|(record, _)| record))
    }
}

/// Whether nothing was ever written here.
#[must_use]
pub fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == 0xff)
}
