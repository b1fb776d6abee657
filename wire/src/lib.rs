#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
// All input is untrusted: no byte sequence may make this crate panic.
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

#[cfg(test)]
extern crate std;

pub mod journal;
pub mod layout;
pub mod link;
pub mod pairing;
pub mod panel;
pub mod setup;
pub mod turn;
