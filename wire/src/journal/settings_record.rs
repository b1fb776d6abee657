use serde::{Deserialize, Serialize};

/// The settings of a board in their stored form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingsRecord {
    /// Debounce: number of equal scans in a row.
    pub debounce: u8,
    /// Whether Black sits at the first rank of the switch matrix.
    pub black_near: bool,
    /// How long a piece that could slide on must rest.
    pub rest_ms: u32,
    /// How long a rook must rest that may be about to castle.
    pub rook_rest_ms: u32,
    /// How long the kings in the centre must rest.
    pub kings_rest_ms: u32,
    /// How long the start position must rest.
    pub restart_rest_ms: u32,
    /// How long a square must be empty between two pieces.
    pub swap_ms: u32,
    /// Brightness of the lights, 0 to 255.
    pub brightness: u8,
    /// Current limit for all lights together.
    pub budget_milliamps: u16,
    /// Relative brightness of the light squares.
    pub light_squares: u8,
    /// Relative brightness of the dark squares.
    pub dark_squares: u8,
}
