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

/// How long moves rest before they are believed, as the players choose. `hand/timing.rs` has the times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// Shorter rests, for players who let go of a piece at once.
    Fast,
    /// The rests of a new board.
    #[default]
    Normal,
    /// Longer rests, for players who put a piece down and think with the hand on it.
    Careful,
}

impl Pace {
    /// All of them, the shortest rests first.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Normal, Self::Careful];

    /// The word by which an owner chooses it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Normal => "normal",
            Self::Careful => "careful",
        }
    }

    /// The pace with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pace| pace.name() == name)
    }
}

/// How patiently the hand is read. All times are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandSettings {
    /// Which of the rests are shorter or longer.
    pub pace: Pace,
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
    pub const DEFAULT: Self =
        Self { pace: Pace::Normal, rest: 300, rook_rest: 1500, kings_rest: 1000, restart_rest: 3000, swap: 100 };
}

impl Default for HandSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}
