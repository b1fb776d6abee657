#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
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

#[cfg(any(test, feature = "breakthrough"))]
pub mod breakthrough;
pub mod chess;
mod footprint;
pub mod genome;
mod look;
mod made;
mod notation;
mod play;
mod plies;
mod ply;
mod position;
mod replay;
mod situation;
mod start;
pub mod told;
mod turn;
mod verdict;

pub use footprint::Footprint;
pub use look::{Choice, Look};
pub use made::Made;
pub use notation::{Notation, NotationError};
pub use play::{ClaimError, EndError, Play, PlayError};
pub use plies::{MAX_PLIES_PER_TURN, Plies};
pub use ply::Ply;
pub use position::AnyPosition;
pub use replay::Replay;
pub use situation::{Options, Situation};
pub use start::{Start, StartError};
pub use turn::{Freeze, Turn};
pub use verdict::{Verdict, Why};
