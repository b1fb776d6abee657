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
mod blindness;
mod correction;
mod engine;
mod evaluate;
mod level;
mod limits;
mod masked;
mod memory;
mod offer_policy;
mod opening;
mod ordering;
mod random;
mod score;
mod search;
mod see;
mod table;
#[cfg(feature = "tuning")]
pub mod tuning;
mod zobrist;

pub use best::{Best, Progress, Score, Variation};
pub use engine::{Engine, StartError, Step};
pub use level::Level;
pub use limits::{Limits, Time};
pub use memory::Memory;
pub use offer_policy::{Intent, OfferPolicy};
pub use random::Random;
pub use table::Slot;
