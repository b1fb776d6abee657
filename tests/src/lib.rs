//! The real parts that the system tests are made of: each is started, watched and ended from here.
//!
//! The tests themselves are in `tests/`, a file for each thing that the system as a whole must do. A part that is not
//! there makes a test skip (see [`parts`]), so that plain `cargo test` works anywhere; `cargo xtask test` brings them all.

pub mod bench;
pub mod club;
pub mod emulated;
pub mod guest;
pub mod hand;
pub mod light;
pub mod log;
pub mod panel;
pub mod parts;
pub mod proxy;
pub mod qemu;
pub mod qmp;
pub mod redis;
pub mod relay;
pub mod scenes;
pub mod stroll;
pub mod terminal;
pub mod wood;
