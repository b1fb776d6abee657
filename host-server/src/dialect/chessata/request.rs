//! Decodes a client's JSON message into an [`Act`].

use chess::{Color, DrawClaim, Square};
use rules::{NotationError, Ply, Situation};

use super::fields::{BadMessage, Field, Fields};
use crate::dialect::json_error::JsonError;
use crate::room::{Act, Offer, Phase, Refusal, Room};

/// Maximum length of a message, in bytes. The longest useful one has 500 characters of chat, each written as `\uXXXX`.
pub(super) const LONGEST: usize = 8_192;

/// Maximum length of a chat message, in characters: the same limit as the room's.
const LONGEST_TEXT: usize = 500;

/// A decoded message of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// An act for the room.
    Act(Act),
    /// Asks for a pong.
    Ping,
    /// Asks where the sender's pieces could go if the opponent passed.
    Premoves,
    /// A spectator, who has no seat to give up, disconnects.
    Disconnect,
}

impl Request {
    /// Decodes a message of a participant who plays this side, or none. Moves in SAN are read in the position of the room.
    pub(super) fn read(text: &str, room: &Room, color: Option<Color>) -> Result<Self, JsonError> {
        let mut fields = Fields::read(text)?;
        let kind = fields.some_text(Field::Type)?;
        let player = || color.ok_or(Refusal::NoSeat);
        let act = match kind.as_ref() {
            "ping" => return Ok(Self::Ping),
            "premoves" => return Ok(Self::Premoves),
            "leave" if color.is_none() => return Ok(Self::Disconnect),
            "chat" => {
                let message = fields.some_text(Field::Message)?;
                if message.chars().count() > LONGEST_TEXT {
                    return Err(JsonError::too_large(Refusal::BadText.to_string()));
                }
                return Ok(Self::Act(Act::Chat { text: message.into_owned() }));
            }
            "move" => read_move(&mut fields, room, color)?,
            "resign" => Act::Resign,
            "abort" => Act::Abort,
            "claim_win" => Act::ClaimWin,
            "draw" => read_draw(&mut fields, room, color)?,
            "takeback" => read_takeback(&mut fields, room, color)?,
            "rematch" => match OfferAction::read(&fields.some_text(Field::Action)?).ok_or(REPLIES)? {
                OfferAction::Offer => Act::OfferRematch,
                OfferAction::Accept => Act::AcceptRematch,
                OfferAction::Decline => Act::DeclineRematch,
                OfferAction::Withdraw => Act::Withdraw { offer: Offer::Rematch },
            },
            "hints" => Act::Hints { on: fields.flag(Field::On)? },
            "leave" => Act::Leave,
            _ => return Err(BadMessage::UnknownType(kind.chars().take(40).collect()).into()),
        };
        player()?;
        Ok(Self::Act(act))
    }
}

fn read_move(fields: &mut Fields<'_>, room: &Room, color: Option<Color>) -> Result<Act, JsonError> {
    let here = room.game().situation();
    let number = fields.number(Field::Ply)?;
    if let Some(san) = fields.text(Field::San)? {
        let ply = in_turn(room, color).and_then(|()| read_notation(here, &san))?;
        // SAN depends on the position, so the move is stale in any other.
        return Ok(Act::Move { ply, number: number.or(Some(room.game().len())) });
    }
    let way = Ply::new(square(fields, Field::Start)?, square(fields, Field::End)?);
    let choice = fields.text(Field::Promotion)?.map(|name| choice_named(here, &name)).transpose()?;
    // The field is ignored unless there is a choice: in chess, unless a pawn reaches its last rank.
    Ok(Act::Move { ply: here.with_choice(way, choice), number })
}

const REPLIES: BadMessage = BadMessage::Not(Field::Action, "\"offer\", \"accept\", \"decline\" or \"withdraw\"");

/// An offer, or the answer to one.
enum OfferAction {
    Offer,
    Accept,
    Decline,
    Withdraw,
}

impl OfferAction {
    fn read(action: &str) -> Option<Self> {
        Some(match action {
            "offer" => Self::Offer,
            "accept" => Self::Accept,
            "decline" => Self::Decline,
            "withdraw" => Self::Withdraw,
            _ => return None,
        })
    }
}

fn read_draw(fields: &mut Fields<'_>, room: &Room, color: Option<Color>) -> Result<Act, JsonError> {
    let action = fields.some_text(Field::Action)?;
    let claim = match action.as_ref() {
        "claim_threefold" => DrawClaim::ThreefoldRepetition,
        "claim_fifty" => DrawClaim::FiftyMoves,
        action => {
            let names = "\"offer\", \"accept\", \"decline\", \"withdraw\", \"claim_threefold\" or \"claim_fifty\"";
            return Ok(match OfferAction::read(action).ok_or(BadMessage::Not(Field::Action, names))? {
                OfferAction::Offer => Act::OfferDraw,
                // The client accepts the offer that it has seen, which may be gone when the room executes the act.
                OfferAction::Accept => Act::AcceptDraw { number: room.game().len() },
                OfferAction::Decline => Act::DeclineDraw,
                OfferAction::Withdraw => Act::Withdraw { offer: Offer::Draw },
            });
        }
    };
    let with = match fields.text(Field::Move)? {
        None => None,
        Some(text) => Some(read_announced(&text, room, color)?),
    };
    Ok(Act::ClaimDraw { claim, with })
}

/// The move that a draw is claimed with, in UCI or SAN.
fn read_announced(text: &str, room: &Room, color: Option<Color>) -> Result<Ply, JsonError> {
    in_turn(room, color)?;
    text.parse().or_else(|_| read_notation(room.game().situation(), text))
}

fn read_takeback(fields: &mut Fields<'_>, room: &Room, color: Option<Color>) -> Result<Act, JsonError> {
    Ok(match fields.some_text(Field::Action)?.as_ref() {
        "ask" => {
            // The default is the player's own last move, with the opponent's answer if there is one.
            let is_answered = color == Some(room.game().to_move());
            Act::AskTakeback { plies: fields.number(Field::Plies)?.unwrap_or(if is_answered { 2 } else { 1 }) }
        }
        "accept" => {
            color.ok_or(Refusal::NoSeat)?;
            // With the number that the client shows, a request that has changed meanwhile is not accepted.
            let plies = match fields.number(Field::Plies)? {
                Some(plies) => plies,
                None => room.takeback().ok_or(Refusal::NoOffer)?.plies,
            };
            Act::AcceptTakeback { plies }
        }
        "decline" => Act::DeclineTakeback,
        "withdraw" => Act::Withdraw { offer: Offer::Takeback },
        _ => {
            return Err(BadMessage::Not(Field::Action, "\"ask\", \"accept\", \"decline\" or \"withdraw\"").into());
        }
    })
}

/// What the room would answer before it looks at a move. A move in SAN cannot be read in any other position.
fn in_turn(room: &Room, color: Option<Color>) -> Result<(), JsonError> {
    let color = color.ok_or(Refusal::NoSeat)?;
    let refusal = match (room.phase(), room.verdict()) {
        (Phase::Playing, _) if room.game().to_move() == color => return Ok(()),
        (Phase::Playing, _) => Refusal::NotYourTurn,
        (Phase::Over, Some(verdict)) => Refusal::Over(verdict),
        (Phase::Closed, _) => Refusal::Closed,
        _ => Refusal::NotBegun,
    };
    Err(refusal.into())
}

fn read_notation(here: Situation<'_>, text: &str) -> Result<Ply, JsonError> {
    here.read(text).map_err(|error| match error {
        NotationError::Illegal => JsonError::illegal(),
        NotationError::San(_) | NotationError::Unexpected(_) => JsonError::bad(format_args!("Not a move: {error}.")),
    })
}

fn square(fields: &mut Fields<'_>, field: Field) -> Result<Square, BadMessage> {
    fields.some_text(field)?.parse().map_err(|_| BadMessage::Not(field, "a square from \"a1\" to \"h8\""))
}

/// A promotion, or another choice, by its name or letter.
fn choice_named(here: Situation<'_>, name: &str) -> Result<u8, BadMessage> {
    let names = match here.chess() {
        Some(_) => "\"queen\", \"rook\", \"bishop\" or \"knight\"",
        None => "the letter of a choice that the legal moves offer",
    };
    here.choice_named(name).ok_or(BadMessage::Not(Field::Promotion, names))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chess::Promotion;
    use rules::Start;

    use super::*;
    use crate::room::{
        Ability, Command, Entry, Fact, Player, RelayId, RoomId, SideChoice, Stamp, Terms, Time, TokenHash, UserId,
    };

    /// A room in which a game has just begun from this position.
    fn playing(start: &str) -> Room {
        let terms = Terms { start: Some(Box::new(Start::Chess(start.parse().unwrap()))), ..Terms::default() };
        let fact = Fact::Opened { room: RoomId(1), code: "A".parse().unwrap(), terms, on: 0 };
        let entry = Entry { at: Time(0), write_id: 1, from: None, fact };
        let mut room = Arc::new(Room::from_log(&[entry]).unwrap());
        for name in ["white", "black"] {
            let user: UserId = format!("{name:_<12}").parse().unwrap();
            let player = Player {
                id: user.clone(),
                name: name.parse().unwrap(),
                token: TokenHash::of(name),
                ability: Ability::Documented,
            };
            let connect = Command::Connect { user, relay: RelayId(1) };
            for command in [Command::Sit { player, side: SideChoice::First }, connect] {
                room = room.attempt(&command, Stamp { received: Time(1), now: Time(1), write_id: 2 }).after;
            }
        }
        assert_eq!(room.phase(), Phase::Playing);
        Arc::unwrap_or_clone(room)
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn read(text: &str) -> Result<Request, JsonError> {
        Request::read(text, &playing(START), Some(Color::White))
    }

    #[track_caller]
    fn refused(text: &str) -> String {
        read(text).unwrap_err().message().to_owned()
    }

    /// Both messages that the Chessata document lets a client send.
    #[test]
    fn reads_the_messages_of_the_document() {
        let request = read(r#"{ "type": "move", "start": "c2", "end": "c3", "promotion": "rook" }"#).unwrap();
        let ply = Ply::new(Square::C2, Square::C3);
        assert_eq!(request, Request::Act(Act::Move { ply, number: None }), "only a pawn on its last rank is promoted");
        let request = read(r#"{ "type": "chat", "message": "[Insert message here]" }"#).unwrap();
        assert_eq!(request, Request::Act(Act::Chat { text: "[Insert message here]".into() }));
    }

    #[test]
    fn reads_all_extensions() {
        let mv = |uci: &str| uci.parse().unwrap();
        for (text, act) in [
            (r#"{"type":"move","san":"e4","ply":0}"#, Act::Move { ply: mv("e2e4"), number: Some(0) }),
            (r#"{"type":"move","san":"e4"}"#, Act::Move { ply: mv("e2e4"), number: Some(0) }),
            (r#"{"type":"resign"}"#, Act::Resign),
            (r#"{"type":"abort"}"#, Act::Abort),
            (r#"{"type":"draw","action":"offer"}"#, Act::OfferDraw),
            (r#"{"type":"draw","action":"accept"}"#, Act::AcceptDraw { number: 0 }),
            (r#"{"type":"draw","action":"decline"}"#, Act::DeclineDraw),
            (
                r#"{"type":"draw","action":"claim_fifty","move":"Nf3"}"#,
                Act::ClaimDraw { claim: DrawClaim::FiftyMoves, with: Some(mv("g1f3")) },
            ),
            (
                r#"{"type":"draw","action":"claim_threefold"}"#,
                Act::ClaimDraw { claim: DrawClaim::ThreefoldRepetition, with: None },
            ),
            (r#"{"type":"takeback","action":"ask","plies":3}"#, Act::AskTakeback { plies: 3 }),
            (r#"{"type":"takeback","action":"ask"}"#, Act::AskTakeback { plies: 2 }),
            (r#"{"type":"takeback","action":"accept","plies":3}"#, Act::AcceptTakeback { plies: 3 }),
            (r#"{"type":"takeback","action":"decline"}"#, Act::DeclineTakeback),
            (r#"{"type":"rematch","action":"offer"}"#, Act::OfferRematch),
            (r#"{"type":"rematch","action":"accept"}"#, Act::AcceptRematch),
            (r#"{"type":"rematch","action":"decline"}"#, Act::DeclineRematch),
            (r#"{"type":"hints","on":true}"#, Act::Hints { on: true }),
            (r#"{"type":"draw","action":"withdraw"}"#, Act::Withdraw { offer: Offer::Draw }),
            (r#"{"type":"takeback","action":"withdraw"}"#, Act::Withdraw { offer: Offer::Takeback }),
            (r#"{"type":"rematch","action":"withdraw"}"#, Act::Withdraw { offer: Offer::Rematch }),
            (r#"{"type":"leave"}"#, Act::Leave),
        ] {
            assert_eq!(read(text).unwrap(), Request::Act(act), "{text}");
        }
        let ping = read(r#"{"type":"ping","anything":[{"else":[1,2,{}]}]}"#);
        assert_eq!(ping.unwrap(), Request::Ping);
        assert_eq!(read(r#"{"type":"premoves"}"#).unwrap(), Request::Premoves);
        assert_eq!(refused(r#"{"type":"takeback","action":"accept"}"#), Refusal::NoOffer.to_string());
    }

    #[test]
    fn premoves_are_the_moves_of_the_side_that_waits() {
        let of = |fen: &str, color| super::super::premoves::premoves(&playing(fen), color);
        let moves = of(START, Some(Color::Black));
        assert_eq!(
            (moves.len(), &moves["b8"], &moves["e7"]),
            (10, &vec!["a6".into(), "c6".into()], &vec!["e5".into(), "e6".into()])
        );
        assert!(of(START, Some(Color::White)).is_empty(), "it is this side's turn");
        assert!(of(START, None).is_empty(), "a spectator has no pieces");
        // A promotion is one target, and the king does not go into check.
        let moves = of("8/P3k3/8/8/8/8/7r/K7 b - - 0 1", Some(Color::White));
        assert_eq!((moves.len(), &moves["a7"], &moves["a1"]), (2, &vec!["a8".into()], &vec!["b1".into()]));
        // A side in check cannot pass.
        assert!(of("4k3/8/8/8/8/8/8/K3R3 b - - 0 1", Some(Color::White)).is_empty());
    }

    #[test]
    fn spectators_can_only_chat_and_disconnect() {
        let room = playing(START);
        let read = |text: &str| Request::read(text, &room, None);
        assert_eq!(read(r#"{"type":"leave"}"#).unwrap(), Request::Disconnect);
        assert!(matches!(read(r#"{"type":"chat","message":"Hi"}"#), Ok(Request::Act(Act::Chat { .. }))));
        for text in [
            r#"{"type":"move","start":"e2","end":"e4"}"#,
            r#"{"type":"move","san":"e4"}"#,
            r#"{"type":"resign"}"#,
            r#"{"type":"takeback","action":"accept"}"#,
        ] {
            assert_eq!(read(text).unwrap_err(), Refusal::NoSeat.into(), "{text}");
        }
    }

    #[test]
    fn promotions_have_names_and_letters() {
        let room = playing("7k/4P3/8/8/8/8/8/K7 w - - 0 1");
        let read = |name: &str| {
            let text = format!(r#"{{"type":"move","start":"e7","end":"e8","promotion":{name}}}"#);
            Request::read(&text, &room, Some(Color::White)).map(|request| match request {
                Request::Act(Act::Move { ply, .. }) => rules::chess::promotion(ply.choice()),
                other => panic!("{other:?}"),
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
        assert_eq!(read("null").unwrap(), Some(Promotion::Queen));
        for wrong in ["\"king\"", "\"pawn\"", "\"\"", "5", "\"Queen \""] {
            assert!(read(wrong).unwrap_err().message().starts_with("The field \"promotion\" must be "), "{wrong}");
        }
    }

    #[test]
    fn errors_name_the_field() {
        for (text, message) in [
            ("", "The message could not be parsed: EOF while parsing a value at line 1 column 0."),
            ("e2e4", "The message could not be parsed: expected value at line 1 column 1."),
            (r#"{"type":"chat""#, "The message could not be parsed: EOF while parsing an object at line 1 column 14."),
            (r#"{"type":"ping"} x"#, "The message could not be parsed: trailing characters at line 1 column 17."),
            (r#"["move","e2","e4"]"#, "A message must be a JSON object."),
            ("null", "A message must be a JSON object."),
            ("5", "A message must be a JSON object."),
            (r#""move""#, "A message must be a JSON object."),
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
                "The field \"ply\" must be a whole number in range.",
            ),
            (r#"{"type":"move","start":"e2","start":"d2","end":"e4"}"#, "The field \"start\" is repeated."),
            (r#"{"type":"chat"}"#, "The field \"message\" is missing."),
            (r#"{"type":"chat","message":["hi"]}"#, "The field \"message\" must be a text."),
            (r#"{"type":"hints","on":1}"#, "The field \"on\" must be true or false."),
            (
                r#"{"type":"takeback","action":"ask","plies":300}"#,
                "The field \"plies\" must be a whole number in range.",
            ),
            (
                r#"{"type":"rematch","action":"ask"}"#,
                "The field \"action\" must be \"offer\", \"accept\", \"decline\" or \"withdraw\".",
            ),
        ] {
            assert_eq!(refused(text), message, "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_rejected_without_recursion() {
        let deep = format!(r#"{{"type":"chat","message":{}{}}}"#, "[".repeat(4_000), "]".repeat(4_000));
        assert_eq!(refused(&deep), "The field \"message\" must be a text.");
        let deep = format!("{}{}", "{\"a\":".repeat(4_000), "}".repeat(4_000));
        assert!(refused(&deep).starts_with("The message could not be parsed: "), "a value is missing");
    }
}
