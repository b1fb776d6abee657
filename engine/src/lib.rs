#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
// This crate must not panic on any input. Arithmetic is not linted as in `chess`: scores, depths and counters are far from the
// limits of their types, the tests run with overflow checks, and an overflow in an image wraps.
#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]
#![allow(clippy::cast_possible_wrap, clippy::cast_sign_loss, reason = "indices, plies and scores are small numbers")]

#[cfg(test)]
extern crate std;

mod best;
mod correction;
mod engine;
mod evaluate;
mod level;
mod limits;
mod manners;
mod masked;
mod memory;
mod opening;
mod ordering;
mod random;
mod score;
mod search;
mod see;
mod sight;
mod table;
#[cfg(feature = "tuning")]
pub mod tuning;
mod zobrist;

pub use best::{Best, Line, Progress, Score};
pub use engine::{Engine, StartError, Step};
pub use level::Level;
pub use limits::{Limits, Time};
pub use manners::{Intent, Manners};
pub use memory::Memory;
pub use random::Random;
pub use table::Slot;
