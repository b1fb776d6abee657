use super::frame::{MAX_PANEL_FRAME, SYNC, TAIL, check};
use super::message::{MAX_PANEL_MESSAGE, MAX_PAYLOAD, PanelMessage};

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
        if let Some(target) = self.buffer.get_mut(self.len) {
            *target = byte;
            self.len = self.len.saturating_add(1);
        }
        let mut found = None;
        loop {
            let skip = match self.buffer.get(..self.len).unwrap_or_default() {
                [] | [SYNC] => return found,
                [SYNC, rest @ ..] => match look(rest) {
                    Look::More => return found,
                    Look::Frame { len, message } => {
                        found = message.or(found);
                        len.saturating_add(1)
                    }
                    Look::Garbage => 1,
                },
                _ => 1,
            };
            self.drop_first(skip);
        }
    }

    fn drop_first(&mut self, count: usize) {
        let count = count.min(self.len);
        // Rotating and not copying within: it cannot go wrong for any count that is not longer than the buffer.
        if let Some(taken) = self.buffer.get_mut(..self.len) {
            taken.rotate_left(count);
        }
        self.len = self.len.saturating_sub(count);
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

/// Judges what comes after a sync byte.
fn look(bytes: &[u8]) -> Look {
    let [kind, len, rest @ ..] = bytes else { return Look::More };
    let payload_len = usize::from(*len);
    if payload_len > MAX_PAYLOAD {
        return Look::Garbage;
    }
    let Some((payload, [low, high, ..])) = rest.split_at_checked(payload_len) else { return Look::More };
    let checked = bytes.get(..payload_len.saturating_add(2)).unwrap_or_default();
    if check(checked) != [*low, *high] {
        return Look::Garbage;
    }
    let mut message = [0; MAX_PANEL_MESSAGE];
    for (target, byte) in message.iter_mut().zip([kind].into_iter().chain(payload)) {
        *target = *byte;
    }
    let message = message.get(..=payload_len).and_then(|message| PanelMessage::read(message).ok());
    Look::Frame { len: payload_len.saturating_add(2).saturating_add(TAIL), message }
}
