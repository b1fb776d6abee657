//! Commands of the user at the virtual board, as JSON.

use std::borrow::Cow;

use board::Pace;
use chess::{Color, Piece, Square};
use engine::Level;
use serde::{Deserialize, Deserializer};

/// A command: move pieces by hand, pull plugs, or disturb the sensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Touch {
    /// Lift a piece into a hand.
    Lift {
        #[serde(default)]
        hand: u8,
        #[serde(deserialize_with = "square")]
        square: Square,
    },
    /// Put the piece of a hand on a square.
    Put {
        #[serde(default)]
        hand: u8,
        #[serde(deserialize_with = "square")]
        square: Square,
    },
    /// Put the piece of a hand beside the board.
    PutAside {
        #[serde(default)]
        hand: u8,
    },
    /// Take a piece from beside the board into a hand.
    Take {
        #[serde(default)]
        hand: u8,
        #[serde(deserialize_with = "piece")]
        piece: Piece,
    },
    /// Push a piece to an adjacent square without lifting it.
    Slide {
        #[serde(deserialize_with = "square")]
        from: Square,
        #[serde(deserialize_with = "square")]
        to: Square,
    },
    /// Set up the start position.
    SetUp,
    /// Put all pieces beside the board.
    Clear,
    /// Knock over a few pieces at a random place.
    KnockOver,
    /// Simulate a weak magnet: the reed of this square flickers for a few seconds.
    Flicker {
        #[serde(deserialize_with = "square")]
        square: Square,
    },
    /// Pull the network plug, or put it in.
    Network { plugged: bool },
    /// Pull the power plug, or put it in.
    Power { plugged: bool },
    /// Turn the player's consent to hints on or off.
    Hints { on: bool },
    /// Choose how long moves rest before they count.
    Pace {
        #[serde(deserialize_with = "pace")]
        pace: Pace,
    },
    /// Choose the computer opponent.
    Computer {
        /// None switches it off.
        #[serde(deserialize_with = "level")]
        level: Option<Level>,
        /// Color of the player.
        #[serde(deserialize_with = "color")]
        color: Color,
    },
}

impl Touch {
    /// Parses a command; the error is a sentence for the user.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| format!("invalid message: {error}"))
    }
}

fn square<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Square, D::Error> {
    let text = Cow::<'de, str>::deserialize(deserializer)?;
    text.parse().map_err(|_| serde::de::Error::custom(format!("{:?} is not a square", shortened(&text))))
}

fn level<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Level>, D::Error> {
    let number = Option::<u64>::deserialize(deserializer)?;
    let level = |number: u64| {
        let level = u8::try_from(number).ok().and_then(Level::new);
        level.ok_or_else(|| serde::de::Error::custom(format!("{number} is not a level: 1 to 10, or null")))
    };
    number.map(level).transpose()
}

fn pace<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Pace, D::Error> {
    let text = Cow::<'de, str>::deserialize(deserializer)?;
    Pace::named(&text).ok_or_else(|| {
        serde::de::Error::custom(format!("{:?} is not a pace: fast, normal or careful", shortened(&text)))
    })
}

fn color<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
    match &*Cow::<'de, str>::deserialize(deserializer)? {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        text => Err(serde::de::Error::custom(format!("{:?} is not a color: white or black", shortened(text)))),
    }
}

fn piece<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Piece, D::Error> {
    let text = Cow::<'de, str>::deserialize(deserializer)?;
    let mut letters = text.chars();
    let piece = letters.next().filter(|_| letters.next().is_none()).and_then(Piece::from_letter);
    piece.ok_or_else(|| {
        serde::de::Error::custom(format!("{:?} is not a piece: one letter of KQRBNPkqrbnp", shortened(&text)))
    })
}

/// The beginning of a text, for an error message.
fn shortened(text: &str) -> &str {
    text.get(..text.floor_char_boundary(16)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_commands() {
        let read = |text| Touch::read(text).unwrap();
        assert_eq!(read(r#"{"type":"lift","square":"e2"}"#), Touch::Lift { hand: 0, square: Square::E2 });
        assert_eq!(read(r#"{"type":"put","hand":3,"square":"e4"}"#), Touch::Put { hand: 3, square: Square::E4 });
        assert_eq!(read(r#"{"type":"put_aside","hand":1}"#), Touch::PutAside { hand: 1 });
        assert_eq!(read(r#"{"type":"take","piece":"q"}"#), Touch::Take { hand: 0, piece: Piece::BlackQueen });
        assert_eq!(
            read(r#"{"type":"slide","from":"a1","to":"a2"}"#),
            Touch::Slide { from: Square::A1, to: Square::A2 }
        );
        assert_eq!(read(r#"{"type":"set_up"}"#), Touch::SetUp);
        assert_eq!(read(r#"{"type":"power","plugged":false}"#), Touch::Power { plugged: false });
        assert_eq!(read(r#"{"type":"hints","on":true}"#), Touch::Hints { on: true });
        assert_eq!(read(r#"{"type":"pace","pace":"careful"}"#), Touch::Pace { pace: Pace::Careful });
        let error = Touch::read(r#"{"type":"pace","pace":"slow"}"#).expect_err("there is no such pace");
        assert!(error.contains("\"slow\" is not a pace: fast, normal or careful"), "{error}");
        let (level, color) = (Level::new(4), Color::Black);
        assert_eq!(read(r#"{"type":"computer","level":4,"color":"black"}"#), Touch::Computer { level, color });
        let off = r#"{"type":"computer","level":null,"color":"white"}"#;
        assert_eq!(read(off), Touch::Computer { level: None, color: Color::White });
    }

    #[test]
    fn an_error_names_the_invalid_part() {
        let problem = |text| Touch::read(text).unwrap_err();
        for (text, part) in [
            ("", "EOF"),
            ("[]", "invalid message"),
            (r#"{"square":"e2"}"#, "type"),
            (r#"{"type":"throw"}"#, "throw"),
            (r#"{"type":"lift"}"#, "square"),
            (r#"{"type":"lift","square":"i9"}"#, r#""i9" is not a square"#),
            (r#"{"type":"take","piece":"qq"}"#, r#""qq" is not a piece"#),
            (r#"{"type":"lift","hand":300,"square":"e2"}"#, "300"),
            (r#"{"type":"computer","level":11,"color":"white"}"#, "11 is not a level"),
            (r#"{"type":"computer","level":1,"color":"red"}"#, r#""red" is not a color"#),
        ] {
            assert!(problem(text).contains(part), "{text}: {}", problem(text));
        }
        let long = format!(r#"{{"type":"lift","square":"{}"}}"#, "ä".repeat(1_000));
        assert!(problem(&long).len() < 200);
    }
}
