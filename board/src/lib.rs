#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
// Nothing in this crate may panic, on any input: it runs where there is nobody to restart it.
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

mod brain;
mod clock;
mod debounce;
mod hand;
pub mod journal;
mod lights;
mod mind;
mod name;
mod profile;
mod referee;
mod relay;
pub mod session;
mod settings;
mod time;

pub use brain::{BRAIN_BYTES, Brain};
pub use clock::Clock;
pub use debounce::{Debounce, Scan};
pub use hand::{Hand, KingsResult, Looking, Reading, Stance, promotion_choices};
pub use lights::{Colour, Frame, LightSettings, Meaning, Rgb, Rhythm, Scene, Show};
pub use mind::{Heard, Mind, Shine};
pub use profile::{Entry, Profile};
pub use referee::{Deed, Deeds, Referee};
pub use relay::{Relay, RelayError};
pub use settings::{HandSettings, Orientation, Settings};
pub use time::Instant;
