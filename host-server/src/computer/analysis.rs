//! The scores of a finished game, and its biggest mistakes.

use std::cmp::Reverse;

use chess::{Color, Move, Position};
use engine::Score;

use super::{Computers, EngineResult, Failure};

/// Nodes for a whole game, and for one position at most. A game of 80 plies takes a few seconds of one thread.
const NODES_PER_GAME: u64 = 6_000_000;
const MAX_NODES: u64 = 100_000;
const MIN_NODES: u64 = 2_000;

/// Mistakes that are reported.
const MAX_MISTAKES: usize = 3;

/// A move that costs less than this, in expected points, is no mistake.
const MIN_LOSS: f64 = 0.08;

/// A game with scores.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Analysis {
    /// Before the first move, and after each.
    pub(crate) evaluations: Vec<Evaluation>,
    /// The biggest mistakes of both sides, the worst first.
    pub(crate) mistakes: Vec<Mistake>,
}

/// The score of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Evaluation {
    /// For White.
    pub(crate) score: Score,
    /// The best move, unless the game is over.
    pub(crate) best: Option<Move>,
}

/// A move after which a side could expect much less than before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mistake {
    /// Number of plies before the move.
    pub(crate) ply: usize,
    pub(crate) color: Color,
    pub(crate) played: Move,
    pub(crate) better: Move,
    /// Points that the side could expect less than before, from 0 to 1.
    pub(crate) loss: f64,
}

/// Analyses a game: searches every position for the same number of nodes.
pub(crate) async fn analyse(computers: &Computers, start: Position, moves: &[Move]) -> Result<Analysis, Failure> {
    let positions = moves.len() as u64 + 1;
    let nodes = (NODES_PER_GAME / positions).clamp(MIN_NODES, MAX_NODES);
    let mut evaluations = Vec::with_capacity(moves.len() + 1);
    let mut position = start;
    for plies in 0..=moves.len() {
        if let Some(&mv) = plies.checked_sub(1).and_then(|last| moves.get(last)) {
            position = position.play(mv).map_err(|_| Failure::NoMove)?;
        }
        evaluations.push(evaluate(computers, &position, start, &moves[..plies], nodes).await?);
    }
    let mistakes = mistakes(start.turn(), moves, &evaluations);
    Ok(Analysis { evaluations, mistakes })
}

async fn evaluate(
    computers: &Computers,
    position: &Position,
    start: Position,
    moves: &[Move],
    nodes: u64,
) -> Result<Evaluation, Failure> {
    let color = position.turn();
    if position.is_checkmate() {
        return Ok(Evaluation { score: for_white(Score::Mate(0), color), best: None });
    }
    if position.is_stalemate() {
        return Ok(Evaluation { score: Score::Centipawns(0), best: None });
    }
    let EngineResult { mv, score } = computers.evaluate(start, moves.to_vec(), nodes).await?;
    Ok(Evaluation { score: for_white(score.unwrap_or(Score::Centipawns(0)), color), best: Some(mv) })
}

/// The biggest mistakes, the worst first.
fn mistakes(first: Color, moves: &[Move], evaluations: &[Evaluation]) -> Vec<Mistake> {
    let mut color = first;
    let mut mistakes = Vec::new();
    for (ply, (&played, pair)) in moves.iter().zip(evaluations.windows(2)).enumerate() {
        let [before, after] = [pair[0], pair[1]];
        let loss = expected(before.score, color) - expected(after.score, color);
        if let Some(better) = before.best.filter(|&best| best != played && loss >= MIN_LOSS) {
            mistakes.push(Mistake { ply, color, played, better, loss });
        }
        color = !color;
    }
    mistakes.sort_by_key(|mistake| Reverse((mistake.loss * 1e6) as i64));
    mistakes.truncate(MAX_MISTAKES);
    mistakes
}

/// A score for the side to move, as a score for White. A mate that is already on the board is a mate in 0 for the winner.
const fn for_white(score: Score, turn: Color) -> Score {
    match (turn, score) {
        (Color::White, Score::Mate(0)) => Score::Mate(-1),
        (Color::Black, Score::Mate(0)) => Score::Mate(1),
        (Color::White, score) => score,
        (Color::Black, Score::Centipawns(centipawns)) => Score::Centipawns(-centipawns),
        (Color::Black, Score::Mate(moves)) => Score::Mate(-moves),
    }
}

/// The points that a side can expect with this score, from 0 to 1.
pub(super) fn expected(score: Score, color: Color) -> f64 {
    let white = match score {
        // A logistic curve on which an advantage of two pawns is worth three points of four.
        Score::Centipawns(centipawns) => 1.0 / (1.0 + (-f64::from(centipawns) / 180.0).exp()),
        Score::Mate(moves) => f64::from(u8::from(moves > 0)),
    };
    if color == Color::White { white } else { 1.0 - white }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<Move> {
        text.split(' ').map(|mv| mv.parse().unwrap()).collect()
    }

    #[tokio::test]
    async fn finds_the_move_that_allows_mate() {
        let computers = Computers::default();
        let moves = moves("f2f3 e7e5 g2g4 d8h4");
        let analysis = analyse(&computers, Position::start(), &moves).await.unwrap();
        assert_eq!(analysis.evaluations.len(), 5);
        assert_eq!(analysis.evaluations[3].score, Score::Mate(-1), "after g4 Black mates in one");
        assert_eq!(analysis.evaluations[4], Evaluation { score: Score::Mate(-1), best: None });
        let worst = analysis.mistakes[0];
        assert_eq!((worst.ply, worst.color, worst.played), (2, Color::White, moves[2]));
        assert!(worst.loss > 0.2 && worst.better != worst.played, "{worst:?}");
    }

    #[test]
    fn only_the_three_biggest_mistakes_are_reported() {
        let played = moves("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
        let best = Some("a2a3".parse().unwrap());
        let scores = [0, -100, 0, -300, 0, -200, 400];
        let evaluations = scores.map(|cp| Evaluation { score: Score::Centipawns(cp), best });
        let plies: Vec<usize> =
            mistakes(Color::White, &played, &evaluations).iter().map(|mistake| mistake.ply).collect();
        assert_eq!(plies, [5, 2, 3]);
    }

    #[test]
    fn the_best_move_is_never_a_mistake() {
        let played = moves("e2e4");
        let best = Some(played[0]);
        let evaluations = [0, -900].map(|cp| Evaluation { score: Score::Centipawns(cp), best });
        assert_eq!(mistakes(Color::White, &played, &evaluations), []);
    }

    #[test]
    fn both_sides_expect_one_point_together() {
        for score in [Score::Centipawns(0), Score::Centipawns(-250), Score::Mate(3), Score::Mate(-1)] {
            let sum = expected(score, Color::White) + expected(score, Color::Black);
            assert!((sum - 1.0).abs() < 1e-9, "{score:?}");
        }
        assert!((expected(Score::Centipawns(200), Color::White) - 0.75).abs() < 0.01);
    }
}
