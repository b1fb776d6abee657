use chess::{Bitboard, Square};

use crate::ply::Ply;

/// What a ply does to the reed switches: which squares are lifted from, which are placed on, which lose a piece for good, and what
/// is occupied when it is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Footprint {
    /// The ply itself. Its piece goes from [`Ply::from`] to [`Ply::to`].
    pub ply: Ply,
    /// The squares that pieces leave which go elsewhere: that of the ply, and those of pieces that move with it.
    pub lifts: Bitboard,
    /// The squares that those pieces go to.
    pub places: Bitboard,
    /// The squares of pieces that leave the board.
    pub captured: Bitboard,
    /// What is occupied after it.
    pub after: Bitboard,
}

impl Footprint {
    /// The footprint of one piece that moves, and takes what stands on these squares.
    #[must_use]
    pub const fn of_one(ply: Ply, occupied: Bitboard, captured: Bitboard) -> Self {
        Self::of_several(ply, occupied, Bitboard::EMPTY, Bitboard::EMPTY, captured)
    }

    /// The footprint of a piece with which others move, from these squares to those.
    #[must_use]
    pub const fn of_several(
        ply: Ply,
        occupied: Bitboard,
        other_lifts: Bitboard,
        other_places: Bitboard,
        captured: Bitboard,
    ) -> Self {
        let lifts = Bitboard(other_lifts.0 | Bitboard::of(ply.from()).0);
        let places = Bitboard(other_places.0 | Bitboard::of(ply.to()).0);
        let after = Bitboard(occupied.0 & !(lifts.0 | captured.0) | places.0);
        Self { ply, lifts, places, captured, after }
    }

    /// The squares that the pieces leave which move with the one of the ply: that of the rook in castling.
    #[must_use]
    pub const fn other_lifts(&self) -> Bitboard {
        Bitboard(self.lifts.0 & !Bitboard::of(self.ply.from()).0)
    }

    /// The squares that the pieces go to which move with the one of the ply.
    #[must_use]
    pub const fn other_places(&self) -> Bitboard {
        Bitboard(self.places.0 & !Bitboard::of(self.ply.to()).0)
    }

    /// The one piece that moves with that of the ply, if there is exactly one: the rook in castling.
    #[must_use]
    pub fn companion(&self) -> Option<(Square, Square)> {
        let (lifts, places) = (self.other_lifts(), self.other_places());
        (!lifts.several() && !places.several()).then_some((lifts.first()?, places.first()?))
    }

    /// Where the piece of the ply ends, as far as the reeds can tell. The target of the ply may only name it, and the piece go elsewhere.
    #[must_use]
    pub fn ends(&self) -> Bitboard {
        if self.places.has(self.ply.to()) || self.places.is_empty() { self.ply.to().into() } else { self.places }
    }

    /// Whether both do the same to the reeds.
    #[must_use]
    pub fn is_alike(&self, other: &Self) -> bool {
        (self.lifts, self.places, self.captured) == (other.lifts, other.places, other.captured)
    }

    /// Whether another ply may begin as this one and do more, as castling that begins with the rook.
    #[must_use]
    pub fn is_part_of(&self, other: &Self) -> bool {
        if let Some(companion) = other.companion() {
            return companion == (self.ply.from(), self.ply.to());
        }
        let rest =
            self.lifts.without(other.lifts) | self.places.without(other.places) | self.captured.without(other.captured);
        rest.is_empty() && !self.is_alike(other)
    }

    /// Whether it takes a piece off the board.
    #[must_use]
    pub fn is_capture(&self) -> bool {
        self.captured.any()
    }

    /// Whether a piece stands on the square that the piece of the ply has left.
    #[must_use]
    pub fn refills_start(&self) -> bool {
        self.ply.from() != self.ply.to() && self.after.has(self.ply.from())
    }

    /// Whether it asks for more than moving one piece from its square to another: castling, a capture beside the square that is entered, or
    /// a piece that takes the place of the one that moves.
    #[must_use]
    pub fn takes_two_hands(&self) -> bool {
        self.other_lifts().any() || self.captured.without(self.ply.to().into()).any() || self.refills_start()
    }
}
