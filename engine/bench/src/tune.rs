//! Tunes the weights of the evaluation with the results of games: `engine-tune FILE` reads the lines that `engine-host selfplay`
//! writes, a FEN, a score and a result for White, and prints `weights.rs`' table.
//!
//! The result is predicted as a logistic function of the evaluation; the weights descend the gradient of the squared error
//! (Texel's method, with Adam). The target is a mixture of the result of the game and of the score of the search: results alone
//! are too noisy for some thousand games.
#![expect(clippy::cast_precision_loss, clippy::print_stdout, reason = "a tool for developers")]

use std::error::Error;
use std::fs;

use chess::{Color, Position};
use engine::tuning::{FEATURES, Taper, trace, weights};

/// A position with the result of its game.
struct Sample {
    /// Feature and count.
    features: Vec<(u16, i8)>,
    taper: Taper,
    /// 1 if White wins, 0 if Black wins.
    target: f32,
}

/// Slope of the logistic function: a pawn more wins 63 % of the games.
const FACTOR: f32 = 0.0053;
/// Weight of the result of the game in the target; the rest is that of the score.
const RESULT_SHARE: f32 = 0.35;
const ROUNDS: u32 = 600;
const STEP: f32 = 1.0;
/// How strongly weights are held at where they started, against noise in rare features.
const RESTRAINT: f32 = 3e-10;

fn main() -> Result<(), Box<dyn Error>> {
    let mut samples = Vec::new();
    for path in std::env::args().skip(1) {
        for line in fs::read_to_string(path)?.lines() {
            samples.extend(parse(line));
        }
    }
    eprintln!("{} positions", samples.len());
    let start: Vec<[f32; 2]> = weights().iter().map(|pair| pair.map(f32::from)).collect();
    let mut values = start.clone();
    let (training, test): (Vec<_>, Vec<_>) = samples.into_iter().enumerate().partition(|(index, _)| index % 20 != 0);
    let error = |samples: &[(usize, Sample)], values: &[[f32; 2]]| mean_error(samples, values);
    eprintln!("error {:.6}, of the test {:.6}", error(&training, &values), error(&test, &values));

    let mut mean = vec![[0.0_f32; 2]; FEATURES];
    let mut variance = vec![[0.0_f32; 2]; FEATURES];
    for round in 1..=ROUNDS {
        let gradient = gradient(&training, &values);
        let decay = if round > ROUNDS * 2 / 3 { 0.25 } else { 1.0 };
        for index in 0..FEATURES {
            for half in 0..2 {
                let gradient = gradient[index][half] + RESTRAINT * (values[index][half] - start[index][half]);
                mean[index][half] = 0.9 * mean[index][half] + 0.1 * gradient;
                variance[index][half] = 0.999 * variance[index][half] + 0.001 * gradient * gradient;
                let unbiased = variance[index][half] / (1.0 - 0.999_f32.powi(round.cast_signed()));
                values[index][half] -= STEP * decay * mean[index][half] / (unbiased.sqrt() + 1e-9);
            }
        }
        if round % 50 == 0 {
            eprintln!("round {round}: {:.6}, of the test {:.6}", error(&training, &values), error(&test, &values));
        }
    }
    for row in values.chunks(8) {
        let pairs: Vec<String> = row.iter().map(|[mg, eg]| format!("[{mg:.0}, {eg:.0}]")).collect();
        println!("    {},", pairs.join(", ").replace("-0]", "0]").replace("[-0,", "[0,"));
    }
    Ok(())
}

fn parse(line: &str) -> Option<Sample> {
    let mut parts = line.split(';');
    let (fen, score, result) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?.parse::<f32>().ok()?);
    let position: Position = fen.parse().ok()?;
    // The evaluation of a bare king is not linear.
    if Color::ALL.into_iter().any(|color| !position.of_color(color).several()) {
        return None;
    }
    let mut counts = [0_i32; FEATURES];
    let taper = trace(&position, |feature, count| {
        if let Some(slot) = counts.get_mut(feature) {
            *slot += count;
        }
    });
    let features = counts.iter().enumerate().filter(|(_, count)| **count != 0);
    let features = features.map(|(feature, &count)| (feature as u16, i8::try_from(count).unwrap_or(i8::MAX))).collect();
    Some(Sample { features, taper, target: RESULT_SHARE * result + (1.0 - RESULT_SHARE) * predict(score, FACTOR) })
}

/// The score for White, and the weights of middlegame and endgame in it.
fn score(sample: &Sample, values: &[[f32; 2]]) -> (f32, [f32; 2]) {
    let mut sums = [0.0_f32; 2];
    for &(feature, count) in &sample.features {
        let pair = values[usize::from(feature)];
        sums[0] += pair[0] * f32::from(count);
        sums[1] += pair[1] * f32::from(count);
    }
    let scale = sample.taper.scales[usize::from(sums[1] < 0.0)] as f32 / 64.0;
    let middlegame = sample.taper.phase as f32 / 24.0;
    let endgame = (1.0 - middlegame) * scale;
    (sums[0] * middlegame + sums[1] * endgame, [middlegame, endgame])
}

fn predict(score: f32, factor: f32) -> f32 {
    1.0 / (1.0 + (-score * factor).exp())
}

fn mean_error(samples: &[(usize, Sample)], values: &[[f32; 2]]) -> f64 {
    let errors =
        samples.iter().map(|(_, sample)| f64::from((sample.target - predict(score(sample, values).0, FACTOR)).powi(2)));
    errors.sum::<f64>() / samples.len().max(1) as f64
}

fn gradient(samples: &[(usize, Sample)], values: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let mut sums = vec![[0.0_f64; 2]; FEATURES];
    for (_, sample) in samples {
        let (score, parts) = score(sample, values);
        let predicted = predict(score, FACTOR);
        let slope = (predicted - sample.target) * predicted * (1.0 - predicted) * FACTOR;
        for &(feature, count) in &sample.features {
            for (sum, part) in sums[usize::from(feature)].iter_mut().zip(parts) {
                *sum += f64::from(slope * f32::from(count) * part);
            }
        }
    }
    sums.into_iter().map(|pair| pair.map(|sum| (sum / samples.len().max(1) as f64) as f32)).collect()
}
