//! How the words of chess are written in a log.

/// A side, by its name.
pub(super) mod side {
    use chess::Color;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) const fn name(color: Color) -> &'static str {
        match color {
            Color::White => "white",
            Color::Black => "black",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self::name(color) == name)
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "that is how it is called")]
    pub(crate) fn serialize<S: Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(name(*color))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        named(&text).ok_or_else(|| D::Error::custom(format_args!("a side is white or black, not {text:?}")))
    }
}

/// A side, or none.
pub(super) mod side_or_none {
    use chess::Color;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "that is how it is called")]
    pub(crate) fn serialize<S: Serializer>(color: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
        match color {
            Some(color) => serializer.serialize_some(super::side::name(*color)),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Color>, D::Error> {
        let text = <Option<std::borrow::Cow<'de, str>>>::deserialize(deserializer)?;
        text.map(|text| {
            super::side::named(&text)
                .ok_or_else(|| D::Error::custom(format_args!("a side is white or black, not {text:?}")))
        })
        .transpose()
    }
}

/// A move, as UCI writes it.
pub(super) mod uci {
    use chess::Move;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "that is how it is called")]
    pub(crate) fn serialize<S: Serializer>(mv: &Move, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(mv)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Move, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(|error| D::Error::custom(format_args!("{text:?} is not a move: {error}")))
    }
}
