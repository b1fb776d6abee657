use core::fmt;

use arrayvec::ArrayString;
use rules::{Start, genome, told};

use super::game_info::GameInfo;
use super::message::ReadError;

/// The longest piece of a snapshot, in bytes.
pub const MAX_PIECE: usize = 512;

/// The longest FEN: 71 characters of board, and the longest that the other five fields can be.
pub const MAX_FEN: usize = 92;

/// The whole game, in place of all events about it. Its bytes follow in pieces, then [`Message::Complete`](super::Message). No event
/// is sent in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// It replaces all events of the sender up to this number.
    pub number: u32,
    /// It includes all events of the receiver up to this number.
    pub received_up_to: u32,
    /// The number at which the sender last started a game; 0 if the game is not of its making. Events that the receiver sent
    /// without having received this number were about another game, and are void.
    pub renewed: u32,
    #[expect(missing_docs, reason = "see `GameInfo`")]
    pub info: GameInfo,
    /// What the bytes are.
    pub origin: SnapshotOrigin,
}

/// What the bytes of a snapshot are.
#[derive(Clone, Copy, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "there is no heap to put a start with its genomes on")]
pub enum SnapshotOrigin {
    /// The documented game state.
    State,
    /// The plies alone, for a game that the game state has no place for: chess from another start position, written as in the game
    /// state, or another rule set, two bytes a ply.
    Plies(Start),
    /// The [setup](crate::setup) of a game of GMO chess, and then its plies, two bytes each.
    Setup,
    /// The last [turn](crate::turn) of a told game, and then all its plies from the first one on, two bytes each.
    Turn,
}

/// Writes positions as FEN.
impl fmt::Debug for SnapshotOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::State => f.write_str("State"),
            Self::Setup => f.write_str("Setup"),
            Self::Turn => f.write_str("Turn"),
            Self::Plies(start) => match start.chess() {
                Some(position) => write!(f, "Plies({})", position.fen()),
                None => f.debug_tuple("Plies").field(start).finish(),
            },
        }
    }
}

/// The text of a start: a FEN, or the number of another rule set.
pub(super) type StartText = ArrayString<MAX_FEN>;

/// What comes before the number of a rule set other than chess.
const RULES: &str = "rules:";

impl SnapshotOrigin {
    /// What the bytes of a snapshot are whose game started here and is not in the documented state.
    #[must_use]
    pub const fn of(start: &Start) -> Self {
        match (start.setup(), start.told()) {
            (Some(_), _) => Self::Setup,
            (_, Some(_)) => Self::Turn,
            (None, None) => Self::Plies(*start),
        }
    }

    /// The start as text; nothing for the documented state.
    pub(super) fn text(&self) -> Option<StartText> {
        let mut text = StartText::new_const();
        // There is room for the longest FEN.
        let _ = match self {
            Self::State => return None,
            Self::Setup => fmt::write(&mut text, format_args!("{RULES}{}", genome::RULES_ID)),
            Self::Turn => fmt::write(&mut text, format_args!("{RULES}{}", told::RULES_ID)),
            Self::Plies(start) => match start.chess() {
                Some(position) => fmt::write(&mut text, format_args!("{}", position.fen())),
                None => fmt::write(&mut text, format_args!("{RULES}{}", start.rules_id())),
            },
        };
        Some(text)
    }

    pub(super) fn read(text: Option<&str>) -> Result<Self, ReadError> {
        let Some(text) = text else { return Ok(Self::State) };
        if text.len() > MAX_FEN {
            return Err(ReadError::FenLength(text.len()));
        }
        let start = match text.strip_prefix(RULES) {
            Some(id) => {
                let id = id.parse().map_err(|_| ReadError::Malformed)?;
                match id {
                    genome::RULES_ID => return Ok(Self::Setup),
                    told::RULES_ID => return Ok(Self::Turn),
                    _ => {}
                }
                Start::from_rules_id(id).filter(|start| start.chess().is_none()).ok_or(ReadError::Rules(id))?
            }
            None => Start::Chess(text.parse().map_err(ReadError::Fen)?),
        };
        Ok(Self::Plies(start))
    }
}
