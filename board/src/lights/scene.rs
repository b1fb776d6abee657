use core::fmt;
use core::iter;

use chess::{Bitboard, Square};

use super::meaning::Meaning;

/// Number of bit planes: six bits encode up to 63 meanings.
const PLANES: usize = 6;
const _: () = assert!(Meaning::ALL.len() < 1 << PLANES);
const _: () = assert!(size_of::<Scene>() == 48);

/// A meaning or none for each square, independent of time.
///
/// The urgencies are stored as bit planes: bit 0 of all squares in one word, bit 1 in the next. So a scene takes 48 bytes,
/// a meaning is set on any number of squares at once, and two scenes are equal exactly if they look alike.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Scene {
    planes: [Bitboard; PLANES],
}

impl Scene {
    /// No meaning on any square: a dark board.
    pub const EMPTY: Self = Self { planes: [Bitboard::EMPTY; PLANES] };

    /// Sets a meaning on these squares, except where a more urgent one is set. The result does not depend on the order of
    /// the calls.
    pub fn mark(&mut self, meaning: Meaning, squares: impl Into<Bitboard>) {
        let urgency = meaning.urgency();
        let bit = |plane: usize| urgency >> plane & 1 == 1;
        // Compares from the highest bit down: the first different bit decides, and a square that was found less urgent
        // stays so.
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

    /// The meaning of a square.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<Meaning> {
        let bits = self.planes.iter().rev();
        Meaning::of_urgency(bits.fold(0, |urgency, plane| urgency << 1 | usize::from(plane.has(square))))
    }

    /// The squares with this meaning.
    #[must_use]
    pub fn squares(&self, meaning: Meaning) -> Bitboard {
        let planes = self.planes.iter().enumerate();
        planes.fold(Bitboard::ALL, |squares, (index, &plane)| {
            if meaning.urgency() >> index & 1 == 1 { squares & plane } else { squares.without(plane) }
        })
    }

    /// Whether no square has a meaning.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// Each meaning in the scene with its squares.
    pub(super) fn meanings(&self) -> impl Iterator<Item = (Meaning, Bitboard)> {
        let mut left = self.planes.iter().fold(Bitboard::EMPTY, |any, &plane| any | plane);
        // The cost depends on the number of meanings in the scene, not on that of all meanings.
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
