//! Decodes the events of a client. Any argument may have any type; what cannot be read is answered as the document says.

use std::fmt;

use chess::{Move, Piece, Square};
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde_json::Value;

use super::event::ServerEvent;
use crate::room::{Code, Name};

/// More arguments than any event has are dropped.
const MAX_ARGUMENTS: usize = 8;

/// A longer text is no token, in bytes.
const LONGEST_TOKEN: usize = 256;

/// Why an event without a game id is refused.
const NO_GAME_ID: &str = "the first argument must be a game id";

/// The positional arguments of an event, of any number and types.
#[derive(Default)]
pub(super) struct Arguments(pub(super) Vec<Value>);

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Positional;

        impl<'de> Visitor<'de> for Positional {
            type Value = Arguments;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the arguments of an event")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Arguments, A::Error> {
                let mut arguments = Vec::new();
                while let Some(argument) = elements.next_element()? {
                    if arguments.len() < MAX_ARGUMENTS {
                        arguments.push(argument);
                    }
                }
                Ok(Arguments(arguments))
            }
        }

        // socketioxide passes all arguments to a type that asks for a tuple, and only the first one to others.
        deserializer.deserialize_tuple(MAX_ARGUMENTS, Positional)
    }
}

/// A decoded event of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Create {
        name: Name,
    },
    Join {
        code: Code,
        name: Name,
    },
    ReJoin {
        code: Code,
        token: String,
    },
    /// The client's countdown is over. The room has its own, so nothing follows from it.
    CountdownFinished,
    InRoom {
        code: Code,
        what: RoomRequest,
    },
}

/// An event about a room that the client is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RoomRequest {
    Move(Move),
    /// The piece has the colour of its letter's case.
    Promote(Piece),
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
    Resign,
}

impl RoomRequest {
    /// The event that the client has sent.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Move(_) => "makeMove",
            Self::Promote(_) => "promotePawn",
            Self::OfferDraw => "offerDraw",
            Self::AcceptDraw => "acceptDraw",
            Self::DeclineDraw => "declineDraw",
            Self::Resign => "resign",
        }
    }

    /// The answer to a request that is refused.
    pub(super) fn refusal(self, reason: impl fmt::Display) -> ServerEvent {
        match self {
            Self::Move(_) => ServerEvent::InvalidMove,
            Self::Promote(_) => ServerEvent::ErrorPawnPromotion,
            Self::OfferDraw | Self::AcceptDraw | Self::DeclineDraw | Self::Resign => refused(self.name(), reason),
        }
    }
}

impl Request {
    /// Decodes an event. `None` for an event that the document does not have; an error is the answer to the client.
    pub(super) fn decode(event: &str, arguments: &[Value]) -> Option<Result<Self, Vec<ServerEvent>>> {
        let code = || arguments.first().and_then(code);
        let in_room = |name: &'static str, what: RoomRequest| match code() {
            Some(code) => Ok(Self::InRoom { code, what }),
            None => Err(vec![refused(name, NO_GAME_ID)]),
        };
        Some(match event {
            "roomCreate" => Ok(Self::Create { name: name(arguments.first()) }),
            "roomJoin" => match code() {
                Some(code) => Ok(Self::Join { code, name: name(arguments.get(1)) }),
                None => Err(vec![ServerEvent::InvalidRoomId, refused("roomJoin", NO_GAME_ID)]),
            },
            "reJoin" => match (code(), arguments.get(1)) {
                (Some(code), Some(Value::String(token))) if token.len() <= LONGEST_TOKEN => {
                    Ok(Self::ReJoin { code, token: token.clone() })
                }
                (None, _) => Err(vec![ServerEvent::InvalidRoomId, refused("reJoin", NO_GAME_ID)]),
                _ => {
                    Err(vec![ServerEvent::InvalidRoomId, refused("reJoin", "the second argument must be a seat token")])
                }
            },
            "coutdownFinished" => Ok(Self::CountdownFinished),
            "makeMove" => {
                let squares = arguments.get(1).and_then(square).zip(arguments.get(2).and_then(square));
                match (code(), squares) {
                    (Some(code), Some((from, to))) => {
                        Ok(Self::InRoom { code, what: RoomRequest::Move(Move::new(from, to)) })
                    }
                    _ => Err(vec![ServerEvent::InvalidMove]),
                }
            }
            "promotePawn" => match (code(), arguments.get(1).and_then(piece)) {
                (Some(code), Some(piece)) => Ok(Self::InRoom { code, what: RoomRequest::Promote(piece) }),
                _ => Err(vec![ServerEvent::ErrorPawnPromotion]),
            },
            "offerDraw" => in_room("offerDraw", RoomRequest::OfferDraw),
            "acceptDraw" => in_room("acceptDraw", RoomRequest::AcceptDraw),
            "declineDraw" => in_room("declineDraw", RoomRequest::DeclineDraw),
            "resign" => in_room("resign", RoomRequest::Resign),
            _ => return None,
        })
    }
}

pub(super) fn refused(event: &'static str, reason: impl fmt::Display) -> ServerEvent {
    ServerEvent::Refused { event, reason: reason.to_string() }
}

/// A game id: a string, or a number for clients that keep ids of digits as numbers.
pub(super) fn code(value: &Value) -> Option<Code> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        Value::Number(number) => number.to_string().parse().ok(),
        _ => None,
    }
}

/// The name of a player, which the original does not have.
fn name(value: Option<&Value>) -> Name {
    let chosen = match value {
        Some(Value::String(name)) => name.parse().ok(),
        _ => None,
    };
    chosen.unwrap_or_else(|| "Player".parse().expect("it is a valid name"))
}

/// A square from 0 (a8) to 63 (h1), as a number or as its digits.
fn square(value: &Value) -> Option<Square> {
    let index = match value {
        Value::Number(number) => number.as_u64().or_else(|| whole(number.as_f64()?))?,
        Value::String(digits) => digits.trim().parse().ok()?,
        _ => return None,
    };
    Square::try_from_index(u8::try_from(index).ok()?).map(Square::flip_rank)
}

/// The square whose index JavaScript has written as `12.0` or `1.2e1`.
fn whole(number: f64) -> Option<u64> {
    (0..64_u8).find(|&index| f64::from(index).to_bits() == number.to_bits()).map(u64::from)
}

/// A piece letter: upper case for White, lower case for Black.
fn piece(value: &Value) -> Option<Piece> {
    let Value::String(text) = value else { return None };
    let mut letters = text.chars();
    let (letter, None) = (letters.next()?, letters.next()) else { return None };
    Piece::from_letter(letter)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn decode(event: &str, arguments: Value) -> Option<Result<Request, Vec<ServerEvent>>> {
        let Value::Array(arguments) = arguments else { panic!("arguments are a list") };
        Request::decode(event, &arguments)
    }

    fn moved(arguments: Value) -> Option<Move> {
        match decode("makeMove", arguments) {
            Some(Ok(Request::InRoom { what: RoomRequest::Move(mv), .. })) => Some(mv),
            Some(Err(reply)) if reply == [ServerEvent::InvalidMove] => None,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn squares_are_numbers_or_digits_from_a8_to_h1() {
        let e2e4 = Some(Move::new(Square::E2, Square::E4));
        assert_eq!(moved(json!(["G", 52, 36])), e2e4);
        assert_eq!(moved(json!(["G", "52", "36"])), e2e4);
        assert_eq!(moved(json!(["G", 52.0, " 36 "])), e2e4);
        assert_eq!(moved(json!([17, 0, 63])), Some(Move::new(Square::A8, Square::H1)));
    }

    #[test]
    fn malformed_moves_are_invalid() {
        for arguments in [
            json!([]),
            json!(["G"]),
            json!(["G", 52]),
            json!(["G", 52, 64]),
            json!(["G", -1, 36]),
            json!(["G", 52.5, 36]),
            json!(["G", "e2", "e4"]),
            json!(["G", null, 36]),
            json!(["G", [52], 36]),
            json!(["G", 52, { "to": 36 }]),
            json!([null, 52, 36]),
            json!([{}, 52, 36]),
            json!([true, 52, 36]),
        ] {
            assert_eq!(moved(arguments.clone()), None, "{arguments}");
        }
    }

    #[test]
    fn malformed_promotions_are_errors() {
        for arguments in
            [json!([]), json!(["G"]), json!(["G", "QQ"]), json!(["G", "x"]), json!(["G", 1]), json!(["G", ""])]
        {
            assert_eq!(decode("promotePawn", arguments), Some(Err(vec![ServerEvent::ErrorPawnPromotion])));
        }
    }

    #[test]
    fn a_malformed_id_is_no_room_and_the_client_receives_why() {
        for (event, arguments, reason) in [
            ("roomJoin", json!([]), NO_GAME_ID),
            ("roomJoin", json!([{}]), NO_GAME_ID),
            ("reJoin", json!([null, "token"]), NO_GAME_ID),
            ("reJoin", json!(["G"]), "the second argument must be a seat token"),
            ("reJoin", json!(["G", 17]), "the second argument must be a seat token"),
        ] {
            let reply = vec![ServerEvent::InvalidRoomId, refused(event, reason)];
            assert_eq!(decode(event, arguments), Some(Err(reply)));
        }
    }

    #[test]
    fn unknown_events_are_ignored() {
        assert_eq!(decode("boardUpdated", json!([1])), None);
        assert_eq!(decode("", json!([])), None);
    }

    proptest! {
        #[test]
        fn any_arguments_are_decoded_or_refused(event in "[a-zA-Z]{0,12}|makeMove|promotePawn|roomJoin|reJoin|resign", texts in proptest::collection::vec(".{0,12}", 0..5)) {
            let arguments: Vec<_> = texts.iter().map(|text| serde_json::from_str(text).unwrap_or_else(|_| json!(text))).collect();
            let _ = Request::decode(&event, &arguments);
        }
    }
}
