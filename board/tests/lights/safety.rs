//! No light flashes more than three times in a second, the limit of WCAG 2, criterion 2.3.1, for people with
//! photosensitive epilepsy. The lit area of a board is below the one that the criterion covers.

use board::Meaning;

use crate::watch::{FULL, TICK, luminance, watch};

/// The moments at which the light has risen by a tenth of its maximum, after it had fallen by as much.
fn flashes(light: &[f64]) -> Vec<usize> {
    let step = light.iter().copied().fold(0.0, f64::max) / 10.0;
    let (mut turning_point, mut rising, mut flashes) = (light[0], false, Vec::new());
    for (moment, &light) in light.iter().enumerate() {
        if rising == (light >= turning_point) {
            turning_point = light;
        } else if (light - turning_point).abs() >= step {
            rising = !rising;
            turning_point = light;
            flashes.extend(rising.then_some(moment));
        }
    }
    flashes
}

#[test]
fn nothing_flashes_more_than_three_times_in_a_second() {
    for &meaning in Meaning::ALL {
        let period = watch(meaning, FULL);
        let light: Vec<_> = period.iter().cycle().take(3600).map(|&colour| luminance(colour)).collect();
        let flashes = flashes(&light);
        assert_eq!(flashes.is_empty(), meaning.rhythm().period().is_none(), "{meaning:?}");
        for four in flashes.windows(4) {
            assert!((four[3] - four[0]) as u64 * TICK >= 1000, "{meaning:?} flashes at {four:?}");
        }
    }
}

#[test]
fn only_an_illegal_move_and_a_fallen_flag_blink_fast() {
    for &meaning in Meaning::ALL {
        let hurried = meaning.rhythm().period().is_some_and(|period| period < 700);
        assert_eq!(hurried, matches!(meaning, Meaning::Illegal | Meaning::Flag), "{meaning:?}");
    }
}
