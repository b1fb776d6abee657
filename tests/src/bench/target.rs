use serde_json::{Value, json};

/// A measured figure with its limit.
pub struct Target {
    what: String,
    figure: f64,
    limit: Limit,
}

/// The limit of a figure.
#[derive(Clone, Copy)]
pub enum Limit {
    /// The figure must be this or more.
    AtLeast(f64),
    /// The figure must be this or less.
    AtMost(f64),
}

impl Target {
    /// A figure with its limit.
    pub fn new(what: impl Into<String>, figure: f64, limit: Limit) -> Self {
        Self { what: what.into(), figure, limit }
    }

    /// Whether the figure is within its limit. NaN is not.
    #[must_use]
    pub fn is_reached(&self) -> bool {
        match self.limit {
            Limit::AtLeast(least) => self.figure >= least,
            Limit::AtMost(most) => self.figure <= most,
        }
    }

    /// One line of a table.
    #[must_use]
    pub fn line(&self) -> String {
        let reached = if self.is_reached() { "reached" } else { "MISSED" };
        let (comparison, limit) = self.limit.parts();
        let decimals = if self.figure.fract() == 0.0 { 0 } else { 2 };
        format!("{reached:7} {}: {:.decimals$}, wanted {comparison} {limit}\n", self.what, self.figure)
    }

    /// One object of a JSON report.
    #[must_use]
    pub fn json(&self) -> Value {
        let (comparison, limit) = self.limit.parts();
        json!({
            "what": self.what,
            "figure": self.figure,
            "comparison": comparison,
            "wanted": limit,
            "reached": self.is_reached(),
        })
    }
}

impl Limit {
    const fn parts(self) -> (&'static str, f64) {
        match self {
            Self::AtLeast(least) => ("at least", least),
            Self::AtMost(most) => ("at most", most),
        }
    }
}
