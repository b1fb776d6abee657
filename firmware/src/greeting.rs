//! The first line of every log: which firmware runs on which board.

use core::fmt;

/// The version of the firmware, which is the version of the whole project.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a board says when it wakes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// The name of the hardware, as its maker spells it.
    pub board: &'static str,
}

impl fmt::Display for Greeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tabiya {VERSION} on {}", self.board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_version_and_the_board() {
        let greeting = Greeting { board: "a breadboard" };
        assert_eq!(greeting.to_string(), format!("Tabiya {} on a breadboard", env!("CARGO_PKG_VERSION")));
    }
}
