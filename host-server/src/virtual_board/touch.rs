use std::borrow::Cow;

use chess::{Piece, Square};
use serde::{Deserialize, Deserializer};

/// What somebody wants done to the wood, or to its plugs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Touch {
    /// Take a piece up.
    Lift {
        #[serde(default)]
        hand: u8,
        #[serde(deserialize_with = "square")]
        square: Square,
    },
    /// Put down what is in a hand.
    Put {
        #[serde(default)]
        hand: u8,
        #[serde(deserialize_with = "square")]
        square: Square,
    },
    /// Put what is in a hand beside the board.
    PutAside {
        #[serde(default)]
        hand: u8,
    },
    /// Take up a piece that lies beside the board.
    Take {
        #[serde(default)]
        hand: u8,
        #[serde(deserialize_with = "piece")]
        piece: Piece,
    },
    /// Push a piece along the wood to the next square.
    Slide {
        #[serde(deserialize_with = "square")]
        from: Square,
        #[serde(deserialize_with = "square")]
        to: Square,
    },
    /// Put all pieces where a game begins.
    SetUp,
    /// Put all pieces beside the board.
    Clear,
    /// Come with a sleeve into the pieces.
    KnockOver,
    /// Have a weak magnet at a square, for a while.
    Flicker {
        #[serde(deserialize_with = "square")]
        square: Square,
    },
    /// Pull the network plug, or put it in.
    Network { plugged: bool },
    /// Pull the power plug, or put it in.
    Power { plugged: bool },
    /// Agree that the lights show where pieces can go, or no longer.
    Hints { on: bool },
}

impl Touch {
    /// Reads what a panel says. Otherwise says what is wrong with it, in a sentence.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| format!("the message makes no sense: {error}"))
    }
}

fn square<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Square, D::Error> {
    let text = Cow::<'de, str>::deserialize(deserializer)?;
    text.parse().map_err(|_| serde::de::Error::custom(format!("{:?} is not a square", shortened(&text))))
}

fn piece<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Piece, D::Error> {
    let text = Cow::<'de, str>::deserialize(deserializer)?;
    let mut letters = text.chars();
    let piece = letters.next().filter(|_| letters.next().is_none()).and_then(Piece::from_letter);
    piece.ok_or_else(|| {
        serde::de::Error::custom(format!("{:?} is not a piece: one letter of KQRBNPkqrbnp", shortened(&text)))
    })
}

/// As much of a text as is worth repeating.
fn shortened(text: &str) -> &str {
    text.get(..text.floor_char_boundary(16)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touches_are_read() {
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
    }

    #[test]
    fn nonsense_is_named() {
        let problem = |text| Touch::read(text).unwrap_err();
        for (text, words) in [
            ("", "EOF"),
            ("[]", "the message makes no sense"),
            (r#"{"square":"e2"}"#, "type"),
            (r#"{"type":"throw"}"#, "throw"),
            (r#"{"type":"lift"}"#, "square"),
            (r#"{"type":"lift","square":"i9"}"#, r#""i9" is not a square"#),
            (r#"{"type":"take","piece":"qq"}"#, r#""qq" is not a piece"#),
            (r#"{"type":"lift","hand":300,"square":"e2"}"#, "300"),
        ] {
            assert!(problem(text).contains(words), "{text}: {}", problem(text));
        }
        let long = format!(r#"{{"type":"lift","square":"{}"}}"#, "ä".repeat(1_000));
        assert!(problem(&long).len() < 200);
    }
}
