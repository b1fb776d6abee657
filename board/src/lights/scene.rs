use core::fmt;
use core::iter;

use chess::{Bitboard, Square};

use super::meaning::Meaning;

/// Six bits tell more meanings apart than there are.
const PLANES: usize = 6;
const _: () = assert!(Meaning::ALL.len() < 1 << PLANES);
const _: () = assert!(size_of::<Scene>() == 48);

/// What the board has to say: a meaning for each square, or none. There is no time in it.
///
/// The urgency of each square's meaning stands upright, bit 0 of all squares in one word, bit 1 in the next. So a scene
/// is 48 bytes, a meaning is put on any number of squares at once, and two scenes are equal exactly if they look alike.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Scene {
    planes: [Bitboard; PLANES],
}

impl Scene {
    /// Nothing to say: a dark board.
    pub const EMPTY: Self = Self { planes: [Bitboard::EMPTY; PLANES] };

    /// Says this about these squares, except where something more urgent is said already. The order of marking is
    /// therefore of no importance.
    pub fn mark(&mut self, meaning: Meaning, squares: impl Into<Bitboard>) {
        let urgency = meaning.urgency();
        let bit = |plane: usize| urgency >> plane & 1 == 1;
        // Compare from the highest bit down: the first bit that differs decides. A square that has been found less
        // urgent stays so, whatever its lower bits are.
        let mut less_urgent = Bitboard::EMPTY;
        let mut undecided = squares.into();
        for (index, &plane) in self.planes.iter().enumerate().rev() {
            if bit(index) {
                less_urgent |= undecided.without(plane);
            } else {
                undecided = undecided.without(plane);
            }
        }
        for (index, plane) in self.planes.iter_mut().enumerate() {
            *plane = if bit(index) { *plane | less_urgent } else { plane.without(less_urgent) };
        }
    }

    /// The same scene with this meaning marked on these squares as well.
    #[must_use]
    pub fn with(mut self, meaning: Meaning, squares: impl Into<Bitboard>) -> Self {
        self.mark(meaning, squares);
        self
    }

    /// What is said about a square.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<Meaning> {
        let bits = self.planes.iter().rev();
        Meaning::of_urgency(bits.fold(0, |urgency, plane| urgency << 1 | usize::from(plane.has(square))))
    }

    /// The squares that this is said about, where nothing more urgent covers it.
    #[must_use]
    pub fn squares(&self, meaning: Meaning) -> Bitboard {
        let planes = self.planes.iter().enumerate();
        planes.fold(Bitboard::ALL, |squares, (index, &plane)| {
            if meaning.urgency() >> index & 1 == 1 { squares & plane } else { squares.without(plane) }
        })
    }

    /// Whether there is nothing to say.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// Everything that is said, once each, with its squares.
    pub(super) fn meanings(&self) -> impl Iterator<Item = (Meaning, Bitboard)> {
        let mut left = self.planes.iter().fold(Bitboard::EMPTY, |any, &plane| any | plane);
        // As long as it takes to look at what is there, not at all that could be.
        iter::from_fn(move || {
            let meaning = self.at(left.first()?)?;
            let squares = self.squares(meaning);
            left = left.without(squares);
            Some((meaning, squares))
        })
    }
}

impl fmt::Debug for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.meanings()).finish()
    }
}
