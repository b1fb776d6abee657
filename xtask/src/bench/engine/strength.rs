//! Matches: against Stockfish with limited strength at the node budget of a board, and each level against the next.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::bench::verdict::{Comparison, verdict};

/// A match and its results.
pub(crate) struct Pairing {
    pub(crate) name: String,
    pub(crate) results: Value,
}

/// `UCI_Elo` of Stockfish.
const PEERS: [u32; 4] = [1500, 1800, 2100, 2400];
/// The Elo that the engine should have at the budget of a board, and the one to reach after that.
const TARGETS: [f64; 2] = [2200.0, 2400.0];

/// Names and players of all matches.
pub(crate) fn pairings(budget: u64) -> Vec<(String, String, String)> {
    let full = format!("nodes={budget}");
    let peers = PEERS.map(|elo| (format!("board against Stockfish {elo}"), full.clone(), format!("stockfish={elo}")));
    let level = |number: u32| if number == 10 { full.clone() } else { format!("level={number}") };
    let levels = (1..10).map(|lower| (format!("level {} against {lower}", lower + 1), level(lower + 1), level(lower)));
    let beginner = ("beginner against level 1".to_owned(), "beginner".to_owned(), "level=1".to_owned());
    peers.into_iter().chain([beginner]).chain(levels).collect()
}

/// The Elo by the match against the strongest peer, which is the nearest one.
fn rating(pairings: &[Pairing]) -> Option<(f64, f64)> {
    let peer = PEERS.last()?;
    let name = format!("board against Stockfish {peer}");
    let results = &pairings.iter().find(|pairing| pairing.name == name)?.results;
    Some((f64::from(*peer) + results["elo"].as_f64()?, results["elo_error_95"].as_f64()?))
}

pub(crate) fn is_reached(pairings: &[Pairing]) -> bool {
    rating(pairings).is_some_and(|(elo, _)| TARGETS.iter().all(|target| elo >= *target))
}

pub(crate) fn table(pairings: &[Pairing]) -> String {
    let mut text = format!("{:32} {:>6} {:>15} {:>16}\n", "match", "games", "wins/draws/lost", "Elo, 95 %");
    for Pairing { name, results } in pairings {
        let games = format!("{}/{}/{}", results["wins"], results["draws"], results["losses"]);
        let elo = format!("{:+} ± {}", results["elo"].as_f64().unwrap_or(f64::NAN), results["elo_error_95"]);
        _ = writeln!(text, "{name:32} {:>6} {games:>15} {elo:>16}", results["games"]);
    }
    if let Some((elo, error)) = rating(pairings) {
        for target in TARGETS {
            text += &verdict(&format!("Elo of a board (± {error})"), elo, Comparison::AtLeast, target);
        }
    }
    text
}

impl Pairing {
    pub(crate) fn json(&self) -> Value {
        json!({ "match": self.name, "results": self.results })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_plays_the_next() {
        let pairings = pairings(200_000);
        assert_eq!(pairings.len(), 4 + 1 + 9);
        assert!(pairings.iter().any(|(_, one, other)| one == "nodes=200000" && other == "level=9"));
    }

    #[test]
    fn the_rating_is_that_of_the_match_with_the_strongest_peer() {
        let results = json!({ "games": 200, "wins": 90, "draws": 60, "losses": 50, "elo": 70.0, "elo_error_95": 41.0 });
        let pairings = [Pairing { name: "board against Stockfish 2400".to_owned(), results }];
        assert_eq!(rating(&pairings), Some((2470.0, 41.0)));
        assert!(table(&pairings).contains("reached Elo of a board (± 41): 2470.00, wanted at least 2400"));
        assert!(is_reached(&pairings) && !is_reached(&[]));
    }
}
