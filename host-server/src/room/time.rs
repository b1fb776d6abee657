use serde::{Deserialize, Serialize};

/// A moment in milliseconds, as the store counts them. It is the same for all relays on one store, and only ever grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(pub u64);

impl Time {
    /// Milliseconds from an earlier moment to this one; none if it was not earlier.
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// The moment so many milliseconds later.
    #[must_use]
    pub const fn after(self, milliseconds: u64) -> Self {
        Self(self.0.saturating_add(milliseconds))
    }
}
