use core::ops::Deref;

use crc::{CRC_16_IBM_3740, Crc};

use super::message::{MAX_PANEL_MESSAGE, MAX_PAYLOAD, PanelMessage};

/// The first byte of every frame.
pub(super) const SYNC: u8 = 0xc5;
/// The sync byte, the kind and the length.
const HEAD: usize = 3;
/// The check at the end.
pub(super) const TAIL: usize = 2;

/// The longest frame.
pub const MAX_PANEL_FRAME: usize = HEAD + MAX_PAYLOAD + TAIL;

const CHECK: Crc<u16> = Crc::<u16>::new(&CRC_16_IBM_3740);

/// The check of everything from the kind to the end of the payload.
pub(super) fn check(bytes: &[u8]) -> [u8; TAIL] {
    CHECK.checksum(bytes).to_le_bytes()
}

/// A message as it goes over a line, on which anything can get lost. It is the bytes that it derefs to.
#[derive(Clone, Debug)]
pub struct PanelFrame {
    bytes: [u8; MAX_PANEL_FRAME],
    len: usize,
}

impl From<&PanelMessage> for PanelFrame {
    fn from(message: &PanelMessage) -> Self {
        let mut buffer = [0; MAX_PANEL_MESSAGE];
        let (kind, payload) = message.write(&mut buffer).split_at_checked(1).unwrap_or_default();
        let mut frame = Self { bytes: [0; MAX_PANEL_FRAME], len: 0 };
        frame.add(&[SYNC]);
        frame.add(kind);
        // No payload is longer than a byte can say.
        frame.add(&[payload.len() as u8]);
        frame.add(payload);
        frame.add(&check(frame.get(1..).unwrap_or_default()));
        frame
    }
}

impl PanelFrame {
    /// Adds bytes at the end. There is always room: the buffer is as long as the longest frame.
    fn add(&mut self, bytes: &[u8]) {
        let end = self.len.saturating_add(bytes.len());
        if let Some(target) = self.bytes.get_mut(self.len..end) {
            target.copy_from_slice(bytes);
            self.len = end;
        }
    }
}

impl Deref for PanelFrame {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}
