//! No frame exceeds the current budget.

use board::{Frame, LightSettings, Meaning, Scene};
use chess::Bitboard;
use proptest::prelude::*;

use crate::chance;
use crate::watch::{FULL, TICK};

/// Whether the frame keeps to the budget. A dark board draws 64 mA with any budget.
fn keeps_to(frame: &Frame, settings: LightSettings) -> bool {
    frame.milliamps() <= u32::from(settings.budget_milliamps) || *frame == Frame::DARK
}

#[test]
fn every_meaning_on_all_squares_keeps_to_the_budget() {
    let mut most = 0;
    for &meaning in Meaning::ALL {
        let scene = Scene::EMPTY.with(meaning, Bitboard::ALL);
        for budget_milliamps in [0, 63, 64, 70, 79, 80, 100, 300, 500, 1000, 2000, 4000, u16::MAX] {
            for brightness in [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 128, 144, 200, 233, 254, 255] {
                let settings = LightSettings { brightness, budget_milliamps, ..FULL };
                // The brightest moment, and a few others.
                for elapsed in (0..meaning.rhythm().period().unwrap_or(TICK)).step_by(260) {
                    let frame = scene.frame(elapsed, settings);
                    assert!(keeps_to(&frame, settings), "{meaning:?}, {settings:?}: {} mA", frame.milliamps());
                    most = most.max(frame.milliamps());
                }
            }
        }
    }
    // The budget is needed: without one, white on all squares draws more than two amperes.
    assert!(most > 2000, "{most}");
}

#[test]
fn every_moment_of_every_meaning_keeps_to_the_default_budget() {
    let settings = LightSettings::default();
    for &meaning in Meaning::ALL {
        let scene = Scene::EMPTY.with(meaning, Bitboard::ALL);
        for elapsed in (0..meaning.rhythm().period().unwrap_or(TICK)).step_by(TICK as usize) {
            let frame = scene.frame(elapsed, settings);
            assert!(keeps_to(&frame, settings), "{meaning:?}: {} mA", frame.milliamps());
        }
    }
}

#[test]
fn a_limited_scene_uses_the_whole_budget() {
    // Dimming rounds down, by less than one step of each channel: 15 mA for all of them.
    let scene = Scene::EMPTY.with(Meaning::Lifted, Bitboard::ALL);
    for budget_milliamps in (80..2000).step_by(10) {
        let drawn = scene.frame(0, LightSettings { budget_milliamps, ..FULL }).milliamps();
        assert!(u32::from(budget_milliamps) - drawn <= 16, "{drawn} of {budget_milliamps}");
    }
}

#[test]
fn a_steady_light_stays_steady_beside_one_that_fades() {
    let scene = Scene::EMPTY.with(Meaning::Fill, Bitboard(!0xff)).with(Meaning::Target, Bitboard(0xff));
    let settings = LightSettings { budget_milliamps: 120, ..FULL };
    let shown = |elapsed| *scene.frame(elapsed, settings).colours();
    assert!(shown(0)[0] != Scene::EMPTY.with(Meaning::Target, Bitboard(1)).frame(0, settings).colours()[0]);
    assert!((0..4000).step_by(20).all(|elapsed| shown(elapsed)[0] == shown(0)[0]));
    assert!((0..4000).step_by(20).any(|elapsed| shown(elapsed)[63] != shown(0)[63]));
}

proptest! {
    #![proptest_config(chance::config())]

    #[test]
    fn every_scene_keeps_to_every_budget(
        scene in chance::scene(), settings in chance::settings(), elapsed in prop_oneof![0..80_000_u64, any::<u64>()],
    ) {
        let frame = scene.frame(elapsed, settings);
        prop_assert!(keeps_to(&frame, settings), "{} mA", frame.milliamps());
        prop_assert_eq!(frame.rotated().milliamps(), frame.milliamps());
    }

    #[test]
    fn a_budget_dims_all_lights_alike_and_turns_none_off(
        scene in chance::scene(), elapsed in 0..80_000_u64, brightness in 1..=255_u8, budget in 80..4000_u16,
    ) {
        let full = LightSettings { brightness, ..FULL };
        let rich = scene.frame(elapsed, full);
        let poor = scene.frame(elapsed, LightSettings { budget_milliamps: budget, ..full });
        let channels = |frame: &Frame| frame.colours().iter().flat_map(|colour| colour.channels()).collect::<Vec<_>>();
        let mut pairs: Vec<_> = channels(&rich).into_iter().zip(channels(&poor)).collect();
        for &(rich, poor) in &pairs {
            prop_assert!(poor <= rich && (poor > 0) == (rich > 0));
        }
        // The brighter of two stays the brighter, and equals stay equals.
        pairs.sort_unstable();
        prop_assert!(pairs.windows(2).all(|two| two[0].1 <= two[1].1 && (two[0].0 < two[1].0 || two[0].1 == two[1].1)));
    }
}
