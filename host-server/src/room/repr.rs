//! Serde representations of the types of `chess` and `rules` in the log.

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

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
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

    #[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
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

/// A ply, by its text.
pub(crate) mod ply_text {
    use rules::Ply;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn serialize<S: Serializer>(ply: &Ply, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(ply)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Ply, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(|error| D::Error::custom(format_args!("{text:?} is not a move: {error}")))
    }
}

/// How a game ended: a reason by its name, and the winner if there is one.
pub(crate) mod ending {
    use std::borrow::Cow;

    use chess::Color;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::room::fact::Ending;
    use crate::room::reason::{reason_of, verdict_for};

    #[derive(Serialize, Deserialize)]
    struct EndingRepr<'a> {
        #[serde(borrow)]
        reason: Cow<'a, str>,
        #[serde(default, with = "super::side_or_none", skip_serializing_if = "Option::is_none")]
        winner: Option<Color>,
        #[serde(default, with = "super::side_or_none", skip_serializing_if = "Option::is_none")]
        aborted_by: Option<Color>,
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn serialize<S: Serializer>(ending: &Ending, serializer: S) -> Result<S::Ok, S::Error> {
        let Ending { verdict, aborted_by } = *ending;
        EndingRepr { reason: reason_of(verdict).into(), winner: verdict.winner(), aborted_by }.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Ending, D::Error> {
        let EndingRepr { reason, winner, aborted_by } = EndingRepr::deserialize(deserializer)?;
        let verdict = verdict_for(&reason, winner).ok_or_else(|| {
            let winner = winner.map_or_else(|| "neither side".to_owned(), |winner| winner.to_string());
            D::Error::custom(format_args!("a game cannot end by {reason:?} with a win of {winner}"))
        })?;
        Ok(Ending { verdict, aborted_by })
    }
}

/// How a game ended, or nothing.
pub(crate) mod verdict_or_none {
    use rules::Verdict;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::room::fact::Ending;

    #[derive(Serialize, Deserialize)]
    struct Ended(#[serde(with = "super::ending")] Ending);

    #[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn serialize<S: Serializer>(verdict: &Option<Verdict>, serializer: S) -> Result<S::Ok, S::Error> {
        verdict.map(|verdict| Ended(verdict.into())).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Verdict>, D::Error> {
        Ok(Option::<Ended>::deserialize(deserializer)?.map(|Ended(ending)| ending.verdict))
    }
}
