use chess::Color;
use rules::{Ply, Verdict};
use serde::{Deserialize, Serialize};

use super::act::Act;
use super::name::{GameId, Name, RelayId, UserId};
use super::repr::{side, side_or_none};
use super::seat::Player;

/// A change that is requested of a room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A participant acts.
    Act {
        /// The player or spectator. The caller has authenticated the id.
        by: Participant,
        /// What the participant does.
        act: Act,
        /// The game that the participant plays in, if one is in progress or over. An act about an earlier game is stale.
        game: Option<GameId>,
        /// The event of a board that led to the act. An event that is delivered twice has an effect once.
        event: Option<EventId>,
    },
    /// A player takes a seat.
    Sit {
        /// Who sits down, with the hash of the token that will hold the seat.
        player: Player,
        /// The preferred side.
        side: SideChoice,
    },
    /// A player is connected through a relay.
    Connect {
        /// The id of a player who has a seat.
        user: UserId,
        /// The relay that has the connection.
        relay: RelayId,
    },
    /// A player has no connection through a relay any more.
    Disconnect {
        /// The id of a player who has a seat.
        user: UserId,
        /// The relay that had the connection.
        relay: RelayId,
    },
    /// Only these relays are alive: connections through any other relay have ended.
    LiveRelays(Vec<RelayId>),
    /// The game that two people play on a board, for the room that follows it.
    FollowBoard(BoardGame),
    /// The board has started another game.
    LeaveBoard,
    /// The board that was invited does not come, so a room that still waits for it is closed.
    CloseInvitation,
    /// Evaluates clocks and timeouts.
    Tick,
}

/// The state of a game on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardGame {
    /// The plies so far.
    pub plies: Vec<Ply>,
    /// How it ended, if it has.
    pub verdict: Option<Verdict>,
    /// The players, White first, whose names the board knows: its computer.
    pub names: [Option<Name>; 2],
}

impl Command {
    /// Whether a game can be played to its end without this command.
    pub(super) const fn is_dispensable(&self) -> bool {
        match self {
            Self::Act { act, .. } => act.is_dispensable(),
            Self::Sit { .. } | Self::FollowBoard(_) => true,
            Self::LeaveBoard
            | Self::CloseInvitation
            | Self::Connect { .. }
            | Self::Disconnect { .. }
            | Self::LiveRelays(_)
            | Self::Tick => false,
        }
    }
}

/// A player or spectator in a room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    /// The public id. It does not authenticate the participant.
    pub id: UserId,
    /// The display name.
    pub name: Name,
}

/// Which side a player prefers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideChoice {
    /// White, or no seat.
    White,
    /// Black, or no seat.
    Black,
    /// A random free seat.
    Random,
    /// White if it is free, otherwise Black.
    #[default]
    First,
}

/// Identifies an event of a board's link session: the idempotency key of the act that the event leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventId {
    /// The random id of the session's stream of events.
    pub stream: u64,
    /// The number of the event in the stream.
    pub number: u32,
}

/// The board event that led to an entry of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventOrigin {
    /// The seat of the board.
    #[serde(with = "side")]
    pub color: Color,
    /// See [`EventId`].
    pub stream: u64,
    /// See [`EventId`].
    pub number: u32,
}

impl EventOrigin {
    pub(super) const fn new(color: Color, EventId { stream, number }: EventId) -> Self {
        Self { color, stream, number }
    }

    pub(super) const fn id(self) -> EventId {
        EventId { stream: self.stream, number: self.number }
    }
}

/// The author of a chat message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Speaker {
    /// The public id.
    pub id: UserId,
    /// The display name.
    pub name: Name,
    /// The seat, if the author is a player.
    #[serde(default, with = "side_or_none", skip_serializing_if = "Option::is_none")]
    pub color: Option<Color>,
}
