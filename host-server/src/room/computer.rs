//! The seat of the computer, and what the room expects of it.
//!
//! A room whose [terms](super::Terms) name a computer gives it the seat opposite to the first person who sits down. The computer acts like a
//! player; every relay can act for it, and the log decides which act counts.

use std::fmt;

use chess::Color;
use engine::Level;
use serde::{Deserialize, Serialize};

use super::fact::Fact;
use super::name::{EngineName, Name, RelayId, UserId};
use super::seat::{Ability, Player, Presence, TokenHash};
use super::{Phase, Room};

/// The computer that plays in a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Computer {
    /// The engine of this project.
    #[serde(with = "level")]
    Level(Level),
    /// An engine of the relay's settings.
    Engine(EngineName),
}

impl Computer {
    /// The strength by which it decides about offers and resignation.
    #[must_use]
    pub const fn level(&self) -> Level {
        match self {
            Self::Level(level) => *level,
            Self::Engine(_) => Level::FULL,
        }
    }
}

/// The name of the player.
impl fmt::Display for Computer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => write!(f, "Tabiya level {}", level.number()),
            Self::Engine(name) => name.fmt(f),
        }
    }
}

/// What a room expects of its computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A ply, or another act in its turn.
    Ply,
    /// An answer to a draw offer, while it is the other side's turn.
    DrawAnswer,
    /// An answer to a takeback request for this many plies.
    TakebackAnswer(u8),
    /// An answer to a rematch offer.
    RematchAnswer,
}

impl Room {
    /// The side of the computer, if it has a seat.
    #[must_use]
    pub fn computer(&self) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.seat(color).is_some_and(|seated| seated.player.is_computer()))
    }

    /// What the room expects of its computer now.
    #[must_use]
    pub fn expects_of_computer(&self) -> Option<Expected> {
        let color = self.computer()?;
        match self.phase {
            Phase::Playing => match self.takeback {
                Some(request) if request.by != color => Some(Expected::TakebackAnswer(request.plies)),
                _ if self.game.to_move() == color => Some(Expected::Ply),
                _ if self.draw_offer == Some(!color) => Some(Expected::DrawAnswer),
                _ => None,
            },
            Phase::Over => (self.rematch == Some(!color)).then_some(Expected::RematchAnswer),
            Phase::Waiting | Phase::Counting { .. } | Phase::Closed => None,
        }
    }

    /// Whether this relay acts for the computer. It is one of the relays through which the person is connected; while there is none,
    /// it is every relay that has the room open. If two relays act at the same time, the second act is refused as stale.
    #[must_use]
    pub fn is_computer_at(&self, relay: RelayId) -> bool {
        let Some(person) = self.computer().and_then(|color| self.seat(!color)) else { return false };
        match &person.presence {
            Presence::Here(relays) => relays.iter().min() == Some(&relay),
            Presence::Away(_) => true,
        }
    }

    /// The seat that waits for the computer: the one opposite to the first person.
    pub(super) fn lacks_computer(&self) -> Option<Color> {
        self.terms.computer.as_ref()?;
        self.game.chess()?;
        let is_person = |color| self.seat(color).is_some_and(|seated| !seated.player.is_computer());
        Color::ALL.into_iter().find(|&color| self.seat(color).is_none() && is_person(!color))
    }

    /// The fact that seats the computer.
    pub(super) fn seat_computer(&self, random: u64) -> Option<Fact> {
        let color = self.lacks_computer()?;
        let name: Name = self.terms.computer.as_ref()?.to_string().parse().ok()?;
        // The seat of a computer cannot be taken over, so its id need not be hard to guess, only different from the person's.
        let id: UserId = format!("{:012x}", random & 0xffff_ffff_ffff).parse().ok()?;
        Some(Fact::Sat { color, player: Player { id, name, token: TokenHash::OF_COMPUTER, ability: Ability::Claims } })
    }
}

/// A level by its number.
mod level {
    use engine::Level;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(super) fn serialize<S: Serializer>(level: &Level, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(level.number())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Level, D::Error> {
        let number = u8::deserialize(deserializer)?;
        Level::new(number).ok_or_else(|| D::Error::custom(format_args!("a level is from 1 to 10, not {number}")))
    }
}
