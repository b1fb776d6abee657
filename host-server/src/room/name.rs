//! Identifiers: random ids, and texts that are validated on construction.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use wire::link::MAX_NAME;

/// Defines random 64-bit ids. They are hexadecimal text in JSON, because many readers have only 53 bits for a number.
macro_rules! random_numbers {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:016x}", self.0)
            }
        }

        impl FromStr for $name {
            type Err = std::num::ParseIntError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                u64::from_str_radix(text, 16).map(Self)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

random_numbers!(
    /// Identifies a room for ever, while its code can be reused.
    RoomId,
    /// Identifies a game in a room.
    GameId,
    /// Identifies a relay process. A restarted relay has another id.
    RelayId,
    /// Identifies a rule script: the first 52 bits of the hash of its text, so that it is also a number in JSON.
    ScriptId,
);

/// Defines text types that are validated when they are parsed. Copies share the text: a room is copied for every entry of its log.
macro_rules! checked_texts {
    ($($(#[$doc:meta])* $name:ident $error:ident $check:ident $problem:literal),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        #[doc = concat!("Parse error: ", $problem, ".")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $error;

        impl fmt::Display for $error {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($problem)
            }
        }

        impl std::error::Error for $error {}

        impl $name {
            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                if $check(text) { Ok(Self(text.into())) } else { Err($error) }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

checked_texts!(
    /// The code that players enter to join a room.
    Code BadCode is_code "a code is 1 to 32 letters, digits or underscores",
    /// The display name of a player, spectator or board.
    Name BadName is_name "a name is 1 to 32 bytes without control characters, and not only spaces",
    /// The name of a chess engine in the settings of a relay. It is also the name of the player.
    EngineName BadEngineName is_engine_name "the name of an engine is 1 to 24 letters, digits, dots, hyphens or underscores",
    /// The public id of a participant. It does not authenticate the participant.
    UserId BadUserId is_user_id "a user id is 12 letters, digits, hyphens or underscores",
);

fn is_code(text: &str) -> bool {
    (1..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn is_engine_name(text: &str) -> bool {
    (1..=24).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
}

fn is_name(text: &str) -> bool {
    (1..=MAX_NAME).contains(&text.len()) && !text.chars().any(is_invisible) && !text.trim().is_empty()
}

/// Whether a character could make two different names look the same.
fn is_invisible(c: char) -> bool {
    // Joiners are legitimate in running text, but invisible in a name.
    is_misleading(c) || matches!(c, '\u{200c}' | '\u{200d}')
}

/// Whether a character is invisible or changes the direction of the text around it.
pub(super) fn is_misleading(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

fn is_user_id(text: &str) -> bool {
    text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}
