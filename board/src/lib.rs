#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
// Nothing in this crate may panic, on any input: after a panic a board can only reset.
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

#[cfg(test)]
extern crate std;

mod address;
mod board_core;
pub mod calibration;
mod clock;
mod computer;
pub mod console;
mod debounce;
mod hand;
pub mod journal;
mod lights;
mod link_state;
mod offers;
pub mod pairing;
mod profile;
mod referee;
mod relay_address;
mod runner;
pub mod session;
mod settings;
mod surface;
mod thinking;
mod time;

pub use address::{Address, AddressError};
pub use board_core::{BoardCore, Notice};
pub use clock::Clock;
pub use computer::Computer;
pub use debounce::{Debounce, Scan};
pub use hand::{Hand, KingsResult, Looking, Moves, Reading, Stance, View, choice_squares, promotion_squares};
pub use lights::{Colour, Frame, LightSettings, Meaning, Rgb, Rhythm, Scene, Show};
pub use link_state::{LinkState, NetworkState};
pub use offers::{Change, Offers, Takeback};
pub use profile::{Entry, Profile, forget_pairing};
pub use referee::{Effect, Effects, Referee};
pub use relay_address::{RelayAddress, RelayError};
pub use runner::{Input, LinkCommand, Output, Runner};
pub use settings::{HandSettings, Orientation, Pace, Settings};
pub use surface::{Rendered, SURFACE_BYTES, Surface};
pub use thinking::{MAX_QUESTION_MOVES, Purpose, Question, SearchResult, ThinkCommand, WantedSearch};
pub use time::Instant;
