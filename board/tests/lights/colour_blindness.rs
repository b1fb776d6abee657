//! Every two meanings can be distinguished, also with colour blindness.
//!
//! Two rhythms differ if no delay of one makes it look like the other, for any colours and brightness. Meanings that share
//! a rhythm must have colours that are far apart, for normal vision and for dichromats, as simulated by the method of
//! Machado, Oliveira and Fernandes (2009).

use board::{LightSettings, Meaning, Rgb};

use crate::watch::{FULL, luminance, watch};

const BRIGHTNESSES: [u8; 6] = [1, 2, 20, 64, 128, 255];

type Matrix = [[f64; 3]; 3];

/// Linear RGB transforms for normal vision and for the lack of one kind of cone.
const EYES: [(&str, Matrix); 4] = [
    ("all cones", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanopia",
        [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]],
    ),
    (
        "deuteranopia",
        [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]],
    ),
    (
        "tritanopia",
        [[1.255_528, -0.076_749, -0.178_779], [-0.078_411, 0.930_809, 0.147_602], [0.004_733, 0.691_367, 0.303_900]],
    ),
];

/// Linear sRGB to CIE XYZ.
const TO_XYZ: Matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];

/// Minimal CIELAB distance of colours that share a rhythm. Adjacent surfaces are distinguished at about 2; these squares are
/// apart from each other and in peripheral vision.
const FAR: f64 = 30.0;

/// Minimal share of the time, in thousandths, in which two rhythms differ clearly. One more pulse is 67.
const CLEAR: usize = 60;

fn times(matrix: &Matrix, vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(vector).map(|(factor, part)| factor * part).sum())
}

/// Linear sRGB to CIELAB.
fn lab(light: [f64; 3]) -> [f64; 3] {
    let white = times(&TO_XYZ, [1.0; 3]);
    let xyz = times(&TO_XYZ, light);
    let part = |index: usize| {
        let share: f64 = xyz[index] / white[index];
        if share > 0.008_856 { share.cbrt() } else { 7.787 * share + 16.0 / 116.0 }
    };
    let [x, y, z] = [0, 1, 2].map(part);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// CIELAB distance for eyes that are adapted to `brightest` as white.
fn distance(eyes: &Matrix, one: Rgb, other: Rgb, brightest: u8) -> f64 {
    let seen = |colour: Rgb| {
        let light = colour.channels().map(|channel| f64::from(channel) / f64::from(brightest));
        lab(times(eyes, light).map(|part| part.clamp(0.0, 1.0)))
    };
    seen(one).into_iter().zip(seen(other)).map(|(one, other)| (one - other).powi(2)).sum::<f64>().sqrt()
}

/// The colour at its brightest.
fn brightest(meaning: Meaning, settings: LightSettings) -> Rgb {
    watch(meaning, settings).into_iter().max_by(|one, other| luminance(*one).total_cmp(&luminance(*other))).unwrap()
}

/// Perceived brightness over one period, relative to its maximum: the rhythm without the colour.
fn levels(meaning: Meaning, settings: LightSettings) -> Vec<f64> {
    let seen: Vec<_> = watch(meaning, settings).into_iter().map(|colour| luminance(colour).sqrt()).collect();
    let most = seen.iter().copied().fold(0.0, f64::max);
    seen.into_iter().map(|level| level / most).collect()
}

/// Share of the time, in thousandths, in which two rhythms differ clearly, minimized over all delays.
fn difference(one: &[f64], other: &[f64]) -> usize {
    let common = gcd(one.len(), other.len());
    let together = one.len() / common * other.len();
    let differing = |delay: usize| {
        let pairs = (0..together).map(|moment| (one[moment % one.len()], other[(moment + delay) % other.len()]));
        pairs.filter(|(one, other)| (one - other).abs() > 0.2).count()
    };
    // A delay by a common divisor of both periods only reorders the pairs.
    (0..common).map(differing).min().unwrap() * 1000 / together
}

fn gcd(one: usize, other: usize) -> usize {
    if other == 0 { one } else { gcd(other, one % other) }
}

fn pairs() -> impl Iterator<Item = (Meaning, Meaning)> {
    let meanings = Meaning::ALL.iter().enumerate();
    meanings.flat_map(|(index, &one)| Meaning::ALL[index + 1..].iter().map(move |&other| (one, other)))
}

#[test]
fn rhythms_differ_without_colour_at_every_brightness() {
    for brightness in BRIGHTNESSES {
        let levels: Vec<_> =
            Meaning::ALL.iter().map(|&meaning| levels(meaning, LightSettings { brightness, ..FULL })).collect();
        for (one, other) in pairs().filter(|(one, other)| one.rhythm() != other.rhythm()) {
            let difference = difference(&levels[one as usize], &levels[other as usize]);
            assert!(difference >= CLEAR, "{one:?} and {other:?} at brightness {brightness}: {difference}");
        }
    }
}

#[test]
fn colours_that_share_a_rhythm_are_far_apart_for_all_eyes_at_every_brightness() {
    for brightness in BRIGHTNESSES {
        let settings = LightSettings { brightness, ..FULL };
        let most = brightest(Meaning::Illegal, settings).r;
        for (one, other) in pairs().filter(|(one, other)| one.rhythm() == other.rhythm()) {
            for (name, eyes) in &EYES {
                let distance = distance(eyes, brightest(one, settings), brightest(other, settings), most);
                assert!(distance >= FAR, "{one:?} and {other:?} at brightness {brightness}, {name}: {distance:.1}");
            }
        }
    }
}

#[test]
fn few_pairs_of_meanings_rely_on_colour() {
    let shared = pairs().filter(|(one, other)| one.rhythm() == other.rhythm()).count();
    assert!(shared <= 16, "{shared} of {} pairs rely on colour", pairs().count());
}

#[test]
fn both_ends_of_a_move_share_a_colour_and_a_period() {
    use Meaning::*;
    let moves = [
        (WayBackFrom, WayBackTo),
        (OpponentFrom, OpponentTo),
        (FinishFrom, FinishTo),
        (TakebackFrom, TakebackTo),
        (HintFrom, HintTo),
    ];
    for (from, to) in moves {
        assert_eq!(from.colour(), to.colour());
        assert_eq!(from.rhythm().period(), to.rhythm().period());
        // The start square is brighter first, then the target square, once per period.
        let brighter: Vec<_> = levels(from, FULL).iter().zip(levels(to, FULL)).map(|(from, to)| *from > to).collect();
        assert!(brighter[0]);
        assert_eq!(brighter.windows(2).filter(|two| two[0] && !two[1]).count(), 1, "{from:?}");
    }
}
