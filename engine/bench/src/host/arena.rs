//! Matches between two players, each opening with both colours.

use std::fmt;

use anyhow::{Context, Result};
use chess::{Color, DrawClaim, Game};
use serde_json::{Value, json};

use super::openings::opening;
use super::player::{Kind, Player};

/// Wins, draws and losses of the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Results {
    pub(crate) wins: u32,
    pub(crate) draws: u32,
    pub(crate) losses: u32,
}

impl Results {
    pub(crate) const fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The mean result, and its standard error.
    fn mean(self) -> (f64, f64) {
        let games = f64::from(self.games().max(1));
        let mean = (f64::from(self.wins) + f64::from(self.draws) / 2.0) / games;
        let square = |result: f64, count: u32| f64::from(count) * (result - mean).powi(2);
        let variance = (square(1.0, self.wins) + square(0.5, self.draws) + square(0.0, self.losses)) / games;
        (mean, (variance / games).sqrt())
    }

    /// The difference in Elo, and the half width of its interval of 95 %.
    pub(crate) fn elo(self) -> (f64, f64) {
        let (mean, error) = self.mean();
        let elo = |mean: f64| -400.0 * (1.0 / mean.clamp(0.002, 0.998) - 1.0).log10();
        let (low, high) = (elo(mean - 1.96 * error), elo(mean + 1.96 * error));
        (elo(mean), (high - low) / 2.0)
    }

    /// If one side has won all games: the difference in Elo beyond which the true one is with 95 %. There is no other estimate.
    fn one_sided(self) -> Option<f64> {
        let sign = match (self.wins, self.draws, self.losses) {
            (1.., 0, 0) => 1.0,
            (0, 0, 1..) => -1.0,
            _ => return None,
        };
        // With this score, one of twenty such matches has no other result.
        let score = 0.05_f64.powf(1.0 / f64::from(self.games()));
        Some(sign * -400.0 * (1.0 / score - 1.0).log10())
    }
}

impl Results {
    /// Games, points and Elo with its error, for the report.
    pub(crate) fn json(self) -> Value {
        let (elo, error) = self.elo();
        let counts = json!({ "games": self.games(), "wins": self.wins, "draws": self.draws, "losses": self.losses });
        let elo = match self.one_sided() {
            Some(beyond) => json!({ "elo_beyond": beyond.round() }),
            None => json!({ "elo": elo.round(), "elo_error_95": error.round() }),
        };
        [counts, elo].into_iter().filter_map(|part| part.as_object().cloned()).flatten().collect()
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = self.mean().0 * 100.0;
        write!(f, "+{} ={} -{}, {percent:.1} %, ", self.wins, self.draws, self.losses)?;
        match (self.one_sided(), self.elo()) {
            (Some(beyond), _) => write!(f, "beyond {beyond:+.0} Elo"),
            (None, (elo, error)) => write!(f, "{elo:+.0} Elo ± {error:.0}"),
        }
    }
}

/// Plays a match of an even number of games.
pub(crate) fn play(one: &str, other: &str, games: u32) -> Result<Results> {
    let (mut one, mut other) = (Kind::parse(one)?.start()?, Kind::parse(other)?.start()?);
    let mut results = Results::default();
    for number in 0..u64::from(games / 2) {
        let opening = opening(number)?;
        for color in Color::ALL {
            let (white, black) = if color == Color::White { (&mut one, &mut other) } else { (&mut other, &mut one) };
            let winner = play_game(white, black, &opening, number * 2 + color as u64)?;
            match winner {
                None => results.draws += 1,
                Some(winner) if winner == color => results.wins += 1,
                Some(_) => results.losses += 1,
            }
        }
        eprintln!("{} games: {results}", results.games());
    }
    Ok(results)
}

/// Plies after which a game is drawn.
const MAX_PLIES: usize = 400;
/// Both players see a side ahead by this for some moves: it wins.
const DECIDED_CENTIPAWNS: i32 = 1000;
const DECIDED_PLIES: u32 = 8;

/// Plays a game, and returns the winner.
fn play_game(white: &mut Player, black: &mut Player, opening: &[chess::Move], seed: u64) -> Result<Option<Color>> {
    white.new_game(seed)?;
    black.new_game(seed)?;
    let mut game = Box::new(Game::new());
    for &mv in opening {
        game.play(mv).context("an opening move")?;
    }
    // For how many plies White, or Black if negative, has been winning in the eyes of both.
    let mut decided = 0_i32;
    loop {
        if let Some(outcome) = game.outcome() {
            return Ok(outcome.winner());
        }
        let is_drawn = DrawClaim::ALL.into_iter().any(|claim| game.can_claim(claim));
        if is_drawn || game.moves().len() >= MAX_PLIES {
            return Ok(None);
        }
        let turn = game.position().turn();
        let player = if turn == Color::White { &mut *white } else { &mut *black };
        let decision = player.decide(game.start(), game.moves(), game.position())?;
        let score = if turn == Color::White { decision.score } else { -decision.score };
        decided = match score {
            DECIDED_CENTIPAWNS.. => decided.max(0) + 1,
            ..=-1000 => decided.min(0) - 1,
            _ => 0,
        };
        if decided.unsigned_abs() >= DECIDED_PLIES {
            return Ok(Some(if decided > 0 { Color::White } else { Color::Black }));
        }
        game.play(decision.mv).with_context(|| format!("{} after {:?}", decision.mv, game.moves()))?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_points_of_four_are_191_elo() {
        let (elo, error) = Results { wins: 100, draws: 100, losses: 0 }.elo();
        assert!((elo - 190.8).abs() < 0.1 && (20.0..50.0).contains(&error), "{elo} {error}");
        let (elo, _) = Results { wins: 7, draws: 4, losses: 7 }.elo();
        assert!(elo.abs() < 0.1, "{elo}");
    }

    #[test]
    fn a_match_without_a_loss_says_only_that_the_difference_is_great() {
        let all = Results { wins: 200, draws: 0, losses: 0 }.json();
        assert_eq!((&all["elo_beyond"], &all["elo"], &all["wins"]), (&json!(729.0), &Value::Null, &json!(200)));
        assert_eq!(Results { wins: 0, draws: 0, losses: 200 }.json()["elo_beyond"], -729.0);
        assert_eq!(Results { wins: 199, draws: 1, losses: 0 }.json()["elo_beyond"], Value::Null);
    }

    #[test]
    fn a_match_of_weak_levels_has_all_its_games() {
        let results = play("level=2", "beginner", 4).expect("both can play");
        assert_eq!(results.games(), 4);
    }
}
