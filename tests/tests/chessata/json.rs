//! JSON values that keep the order of fields, and match patterns with placeholders.

use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A JSON value with its fields in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(i64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub(crate) fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// Whether this value matches a pattern. In a pattern `"..."` matches anything, and `"$name"` matches a string that is the
    /// same at every occurrence of the name. Fields must have the same order.
    pub(crate) fn fits(&self, expected: &Self, known: &mut HashMap<String, String>) -> bool {
        match (self, expected) {
            (_, Self::Text(hole)) if hole == "..." => true,
            (Self::Text(text), Self::Text(name)) if name.starts_with('$') => {
                known.entry(name.clone()).or_insert_with(|| text.clone()) == text
            }
            (Self::List(received), Self::List(expected)) => {
                received.len() == expected.len()
                    && received.iter().zip(expected).all(|(received, expected)| received.fits(expected, known))
            }
            (Self::Object(received), Self::Object(expected)) => {
                received.len() == expected.len()
                    && received
                        .iter()
                        .zip(expected)
                        .all(|((key, received), (name, expected))| key == name && received.fits(expected, known))
            }
            _ => self == expected,
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Anything)
    }
}

struct Anything;

impl<'de> Visitor<'de> for Anything {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything but a fraction")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Json, E> {
        Ok(Json::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Number(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(Json::Number(number.try_into().unwrap_or(i64::MAX)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(Json::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Json::Object(fields))
    }
}
