use chess::Bitboard;

use crate::lights::LightSettings;

/// Everything about a board that its owner may want otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// So many scans in a row must agree before a square is believed to have changed. At a thousand scans a second,
    /// five are five times the bounce of a reed.
    pub debounce: u8,
    /// Which way round the board lies.
    pub orientation: Orientation,
    /// How the hand is read.
    pub hand: HandSettings,
    /// How bright the lights are.
    pub lights: LightSettings,
}

impl Settings {
    /// The settings of a new board.
    pub const DEFAULT: Self = Self {
        debounce: 5,
        orientation: Orientation::WhiteNear,
        hand: HandSettings::DEFAULT,
        lights: LightSettings::DEFAULT,
    };
}

impl Default for Settings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Which side sits where the first rank of the reeds is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// White does.
    WhiteNear,
    /// Black does: the board is turned round.
    BlackNear,
}

impl Orientation {
    pub(crate) const fn is_turned(self) -> bool {
        matches!(self, Self::BlackNear)
    }

    /// The squares of the game that these squares of the wood are.
    pub(crate) const fn turn(self, squares: Bitboard) -> Bitboard {
        if self.is_turned() { Bitboard(squares.0.reverse_bits()) } else { squares }
    }
}

/// How patiently the hand is read. All times are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandSettings {
    /// A piece that could slide on must rest for so long before its move is believed.
    pub rest: u64,
    /// A rook that may be about to castle must rest for so long, or until the king follows.
    pub rook_rest: u64,
    /// Kings in the centre must rest for so long before the game is over.
    pub kings_rest: u64,
    /// All pieces must stand at the start for so long before a game is given up for a new one.
    pub restart_rest: u64,
    /// A square must be empty for so long before one piece is believed to have taken the place of another.
    pub swap: u64,
}

impl HandSettings {
    /// The settings of a new board.
    pub const DEFAULT: Self = Self { rest: 300, rook_rest: 1500, kings_rest: 1000, restart_rest: 3000, swap: 100 };
}

impl Default for HandSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}
