//! Serde representations of link types in a record.

/// The sides that are played at the board.
pub(super) mod seat {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};
    use wire::link::Seat;

    const NAMES: [(Seat, &str); 4] =
        [(Seat::White, "white"), (Seat::Black, "black"), (Seat::Both, "both"), (Seat::Neither, "nobody")];

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn serialize<S: Serializer>(seat: &Seat, serializer: S) -> Result<S::Ok, S::Error> {
        let name = NAMES.iter().find(|(named, _)| named == seat).map_or("nobody", |(_, name)| name);
        serializer.serialize_str(name)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        let seat = NAMES.iter().find(|(_, name)| *name == text).map(|&(seat, _)| seat);
        seat.ok_or_else(|| D::Error::custom(format_args!("{text:?} is not a seat")))
    }
}

/// A side, or none.
pub(super) mod player {
    use chess::Color;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn serialize<S: Serializer>(color: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
        color.map(|color| color == Color::White).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Color>, D::Error> {
        let is_white = Option::<bool>::deserialize(deserializer)?;
        Ok(is_white.map(|is_white| if is_white { Color::White } else { Color::Black }))
    }
}

/// Unacknowledged events: each as the hex of its encoding.
pub(super) mod pending {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use wire::link::NumberedEvent;

    use crate::hex::{self, Hex};

    pub(crate) fn serialize<S: Serializer>(events: &[NumberedEvent], serializer: S) -> Result<S::Ok, S::Error> {
        let text = |said: &NumberedEvent| {
            let mut buffer = [0; NumberedEvent::MAX_LEN];
            let len = said.write(&mut buffer).map_err(serde::ser::Error::custom)?;
            Ok(Hex(buffer.get(..len).unwrap_or_default()).to_string())
        };
        events.iter().map(text).collect::<Result<Vec<String>, S::Error>>()?.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<NumberedEvent>, D::Error> {
        let read = |text: &String| {
            let bytes = hex::parse(text).map_err(D::Error::custom)?;
            NumberedEvent::read(&bytes).map_err(D::Error::custom)
        };
        Vec::<String>::deserialize(deserializer)?.iter().map(read).collect()
    }
}
