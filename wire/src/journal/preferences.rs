use serde::{Deserialize, Serialize};

/// How the owner of a board wants it to be. A board turns it into what it works with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preferences {
    /// How many scans must agree.
    pub debounce: u8,
    /// Whether Black sits where the first rank is.
    pub turned: bool,
    /// How long a piece that could slide on must rest, in milliseconds.
    pub rest_ms: u32,
    /// How long a rook that may be about to castle must rest, in milliseconds.
    pub rook_rest_ms: u32,
    /// How long kings in the centre must rest, in milliseconds.
    pub kings_rest_ms: u32,
    /// How long the start position must rest, in milliseconds.
    pub restart_rest_ms: u32,
    /// How long a square must be empty between two pieces, in milliseconds.
    pub swap_ms: u32,
    /// How bright the lights are.
    pub brightness: u8,
    /// What all lights together may draw, in milliamperes.
    pub budget_milliamps: u16,
    /// How bright the light squares are.
    pub light_squares: u8,
    /// How bright the dark squares are.
    pub dark_squares: u8,
}
