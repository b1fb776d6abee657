use chess::Bitboard;

use crate::lights::LightSettings;

/// What the owner of a board can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many scans in a row must agree before the state of a square changes. At 1,000 scans per second, five are five times
    /// the bounce of a reed.
    pub debounce: u8,
    /// Which side has the first rank of the reeds.
    pub orientation: Orientation,
    /// Rest times of the move recogniser.
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
    #[expect(missing_docs, reason = "named for what it is")]
    WhiteNear,
    /// The board is turned round.
    BlackNear,
}

impl Orientation {
    pub(crate) const fn is_turned(self) -> bool {
        matches!(self, Self::BlackNear)
    }

    /// Converts between squares of the reeds and squares of the game.
    pub(crate) const fn turn(self, squares: Bitboard) -> Bitboard {
        if self.is_turned() { Bitboard(squares.0.reverse_bits()) } else { squares }
    }
}

/// How long moves rest before they count, as the players choose. `hand/timing.rs` has the times.
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

/// Rest times of the move recogniser, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandSettings {
    /// Which of the rests are shorter or longer.
    pub pace: Pace,
    /// Rest of a piece that could slide on, before its move counts.
    pub rest: u64,
    /// Rest of a rook that may be about to castle, unless the king follows sooner.
    pub rook_rest: u64,
    /// Rest of the kings in the centre, before the game ends.
    pub kings_rest: u64,
    /// Rest of all pieces on their start squares, before a running game is replaced by a new one.
    pub restart_rest: u64,
    /// How long a square must be empty before a piece there counts as another one, as in a capture.
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
