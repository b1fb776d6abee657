//! The body of the board: what turns the brain in the `board` crate into something that boots, senses and glows.
//!
//! What needs no hardware is compiled for any target and tested on the host. What does is under `board/`, one file for
//! each board, and only there does a chip have a name. An image is `src/bin/<board>.rs`: it picks where the log goes, and
//! starts its board.
#![cfg_attr(not(test), no_std)]

pub mod greeting;
pub mod heart;

#[cfg(target_os = "none")]
pub mod board;
#[cfg(all(target_os = "none", any(feature = "mps2", feature = "nucleo")))]
mod life;
