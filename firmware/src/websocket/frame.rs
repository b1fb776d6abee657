/// Maximum size of the header of a client's frame, in bytes.
pub const FRAME_OVERHEAD: usize = 8;

/// The type of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of RFC 6455")]
pub enum Opcode {
    Binary,
    Close,
    Ping,
    Pong,
}

impl Opcode {
    const fn code(self) -> u8 {
        match self {
            Self::Binary => 0x2,
            Self::Close => 0x8,
            Self::Ping => 0x9,
            Self::Pong => 0xa,
        }
    }
}

/// Writes a client's frame, and returns its length; none if the buffer is too short, or the payload too long for a 16-bit
/// length.
///
/// The mask must be unpredictable and new for each frame (RFC 6455, 10.3): otherwise an attacker who chooses the payload
/// also chooses the bytes on the network, and can poison caching proxies.
pub fn write(opcode: Opcode, payload: &[u8], mask: [u8; 4], buffer: &mut [u8]) -> Option<usize> {
    let len = u16::try_from(payload.len()).ok()?;
    let mut at = 0;
    let mut put = |bytes: &[u8]| -> Option<()> {
        buffer.get_mut(at..at + bytes.len())?.copy_from_slice(bytes);
        at += bytes.len();
        Some(())
    };
    // FIN is set, because no message is fragmented; MASK is set, because a client sends.
    put(&[0x80 | opcode.code()])?;
    if len <= 125 {
        put(&[0x80 | len as u8])?;
    } else {
        let [high, low] = len.to_be_bytes();
        put(&[0x80 | 0x7e, high, low])?;
    }
    put(&mask)?;
    let target = buffer.get_mut(at..at + payload.len())?;
    for ((target, &byte), &mask) in target.iter_mut().zip(payload).zip(mask.iter().cycle()) {
        *target = byte ^ mask;
    }
    Some(at + payload.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_the_masked_example_of_the_standard() {
        let mut buffer = [0; 32];
        let len = write(Opcode::Pong, b"Hello", [0x37, 0xfa, 0x21, 0x3d], &mut buffer);
        assert_eq!(&buffer[..len.expect("there is room")], b"\x8a\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58");
    }

    #[test]
    fn a_longer_payload_has_a_16_bit_length() {
        let mut buffer = [0; 300];
        assert_eq!(write(Opcode::Binary, &[1; 256], [0; 4], &mut buffer), Some(256 + FRAME_OVERHEAD));
        assert_eq!(buffer[..9], [0x82, 0xfe, 1, 0, 0, 0, 0, 0, 1]);
        assert_eq!(write(Opcode::Binary, &[1; 125], [0; 4], &mut buffer), Some(131));
    }

    #[test]
    fn a_frame_that_does_not_fit_is_not_written() {
        for short in 0..11 {
            assert_eq!(write(Opcode::Ping, b"Hello", [1; 4], &mut vec![0; short]), None);
        }
        assert_eq!(write(Opcode::Binary, &vec![0; 65_536], [1; 4], &mut vec![0; 70_000]), None);
    }
}
