//! Matches: against Stockfish with limited strength at the node budget of a board, and each level against the next.

use std::fmt::Write;

use serde_json::{Value, json};

use super::rating::{self, Encounter, Rating};
use crate::bench::verdict::{Comparison, verdict};

/// A match and its results.
pub(crate) struct Pairing {
    pub(crate) name: String,
    pub(crate) results: Value,
}

/// `UCI_Elo` of Stockfish.
const PEERS: [u32; 6] = [1500, 1800, 2100, 2200, 2300, 2400];
/// The Elo that the engine should have at the budget of a board, and the one to reach after that.
const TARGETS: [f64; 2] = [2200.0, 2400.0];

fn name_of(peer: u32) -> String {
    format!("board against Stockfish {peer}")
}

/// Names and players of all matches.
pub(crate) fn pairings(budget: u64) -> Vec<(String, String, String)> {
    let full = format!("nodes={budget}");
    let peers = PEERS.map(|elo| (name_of(elo), full.clone(), format!("stockfish={elo}")));
    let level = |number: u32| if number == 10 { full.clone() } else { format!("level={number}") };
    let levels = (1..10).map(|lower| (format!("level {} against {lower}", lower + 1), level(lower + 1), level(lower)));
    let beginner = ("beginner against level 1".to_owned(), "beginner".to_owned(), "level=1".to_owned());
    peers.into_iter().chain([beginner]).chain(levels).collect()
}

/// The results against the peers.
fn encounters(pairings: &[Pairing]) -> Vec<Encounter> {
    let of = |peer: u32| {
        let results = &pairings.iter().find(|pairing| pairing.name == name_of(peer))?.results;
        let (games, wins, draws) = (results["games"].as_f64()?, results["wins"].as_f64()?, results["draws"].as_f64()?);
        Some(Encounter { opponent: f64::from(peer), games, points: wins + draws / 2.0 })
    };
    PEERS.into_iter().filter_map(of).collect()
}

/// The Elo that makes all results against the peers together the likeliest.
pub(crate) fn fitted(pairings: &[Pairing]) -> Option<Rating> {
    rating::fit(&encounters(pairings))
}

pub(crate) fn is_reached(pairings: &[Pairing]) -> bool {
    fitted(pairings).is_some_and(|rating| TARGETS.iter().all(|target| rating.elo >= *target))
}

pub(crate) fn table(pairings: &[Pairing]) -> String {
    let mut text = format!("{:32} {:>6} {:>15} {:>16}\n", "match", "games", "wins/draws/lost", "Elo, 95 %");
    for Pairing { name, results } in pairings {
        let games = format!("{}/{}/{}", results["wins"], results["draws"], results["losses"]);
        let elo = match results["elo_beyond"].as_f64() {
            Some(beyond) => format!("beyond {beyond:+}"),
            None => format!("{:+} ± {}", results["elo"].as_f64().unwrap_or(f64::NAN), results["elo_error_95"]),
        };
        _ = writeln!(text, "{name:32} {:>6} {games:>15} {elo:>16}", results["games"]);
    }
    for encounter in encounters(pairings) {
        if let Some(Rating { elo, error }) = rating::fit(&[encounter]) {
            _ = writeln!(text, "by the match against {:.0} alone: {elo:.0} ± {error:.0}", encounter.opponent);
        }
    }
    if let Some(Rating { elo, error }) = fitted(pairings) {
        for target in TARGETS {
            let what = format!("Elo of a board by all matches (± {error:.0})");
            text += &verdict(&what, elo.round(), Comparison::AtLeast, target);
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

    fn pairing(peer: u32, wins: u32, draws: u32, losses: u32) -> Pairing {
        let results = json!({ "games": wins + draws + losses, "wins": wins, "draws": draws, "losses": losses });
        Pairing { name: name_of(peer), results }
    }

    #[test]
    fn every_level_plays_the_next() {
        let pairings = pairings(200_000);
        assert_eq!(pairings.len(), 6 + 1 + 9);
        assert!(pairings.iter().any(|(_, one, other)| one == "nodes=200000" && other == "level=9"));
    }

    #[test]
    fn the_rating_is_fitted_to_all_matches_against_peers() {
        // 64 % against 2300 are 100 Elo more, 36 % against 2500 would be 100 less.
        let pairings = [pairing(2300, 128, 0, 72), pairing(2400, 80, 40, 80)];
        let rating = fitted(&pairings).expect("two matches");
        assert!((2398.0..2402.0).contains(&rating.elo) && (34.0..36.0).contains(&rating.error), "{rating:?}");
        let table = table(&pairings);
        assert!(table.contains("by the match against 2300 alone: 2400 ± 50"), "{table}");
        assert!(table.contains("Elo of a board by all matches (± 35): 2400.00, wanted at least 2400"), "{table}");
        assert!(!is_reached(&[]));
    }

    #[test]
    fn a_match_without_a_loss_has_no_rating_of_its_own() {
        let mut pairings = [pairing(1500, 200, 0, 0)];
        assert!(fitted(&pairings).is_none());
        pairings[0].results["elo_beyond"] = json!(727.0);
        assert!(table(&pairings).contains("beyond +727"), "{}", table(&pairings));
    }
}
