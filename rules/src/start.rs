use core::error::Error;
use core::fmt;
use core::hash::{Hash, Hasher};

use chess::{FenError, Position};

use crate::genome::{self, Setup, SetupReadError};
use crate::told;

/// Under which rules a game is played, and from where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Chess, from this position.
    Chess(Position),
    /// GMO chess, with these genomes.
    Genome(Setup),
    /// A game whose rules are told turn by turn, from the last turn that was told.
    Told(told::Position),
    /// Breakthrough, which has one start position.
    #[cfg(any(test, feature = "breakthrough"))]
    Breakthrough,
}

/// The bits of rule sets in the link's hello.
const GENOME: u32 = 1;
const TOLD: u32 = 1 << 1;
#[cfg(any(test, feature = "breakthrough"))]
const BREAKTHROUGH: u32 = 1 << 31;

impl Start {
    /// Chess from its start position.
    pub const CHESS: Self = Self::Chess(Position::start());

    /// The number that stands for the rules in stored and transmitted games. Chess has 0, and its start position is written
    /// separately.
    #[must_use]
    pub const fn rules_id(&self) -> u8 {
        match self {
            Self::Chess(_) => 0,
            Self::Genome(_) => genome::RULES_ID,
            Self::Told(_) => told::RULES_ID,
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough => 255,
        }
    }

    /// The start of a game under the rules with this number; nothing for an unknown number, and for rules whose start is more than a
    /// number. For chess it is the usual start position.
    #[must_use]
    pub const fn from_rules_id(id: u8) -> Option<Self> {
        match id {
            0 => Some(Self::CHESS),
            #[cfg(any(test, feature = "breakthrough"))]
            255 => Some(Self::Breakthrough),
            _ => None,
        }
    }

    /// The bits of the link's hello for all rule sets besides chess that a board of this build can play.
    #[cfg(any(test, feature = "breakthrough"))]
    pub const FEATURES: u32 = GENOME | TOLD | BREAKTHROUGH;
    /// The bits of the link's hello for all rule sets besides chess that a board of this build can play.
    #[cfg(not(any(test, feature = "breakthrough")))]
    pub const FEATURES: u32 = GENOME | TOLD;

    /// The bit of the link's hello with which a board says that it can play by these rules; 0 for chess, which every board plays.
    #[must_use]
    pub const fn feature(&self) -> u32 {
        match self {
            Self::Chess(_) => 0,
            Self::Genome(_) => GENOME,
            Self::Told(_) => TOLD,
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough => BREAKTHROUGH,
        }
    }

    /// The names of all rule sets.
    pub const NAMES: &'static [&'static str] = &[
        "chess",
        "genome",
        "script",
        #[cfg(any(test, feature = "breakthrough"))]
        "breakthrough",
    ];

    /// The name of the rules in logs, in JSON and in URLs.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Chess(_) => "chess",
            Self::Genome(_) => "genome",
            Self::Told(_) => "script",
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough => "breakthrough",
        }
    }

    /// What stands beside the name of the rules: in chess the FEN of a start position other than the usual one,
    /// in GMO chess the setup.
    #[must_use]
    pub fn details(&self) -> Option<impl fmt::Display> {
        match self {
            Self::Chess(position) => (*position != Position::start()).then(|| Details::Fen(position.fen())),
            Self::Genome(setup) => Some(Details::Setup(setup)),
            Self::Told(position) => Some(Details::Turn(position)),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough => None,
        }
    }

    /// The start of a game under the rules with this name, which [`Start::name`] and [`Start::details`] have written.
    pub fn read(name: &str, details: Option<&str>) -> Result<Self, StartError> {
        match (name, details) {
            ("chess", None) => Ok(Self::CHESS),
            ("chess", Some(fen)) => fen.parse().map(Self::Chess).map_err(StartError::Fen),
            ("genome", Some(setup)) => setup.parse().map(Self::Genome).map_err(StartError::Setup),
            ("script", turn) => turn.unwrap_or_default().parse().map(Self::Told).map_err(StartError::Turn),
            ("genome", None) => Err(StartError::Setup(SetupReadError::Malformed)),
            #[cfg(any(test, feature = "breakthrough"))]
            ("breakthrough", None) => Ok(Self::Breakthrough),
            _ if Self::NAMES.contains(&name) => Err(StartError::NotAllowed),
            _ => Err(StartError::Unknown),
        }
    }

    /// The genomes and the back row of a game of GMO chess, which are too large for one message or one record.
    #[must_use]
    pub const fn setup(&self) -> Option<&Setup> {
        match self {
            Self::Genome(setup) => Some(setup),
            Self::Chess(_) | Self::Told(_) => None,
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough => None,
        }
    }

    /// The last turn of a told game, which is too large for one message or one record.
    #[must_use]
    pub const fn told(&self) -> Option<&told::Position> {
        match self {
            Self::Told(turn) => Some(turn),
            Self::Chess(_) | Self::Genome(_) => None,
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough => None,
        }
    }

    /// The start position of a game of chess.
    #[must_use]
    pub const fn chess(&self) -> Option<&Position> {
        match self {
            Self::Chess(position) => Some(position),
            Self::Genome(_) | Self::Told(_) => None,
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough => None,
        }
    }
}

/// Two starts that are not equal have different hashes, except for collisions.
impl Hash for Start {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rules_id().hash(state);
        match self {
            Self::Chess(position) => {
                let counters = (position.halfmoves(), position.fullmoves());
                (position.board(), position.turn(), position.castling(), position.en_passant(), counters).hash(state);
            }
            Self::Genome(setup) => setup.hash(state),
            Self::Told(position) => position.hash(state),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough => {}
        }
    }
}

impl Default for Start {
    fn default() -> Self {
        Self::CHESS
    }
}

/// What stands beside the name of the rules.
enum Details<'a> {
    Fen(chess::Fen<'a>),
    Setup(&'a Setup),
    Turn(&'a told::Position),
}

impl fmt::Display for Details<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen(fen) => fen.fmt(f),
            Self::Setup(setup) => setup.fmt(f),
            Self::Turn(position) => position.fmt(f),
        }
    }
}

/// Why a name and a text are not the start of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartError {
    /// No rule set has this name.
    Unknown,
    /// These rules have one start position only.
    NotAllowed,
    /// The start position of chess is wrong.
    Fen(FenError),
    /// The setup of GMO chess is wrong.
    Setup(SetupReadError),
    /// The turn of a game whose rules are told is wrong.
    Turn(told::PositionReadError),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => {
                f.write_str("the rules must be one of:")?;
                Start::NAMES.iter().try_for_each(|name| write!(f, " {name}"))
            }
            Self::NotAllowed => f.write_str("these rules have one start position only"),
            Self::Fen(error) => error.fmt(f),
            Self::Setup(error) => error.fmt(f),
            Self::Turn(error) => error.fmt(f),
        }
    }
}

impl Error for StartError {}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::ToString;

    use super::*;

    #[test]
    fn name_and_details_are_read_as_they_are_written() {
        let odds = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        for start in [Start::CHESS, Start::Chess(odds.parse().expect(odds)), Start::Breakthrough] {
            let details = start.details().map(|details| details.to_string());
            assert_eq!(Start::read(start.name(), details.as_deref()), Ok(start));
            assert!(Start::NAMES.contains(&start.name()));
            assert_eq!(Start::from_rules_id(start.rules_id()).map(|start| start.name()), Some(start.name()));
        }
        assert_eq!(Start::read("checkers", None), Err(StartError::Unknown));
        assert_eq!(StartError::Unknown.to_string(), "the rules must be one of: chess genome script breakthrough");
        assert_eq!(Start::read("breakthrough", Some(odds)), Err(StartError::NotAllowed));
        assert!(matches!(Start::read("chess", Some("8/8")), Err(StartError::Fen(_))));
    }
}
