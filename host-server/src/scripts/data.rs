//! The data that a script keeps between its calls.

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// Largest data of a script, in bytes of JSON. It is stored with every move, and the log of a game has room for that of every move.
pub(crate) const MAX_DATA: usize = 16 << 10;
/// Deepest nesting of lists and dictionaries in an answer.
pub(super) const MAX_DEPTH: usize = 64;

/// Any JSON value, kept as the text that the script gave: other forms would change large numbers and the order of keys.
#[derive(Clone)]
pub struct AdditionalData(Box<RawValue>);

/// Why a text is not the data of a script.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum InvalidData {
    #[error("is larger than {} KB as JSON", MAX_DATA >> 10)]
    Size,
    #[error("is nested deeper than {MAX_DEPTH} levels")]
    Depth,
    #[error("is not JSON")]
    Syntax,
}

impl AdditionalData {
    /// Checks a JSON text.
    pub fn parse(json: &str) -> Result<Self, InvalidData> {
        let json = json.trim();
        if json.len() > MAX_DATA {
            return Err(InvalidData::Size);
        }
        if depth(json.as_bytes()) > MAX_DEPTH {
            return Err(InvalidData::Depth);
        }
        serde_json::from_str(json).map(Self).map_err(|_| InvalidData::Syntax)
    }

    /// The JSON text.
    #[must_use]
    pub fn json(&self) -> &str {
        self.0.get()
    }
}

/// Nothing: Python's `None`.
impl Default for AdditionalData {
    fn default() -> Self {
        Self(RawValue::NULL.to_owned())
    }
}

/// Equal texts. `1.0` and `1` are different, as they are for a script.
impl PartialEq for AdditionalData {
    fn eq(&self, other: &Self) -> bool {
        self.json() == other.json()
    }
}

impl Eq for AdditionalData {}

impl fmt::Debug for AdditionalData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AdditionalData({})", self.json())
    }
}

impl Serialize for AdditionalData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AdditionalData {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::parse(raw.get()).map_err(D::Error::custom)
    }
}

/// How deep lists and dictionaries are nested. The text does not have to be JSON.
pub(super) fn depth(json: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_text, mut is_escaped) = (false, false);
    for byte in json {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_any_json_value_unchanged() {
        let large = "9".repeat(400);
        for json in ["null", r#"{"b":1,"a":2}"#, "1.50", "-0.0", r#""\ud800""#, "[[],{}]", large.as_str()] {
            let data = AdditionalData::parse(json).unwrap();
            assert_eq!(data.json(), json);
            assert_eq!(serde_json::to_string(&data).unwrap(), json);
            assert_eq!(serde_json::from_str::<AdditionalData>(json).unwrap(), data);
        }
    }

    #[test]
    fn rejects_what_is_too_large_too_deep_or_not_json() {
        assert_eq!(AdditionalData::parse(&format!("\"{}\"", "x".repeat(MAX_DATA))), Err(InvalidData::Size));
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(AdditionalData::parse(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(AdditionalData::parse(&nested(MAX_DEPTH + 1)), Err(InvalidData::Depth));
        assert_eq!(AdditionalData::parse("NaN"), Err(InvalidData::Syntax));
        assert_eq!(AdditionalData::parse("1 2"), Err(InvalidData::Syntax));
    }

    #[test]
    fn brackets_in_texts_are_not_nesting() {
        assert_eq!(depth(br#"["[[[", "\"[", {"]": "{"}]"#), 2);
        assert_eq!(depth(b"]]]["), 1);
    }
}
