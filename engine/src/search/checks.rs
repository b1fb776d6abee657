//! Which quiet moves give check, without playing them.

use chess::{Bitboard, Move, Piece, Position, Role, attacks};

/// The squares from which a piece of the side to move gives check, and the pieces that uncover a check when they move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Checks {
    pawns: Bitboard,
    knights: Bitboard,
    diagonal: Bitboard,
    straight: Bitboard,
    discoverers: Bitboard,
}

impl Checks {
    pub(super) fn of(position: &Position) -> Self {
        let us = position.turn();
        let king = position.king(us.other());
        let (occupied, ours) = (position.occupied(), position.of_color(us));
        let of = |role| position.of(Piece::new(us, role));
        let queens = of(Role::Queen);
        let diagonal = attacks::bishop(king, occupied);
        let straight = attacks::rook(king, occupied);
        // Without the own pieces next to the king's lines, a slider behind them would attack the king.
        let mut discoverers = Bitboard::EMPTY;
        let beyond = attacks::bishop(king, occupied.without(diagonal & ours)).without(diagonal);
        if (beyond & (of(Role::Bishop) | queens)).any() {
            discoverers |= diagonal & ours;
        }
        let beyond = attacks::rook(king, occupied.without(straight & ours)).without(straight);
        if (beyond & (of(Role::Rook) | queens)).any() {
            discoverers |= straight & ours;
        }
        let pawns = attacks::pawns(us.other(), Bitboard::of(king));
        Self { pawns, knights: attacks::knight(king), diagonal, straight, discoverers }
    }

    /// Whether a quiet move gives check, or may uncover one: of several pieces around a king, each is taken to uncover it.
    #[inline]
    pub(super) fn may_give(&self, position: &Position, mv: Move) -> bool {
        if self.discoverers.has(mv.from()) {
            return true;
        }
        let Some(piece) = position.piece_at(mv.from()) else { return false };
        let squares = match piece.role() {
            Role::Pawn => self.pawns,
            Role::Knight => self.knights,
            Role::Bishop => self.diagonal,
            Role::Rook => self.straight,
            Role::Queen => self.diagonal | self.straight,
            Role::King => Bitboard::EMPTY,
        };
        squares.has(mv.to())
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::ordering::is_tactical;
    use crate::random::Random;

    /// Castling may give check with the rook, which is not counted.
    #[test]
    fn every_quiet_check_of_random_games_is_seen() {
        let mut random = Random::new(3);
        let (mut seen, mut more) = (0, 0);
        for _ in 0..200 {
            let mut position = Position::start();
            for _ in 0..120 {
                let moves = position.legal_moves();
                let checks = Checks::of(&position);
                for &mv in moves.iter().filter(|&&mv| !is_tactical(&position, mv) && mv.promotion().is_none()) {
                    let is_check = position.after(mv).is_check();
                    let is_found = checks.may_give(&position, mv);
                    assert!(is_found || !is_check || position.castling_rook(mv).is_some(), "{mv} {}", position.fen());
                    seen += u32::from(is_check);
                    more += u32::from(is_found && !is_check);
                }
                let Some(&mv) = moves.get(random.below(moves.len() as u32) as usize) else { break };
                position = position.after(mv);
            }
        }
        assert!(seen > 500 && more < seen, "{seen} checks, {more} more moves of discoverers");
    }
}
