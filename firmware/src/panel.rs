//! The panel of a board that has no wood: what its switches read and its lights show, as frames on two serial lines.
//! docs/protocol.md specifies them; whoever plays the panel uses this same file.

use board::Rgb;
use chess::Bitboard;
use crc::{CRC_16_IBM_3740, Crc};

/// The first byte of every frame.
const SYNC: u8 = 0xc5;
/// The sync byte, the kind and the length.
const HEAD: usize = 3;
/// The check at the end.
const TAIL: usize = 2;
/// The longest payload: three bytes for each light.
const MAX_PAYLOAD: usize = 192;

/// The longest frame.
pub const MAX_PANEL_FRAME: usize = HEAD + MAX_PAYLOAD + TAIL;

const CHECK: Crc<u16> = Crc::<u16>::new(&CRC_16_IBM_3740);

const OCCUPIED: u8 = 1;
const SETTLED: u8 = 2;
const ASK: u8 = 3;
const LIGHTS: u8 = 4;

/// What is said over the lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PanelMessage {
    /// From the panel: the squares whose switches are closed.
    Occupied(Bitboard),
    /// From the board: this is what it has read for long enough to believe it.
    Settled(Bitboard),
    /// From the board, when it starts: it wants to know what is occupied.
    Ask,
    /// From the board: what the lights show, a1 first.
    Lights([Rgb; 64]),
}

impl PanelMessage {
    /// Writes the frame of this message, and returns how long it is.
    pub fn write(&self, frame: &mut [u8; MAX_PANEL_FRAME]) -> usize {
        let mut payload = [0; MAX_PAYLOAD];
        let (kind, len) = match self {
            Self::Occupied(squares) | Self::Settled(squares) => {
                payload[..8].copy_from_slice(&squares.0.to_le_bytes());
                (if matches!(self, Self::Occupied(_)) { OCCUPIED } else { SETTLED }, 8)
            }
            Self::Ask => (ASK, 0),
            Self::Lights(colours) => {
                for (target, colour) in payload.chunks_exact_mut(3).zip(colours) {
                    target.copy_from_slice(&colour.channels());
                }
                (LIGHTS, MAX_PAYLOAD)
            }
        };
        frame[..HEAD].copy_from_slice(&[SYNC, kind, len as u8]);
        frame[HEAD..HEAD + len].copy_from_slice(&payload[..len]);
        let check = CHECK.checksum(&frame[1..HEAD + len]);
        frame[HEAD + len..HEAD + len + TAIL].copy_from_slice(&check.to_le_bytes());
        HEAD + len + TAIL
    }

    /// What a frame says whose check is right; nothing if it is of a kind or a length that is not known.
    fn read(kind: u8, payload: &[u8]) -> Option<Self> {
        let squares = || payload.try_into().ok().map(|bytes| Bitboard(u64::from_le_bytes(bytes)));
        match kind {
            OCCUPIED => squares().map(Self::Occupied),
            SETTLED => squares().map(Self::Settled),
            ASK => payload.is_empty().then_some(Self::Ask),
            LIGHTS if payload.len() == MAX_PAYLOAD => {
                let mut colours = [Rgb::DARK; 64];
                for (colour, bytes) in colours.iter_mut().zip(payload.chunks_exact(3)) {
                    *colour = Rgb { r: bytes[0], g: bytes[1], b: bytes[2] };
                }
                Some(Self::Lights(colours))
            }
            _ => None,
        }
    }
}

/// Finds the frames in what comes over a line, whatever else does.
#[derive(Clone, Debug)]
pub struct PanelReader {
    buffer: [u8; MAX_PANEL_FRAME],
    len: usize,
}

impl Default for PanelReader {
    fn default() -> Self {
        Self { buffer: [0; MAX_PANEL_FRAME], len: 0 }
    }
}

impl PanelReader {
    /// Takes a byte, and returns the message that it completes, if it does.
    ///
    /// What turns out to be no frame is looked through again from its second byte on, since the true beginning may be in
    /// it. More than one frame can come out of that; the last one is the one that counts, as it does on a line.
    pub fn feed(&mut self, byte: u8) -> Option<PanelMessage> {
        // There is room: a frame that fills it is complete, and leaves.
        self.buffer[self.len] = byte;
        self.len += 1;
        let mut found = None;
        loop {
            let buffered = &self.buffer[..self.len];
            let skip = match buffered {
                [] | [SYNC] => return found,
                [SYNC, rest @ ..] => match Self::look(rest) {
                    Look::More => return found,
                    Look::Frame { len, message } => {
                        found = message.or(found);
                        1 + len
                    }
                    Look::Garbage => 1,
                },
                _ => 1,
            };
            self.buffer.copy_within(skip..self.len, 0);
            self.len -= skip;
        }
    }

    /// Judges what comes after a sync byte.
    fn look(bytes: &[u8]) -> Look {
        let [kind, len, ref rest @ ..] = *bytes else { return Look::More };
        let len = usize::from(len);
        if len > MAX_PAYLOAD {
            return Look::Garbage;
        }
        let Some((payload, [low, high, ..])) = rest.split_at_checked(len) else { return Look::More };
        if CHECK.checksum(&bytes[..2 + len]) != u16::from_le_bytes([*low, *high]) {
            return Look::Garbage;
        }
        Look::Frame { len: 2 + len + TAIL, message: PanelMessage::read(kind, payload) }
    }
}

/// What bytes turn out to be.
#[expect(clippy::large_enum_variant, reason = "it is looked at once, where it is made")]
enum Look {
    /// More are needed to know.
    More,
    /// They are no frame.
    Garbage,
    /// A frame of this length, of a known kind or not.
    Frame { len: usize, message: Option<PanelMessage> },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(message: &PanelMessage) -> Vec<u8> {
        let mut frame = [0; MAX_PANEL_FRAME];
        let len = message.write(&mut frame);
        frame[..len].to_vec()
    }

    fn read(bytes: &[u8]) -> Vec<PanelMessage> {
        let mut reader = PanelReader::default();
        bytes.iter().filter_map(|&byte| reader.feed(byte)).collect()
    }

    fn lights() -> PanelMessage {
        PanelMessage::Lights(std::array::from_fn(|at| Rgb { r: at as u8, g: SYNC, b: 255 - at as u8 }))
    }

    #[test]
    fn messages_come_out_as_they_went_in() {
        let start = Bitboard(0xffff_0000_0000_ffff);
        let messages = [PanelMessage::Occupied(start), PanelMessage::Settled(start), PanelMessage::Ask, lights()];
        let bytes: Vec<u8> = messages.iter().flat_map(frame).collect();
        assert_eq!(read(&bytes), messages);
    }

    #[test]
    fn the_bytes_are_those_of_the_document() {
        let document = include_str!("../../docs/protocol.md");
        let start = PanelMessage::Occupied(Bitboard(0xffff_0000_0000_ffff));
        for message in [start, PanelMessage::Ask] {
            let hex: Vec<String> = frame(&message).iter().map(|byte| format!("{byte:02x}")).collect();
            assert!(document.contains(&hex.join(" ")), "{message:?} is {}", hex.join(" "));
        }
    }

    #[test]
    fn garbage_costs_no_more_than_what_it_touches() {
        let wanted = frame(&PanelMessage::Occupied(Bitboard(SYNC.into())));
        // Every kind of garbage that ends before the frame does: also one that looks like the beginning of another.
        for garbage in [&b"\0"[..], &[SYNC], &[SYNC, SYNC], &[SYNC, OCCUPIED], &[SYNC, OCCUPIED, 8, 1, 2], &[0xff; 300]]
        {
            let mut bytes = garbage.to_vec();
            bytes.extend(&wanted);
            // A beginning of a frame swallows what follows until its check is seen to be wrong.
            bytes.extend([0; MAX_PANEL_FRAME]);
            assert_eq!(read(&bytes), [PanelMessage::Occupied(Bitboard(SYNC.into()))], "{garbage:x?}");
        }
    }

    #[test]
    fn a_frame_that_was_changed_does_not_count_and_the_next_one_does() {
        let (first, second) = (frame(&PanelMessage::Occupied(Bitboard(1))), frame(&PanelMessage::Ask));
        for at in 0..first.len() {
            for bit in 0..8 {
                let mut bytes = first.clone();
                bytes[at] ^= 1 << bit;
                bytes.extend(&second);
                bytes.extend([0; MAX_PANEL_FRAME]);
                assert_eq!(read(&bytes), [PanelMessage::Ask], "bit {bit} of byte {at}");
            }
        }
    }

    #[test]
    fn a_kind_that_is_not_known_is_passed_over() {
        let mut bytes = vec![SYNC, 99, 1, 7];
        bytes.extend(CHECK.checksum(&bytes[1..]).to_le_bytes());
        bytes.extend(frame(&PanelMessage::Ask));
        assert_eq!(read(&bytes), [PanelMessage::Ask]);
    }
}
