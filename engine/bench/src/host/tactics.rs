//! The Bratko-Kopec test: 24 positions with the best move, published by Ivan Bratko and Danny Kopec in 1982.

use anyhow::{Context, Result, anyhow};
use chess::{Move, Position};
use serde_json::{Value, json};

use super::player::Kind;

/// One position per line, as Extended Position Description: four fields of a FEN, and the operations `bm` and `id`.
const POSITIONS: &str = include_str!("../../data/bratko-kopec.epd");

struct Puzzle<'a> {
    id: &'a str,
    position: Position,
    best: Vec<Move>,
}

impl<'a> Puzzle<'a> {
    fn parse(line: &'a str) -> Result<Self> {
        let (fields, operations) = line.split_once(" bm ").context("no best move")?;
        let (best, id) = operations.split_once("; id \"").context("no id")?;
        let position: Position = format!("{fields} 0 1").parse().map_err(|error| anyhow!("{fields}: {error}"))?;
        let moves = best.split(' ').map(|san| position.parse_san(san).map_err(|error| anyhow!("{san}: {error}")));
        let best = moves.collect::<Result<_>>()?;
        Ok(Self { id: id.trim_end_matches("\";"), position, best })
    }
}

fn puzzles() -> Result<Vec<Puzzle<'static>>> {
    POSITIONS.lines().map(|line| Puzzle::parse(line).with_context(|| line.to_owned())).collect()
}

/// Searches every position for this many nodes.
pub(crate) fn run(nodes: u64) -> Result<Value> {
    let mut player = Kind::board(10, nodes).start()?;
    let puzzles = puzzles()?;
    let mut unsolved = Vec::new();
    for Puzzle { id, position, best } in &puzzles {
        player.new_game(0)?;
        let decision = player.decide(position, &[], position).with_context(|| (*id).to_owned())?;
        if !best.contains(&decision.mv) {
            unsolved.push(*id);
        }
    }
    Ok(json!({
        "set": "Bratko-Kopec",
        "positions": puzzles.len(),
        "solved": puzzles.len() - unsolved.len(),
        "unsolved": unsolved,
        "nodes_per_position": nodes,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_and_its_best_moves_are_valid() {
        let puzzles = puzzles().expect("a valid file");
        assert_eq!(puzzles.len(), 24);
        assert!(puzzles.iter().all(|puzzle| !puzzle.best.is_empty() && puzzle.id.starts_with("BK.")));
    }

    #[test]
    fn a_damaged_line_is_an_error() {
        for line in ["", "8/8/8/8/8/8/8/8 w - - bm Ke2; id \"x\";", "k7/8/K7/8/8/8/8/8 w - - id \"x\";"] {
            assert!(Puzzle::parse(line).is_err(), "{line}");
        }
    }
}
