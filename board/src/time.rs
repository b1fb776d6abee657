/// A moment, in milliseconds since the board was switched on. It only ever grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(u64);

impl Instant {
    /// A number of milliseconds after the board was switched on.
    #[must_use]
    pub const fn at(milliseconds: u64) -> Self {
        Self(milliseconds)
    }

    /// Milliseconds since the board was switched on.
    #[must_use]
    pub const fn milliseconds(self) -> u64 {
        self.0
    }

    /// Milliseconds from an earlier moment to this one; none if it was not earlier.
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// The moment that many milliseconds later.
    #[must_use]
    pub const fn after(self, milliseconds: u64) -> Self {
        Self(self.0.saturating_add(milliseconds))
    }
}
