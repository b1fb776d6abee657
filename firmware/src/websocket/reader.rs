use core::fmt;

use wire::link::MAX_FRAME;

/// The longest frame with its header of four bytes, and room for a ping after it.
const BUFFER: usize = MAX_FRAME + 4 + 128;

/// Parses the frames in the byte stream of a server.
///
/// The caller reads from the socket into [`room`](Reader::room) and reports the count to [`filled`](Reader::filled). So a
/// read that is cancelled loses no bytes.
#[derive(Debug)]
pub struct Reader {
    buffer: [u8; BUFFER],
    len: usize,
    /// Bytes at the beginning that belong to the frame returned last.
    spent: usize,
}

/// A frame from the server.
#[derive(Debug, PartialEq, Eq)]
pub enum Received<'a> {
    /// A binary message.
    Message(&'a mut [u8]),
    /// To be answered by a pong with the same bytes.
    Ping(&'a [u8]),
    /// An answer to a ping.
    Pong,
    /// The server closes the connection, with a status code if it gives one.
    Close(Option<u16>),
}

/// A frame that no relay sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// Reserved bits are set, but no extension was negotiated.
    Extension,
    /// An unexpected opcode.
    Opcode(u8),
    /// A fragmented message.
    Fragment,
    /// A masked frame, which only clients send.
    Masked,
    /// Longer than a frame of the link.
    TooLong,
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Extension => f.write_str("the server uses an extension that was not negotiated"),
            Self::Opcode(code) => write!(f, "the server sent a frame with opcode {code}"),
            Self::Fragment => f.write_str("the server sent a fragmented message"),
            Self::Masked => f.write_str("the server sent a masked frame"),
            Self::TooLong => write!(f, "the server sent a frame of more than {MAX_FRAME} bytes"),
        }
    }
}

impl core::error::Error for FrameError {}

impl Default for Reader {
    fn default() -> Self {
        Self { buffer: [0; BUFFER], len: 0, spent: 0 }
    }
}

impl Reader {
    /// The free part of the buffer. It is not empty after [`Reader::next`] has returned none.
    pub fn room(&mut self) -> &mut [u8] {
        self.discard();
        &mut self.buffer[self.len..]
    }

    /// Reports how many bytes were written to the room.
    pub fn filled(&mut self, count: usize) {
        self.len = (self.len + count).min(BUFFER);
    }

    /// The next complete frame.
    #[expect(clippy::should_implement_trait, reason = "the frame borrows from the reader")]
    pub fn next(&mut self) -> Result<Option<Received<'_>>, FrameError> {
        self.discard();
        let [first, second, ..] = self.buffer[..self.len] else { return Ok(None) };
        let opcode = first & 0x0f;
        if first & 0x70 != 0 {
            return Err(FrameError::Extension);
        }
        if first & 0x80 == 0 || opcode == 0 {
            return Err(FrameError::Fragment);
        }
        if second & 0x80 != 0 {
            return Err(FrameError::Masked);
        }
        let (head, len) = match (second, &self.buffer[2..self.len]) {
            (0..=125, _) => (2, usize::from(second)),
            (126, [high, low, ..]) if opcode < 8 => (4, usize::from(u16::from_be_bytes([*high, *low]))),
            (126, _) if opcode < 8 => return Ok(None),
            _ => return Err(FrameError::TooLong),
        };
        if len > MAX_FRAME {
            return Err(FrameError::TooLong);
        }
        if !matches!(opcode, 0x2 | 0x8..=0xa) {
            return Err(FrameError::Opcode(opcode));
        }
        if self.len < head + len {
            return Ok(None);
        }
        self.spent = head + len;
        let payload = &mut self.buffer[head..head + len];
        Ok(Some(match opcode {
            0x2 => Received::Message(payload),
            0x8 => Received::Close(payload.first_chunk().map(|code| u16::from_be_bytes(*code))),
            0x9 => Received::Ping(payload),
            _ => Received::Pong,
        }))
    }

    /// Removes the frame that was returned last from the buffer.
    fn discard(&mut self) {
        self.buffer.copy_within(self.spent..self.len, 0);
        self.len -= self.spent;
        self.spent = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fed(bytes: &[u8]) -> Reader {
        let mut reader = Reader::default();
        reader.room()[..bytes.len()].copy_from_slice(bytes);
        reader.filled(bytes.len());
        reader
    }

    #[test]
    fn parses_frames_however_the_stream_is_split() {
        let mut bytes = vec![0x82, 0x7e, 0x02, 0x13];
        bytes.extend([7; MAX_FRAME]);
        bytes.extend([0x89, 2, b'h', b'i', 0x82, 0, 0x8a, 0, 0x88, 2, 0x03, 0xe8, 0x88, 0]);
        for piece in 1..bytes.len() {
            let mut reader = Reader::default();
            let mut found = Vec::new();
            for part in bytes.chunks(piece) {
                let mut part = part;
                while !part.is_empty() {
                    let room = reader.room();
                    let count = room.len().min(part.len());
                    room[..count].copy_from_slice(&part[..count]);
                    reader.filled(count);
                    part = &part[count..];
                    while let Some(received) = reader.next().expect("all is well") {
                        found.push(format!("{received:?}"));
                    }
                }
            }
            let expected = [
                format!("{:?}", Received::Message(&mut [7; MAX_FRAME])),
                format!("{:?}", Received::Ping(b"hi")),
                format!("{:?}", Received::Message(&mut [])),
                format!("{:?}", Received::Pong),
                format!("{:?}", Received::Close(Some(1000))),
                format!("{:?}", Received::Close(None)),
            ];
            assert_eq!(found, expected, "in pieces of {piece}");
        }
    }

    #[test]
    fn rejects_frames_that_no_relay_sends() {
        for (bytes, error) in [
            (&b"\xc2\x00"[..], FrameError::Extension),
            (b"\x02\x01a", FrameError::Fragment),
            (b"\x80\x01a", FrameError::Fragment),
            (b"\x82\x81abcda", FrameError::Masked),
            (b"\x81\x02hi", FrameError::Opcode(1)),
            (b"\x83\x00", FrameError::Opcode(3)),
            (b"\x8b\x00", FrameError::Opcode(11)),
            (b"\x82\x7e\x02\x14", FrameError::TooLong),
            (b"\x82\x7f\x00", FrameError::TooLong),
            (b"\x89\x7e\x00\x01", FrameError::TooLong),
        ] {
            assert_eq!(fed(bytes).next(), Err(error), "{bytes:x?}");
        }
    }

    #[test]
    fn an_incomplete_frame_leaves_room_for_the_rest() {
        for bytes in [&b""[..], b"\x82", b"\x82\x7e", b"\x82\x7e\x02", b"\x82\x7e\x02\x13", b"\x89\x03ab"] {
            let mut reader = fed(bytes);
            assert_eq!(reader.next(), Ok(None), "{bytes:x?}");
            assert!(!reader.room().is_empty());
        }
    }
}
