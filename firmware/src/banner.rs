//! The first log line: firmware version and board.

use core::fmt;

/// Version of the firmware and of the whole project.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Version and board, as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Banner {
    /// The manufacturer's name of the hardware.
    pub board: &'static str,
}

impl fmt::Display for Banner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tabiya {VERSION} on {}", self.board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_version_and_the_board() {
        let banner = Banner { board: "a breadboard" };
        assert_eq!(banner.to_string(), format!("Tabiya {} on a breadboard", env!("CARGO_PKG_VERSION")));
    }
}
