//! The evaluation as a list of features, for the tuner.

use chess::Position;

use crate::evaluate::{self, Sink, features};

/// Number of features.
pub const FEATURES: usize = features::COUNT;

/// How the sum of the features becomes a score for White.
#[derive(Clone, Copy, Debug)]
pub struct Taper {
    /// 24 in a full middlegame, 0 in a pawn endgame.
    pub phase: i32,
    /// Factors of the endgame score if White or Black is ahead, in 64ths.
    pub scales: [i32; 2],
}

struct Listing<F>(F);

impl<F: FnMut(usize, i32)> Sink for Listing<F> {
    fn add(&mut self, feature: usize, count: i32) {
        (self.0)(feature, count);
    }
}

/// Calls a function with every feature of a position and its count, which is negative for Black.
pub fn trace(position: &Position, add: impl FnMut(usize, i32)) -> Taper {
    let (phase, white, black) = evaluate::trace(position, &mut Listing(add));
    Taper { phase, scales: [white, black] }
}

/// The weights that are played: pairs of middlegame and endgame.
#[must_use]
pub const fn weights() -> &'static [[i16; 2]; FEATURES] {
    evaluate::tuned_weights()
}
