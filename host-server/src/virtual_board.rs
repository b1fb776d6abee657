//! A board without wood: pieces on a page, and under them the same mind that the firmware has.
//!
//! ```text
//! windows -> socket (/ws/panel) -> tabletop (wood, reeds) -> machine (mind, journal) -> line -> /ws/board of a relay
//! ```
//!
//! - `wood.rs`: which piece stands where, for all windows the same; `tabletop.rs`: that, and what the reeds make of it.
//! - `machine.rs`: what has power. It only learns which reeds are closed. `vault.rs`: what it does not lose with its power.
//! - `line.rs`: the cable to the relay; `loopback.rs`: the way to the relay of the same process.
//! - `life.rs`: the task that ties these together.
//! - `touch.rs`, `view.rs`: what windows say and are shown; `panels.rs`, `socket.rs`: how.
//! - `resident.rs`: the board that lives with a relay.
//! - `emulated.rs`, `qmp.rs`: the same wood, with firmware in an emulator instead of the machine.

#[cfg(unix)]
mod emulated;
mod life;
mod line;
pub(crate) mod loopback;
mod machine;
mod panels;
#[cfg(unix)]
mod qmp;
mod resident;
mod socket;
mod tabletop;
mod touch;
mod vault;
mod view;
mod wood;

#[cfg(unix)]
pub(crate) use emulated::EmulatedBoard;
pub(crate) use life::VirtualBoard;
pub(crate) use line::Way;
pub(crate) use machine::Identity;
pub(crate) use panels::Panels;
pub(crate) use resident::Resident;
pub use socket::Hands;
pub(crate) use socket::routes;
pub(crate) use vault::Vault;
