use chess::{Color, Move};
use serde::{Deserialize, Serialize};

use super::command::{Origin, Speaker};
use super::ending::Ending;
use super::form::{side, uci};
use super::name::{Code, GameId, RelayId, RoomId};
use super::seat::Player;
use super::terms::Terms;
use super::time::Time;

/// A line of a room's log. It is written as JSON, so that people can read it in the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// When.
    pub at: Time,
    /// A random number of whoever wrote it. A writer that has lost the answer of the store finds its own lines by it.
    pub pen: u64,
    /// What a board said that led to this, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Origin>,
    /// What happened.
    pub fact: Fact,
}

/// Something that happened in a room. Kinds are only ever added, and fields only with a default: logs outlive relays.
///
/// A relay that finds a kind in a log that it does not know cannot know either how things are in that room. So it does not
/// read past it: it cannot read the line at all, the store calls the log [corrupt](crate::store::StoreError::Corrupt), and
/// the room is left to the relays that can read it. That is why a release teaches all relays to read a new kind, and only
/// the next one writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// It was opened. Always the first, and only the first.
    Opened {
        /// Which room it is.
        room: RoomId,
        /// What one says to come in.
        code: Code,
        /// What was agreed.
        terms: Terms,
        /// When, by the calendar: seconds since 1970.
        on: u64,
    },
    /// Somebody sat down.
    Sat {
        /// Where.
        #[serde(with = "side")]
        color: Color,
        /// Who.
        player: Player,
    },
    /// A player is there, through a relay.
    Came {
        /// Who.
        #[serde(with = "side")]
        color: Color,
        /// Through which.
        relay: RelayId,
    },
    /// A player is no longer there through a relay.
    Went {
        /// Who.
        #[serde(with = "side")]
        color: Color,
        /// Through which.
        relay: RelayId,
    },
    /// A seat is free again.
    Left {
        /// Whose it was.
        #[serde(with = "side")]
        color: Color,
    },
    /// Both are there, and the game will begin.
    Counting {
        /// When.
        until: Time,
    },
    /// But one of them went.
    Halted,
    /// A game began.
    Began {
        /// Which.
        game: GameId,
        /// Whether the players have changed sides before.
        #[serde(default)]
        swapped: bool,
    },
    /// A move was made.
    Moved {
        /// The move.
        #[serde(with = "uci")]
        mv: Move,
        /// How long the player took, in milliseconds.
        took: u64,
    },
    /// A draw was offered.
    DrawOffered {
        /// By whom.
        #[serde(with = "side")]
        color: Color,
    },
    /// It was declined.
    DrawDeclined,
    /// Somebody asked to take moves back.
    TakebackAsked {
        /// Who.
        #[serde(with = "side")]
        color: Color,
        /// How many plies.
        plies: u8,
    },
    /// That was declined.
    TakebackDeclined,
    /// Moves were taken back.
    TakenBack {
        /// How many plies.
        plies: u8,
        /// How long whoever had the turn had it, in milliseconds.
        #[serde(default)]
        took: u64,
    },
    /// Somebody would like to play again.
    RematchOffered {
        /// Who.
        #[serde(with = "side")]
        color: Color,
    },
    /// The other would not.
    RematchDeclined,
    /// Somebody agrees that boards show where pieces can go, or no longer.
    Hints {
        /// Who.
        #[serde(with = "side")]
        color: Color,
        /// Whether.
        on: bool,
    },
    /// The game is over.
    Ended(Ending),
    /// Somebody said something.
    Said {
        /// Who.
        speaker: Speaker,
        /// What.
        text: String,
    },
    /// The room is closed. Always the last.
    Closed,
}
