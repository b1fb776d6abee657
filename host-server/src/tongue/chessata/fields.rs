use std::borrow::Cow;
use std::fmt;
use std::mem;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use super::scalar::Scalar;

/// A field that a message may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
pub(super) enum Field {
    Type,
    Start,
    End,
    Promotion,
    Ply,
    San,
    Message,
    Action,
    Move,
    Plies,
    On,
    #[serde(other)]
    Unknown,
}

impl Field {
    const COUNT: usize = Self::Unknown as usize;

    const fn name(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Start => "start",
            Self::End => "end",
            Self::Promotion => "promotion",
            Self::Ply => "ply",
            Self::San => "san",
            Self::Message => "message",
            Self::Action => "action",
            Self::Move => "move",
            Self::Plies => "plies",
            Self::On => "on",
            Self::Unknown => "unknown",
        }
    }
}

/// Why something is not a message.
#[derive(Debug)]
pub(super) enum BadMessage {
    /// It is not JSON.
    NotJson(serde_json::Error),
    /// It is, but not an object.
    NotObject,
    /// A field is there more than once, and nobody knows which one counts.
    Twice(Field),
    /// A field is not there.
    Missing(Field),
    /// A field is something else than it has to be.
    Not(Field, &'static str),
    /// Nothing is of this type.
    UnknownType(String),
}

impl fmt::Display for BadMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(error) => write!(f, "The message could not be parsed: {error}."),
            Self::NotObject => f.write_str("A message is a JSON object."),
            Self::Twice(field) => write!(f, "The field \"{}\" is there more than once.", field.name()),
            Self::Missing(field) => write!(f, "The field \"{}\" is missing.", field.name()),
            Self::Not(field, what) => write!(f, "The field \"{}\" must be {what}.", field.name()),
            Self::UnknownType(name) => write!(f, "Unsupported message type {name:?}."),
        }
    }
}

/// All fields of a message that can mean something.
#[derive(Debug, Default)]
pub(super) struct Fields<'a> {
    values: [Scalar<'a>; Field::COUNT],
    twice: Option<Field>,
}

impl<'a> Fields<'a> {
    pub(super) fn read(text: &'a str) -> Result<Self, BadMessage> {
        let fields: Self = serde_json::from_str(text).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => BadMessage::NotObject,
            _ => BadMessage::NotJson(error),
        })?;
        match fields.twice {
            Some(field) => Err(BadMessage::Twice(field)),
            None => Ok(fields),
        }
    }

    /// A text, if there is one.
    pub(super) fn text(&mut self, field: Field) -> Result<Option<Cow<'a, str>>, BadMessage> {
        match self.take(field) {
            Scalar::Nothing => Ok(None),
            Scalar::Text(text) => Ok(Some(text)),
            _ => Err(BadMessage::Not(field, "a text")),
        }
    }

    /// A text, which has to be there.
    pub(super) fn some_text(&mut self, field: Field) -> Result<Cow<'a, str>, BadMessage> {
        self.text(field)?.ok_or(BadMessage::Missing(field))
    }

    /// A whole number, if there is one.
    pub(super) fn number<T: TryFrom<u64>>(&mut self, field: Field) -> Result<Option<T>, BadMessage> {
        let wrong = BadMessage::Not(field, "a whole number that makes sense");
        match self.take(field) {
            Scalar::Nothing => Ok(None),
            Scalar::Number(number) => number.try_into().map(Some).map_err(|_| wrong),
            _ => Err(wrong),
        }
    }

    /// Yes or no, which has to be there.
    pub(super) fn flag(&mut self, field: Field) -> Result<bool, BadMessage> {
        match self.take(field) {
            Scalar::Nothing => Err(BadMessage::Missing(field)),
            Scalar::Flag(flag) => Ok(flag),
            _ => Err(BadMessage::Not(field, "true or false")),
        }
    }

    fn take(&mut self, field: Field) -> Scalar<'a> {
        self.values.get_mut(field as usize).map(mem::take).unwrap_or_default()
    }
}

/// By hand, since what is derived would also read a list for an object.
impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Object)
    }
}

struct Object;

impl<'de> Visitor<'de> for Object {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        let mut fields = Fields::default();
        while let Some(field) = map.next_key::<Field>()? {
            match fields.values.get_mut(field as usize) {
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
                Some(value) => {
                    if *value != Scalar::Nothing {
                        fields.twice = Some(field);
                    }
                    *value = map.next_value()?;
                }
            }
        }
        Ok(fields)
    }
}
