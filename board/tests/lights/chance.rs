//! Random scenes and settings, with a fixed seed.

use board::{LightSettings, Meaning, Scene};
use chess::{Bitboard, Square};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

pub(crate) fn config() -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(64);
    }
    config
}

/// Random marks on few or many squares.
pub(crate) fn marks() -> impl Strategy<Value = Vec<(Meaning, Bitboard)>> {
    let sparse = (any::<u64>(), any::<u64>(), any::<u64>()).prop_map(|(a, b, c)| a & b & c);
    let squares = prop_oneof![any::<u64>(), sparse, (0..64).prop_map(|square| 1_u64 << square), Just(u64::MAX)];
    proptest::collection::vec((select(Meaning::ALL), squares.prop_map(Bitboard)), 0..12)
}

pub(crate) fn scene() -> impl Strategy<Value = Scene> {
    // Either some marks, or a random meaning on every square.
    let mixed = proptest::collection::vec(proptest::option::of(select(Meaning::ALL)), 64).prop_map(|meanings| {
        let marks = Square::all().zip(meanings).filter_map(|(square, meaning)| Some((meaning?, square)));
        marks.fold(Scene::EMPTY, |scene, (meaning, square)| scene.with(meaning, square))
    });
    prop_oneof![
        marks().prop_map(|marks| marks
            .into_iter()
            .fold(Scene::EMPTY, |scene, (meaning, squares)| scene.with(meaning, squares))),
        mixed
    ]
}

pub(crate) fn settings() -> impl Strategy<Value = LightSettings> {
    let budget = prop_oneof![0..200_u16, 0..4000_u16, any::<u16>()];
    (any::<u8>(), budget, any::<u8>(), any::<u8>()).prop_map(
        |(brightness, budget_milliamps, light_squares, dark_squares)| LightSettings {
            brightness,
            budget_milliamps,
            light_squares,
            dark_squares,
        },
    )
}
