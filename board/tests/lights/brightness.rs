//! All meanings are visible at every brightness.

use board::{Frame, LightSettings, Meaning, Rgb, Scene};
use chess::{Bitboard, Square};

use crate::watch::{FULL, TICK, watch};

#[test]
fn brightness_0_is_dark() {
    for &meaning in Meaning::ALL {
        let scene = Scene::EMPTY.with(meaning, Bitboard::ALL);
        let dark = LightSettings { brightness: 0, ..FULL };
        assert!((0..4000).step_by(20).all(|elapsed| scene.frame(elapsed, dark) == Frame::DARK), "{meaning:?}");
        assert_eq!(scene.next_change(0, dark), None, "{meaning:?}");
    }
}

#[test]
fn every_meaning_is_lit_at_once_at_every_brightness() {
    for &meaning in Meaning::ALL {
        for brightness in 1..=255 {
            for (light_squares, dark_squares) in [(255, 255), (255, 0), (0, 255), (0, 0)] {
                let settings = LightSettings { brightness, light_squares, dark_squares, ..LightSettings::default() };
                let frame = Scene::EMPTY.with(meaning, Bitboard::ALL).frame(0, settings);
                assert!(frame.colours().iter().all(|&colour| colour != Rgb::DARK), "{meaning:?} at {brightness}");
            }
        }
    }
}

#[test]
fn brightness_does_not_change_which_moments_are_lit() {
    for &meaning in Meaning::ALL {
        let bright = watch(meaning, FULL);
        for brightness in [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233] {
            let dim = watch(meaning, LightSettings { brightness, ..FULL });
            for (&bright, dim) in bright.iter().zip(dim) {
                assert_eq!(dim == Rgb::DARK, bright == Rgb::DARK, "{meaning:?} at {brightness}");
            }
        }
    }
}

#[test]
fn brightness_is_monotonic() {
    for &meaning in Meaning::ALL {
        let scene = Scene::EMPTY.with(meaning, Square::A1);
        for elapsed in (0..4000).step_by(TICK as usize * 7) {
            let mut before = Rgb::DARK;
            for brightness in 0..=255 {
                let now = scene.frame(elapsed, LightSettings { brightness, ..FULL }).at(Square::A1);
                assert!(before.channels().into_iter().zip(now.channels()).all(|(before, now)| before <= now));
                before = now;
            }
        }
    }
}

#[test]
fn light_and_dark_squares_are_dimmed_separately() {
    let scene = Scene::EMPTY.with(Meaning::Target, Bitboard::ALL);
    let even = scene.frame(0, FULL);
    let frame = scene.frame(0, LightSettings { dark_squares: 178, ..FULL });
    for square in Square::all() {
        let (full, now) = (even.at(square).g, frame.at(square).g);
        assert!(if square.is_light() { now == full } else { now < full && now > full / 3 });
    }
}
