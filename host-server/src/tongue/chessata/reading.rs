//! What a client says.

use std::borrow::Cow;

use chess::{DrawClaim, Promotion, Square};

use super::fields::{BadMessage, Field, Fields};

/// So many bytes are a long message. The longest that makes sense is 500 characters of chat, each written as `\uXXXX`.
pub(super) const LONGEST: usize = 8_192;

/// Something that a client says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request<'a> {
    /// To the others.
    Chat(Cow<'a, str>),
    /// To know whether somebody is there.
    Ping,
    /// To the room, as a player.
    Act(Act<'a>),
}

/// Something that a player does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act<'a> {
    Move {
        how: How<'a>,
        /// For which position it was meant, if it says so.
        ply: Option<usize>,
    },
    Resign,
    Abort,
    Draw(Draw<'a>),
    Takeback(Takeback),
    Rematch(Reply),
    Hints(bool),
    Leave,
}

/// How a move is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum How<'a> {
    Squares { start: Square, end: Square, promotion: Option<Promotion> },
    San(Cow<'a, str>),
}

/// An offer, or the answer to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    Offer,
    Accept,
    Decline,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Draw<'a> {
    Reply(Reply),
    /// With a move that is announced, or in the position on the board.
    Claim(DrawClaim, Option<Cow<'a, str>>),
}

/// With the number of plies, if it is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takeback {
    Ask(Option<u8>),
    Accept,
    Decline,
}

impl<'a> Request<'a> {
    pub(super) fn read(text: &'a str) -> Result<Self, BadMessage> {
        let mut fields = Fields::read(text)?;
        let kind = fields.some_text(Field::Type)?;
        Ok(Self::Act(match kind.as_ref() {
            "chat" => return fields.some_text(Field::Message).map(Self::Chat),
            "ping" => return Ok(Self::Ping),
            "move" => Act::read_move(&mut fields)?,
            "resign" => Act::Resign,
            "abort" => Act::Abort,
            "draw" => Act::Draw(Draw::read(&mut fields)?),
            "takeback" => Act::Takeback(Takeback::read(&mut fields)?),
            "rematch" => Act::Rematch(Reply::read(&fields.some_text(Field::Action)?).ok_or(REPLIES)?),
            "hints" => Act::Hints(fields.flag(Field::On)?),
            "leave" => Act::Leave,
            _ => return Err(BadMessage::UnknownType(kind.chars().take(40).collect())),
        }))
    }
}

impl<'a> Act<'a> {
    fn read_move(fields: &mut Fields<'a>) -> Result<Self, BadMessage> {
        let ply = fields.number(Field::Ply)?;
        let how = match fields.text(Field::San)? {
            Some(san) => How::San(san),
            None => How::Squares {
                start: square(fields, Field::Start)?,
                end: square(fields, Field::End)?,
                promotion: fields.text(Field::Promotion)?.map(|name| promotion(&name)).transpose()?,
            },
        };
        Ok(Self::Move { how, ply })
    }
}

const REPLIES: BadMessage = BadMessage::Not(Field::Action, "\"offer\", \"accept\" or \"decline\"");

impl Reply {
    fn read(action: &str) -> Option<Self> {
        Some(match action {
            "offer" => Self::Offer,
            "accept" => Self::Accept,
            "decline" => Self::Decline,
            _ => return None,
        })
    }
}

impl<'a> Draw<'a> {
    fn read(fields: &mut Fields<'a>) -> Result<Self, BadMessage> {
        let action = fields.some_text(Field::Action)?;
        let claim = match action.as_ref() {
            "claim_threefold" => DrawClaim::ThreefoldRepetition,
            "claim_fifty" => DrawClaim::FiftyMoves,
            action => {
                let names = "\"offer\", \"accept\", \"decline\", \"claim_threefold\" or \"claim_fifty\"";
                return Reply::read(action).map(Self::Reply).ok_or(BadMessage::Not(Field::Action, names));
            }
        };
        Ok(Self::Claim(claim, fields.text(Field::Move)?))
    }
}

impl Takeback {
    fn read(fields: &mut Fields<'_>) -> Result<Self, BadMessage> {
        Ok(match fields.some_text(Field::Action)?.as_ref() {
            "ask" => Self::Ask(fields.number(Field::Plies)?),
            "accept" => Self::Accept,
            "decline" => Self::Decline,
            _ => return Err(BadMessage::Not(Field::Action, "\"ask\", \"accept\" or \"decline\"")),
        })
    }
}

fn square(fields: &mut Fields<'_>, field: Field) -> Result<Square, BadMessage> {
    fields.some_text(field)?.parse().map_err(|_| BadMessage::Not(field, "a square from \"a1\" to \"h8\""))
}

/// By its name or by its letter.
fn promotion(name: &str) -> Result<Promotion, BadMessage> {
    Ok(match name {
        "queen" | "q" | "Q" => Promotion::Queen,
        "rook" | "r" | "R" => Promotion::Rook,
        "bishop" | "b" | "B" => Promotion::Bishop,
        "knight" | "n" | "N" => Promotion::Knight,
        _ => return Err(BadMessage::Not(Field::Promotion, "\"queen\", \"rook\", \"bishop\" or \"knight\"")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str) -> String {
        Request::read(text).unwrap_err().to_string()
    }

    /// Both messages that the document lets a client send.
    #[test]
    fn the_documents_messages_are_read() {
        let read = Request::read(r#"{ "type": "move", "start": "c2", "end": "c3", "promotion": "rook" }"#).unwrap();
        let how = How::Squares { start: Square::C2, end: Square::C3, promotion: Some(Promotion::Rook) };
        assert_eq!(read, Request::Act(Act::Move { how, ply: None }));
        let read = Request::read(r#"{ "type": "chat", "message": "[Insert message here]" }"#).unwrap();
        assert_eq!(read, Request::Chat("[Insert message here]".into()));
    }

    #[test]
    fn everything_that_was_added_is_read() {
        for (text, act) in [
            (r#"{"type":"move","san":"e4","ply":0}"#, Act::Move { how: How::San("e4".into()), ply: Some(0) }),
            (r#"{"type":"resign"}"#, Act::Resign),
            (r#"{"type":"abort"}"#, Act::Abort),
            (r#"{"type":"draw","action":"offer"}"#, Act::Draw(Draw::Reply(Reply::Offer))),
            (
                r#"{"type":"draw","action":"claim_fifty","move":"Nf3"}"#,
                Act::Draw(Draw::Claim(DrawClaim::FiftyMoves, Some("Nf3".into()))),
            ),
            (
                r#"{"type":"draw","action":"claim_threefold"}"#,
                Act::Draw(Draw::Claim(DrawClaim::ThreefoldRepetition, None)),
            ),
            (r#"{"type":"takeback","action":"ask","plies":2}"#, Act::Takeback(Takeback::Ask(Some(2)))),
            (r#"{"type":"takeback","action":"ask"}"#, Act::Takeback(Takeback::Ask(None))),
            (r#"{"type":"takeback","action":"accept"}"#, Act::Takeback(Takeback::Accept)),
            (r#"{"type":"rematch","action":"decline"}"#, Act::Rematch(Reply::Decline)),
            (r#"{"type":"hints","on":true}"#, Act::Hints(true)),
            (r#"{"type":"leave"}"#, Act::Leave),
        ] {
            assert_eq!(Request::read(text).unwrap(), Request::Act(act), "{text}");
        }
        let ping = Request::read(r#"{"type":"ping","anything":[{"else":[1,2,{}]}]}"#);
        assert_eq!(ping.unwrap(), Request::Ping);
    }

    #[test]
    fn promotions_have_names_and_letters_and_nothing_else() {
        let read = |name: &str| {
            Request::read(&format!(r#"{{"type":"move","start":"e7","end":"e8","promotion":{name}}}"#)).map(|read| {
                let Request::Act(Act::Move { how: How::Squares { promotion, .. }, .. }) = read else {
                    panic!("{read:?}")
                };
                promotion
            })
        };
        for (names, promotion) in [
            (["\"queen\"", "\"q\""], Promotion::Queen),
            (["\"rook\"", "\"R\""], Promotion::Rook),
            (["\"bishop\"", "\"b\""], Promotion::Bishop),
            (["\"knight\"", "\"n\""], Promotion::Knight),
        ] {
            assert!(names.iter().all(|name| read(name).unwrap() == Some(promotion)));
        }
        assert_eq!(read("null").unwrap(), None);
        for wrong in ["\"king\"", "\"pawn\"", "\"\"", "5", "\"Queen \""] {
            assert!(read(wrong).unwrap_err().to_string().starts_with("The field \"promotion\" must be "), "{wrong}");
        }
    }

    #[test]
    fn whatever_is_wrong_is_named() {
        for (text, complaint) in [
            ("", "The message could not be parsed: EOF while parsing a value at line 1 column 0."),
            ("e2e4", "The message could not be parsed: expected value at line 1 column 1."),
            (r#"{"type":"chat""#, "The message could not be parsed: EOF while parsing an object at line 1 column 14."),
            (r#"{"type":"ping"} x"#, "The message could not be parsed: trailing characters at line 1 column 17."),
            (r#"["move","e2","e4"]"#, "A message is a JSON object."),
            ("null", "A message is a JSON object."),
            ("5", "A message is a JSON object."),
            (r#""move""#, "A message is a JSON object."),
            ("{}", "The field \"type\" is missing."),
            (r#"{"type":null}"#, "The field \"type\" is missing."),
            (r#"{"type":5}"#, "The field \"type\" must be a text."),
            (r#"{"type":"castle"}"#, "Unsupported message type \"castle\"."),
            (r#"{"type":"move"}"#, "The field \"start\" is missing."),
            (r#"{"type":"move","start":"e2"}"#, "The field \"end\" is missing."),
            (r#"{"type":"move","start":5,"end":"e4"}"#, "The field \"start\" must be a text."),
            (r#"{"type":"move","start":"e2","end":"e9"}"#, "The field \"end\" must be a square from \"a1\" to \"h8\"."),
            (
                r#"{"type":"move","start":"E2","end":"e4"}"#,
                "The field \"start\" must be a square from \"a1\" to \"h8\".",
            ),
            (
                r#"{"type":"move","start":"e2","end":"e4","ply":-1}"#,
                "The field \"ply\" must be a whole number that makes sense.",
            ),
            (r#"{"type":"move","start":"e2","start":"d2","end":"e4"}"#, "The field \"start\" is there more than once."),
            (r#"{"type":"chat"}"#, "The field \"message\" is missing."),
            (r#"{"type":"chat","message":["hi"]}"#, "The field \"message\" must be a text."),
            (r#"{"type":"hints","on":1}"#, "The field \"on\" must be true or false."),
            (
                r#"{"type":"takeback","action":"ask","plies":300}"#,
                "The field \"plies\" must be a whole number that makes sense.",
            ),
            (
                r#"{"type":"rematch","action":"ask"}"#,
                "The field \"action\" must be \"offer\", \"accept\" or \"decline\".",
            ),
        ] {
            assert_eq!(refused(text), complaint, "{text}");
        }
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = format!(r#"{{"type":"chat","message":{}{}}}"#, "[".repeat(4_000), "]".repeat(4_000));
        assert_eq!(refused(&deep), "The field \"message\" must be a text.");
        let deep = format!("{}{}", "{\"a\":".repeat(4_000), "}".repeat(4_000));
        assert!(refused(&deep).starts_with("The message could not be parsed: "), "a value is missing");
    }
}
