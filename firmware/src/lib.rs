//! The body of the board: what turns the brain in the `board` crate into something that boots, senses and glows.
//!
//! What needs no hardware is compiled for any target and tested on the host. What does is under `board/`, one file for
//! each board, and only there does a chip have a name. An image is `src/bin/<board>.rs`: it picks where the log goes, and
//! starts its board.
#![cfg_attr(not(test), no_std)]

pub mod address;
pub mod console;
pub mod drivers;
pub mod greeting;
pub mod heart;
pub mod last_words;
pub mod parts;
pub mod report;
pub mod roll_call;
pub mod websocket;

#[cfg(target_os = "none")]
pub mod board;
#[cfg(all(target_os = "none", any(feature = "mps2", feature = "nucleo", feature = "nucleo-f429")))]
mod fault;
#[cfg(all(target_os = "none", any(feature = "mps2", feature = "nucleo", feature = "nucleo-f429")))]
mod life;
#[cfg(target_os = "none")]
mod stack;
#[cfg(target_os = "none")]
mod tasks;

/// The list of pins is the one thing of a real board that can be tested without it.
#[cfg(test)]
#[path = "board/nucleo_144/pins.rs"]
mod nucleo_144_pins;
