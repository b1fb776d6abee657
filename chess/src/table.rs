use core::ops::{Index, IndexMut};

use crate::square::Square;

/// One entry for each square. Indexing with a [`Square`] is always in range, so it needs no bounds check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(8))]
pub(crate) struct Table<T>(pub(crate) [T; 64]);

impl<T> Index<Square> for Table<T> {
    type Output = T;

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "six bits cannot miss in 64 entries")]
    fn index(&self, square: Square) -> &T {
        &self.0[usize::from(square.index() & 63)]
    }
}

impl<T> IndexMut<Square> for Table<T> {
    #[inline]
    #[expect(clippy::indexing_slicing, reason = "six bits cannot miss in 64 entries")]
    fn index_mut(&mut self, square: Square) -> &mut T {
        &mut self.0[usize::from(square.index() & 63)]
    }
}
