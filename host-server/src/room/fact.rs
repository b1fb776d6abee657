use chess::Color;
use rules::{Ply, Verdict, Why};
use serde::{Deserialize, Serialize};

use super::command::{EventOrigin, Speaker};
use super::name::{Code, GameId, RelayId, RoomId};
use super::repr::{ending, ply_text, side};
use super::ruling::Ruling;
use super::seat::Player;
use super::terms::Terms;
use super::time::Time;
use super::told::Footprints;

/// An entry of a room's event log. It is stored as JSON, so that operators can read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// When it was written.
    pub at: Time,
    /// Random number of the write. A relay that has lost the store's answer recognises its own entries by it.
    pub write_id: u64,
    /// The board event that led to this entry, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<EventOrigin>,
    /// What happened.
    pub fact: Fact,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The result, and the reason for it.
    pub verdict: Verdict,
    /// The player by whose departure or absence the game was aborted. If the game was lost by it, the verdict names the player.
    pub aborted_by: Option<Color>,
}

impl From<Verdict> for Ending {
    fn from(verdict: Verdict) -> Self {
        Self { verdict, aborted_by: None }
    }
}

impl Ending {
    pub(super) const fn aborted_by(color: Color) -> Self {
        Self { verdict: Verdict::Aborted, aborted_by: Some(color) }
    }

    /// The player whose departure or absence ended the game, if it was one player.
    #[must_use]
    pub const fn leaver(&self) -> Option<Color> {
        match self.verdict {
            Verdict::Won { winner: Color::White, why: Why::Abandonment } => Some(Color::Black),
            Verdict::Won { winner: Color::Black, why: Why::Abandonment } => Some(Color::White),
            _ => self.aborted_by,
        }
    }
}

/// What a player can offer or ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the words of chess")]
pub enum Offer {
    Draw,
    Takeback,
    Rematch,
}

/// What happened in a room. Variants are only ever added, and fields only with a default, because logs outlive relays.
///
/// A relay that reads an unknown variant reports the log as [corrupt](crate::store::StoreError::Corrupt) and leaves the room
/// to newer relays: without that entry it does not know the state of the room. So one release adds the reading of a new
/// variant, and only the next release writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each variant is one past event, and its fields say who and what")]
pub enum Fact {
    /// The room was opened. Always the first entry, and only the first.
    Opened {
        room: RoomId,
        code: Code,
        terms: Terms,
        /// Seconds since 1970.
        on: u64,
    },
    /// A player took a seat.
    Sat {
        #[serde(with = "side")]
        color: Color,
        player: Player,
    },
    /// A player is connected through a relay.
    #[serde(rename = "came")]
    Connected {
        #[serde(with = "side")]
        color: Color,
        relay: RelayId,
    },
    /// A player has no connection through a relay any more.
    #[serde(rename = "went")]
    Disconnected {
        #[serde(with = "side")]
        color: Color,
        relay: RelayId,
    },
    /// A player gave up the seat, or lost it by being disconnected for too long.
    Left {
        #[serde(with = "side")]
        color: Color,
    },
    /// Both players are connected: the game begins at `until`.
    #[serde(rename = "counting")]
    CountdownStarted {
        until: Time,
    },
    /// A player disconnected during the countdown.
    #[serde(rename = "halted")]
    CountdownStopped,
    /// A game began.
    Began {
        game: GameId,
        /// Whether the players swapped colours.
        #[serde(default)]
        swapped: bool,
        /// How it starts, if the rules are a script and the start is not that of the terms.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start: Option<Ruling>,
    },
    Moved {
        #[serde(rename = "mv", with = "ply_text")]
        ply: Ply,
        /// Thinking time, in milliseconds.
        took: u64,
        /// What follows from it, if the rules are a script.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ruling: Option<Ruling>,
    },
    /// What the moves of a turn do to the reeds of a board, where the rules are a script.
    #[serde(rename = "foreseen")]
    FootprintsAdded {
        /// The number of plies before the turn.
        number: u16,
        footprints: Footprints,
    },
    DrawOffered {
        #[serde(with = "side")]
        color: Color,
    },
    DrawDeclined,
    TakebackAsked {
        #[serde(with = "side")]
        color: Color,
        plies: u8,
    },
    TakebackDeclined,
    TakenBack {
        plies: u8,
        /// Thinking time of the side to move until then, in milliseconds.
        #[serde(default)]
        took: u64,
    },
    /// The last ply was undone because a board had sent it before the player had let go of the piece.
    Corrected {
        /// Thinking time of the side to move until then, in milliseconds.
        #[serde(default)]
        took: u64,
    },
    RematchOffered {
        #[serde(with = "side")]
        color: Color,
    },
    RematchDeclined,
    /// A player took back an offer or request before it was answered.
    Withdrawn {
        offer: Offer,
    },
    /// A player allowed or forbade suggested moves.
    Hints {
        #[serde(with = "side")]
        color: Color,
        on: bool,
    },
    Ended(#[serde(with = "ending")] Ending),
    /// A chat message.
    Said {
        speaker: Speaker,
        text: String,
    },
    /// The room is closed and its code is free. Always the last entry.
    Closed,
}

impl Fact {
    /// What a script has answered for it.
    #[must_use]
    pub const fn ruling(&self) -> Option<&Ruling> {
        match self {
            Self::Moved { ruling, .. } | Self::Began { start: ruling, .. } => ruling.as_ref(),
            _ => None,
        }
    }
}
