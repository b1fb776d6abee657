//! Insufficient material: whether a side can still give mate.

use crate::color::Color;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::square::Square;

impl Position {
    /// Whether some series of legal moves could end with this side giving mate, judged by the material alone.
    ///
    /// The opponent's pieces count, too, because they can block their own king: a single knight can mate a king that is
    /// blocked by its rook, but not one that only has queens.
    #[must_use]
    pub fn can_mate(&self, color: Color) -> bool {
        let of = |role| self.of_role(role);
        let own = |role| self.of(Piece::new(color, role));
        if (own(Role::Pawn) | own(Role::Rook) | own(Role::Queen)).any() {
            return true;
        }
        if own(Role::Knight).any() {
            let alone = !(own(Role::Knight) | own(Role::Bishop)).several();
            let blockers = of(Role::Pawn) | of(Role::Knight) | of(Role::Bishop) | of(Role::Rook);
            return !alone || (blockers & self.of_color(!color)).any();
        }
        if own(Role::Bishop).any() {
            // Bishops on one colour of squares need a piece that can block squares of the other colour.
            let light = of(Role::Bishop).squares().any(Square::is_light);
            let dark = of(Role::Bishop).squares().any(|square| !square.is_light());
            return light && dark || (of(Role::Pawn) | of(Role::Knight)).any();
        }
        false
    }

    /// Whether neither side can give mate.
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        Color::ALL.into_iter().all(|color| !self.can_mate(color))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn material_decides_which_side_can_mate() {
        for (fen, white, black) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", false, false),
            ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", false, false),
            ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", false, false),
            ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", true, false),
            ("4k3/8/8/8/8/8/8/4KBN1 w - - 0 1", true, false),
            ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", true, false),
            ("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", true, true),
            ("4kr2/8/8/8/8/8/8/4KN2 w - - 0 1", true, true),
            ("3qk3/8/8/8/8/8/8/4KN2 w - - 0 1", false, true),
            ("4k1b1/8/8/8/8/8/8/4KB2 w - - 0 1", false, false),
            ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", true, true),
            ("4kr2/8/8/8/8/8/8/4KB2 w - - 0 1", false, true),
            ("4k3/p7/8/8/8/8/8/4KB2 w - - 0 1", true, true),
            ("4k3/8/8/8/8/3B4/8/4KB2 w - - 0 1", false, false),
            ("4k3/8/8/8/8/8/3B4/4KB2 w - - 0 1", true, false),
        ] {
            let position: Position = fen.parse().expect(fen);
            assert_eq!((position.can_mate(Color::White), position.can_mate(Color::Black)), (white, black), "{fen}");
            assert_eq!(position.is_insufficient_material(), !white && !black, "{fen}");
        }
    }
}
