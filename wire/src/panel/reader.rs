use super::frame::{CHECKSUM, MAX_PANEL_FRAME, SYNC, checksum};
use super::message::{MAX_PANEL_MESSAGE, MAX_PAYLOAD, PanelMessage};

/// Finds frames in a byte stream that may contain garbage.
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
    /// Takes the next byte, and returns the message that it completes.
    ///
    /// After an invalid frame the search for a sync byte continues at its second byte, because the next frame may begin
    /// within it. If several frames become complete, the last one is returned: on this line only the last message counts.
    pub fn feed(&mut self, byte: u8) -> Option<PanelMessage> {
        // The slot always exists: a frame that fills the buffer is complete and is removed below.
        if let Some(target) = self.buffer.get_mut(self.len) {
            *target = byte;
            self.len = self.len.saturating_add(1);
        }
        let mut found = None;
        loop {
            let skip = match self.buffer.get(..self.len).unwrap_or_default() {
                [] | [SYNC] => return found,
                [SYNC, rest @ ..] => match parse(rest) {
                    Parsed::Incomplete => return found,
                    Parsed::Frame { len, message } => {
                        found = message.or(found);
                        len.saturating_add(1)
                    }
                    Parsed::Invalid => 1,
                },
                _ => 1,
            };
            self.drop_first(skip);
        }
    }

    fn drop_first(&mut self, count: usize) {
        let count = count.min(self.len);
        // rotate_left, unlike copy_within, has no panicking range check for a count within the slice.
        if let Some(used) = self.buffer.get_mut(..self.len) {
            used.rotate_left(count);
        }
        self.len = self.len.saturating_sub(count);
    }
}

#[expect(clippy::large_enum_variant, reason = "a temporary value that is matched at once")]
enum Parsed {
    Incomplete,
    Invalid,
    /// A valid frame; the message is `None` if its kind or length is unknown.
    Frame {
        len: usize,
        message: Option<PanelMessage>,
    },
}

/// Parses the bytes after a sync byte.
fn parse(bytes: &[u8]) -> Parsed {
    let [kind, len, rest @ ..] = bytes else { return Parsed::Incomplete };
    let payload_len = usize::from(*len);
    if payload_len > MAX_PAYLOAD {
        return Parsed::Invalid;
    }
    let Some((payload, [low, high, ..])) = rest.split_at_checked(payload_len) else { return Parsed::Incomplete };
    let covered = bytes.get(..payload_len.saturating_add(2)).unwrap_or_default();
    if checksum(covered) != [*low, *high] {
        return Parsed::Invalid;
    }
    let mut message = [0; MAX_PANEL_MESSAGE];
    for (target, byte) in message.iter_mut().zip([kind].into_iter().chain(payload)) {
        *target = *byte;
    }
    let message = message.get(..=payload_len).and_then(|message| PanelMessage::read(message).ok());
    Parsed::Frame { len: payload_len.saturating_add(2).saturating_add(CHECKSUM), message }
}
