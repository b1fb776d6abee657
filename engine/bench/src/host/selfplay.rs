//! Games of the engine against itself, as positions with results for the tuner.

use anyhow::Result;
use chess::{DrawClaim, Game, Position};
use engine::Random;

use super::openings::walk;
use super::player::Kind;

const MAX_PLIES: usize = 300;
/// An opening that is lost already teaches nothing.
const OPENING_CENTIPAWNS: i32 = 300;
/// The score of a position for its label to be clear.
const DECIDED_CENTIPAWNS: i32 = 1200;

/// Prints a line for each quiet position, with semicolons between its FEN, its score and the result, both for White.
pub(crate) fn run(games: u32, nodes: u64, seed: u64) -> Result<()> {
    let mut random = Random::new(seed);
    let mut player = Kind::Ours { level: 10, nodes, slots: 1 << 16 }.start()?;
    for _ in 0..games {
        let plies = 6 + random.below(5) as usize;
        let Some((opening, _)) = walk(plies, &mut random) else { continue };
        player.new_game(0)?;
        let mut game = Box::new(Game::new());
        for mv in opening {
            game.play(mv)?;
        }
        let mut positions = Vec::new();
        let start = Position::start();
        let mut decided = 0;
        let result = loop {
            if let Some(outcome) = game.outcome() {
                break outcome.winner().map_or(0.5, |winner| if winner == chess::Color::White { 1.0 } else { 0.0 });
            }
            if game.moves().len() > MAX_PLIES || DrawClaim::ALL.into_iter().any(|claim| game.can_claim(claim)) {
                break 0.5;
            }
            let position = *game.position();
            let decision = player.decide(&start, game.moves(), &position)?;
            if positions.is_empty() && decision.score.abs() > OPENING_CENTIPAWNS {
                break -1.0;
            }
            let is_quiet =
                !position.is_check() && !position.is_capture(decision.mv) && decision.mv.promotion().is_none();
            let for_white = if position.turn() == chess::Color::White { decision.score } else { -decision.score };
            if is_quiet && decision.score.abs() < DECIDED_CENTIPAWNS {
                positions.push(format!("{};{for_white}", position.fen()));
            }
            decided = if decision.score.abs() >= DECIDED_CENTIPAWNS { decided + 1 } else { 0 };
            if decided >= 6 {
                break if for_white > 0 { 1.0 } else { 0.0 };
            }
            game.play(decision.mv)?;
        };
        if result >= 0.0 {
            for position in positions {
                println!("{position};{result}");
            }
        }
    }
    Ok(())
}
