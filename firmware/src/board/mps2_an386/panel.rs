//! Switches and lights as frames on two serial lines.

use board::{Frame, Rgb};
use chess::Bitboard;
use wire::panel::{PanelFrame, PanelMessage, PanelReader};

use super::uart::{LIGHTS, SENSORS};
use crate::parts::{Lamps, Reeds};

/// After so many scans that read the same, the panel is told that they did. It is more than any setting of the brain asks
/// for, so what comes next is not taken for a bounce of what came before.
const SETTLED_AFTER: u32 = 16;

/// The switches: whatever the panel has last said that they are.
pub(crate) struct PanelReeds {
    reader: PanelReader,
    occupied: Bitboard,
    /// How many scans have read the same since the panel last said something.
    scans: Option<u32>,
}

impl PanelReeds {
    /// Nothing stands on the board until the panel says so. A panel that was there first has to say it again.
    pub(super) fn new() -> Self {
        SENSORS.try_write(&PanelFrame::from(&PanelMessage::Ask));
        Self { reader: PanelReader::default(), occupied: Bitboard::EMPTY, scans: None }
    }

    fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if let Some(PanelMessage::Occupied(occupied)) = self.reader.feed(byte) {
                self.occupied = occupied;
                self.scans = Some(0);
            }
        }
    }
}

impl Reeds for PanelReeds {
    async fn scan(&mut self) -> Bitboard {
        let mut bytes = [0; 64];
        // One state at a time: what is said later was not so when this scan began.
        let count = SENSORS.try_read(&mut bytes);
        self.feed(&bytes[..count]);
        if let Some(scans) = &mut self.scans {
            *scans += 1;
            if *scans == SETTLED_AFTER {
                self.scans = None;
                // Whoever misses it says it again, and is told again.
                SENSORS.try_write(&PanelFrame::from(&PanelMessage::Settled(self.occupied)));
            }
        }
        self.occupied
    }

    fn can_tell(&self) -> bool {
        true
    }

    async fn change(&mut self) {
        let mut bytes = [0; 64];
        let count = SENSORS.read(&mut bytes).await;
        self.feed(&bytes[..count]);
    }
}

/// The lights: a frame for whoever watches.
pub(crate) struct PanelLamps;

impl Lamps for PanelLamps {
    async fn show(&mut self, frame: &Frame) {
        let colours = frame.colours().map(Rgb::channels);
        LIGHTS.write(&PanelFrame::from(&PanelMessage::Lights(colours))).await;
    }
}
