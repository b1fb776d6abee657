//! Tests of the panel format: messages, frames in garbage, and the examples of the document.

mod document;
mod frames;
mod messages;

use wire::panel::{PanelFrame, PanelMessage, PanelReader};

fn read(bytes: &[u8]) -> Vec<PanelMessage> {
    let mut reader = PanelReader::default();
    bytes.iter().filter_map(|&byte| reader.feed(byte)).collect()
}

fn frame(message: &PanelMessage) -> Vec<u8> {
    PanelFrame::from(message).to_vec()
}
