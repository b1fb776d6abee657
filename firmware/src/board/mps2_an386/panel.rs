//! Reed switches and LEDs over two UARTs, in the frames of `wire::panel`.

use board::Frame;
use board::calibration::{LightLayout, MatrixWiring};
use chess::Bitboard;
use wire::panel::{PanelFrame, PanelMessage, PanelReader};

use super::uart::{LIGHTS, SENSORS};
use crate::hal::{Leds, Reeds};

/// Equal scans until the panel receives that its state has settled. It is longer than any debounce setting, so that the
/// panel's next state is not taken for a bounce.
const SETTLED_AFTER: u32 = 16;

/// The switches: the last state that the panel has sent.
pub(crate) struct PanelReeds {
    wiring: MatrixWiring,
    reader: PanelReader,
    occupied: Bitboard,
    /// Equal scans since the panel last sent a state; none after it received that the state has settled.
    scans: Option<u32>,
}

impl PanelReeds {
    /// Empty until the panel sends a state. A panel that was started earlier is asked to send it again.
    pub(super) fn new(wiring: MatrixWiring) -> Self {
        SENSORS.try_write(&PanelFrame::from(&PanelMessage::Ask));
        Self { wiring, reader: PanelReader::default(), occupied: Bitboard::EMPTY, scans: None }
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
        // Read once per scan: later bytes belong to the next scan.
        let count = SENSORS.try_read(&mut bytes);
        self.feed(&bytes[..count]);
        if let Some(scans) = &mut self.scans {
            *scans += 1;
            if *scans == SETTLED_AFTER {
                self.scans = None;
                // If the frame is lost, the panel sends its state again and gets another answer.
                SENSORS.try_write(&PanelFrame::from(&PanelMessage::Settled(self.occupied)));
            }
        }
        self.wiring.wired(self.occupied)
    }

    fn reports_changes(&self) -> bool {
        true
    }

    async fn wait_for_change(&mut self) {
        let mut bytes = [0; 64];
        let count = SENSORS.read(&mut bytes).await;
        self.feed(&bytes[..count]);
    }
}

/// The LEDs: frames to the panel. They are a chain, as on a real board.
pub(crate) struct PanelLeds {
    wiring: LightLayout,
}

impl PanelLeds {
    pub(super) const fn new(wiring: LightLayout) -> Self {
        Self { wiring }
    }
}

impl Leds for PanelLeds {
    async fn show(&mut self, frame: &Frame, layout: LightLayout) {
        let mut colours = [[0; 3]; 64];
        for light in 0..64 {
            colours[self.wiring.square(light)] = frame.colours()[layout.square(light)].channels();
        }
        LIGHTS.write(&PanelFrame::from(&PanelMessage::Lights(colours))).await;
    }
}
