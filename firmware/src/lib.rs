//! Firmware of the board: connects the sans-IO core in the `board` crate to reed switches, lights, flash and network.
//!
//! Modules that need no hardware are compiled for any target and tested on the host. The rest is compiled for a board only
//! (`cfg(has_board)`, from build.rs). An image is `src/bin/<board>.rs`.
#![cfg_attr(not(test), no_std)]

pub mod banner;
pub mod chip;
pub mod console;
pub mod discovery;
pub mod drivers;
pub mod hal;
pub mod host_name;
pub mod liveness;
pub mod lost_time;
pub mod panic_record;
pub mod reset_cause;
pub mod uptime;
pub mod websocket;

#[cfg(has_board)]
pub mod board;
#[cfg(has_board)]
mod executors;
#[cfg(has_board)]
mod fault;
#[cfg(has_board)]
mod stack;
#[cfg(has_board)]
mod startup;
#[cfg(has_board)]
mod tasks;

/// The pin list of the Nucleo-144, compiled for the host to be compared with docs/hardware.md.
#[cfg(test)]
#[path = "board/nucleo_144/pins.rs"]
mod nucleo_144_pins;
