use core::ops::{Index, IndexMut};

/// An array whose length is a power of two, indexed modulo its length. So an index never needs a bounds check, and never panics.
#[derive(Clone)]
pub(crate) struct Masked<T, const N: usize>([T; N]);

impl<T, const N: usize> Masked<T, N> {
    pub(crate) const fn new(items: [T; N]) -> Self {
        const { assert!(N.is_power_of_two()) }
        Self(items)
    }

    /// An item, and the one after it to be written.
    pub(crate) fn pair(&mut self, index: usize) -> Option<(&mut T, &mut T)> {
        let (low, high) = self.0.split_at_mut_checked(index.wrapping_add(1))?;
        Some((low.last_mut()?, high.first_mut()?))
    }

    pub(crate) fn iter_mut(&mut self) -> core::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }
}

impl<T, const N: usize> Index<usize> for Masked<T, N> {
    type Output = T;

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "the length is a power of two, so the masked index is below it")]
    fn index(&self, index: usize) -> &T {
        &self.0[index & (N - 1)]
    }
}

impl<T, const N: usize> IndexMut<usize> for Masked<T, N> {
    #[inline]
    #[expect(clippy::indexing_slicing, reason = "the length is a power of two, so the masked index is below it")]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.0[index & (N - 1)]
    }
}
