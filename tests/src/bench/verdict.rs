use serde_json::{Value, json};

/// A figure beside what it should be.
pub struct Verdict {
    what: String,
    figure: f64,
    wanted: Wanted,
}

/// What a figure should be.
#[derive(Clone, Copy)]
pub enum Wanted {
    /// This or more.
    AtLeast(f64),
    /// This or less.
    AtMost(f64),
}

impl Verdict {
    /// Holds the figure beside what is wanted.
    pub fn new(what: impl Into<String>, figure: f64, wanted: Wanted) -> Self {
        Self { what: what.into(), figure, wanted }
    }

    /// Whether it is as it should be. A figure that is none is not.
    #[must_use]
    pub fn is_reached(&self) -> bool {
        match self.wanted {
            Wanted::AtLeast(least) => self.figure >= least,
            Wanted::AtMost(most) => self.figure <= most,
        }
    }

    /// For people.
    #[must_use]
    pub fn line(&self) -> String {
        let reached = if self.is_reached() { "reached" } else { "MISSED" };
        let (words, wanted) = self.wanted.parts();
        format!("{reached:7} {}: {:.2}, wanted {words} {wanted}\n", self.what, self.figure)
    }

    /// For programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let (comparison, wanted) = self.wanted.parts();
        json!({
            "what": self.what,
            "figure": self.figure,
            "comparison": comparison,
            "wanted": wanted,
            "reached": self.is_reached(),
        })
    }
}

impl Wanted {
    const fn parts(self) -> (&'static str, f64) {
        match self {
            Self::AtLeast(least) => ("at least", least),
            Self::AtMost(most) => ("at most", most),
        }
    }
}
