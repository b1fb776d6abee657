use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::moves::{Move, MoveList};
use crate::piece::Promotion;
use crate::position::Position;
use crate::square::{Rank, Square};

/// A side has at most sixteen pieces, none of which needs to be a pawn.
const MAX_PIECES: usize = 16;

/// All legal moves of a position: the set of target squares of each piece. Pawns with the same step are stored together,
/// as the set of their target squares.
///
/// A board needs the moves in this form: when a piece is lifted, its target squares are lit.
#[derive(Clone, Debug)]
pub struct LegalMoves {
    turn: Color,
    /// Number of valid entries in the next two arrays.
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

    /// Difference of the square indices.
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

/// Ranks on which pawns promote. The pawns of one side never reach the other one.
pub(crate) const LAST_RANKS: Bitboard = Bitboard(Bitboard::rank(Rank::First).0 | Bitboard::rank(Rank::Eighth).0);

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

    /// Number of moves.
    #[must_use]
    #[inline]
    pub fn count(&self) -> u32 {
        let pieces = self.to.iter().take(usize::from(self.pieces)).map(|to| to.count());
        // A promotion counts as four moves.
        let pawns = self.pawns.iter().map(|to| to.count().wrapping_add((*to & LAST_RANKS).count().wrapping_mul(3)));
        pieces.chain(pawns).fold(self.en_passant.0.count(), u32::wrapping_add)
    }

    /// Whether there is no move.
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

    /// Each target square of a step belongs to exactly one start square, so the pawn on this square has the target if the
    /// shifted square is in the set.
    fn of_pawn(&self, square: Square) -> Bitboard {
        let passing = if self.en_passant.0.has(square) { Bitboard::of(self.en_passant.1) } else { Bitboard::EMPTY };
        PawnStep::ALL
            .into_iter()
            .zip(self.pawns)
            .fold(passing, |set, (step, to)| set | Bitboard::of(square).shift(step.offset(self.turn)) & to)
    }

    /// Whether this move is legal.
    #[must_use]
    pub fn contains(&self, mv: Move) -> bool {
        let (to, promotes) = match self.of_piece(mv.from()) {
            Some(to) => (to, false),
            None => (self.of_pawn(mv.from()), LAST_RANKS.has(mv.to())),
        };
        to.has(mv.to()) && mv.promotion().is_some() == promotes
    }

    /// All pieces except pawns, with their target squares.
    pub fn movers(&self) -> impl Iterator<Item = (Square, Bitboard)> {
        self.from.iter().copied().zip(self.to.iter().copied()).take(usize::from(self.pieces))
    }

    /// All moves as a list.
    #[must_use]
    pub fn list(&self) -> MoveList {
        let mut list = MoveList::new();
        self.for_each(|mv| list.push(mv));
        list
    }

    /// Calls a function with every move, in the order of [`LegalMoves::list`]. It needs no memory for a list.
    #[inline]
    pub fn for_each(&self, mut visit: impl FnMut(Move)) {
        for (from, to) in self.movers() {
            for to in to {
                visit(Move::new(from, to));
            }
        }
        self.for_each_of_pawns(visit);
    }

    /// Calls a function with every move of a pawn.
    #[inline]
    pub fn for_each_of_pawns(&self, mut visit: impl FnMut(Move)) {
        for (step, to) in PawnStep::ALL.into_iter().zip(self.pawns) {
            for to in to {
                let mv = Move::new(to.offset(step.offset(self.turn).wrapping_neg()), to);
                if LAST_RANKS.has(to) {
                    for promotion in Promotion::ALL {
                        visit(mv.promoting(Some(promotion)));
                    }
                } else {
                    visit(mv);
                }
            }
        }
        for from in self.en_passant.0 {
            visit(Move::new(from, self.en_passant.1));
        }
    }
}

impl Position {
    /// All legal moves as a list.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        self.legal().list()
    }

    /// Number of legal moves, without creating a list.
    #[must_use]
    pub fn count_legal_moves(&self) -> u32 {
        self.legal().count()
    }

    /// Whether there is a legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        !self.legal().is_empty()
    }

    /// Whether this move is legal.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.legal().contains(mv)
    }
}
