//! How the words of the link are written in a record.

/// Whose hands move the pieces.
pub(super) mod seat {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};
    use wire::link::Seat;

    const NAMES: [(Seat, &str); 4] =
        [(Seat::White, "white"), (Seat::Black, "black"), (Seat::Both, "both"), (Seat::Nobody, "nobody")];

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over like this")]
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

    #[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde hands it over like this")]
    pub(crate) fn serialize<S: Serializer>(color: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
        color.map(|color| color == Color::White).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Color>, D::Error> {
        let is_white = Option::<bool>::deserialize(deserializer)?;
        Ok(is_white.map(|is_white| if is_white { Color::White } else { Color::Black }))
    }
}

/// How a game ended: the same words as in the log of a room.
pub(super) mod outcome {
    use chess::Outcome;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::room::Ending;

    #[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde hands it over like this")]
    pub(crate) fn serialize<S: Serializer>(outcome: &Option<Outcome>, serializer: S) -> Result<S::Ok, S::Error> {
        outcome.map(Ending::from).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Outcome>, D::Error> {
        Ok(Option::<Ending>::deserialize(deserializer)?.map(Ending::for_board))
    }
}

/// What was said and not yet heard: each event in its own bytes, in hex.
pub(super) mod said {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use wire::link::Said;

    use crate::hex::{self, Hex};

    pub(crate) fn serialize<S: Serializer>(events: &[Said], serializer: S) -> Result<S::Ok, S::Error> {
        let text = |said: &Said| {
            let mut buffer = [0; Said::MAX_LEN];
            let len = said.write(&mut buffer).map_err(serde::ser::Error::custom)?;
            Ok(Hex(buffer.get(..len).unwrap_or_default()).to_string())
        };
        events.iter().map(text).collect::<Result<Vec<String>, S::Error>>()?.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Said>, D::Error> {
        let read = |text: &String| {
            let bytes = hex::parse(text).map_err(D::Error::custom)?;
            Said::read(&bytes).map_err(D::Error::custom)
        };
        Vec::<String>::deserialize(deserializer)?.iter().map(read).collect()
    }
}
