use std::fmt;

/// A text that is never shown, neither in a log nor by `--print-config`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Box<str>);

impl Secret {
    /// Hides a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// The text, for the one who has to say it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}
