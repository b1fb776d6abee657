use core::ops::Deref;

use crc::{CRC_16_IBM_3740, Crc};

use super::message::{MAX_PANEL_MESSAGE, MAX_PAYLOAD, PanelMessage};

/// The first byte of every frame.
pub(super) const SYNC: u8 = 0xc5;
/// Length of sync byte, kind and payload length.
const HEADER: usize = 3;
/// Length of the checksum.
pub(super) const CHECKSUM: usize = 2;

/// Length of the longest frame in bytes.
pub const MAX_PANEL_FRAME: usize = HEADER + MAX_PAYLOAD + CHECKSUM;

const CRC: Crc<u16> = Crc::<u16>::new(&CRC_16_IBM_3740);

/// Checksum of the bytes from the kind to the end of the payload.
pub(super) fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    CRC.checksum(bytes).to_le_bytes()
}

/// A message framed for an unreliable serial line. Dereferences to its bytes.
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
        // MAX_PAYLOAD fits in a byte.
        frame.add(&[payload.len() as u8]);
        frame.add(payload);
        frame.add(&checksum(frame.get(1..).unwrap_or_default()));
        frame
    }
}

impl PanelFrame {
    /// Appends bytes. The buffer has the length of the longest frame, so they always fit.
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
