use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::moves::{Move, MoveList};
use crate::piece::Promotion;
use crate::position::Position;
use crate::square::{Rank, Square};

/// A side has sixteen pieces at most, and all of them but the king may be something else than pawns.
const MAX_PIECES: usize = 16;

/// Every legal move of a position, as the set of squares that each piece may go to. Pawns that make the same step are
/// kept together, by the squares they step on.
///
/// This is how a board thinks of moves, too: a piece is lifted, and its squares light up.
#[derive(Clone, Debug)]
pub struct LegalMoves {
    turn: Color,
    /// How many of the next two arrays count.
    pieces: u8,
    from: [Square; MAX_PIECES],
    to: [Bitboard; MAX_PIECES],
    /// By [`PawnStep`].
    pawns: [Bitboard; 4],
    /// The pawns that may capture en passant, and where.
    en_passant: (Bitboard, Square),
}

#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(crate) enum PawnStep {
    Once = 0,
    Twice = 1,
    TakesTowardsA = 2,
    TakesTowardsH = 3,
}

impl PawnStep {
    const ALL: [Self; 4] = [Self::Once, Self::Twice, Self::TakesTowardsA, Self::TakesTowardsH];

    /// How far it goes, in index order.
    const fn offset(self, color: Color) -> i8 {
        let (towards_a, towards_h) = attacks::pawn_captures(color);
        match (self, color) {
            (Self::Once, Color::White) => 8,
            (Self::Once, Color::Black) => -8,
            (Self::Twice, Color::White) => 16,
            (Self::Twice, Color::Black) => -16,
            (Self::TakesTowardsA, _) => towards_a,
            (Self::TakesTowardsH, _) => towards_h,
        }
    }
}

/// Where pawns promote. One side's pawns never get to the other one.
const LAST_RANKS: Bitboard = Bitboard(Bitboard::rank(Rank::First).0 | Bitboard::rank(Rank::Eighth).0);

impl LegalMoves {
    #[inline]
    pub(crate) const fn none(turn: Color) -> Self {
        Self {
            turn,
            pieces: 0,
            from: [Square::A1; MAX_PIECES],
            to: [Bitboard::EMPTY; MAX_PIECES],
            pawns: [Bitboard::EMPTY; 4],
            en_passant: (Bitboard::EMPTY, Square::A1),
        }
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "four bits cannot miss in 16 entries")]
    pub(crate) fn add(&mut self, from: Square, to: Bitboard) {
        let index = usize::from(self.pieces) & (MAX_PIECES - 1);
        self.from[index] = from;
        self.to[index] = to;
        self.pieces = self.pieces.wrapping_add(1);
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "there are as many steps as entries")]
    pub(crate) fn set_pawns(&mut self, step: PawnStep, to: Bitboard) {
        self.pawns[step as usize] = to;
    }

    #[inline]
    pub(crate) fn set_en_passant(&mut self, from: Bitboard, to: Square) {
        self.en_passant = (from, to);
    }

    /// How many there are.
    #[must_use]
    #[inline]
    pub fn count(&self) -> u32 {
        let pieces = self.to.iter().take(usize::from(self.pieces)).map(|to| to.count());
        // A pawn that promotes has four moves where it had one.
        let pawns = self.pawns.iter().map(|to| to.count().wrapping_add((*to & LAST_RANKS).count().wrapping_mul(3)));
        pieces.chain(pawns).fold(self.en_passant.0.count(), u32::wrapping_add)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.to.iter().chain(&self.pawns).all(|to| to.is_empty()) && self.en_passant.0.is_empty()
    }

    /// The squares that the piece on this square may go to.
    #[must_use]
    pub fn from(&self, square: Square) -> Bitboard {
        self.of_piece(square).unwrap_or_else(|| self.of_pawn(square))
    }

    fn of_piece(&self, square: Square) -> Option<Bitboard> {
        self.movers().find_map(|(from, to)| (from == square).then_some(to))
    }

    /// A square that a step reaches has been reached from exactly one square, so where a step from this square meets the
    /// squares of that step, a pawn stands on this square.
    fn of_pawn(&self, square: Square) -> Bitboard {
        let passing = if self.en_passant.0.has(square) { Bitboard::of(self.en_passant.1) } else { Bitboard::EMPTY };
        PawnStep::ALL
            .into_iter()
            .zip(self.pawns)
            .fold(passing, |set, (step, to)| set | Bitboard::of(square).shift(step.offset(self.turn)) & to)
    }

    /// Whether this is one of them.
    #[must_use]
    pub fn contains(&self, mv: Move) -> bool {
        let (to, promotes) = match self.of_piece(mv.from()) {
            Some(to) => (to, false),
            None => (self.of_pawn(mv.from()), LAST_RANKS.has(mv.to())),
        };
        to.has(mv.to()) && mv.promotion().is_some() == promotes
    }

    /// Everything but pawns, with where it may go.
    fn movers(&self) -> impl Iterator<Item = (Square, Bitboard)> {
        self.from.into_iter().zip(self.to).take(usize::from(self.pieces))
    }

    /// Each of them.
    #[must_use]
    pub fn list(&self) -> MoveList {
        let mut list = MoveList::new();
        for (from, to) in self.movers() {
            for to in to {
                list.push(Move::new(from, to));
            }
        }
        for (step, to) in PawnStep::ALL.into_iter().zip(self.pawns) {
            for to in to {
                let mv = Move::new(to.offset(step.offset(self.turn).wrapping_neg()), to);
                if LAST_RANKS.has(to) {
                    for promotion in Promotion::ALL {
                        list.push(mv.promoting(Some(promotion)));
                    }
                } else {
                    list.push(mv);
                }
            }
        }
        for from in self.en_passant.0 {
            list.push(Move::new(from, self.en_passant.1));
        }
        list
    }
}

impl Position {
    /// A list of every legal move.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        self.legal().list()
    }

    /// How many legal moves there are, without making a list of them.
    #[must_use]
    pub fn count_legal_moves(&self) -> u32 {
        self.legal().count()
    }

    /// Whether there is a legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        !self.legal().is_empty()
    }

    /// Whether this move can be played.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.legal().contains(mv)
    }
}
