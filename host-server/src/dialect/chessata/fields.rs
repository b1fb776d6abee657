//! The fields of a client's message, each read at most once and by type.

use std::borrow::Cow;
use std::fmt;
use std::mem;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use super::scalar::Scalar;
use crate::dialect::json_error::JsonError;

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

/// Why a message cannot be decoded.
#[derive(Debug, thiserror::Error)]
pub(super) enum BadMessage {
    #[error("The message could not be parsed: {0}.")]
    NotJson(serde_json::Error),
    #[error("A message must be a JSON object.")]
    NotObject,
    #[error("The field \"{}\" is repeated.", .0.name())]
    Repeated(Field),
    #[error("The field \"{}\" is missing.", .0.name())]
    Missing(Field),
    #[error("The field \"{}\" must be {}.", .0.name(), .1)]
    Not(Field, &'static str),
    #[error("Unsupported message type {0:?}.")]
    UnknownType(String),
}

impl From<BadMessage> for JsonError {
    fn from(error: BadMessage) -> Self {
        Self::bad(error)
    }
}

/// The known fields of a message. Unknown fields are ignored.
#[derive(Debug, Default)]
pub(super) struct Fields<'a> {
    values: [Scalar<'a>; Field::COUNT],
    repeated: Option<Field>,
}

impl<'a> Fields<'a> {
    pub(super) fn read(text: &'a str) -> Result<Self, BadMessage> {
        let fields: Self = serde_json::from_str(text).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => BadMessage::NotObject,
            _ => BadMessage::NotJson(error),
        })?;
        match fields.repeated {
            Some(field) => Err(BadMessage::Repeated(field)),
            None => Ok(fields),
        }
    }

    /// An optional text.
    pub(super) fn text(&mut self, field: Field) -> Result<Option<Cow<'a, str>>, BadMessage> {
        match self.take(field) {
            Scalar::Nothing => Ok(None),
            Scalar::Text(text) => Ok(Some(text)),
            _ => Err(BadMessage::Not(field, "a text")),
        }
    }

    /// A required text.
    pub(super) fn some_text(&mut self, field: Field) -> Result<Cow<'a, str>, BadMessage> {
        self.text(field)?.ok_or(BadMessage::Missing(field))
    }

    /// An optional whole number.
    pub(super) fn number<T: TryFrom<u64>>(&mut self, field: Field) -> Result<Option<T>, BadMessage> {
        let wrong = BadMessage::Not(field, "a whole number in range");
        match self.take(field) {
            Scalar::Nothing => Ok(None),
            Scalar::Number(number) => number.try_into().map(Some).map_err(|_| wrong),
            _ => Err(wrong),
        }
    }

    /// A required boolean.
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

/// Written by hand because the derived implementation also accepts a list.
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
                        fields.repeated = Some(field);
                    }
                    *value = map.next_value()?;
                }
            }
        }
        Ok(fields)
    }
}
