//! Virtual board: pieces on a web page, and the firmware's core (`board::BoardCore`) in this process.
//!
//! ```text
//! browser -> socket (/ws/panel) -> surface (pieces, reeds) -> machine (core, journal) -> relay_link -> /ws/board of a relay
//! ```
//!
//! - `pieces.rs`: piece placement, the same for all browsers; `surface.rs`: pieces and simulated reeds.
//! - `machine.rs`: everything that needs power; it sees only the reeds. `flash_file.rs`: its flash, which outlives a power cut.
//! - `engine_search.rs`: a search of the computer opponent, in a thread.
//! - `relay_link.rs`: WebSocket to the relay; `loopback.rs`: in-memory connection to the relay of the same process.
//! - `relay_code.rs`: the code under which a relay elsewhere lists the board.
//! - `board_task.rs`: the task that connects these parts.
//! - `touch.rs`, `view.rs`: messages from and to the browser; `panels.rs`, `socket.rs`: their transport.
//! - `embedded_board.rs`: the virtual board of a relay, paired at its first start.
//! - `external.rs`: the same page for firmware in another process, such as an emulator.

mod board_task;
mod embedded_board;
mod engine_search;
mod external;
mod flash_file;
pub(crate) mod loopback;
mod machine;
mod panels;
mod pieces;
mod relay_code;
mod relay_link;
mod socket;
mod surface;
mod touch;
mod view;

pub(crate) use board_task::VirtualBoard;
pub(crate) use embedded_board::EmbeddedBoard;
pub use external::{ExternalBoard, PanelRequest, Plug, PlugRequest};
pub(crate) use flash_file::FlashFile;
#[cfg(test)]
pub(crate) use flash_file::FlashOperation;
pub(crate) use machine::Identity;
pub(crate) use panels::Panels;
pub(crate) use relay_code::BoardList;
pub(crate) use relay_link::RelayConnector;
pub(crate) use socket::{routes, standalone_routes};
