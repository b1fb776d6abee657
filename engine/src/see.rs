//! Static exchange evaluation: the balance of all captures on one square.

use chess::{Bitboard, Move, Piece, Position, Role, attacks};

/// The value of a role in exchanges, in centipawns. A king is worth more than everything else.
pub(crate) const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 950,
        Role::King => 10_000,
    }
}

/// What a move captures and promotes to, in centipawns.
#[inline]
pub(crate) fn gain(position: &Position, mv: Move) -> i32 {
    let captured = position.piece_at(mv.to()).map_or(0, |piece| value(piece.role()));
    let promoted = mv.promotion().map_or(0, |promotion| value(promotion.role()) - value(Role::Pawn));
    captured + promoted
}

/// Whether a move wins at least `threshold` if both sides go on capturing on its target square as long as it pays.
pub(crate) fn wins_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    let (from, to) = (mv.from(), mv.to());
    let Some(moved) = position.piece_at(from) else { return false };
    let is_en_passant = moved.role() == Role::Pawn && position.en_passant() == Some(to);
    let gain = gain(position, mv) + if is_en_passant { value(Role::Pawn) } else { 0 };
    // `balance` is what the side that has just captured is ahead of the threshold.
    let mut balance = gain - threshold;
    if balance < 0 {
        return false;
    }
    balance -= value(mv.promotion().map_or(moved.role(), chess::Promotion::role));
    if balance >= 0 {
        return true;
    }
    let mut occupied = position.occupied().without(Bitboard::of(from)) | Bitboard::of(to);
    if let Some(victim) = position.victim(mv).filter(|_| is_en_passant) {
        occupied ^= Bitboard::of(victim);
    }
    let queens = position.of_role(Role::Queen);
    let diagonal = position.of_role(Role::Bishop) | queens;
    let straight = position.of_role(Role::Rook) | queens;
    let mut attackers = position.attackers(to, occupied) & occupied;
    let mut side = !moved.color();
    loop {
        let own = attackers & position.of_color(side);
        let cheapest = Role::ALL.into_iter().find(|&role| (own & position.of_role(role)).any());
        let Some(role) = cheapest else { break };
        let Some(capturer) = (own & position.of(Piece::new(side, role))).first() else { break };
        // A king cannot capture a protected piece.
        if role == Role::King && (attackers & position.of_color(!side)).any() {
            break;
        }
        occupied ^= Bitboard::of(capturer);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook(to, occupied) & straight;
        }
        attackers &= occupied;
        side = !side;
        balance = -balance - 1 - value(role);
        if balance >= 0 {
            break;
        }
    }
    // The side that cannot or need not capture any more has lost the exchange.
    side != moved.color()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanges_are_counted_to_their_end() {
        for (fen, mv, exact) in [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -220),
            ("4k3/8/3p4/4p3/8/8/8/4KR2 w - - 0 1", "f1f4", -500),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 850),
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 1350),
            ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5", 950),
            ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -400),
        ] {
            let position: Position = fen.parse().expect(fen);
            let mv: Move = mv.parse().expect(mv);
            assert!(position.is_legal(mv), "{fen} {mv}");
            assert!(wins_at_least(&position, mv, exact), "{fen} {mv} wins less than {exact}");
            assert!(!wins_at_least(&position, mv, exact + 1), "{fen} {mv} wins more than {exact}");
        }
    }
}
