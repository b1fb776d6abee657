//! What things and people are called.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use wire::link::MAX_NAME;

/// Numbers that are drawn at random and mean nothing: JSON knows them as text, since many readers take a number for a
/// fraction with 53 bits.
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
    /// Which room it is. A code may open another room tomorrow; this never does.
    RoomId,
    /// Which game it is, among all that are played in a room.
    GameId,
    /// Which relay it is. One that is started again is another one.
    RelayId,
);

/// Texts that are checked where they come in, and nowhere else.
macro_rules! checked_texts {
    ($($(#[$doc:meta])* $name:ident $error:ident $check:ident $problem:literal),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(Box<str>);

        #[doc = concat!("The text is not one: ", $problem, ".")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $error;

        impl fmt::Display for $error {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($problem)
            }
        }

        impl std::error::Error for $error {}

        impl $name {
            /// As text.
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

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

checked_texts!(
    /// What one says to come into a room.
    Code BadCode is_code "a code is 1 to 32 letters, digits or underscores",
    /// What somebody is called.
    Name BadName is_name "a name is 1 to 32 bytes without control characters, and not only spaces",
    /// By which everybody may know somebody who is in a room.
    UserId BadUserId is_user_id "a user id is 12 letters, digits, hyphens or underscores",
);

fn is_code(text: &str) -> bool {
    (1..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn is_name(text: &str) -> bool {
    (1..=MAX_NAME).contains(&text.len()) && !text.chars().any(is_invisible) && !text.trim().is_empty()
}

/// Characters that could make a name look like another one, or turn the text around it.
fn is_invisible(c: char) -> bool {
    // In a text these two are letters' joints; a name would only look like the same one without them.
    is_misleading(c) || matches!(c, '\u{200c}' | '\u{200d}')
}

/// Characters that nobody sees, or that turn the text around them.
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
