//! Balanced openings: random first moves after which this engine sees neither side ahead.

use anyhow::Result;
use chess::{Move, Position};
use engine::Random;

use super::player::Kind;

const PLIES: usize = 8;
const NODES: u64 = 10_000;
const BALANCE_CENTIPAWNS: i32 = 40;

/// The opening with this number: the same in every run.
pub(crate) fn opening(number: u64) -> Result<Vec<Move>> {
    let mut random = Random::new(number.wrapping_mul(0x9e37_79b9) ^ 0xba1a_9ced);
    let mut judge = Kind::Ours { level: 10, nodes: NODES, slots: 1 << 16 }.start()?;
    let start = Position::start();
    loop {
        let Some((moves, position)) = walk(PLIES, &mut random) else { continue };
        judge.new_game(0)?;
        let decision = judge.decide(&start, &moves, &position)?;
        if decision.score.abs() <= BALANCE_CENTIPAWNS {
            return Ok(moves);
        }
    }
}

/// Random moves from the start; none if they end the game.
pub(crate) fn walk(plies: usize, random: &mut Random) -> Option<(Vec<Move>, Position)> {
    let mut position = Position::start();
    let mut moves = Vec::new();
    for _ in 0..plies {
        let legal = position.legal_moves();
        let mv = *legal.get(random.below(legal.len() as u32) as usize)?;
        moves.push(mv);
        position = position.after(mv);
    }
    position.has_legal_move().then_some((moves, position))
}
