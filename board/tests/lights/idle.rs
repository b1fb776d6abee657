//! `next_change` returns the exact time of the next different frame, and nothing for static scenes.

use board::{Frame, LightSettings, Meaning, Rhythm, Scene};
use chess::Bitboard;
use proptest::prelude::*;

use crate::chance;
use crate::watch::{FULL, TICK};

/// Checks that the frame stays the same until the next change, and is different then.
fn changes_when_it_says(scene: &Scene, elapsed: u64, settings: LightSettings) {
    let shown = scene.frame(elapsed, settings);
    // A static scene is checked for longer than the longest period.
    let next = scene.next_change(elapsed, settings);
    let until = next.unwrap_or(elapsed + 5000);
    assert!(until > elapsed && until - elapsed <= 5000);
    for moment in (elapsed..until).step_by(13).chain([until - 1]) {
        assert_eq!(scene.frame(moment, settings), shown, "{moment} of {elapsed}..{until}: {scene:?}");
    }
    if let Some(next) = next {
        assert!(next.is_multiple_of(TICK), "at most fifty frames a second");
        assert_ne!(scene.frame(next, settings), shown, "{elapsed}..{next}: {scene:?}");
    }
}

#[test]
fn every_meaning_changes_when_it_says() {
    for brightness in [1, 40, 128, 255] {
        let settings = LightSettings { brightness, ..LightSettings::default() };
        for &meaning in Meaning::ALL {
            let scene = Scene::EMPTY.with(meaning, Bitboard(0x8100_0000_0000_0081));
            let mut elapsed = 0;
            while elapsed < meaning.rhythm().period().unwrap_or(1) {
                changes_when_it_says(&scene, elapsed, settings);
                changes_when_it_says(&scene, elapsed + 13, settings);
                elapsed = scene.next_change(elapsed, settings).unwrap_or(u64::MAX);
            }
        }
    }
}

#[test]
fn a_steady_scene_never_changes() {
    assert_eq!(Scene::EMPTY.next_change(0, FULL), None);
    for &meaning in Meaning::ALL {
        let next = Scene::EMPTY.with(meaning, Bitboard::ALL).next_change(0, FULL);
        assert_eq!(next.is_none(), meaning.rhythm() == Rhythm::Steady, "{meaning:?}");
        // A meaning that is covered by a steady one does not change, either.
        let covered = Scene::EMPTY.with(meaning, Bitboard(1)).with(Meaning::Target, Bitboard::ALL);
        assert_eq!(covered.next_change(0, FULL).is_none(), covered.squares(meaning).is_empty() || next.is_none());
    }
}

#[test]
fn a_minute_of_blinking_is_two_frames_a_second() {
    let scene = Scene::EMPTY.with(Meaning::Clear, Bitboard(1));
    let changes = std::iter::successors(Some(0), |&elapsed| scene.next_change(elapsed, FULL));
    assert_eq!(changes.take_while(|&elapsed| elapsed < 60_000).count(), 120);
}

#[test]
fn every_rhythm_repeats_after_its_period_and_after_years() {
    for &meaning in Meaning::ALL {
        let scene = Scene::EMPTY.with(meaning, Bitboard(1));
        let period = meaning.rhythm().period().unwrap_or(TICK);
        for elapsed in (0..period).step_by(TICK as usize) {
            let shown = scene.frame(elapsed, FULL);
            assert_eq!(scene.frame(elapsed + period, FULL), shown, "{meaning:?}");
            assert_eq!(scene.frame(elapsed + 72_000 * 1_000_000_000, FULL), shown, "{meaning:?}");
        }
    }
}

#[test]
fn the_greatest_time_does_not_overflow() {
    for &meaning in Meaning::ALL {
        let scene = Scene::EMPTY.with(meaning, Bitboard::ALL);
        assert_ne!(scene.frame(u64::MAX - u64::MAX % 72_000, FULL), Frame::DARK);
        assert_eq!(scene.next_change(u64::MAX, FULL).is_none(), meaning.rhythm() == Rhythm::Steady);
    }
}

proptest! {
    #![proptest_config(chance::config())]

    #[test]
    fn every_scene_changes_when_it_says(
        scene in chance::scene(),
        settings in chance::settings(),
        elapsed in prop_oneof![0..80_000_u64, 0..u64::MAX / 2],
    ) {
        changes_when_it_says(&scene, elapsed, settings);
    }
}
