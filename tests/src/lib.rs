//! The harness of the system tests: it starts, controls and stops real relays, Redis servers and emulated boards.
//!
//! README.md has a map. A test whose parts are missing is skipped (see [`parts`]), so that plain `cargo test` works
//! anywhere; `cargo xtask test` provides all parts.

pub mod bench;
pub mod checked_games;
pub mod emulated;
pub mod genome_text;
pub mod hand;
pub mod json_client;
pub mod json_player;
pub mod load;
pub mod log_line;
pub mod long_log;
pub mod panel;
pub mod panel_page;
pub mod parts;
pub mod physical_hand;
pub mod proxy;
pub mod qemu;
pub mod qmp;
pub mod random;
pub mod random_moves;
pub mod redis;
pub mod relay;
pub mod relay_fixture;
mod relay_message;
mod rules_checker;
pub mod scene_pattern;
pub mod scenes;
pub mod serial_console;
pub mod simulated_board;
pub mod soak;
pub mod temp_dir;
