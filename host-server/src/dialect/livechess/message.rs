//! The JSON messages of LiveChess.

use std::time::{SystemTime, UNIX_EPOCH};

use chess::Position;
use serde::Serialize;
use serde_json::{Value, json};

use super::tracker::Tracker;
use crate::boards::{BoardView, Serial};

/// A list that has grown by more moves is sent at once.
const MAX_STEPS: usize = 16;

/// A call of a client.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Call {
    Boards,
    Subscribe { feed: Value, serial: String },
    Unsubscribe { feed: Value },
    SetUp { feed: Value, fen: String },
    Flip { feed: Value, is_flipped: Option<bool> },
}

/// A message that cannot be answered otherwise, with the id of its call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BadCall {
    pub(super) id: Value,
    pub(super) message: &'static str,
}

/// Decodes a message into its id and its call.
pub(super) fn decode(text: &str) -> Result<(Value, Call), BadCall> {
    let bad = |id: &Value, message| BadCall { id: id.clone(), message };
    let Ok(Value::Object(message)) = serde_json::from_str(text) else {
        return Err(bad(&Value::Null, "a message is a JSON object"));
    };
    // The id is echoed as it came: pages compare it with a number.
    let id = message.get("id").cloned().unwrap_or(Value::Null);
    let param = message.get("param").unwrap_or(&Value::Null);
    let call = match message.get("call").and_then(Value::as_str) {
        Some("eboards") => Call::Boards,
        Some("subscribe") => {
            if param.get("feed").and_then(Value::as_str) != Some("eboardevent") {
                return Err(bad(&id, "param.feed must be \"eboardevent\""));
            }
            let serial = param.get("param").and_then(|param| param.get("serialnr"));
            let serial = match serial {
                Some(Value::String(serial)) => serial.clone(),
                Some(Value::Number(serial)) => serial.to_string(),
                _ => return Err(bad(&id, "param.param.serialnr is missing")),
            };
            let feed = feed(param).ok_or_else(|| bad(&id, "param.id must be a number"))?;
            Call::Subscribe { feed, serial }
        }
        Some("unsubscribe") => {
            // The id of the feed, or an object with it.
            let feed = if param.is_number() { Some(param.clone()) } else { feed(param) };
            Call::Unsubscribe { feed: feed.ok_or_else(|| bad(&id, "param must be the id of a feed"))? }
        }
        Some("call") => {
            let feed = feed(param).ok_or_else(|| bad(&id, "param.id must be a number"))?;
            let argument = param.get("param").unwrap_or(&Value::Null);
            match param.get("method").and_then(Value::as_str) {
                Some("setup") => match argument.get("fen").and_then(Value::as_str) {
                    Some(fen) => Call::SetUp { feed, fen: fen.to_owned() },
                    None => return Err(bad(&id, "param.param.fen is missing")),
                },
                Some("flip") => match argument.get("flip").unwrap_or(argument) {
                    Value::Bool(is_flipped) => Call::Flip { feed, is_flipped: Some(*is_flipped) },
                    Value::Null => Call::Flip { feed, is_flipped: None },
                    _ => return Err(bad(&id, "param.param.flip must be true or false")),
                },
                Some("unsubscribe") => Call::Unsubscribe { feed },
                _ => return Err(bad(&id, "the methods of a feed are setup, flip and unsubscribe")),
            }
        }
        _ => return Err(bad(&id, "the calls are eboards, subscribe, unsubscribe and call")),
    };
    Ok((id, call))
}

fn feed(param: &Value) -> Option<Value> {
    param.get("id").filter(|id| id.is_number()).cloned()
}

/// The answer to a call.
pub(super) fn answer(id: &Value, param: &impl Serialize) -> String {
    json!({ "response": "call", "id": id, "param": param, "time": now() }).to_string()
}

pub(super) fn error(id: &Value, message: &str) -> String {
    json!({ "response": "error", "id": id, "param": { "message": message }, "time": now() }).to_string()
}

pub(super) fn event(feed: &Value, param: &FeedEvent) -> String {
    json!({ "response": "feed", "id": feed, "param": param, "time": now() }).to_string()
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis().try_into().unwrap_or(u64::MAX)
}

/// A board in the answer to `eboards`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(clippy::struct_field_names, reason = "the names are those of the protocol")]
pub(super) struct Board {
    serialnr: Serial,
    source: String,
    state: &'static str,
    battery: Option<String>,
    comment: Option<String>,
    board: Option<String>,
    flipped: bool,
    clock: Option<()>,
}

impl Board {
    pub(super) fn new(view: &BoardView, is_flipped: bool, exact: Option<&str>) -> Self {
        Self {
            serialnr: view.serial.clone(),
            source: view.name.to_string(),
            state: if view.is_online { "ACTIVE" } else { "INACTIVE" },
            battery: None,
            comment: None,
            board: exact.map(str::to_owned),
            flipped: is_flipped,
            clock: None,
        }
    }
}

/// The content of a feed event. `board` is missing while the placement is not certain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct FeedEvent {
    serialnr: Serial,
    flipped: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    clock: Option<()>,
    /// `None` in the events that a client receives before the list changes or is set up.
    #[serde(flatten)]
    list: Option<MoveList>,
}

/// The moves since the last set-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct MoveList {
    start: String,
    san: Vec<String>,
    #[serde(rename = "match")]
    is_match: bool,
}

impl FeedEvent {
    pub(super) fn new(view: &BoardView, tracker: &Tracker, is_flipped: bool, exact: Option<&str>) -> Self {
        Self {
            serialnr: view.serial.clone(),
            flipped: is_flipped,
            board: exact.map(str::to_owned),
            clock: None,
            list: Some(MoveList {
                start: tracker.start(),
                san: tracker.san().to_vec(),
                is_match: tracker.matches(view),
            }),
        }
    }

    /// The same for a client that may not see the list yet.
    pub(super) fn without_list(&self) -> Self {
        Self {
            serialnr: self.serialnr.clone(),
            flipped: self.flipped,
            board: self.board.clone(),
            clock: None,
            list: None,
        }
    }

    /// The same with only so many moves of the list, and without the placement, which belongs to all of them.
    fn shortened(&self, list: &MoveList, length: usize) -> Self {
        let list = MoveList { start: list.start.clone(), san: list.san[..length].to_vec(), is_match: false };
        Self { board: None, list: Some(list), ..self.without_list() }
    }

    /// The event of a client that has just set the board up, and so has an empty list.
    pub(super) fn emptied(&self) -> Self {
        self.list.as_ref().map_or_else(|| self.clone(), |list| self.shortened(list, 0))
    }

    /// The events between the last one that a client has received and this one, if the list has grown by several moves: one for each of them
    /// but the last. On the player's own turn lichess waits when several moves come together, and loses those that come meanwhile.
    pub(super) fn steps(&self, before: &Self) -> Vec<Self> {
        let (Some(list), Some(known)) = (&self.list, &before.list) else { return Vec::new() };
        let is_growth = list.start == known.start && list.san.starts_with(&known.san);
        let lengths = known.san.len() + 1..list.san.len();
        if is_growth && lengths.len() < MAX_STEPS {
            lengths.map(|length| self.shortened(list, length)).collect()
        } else {
            Vec::new()
        }
    }

    #[cfg(test)]
    pub(super) fn list(&self) -> String {
        self.list.as_ref().unwrap().san.join(" ")
    }

    #[cfg(test)]
    pub(super) fn board(&self) -> Option<&str> {
        self.board.as_deref()
    }

    /// Whether a client that knows `before` learns something.
    pub(super) fn is_news(&self, before: &Self) -> bool {
        self.has_other_list(before)
            || self.flipped != before.flipped
            || (self.board.is_some() && self.board != before.board)
    }

    pub(super) fn has_other_list(&self, before: &Self) -> bool {
        self.moves() != before.moves()
    }

    fn moves(&self) -> Option<(&str, &[String])> {
        self.list.as_ref().map(|list| (list.start.as_str(), list.san.as_slice()))
    }
}

/// The first field of a FEN.
pub(super) fn placement(position: &Position) -> String {
    let fen = position.fen().to_string();
    fen.split(' ').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_the_calls_of_lichess() {
        assert_eq!(decode(r#"{"id":1,"call":"eboards"}"#), Ok((json!(1), Call::Boards)));
        let subscribe =
            r#"{"id":2,"call":"subscribe","param":{"feed":"eboardevent","id":1,"param":{"serialnr":"3000147740"}}}"#;
        assert_eq!(
            decode(subscribe),
            Ok((json!(2), Call::Subscribe { feed: json!(1), serial: "3000147740".to_owned() }))
        );
        let setup = r#"{"id":3,"call":"call","param":{"id":1,"method":"setup","param":{"fen":"x"}}}"#;
        assert_eq!(decode(setup), Ok((json!(3), Call::SetUp { feed: json!(1), fen: "x".to_owned() })));
    }

    #[test]
    fn a_feed_ends_by_a_call_or_by_its_own_method() {
        for call in [
            r#""call":"unsubscribe","param":1"#,
            r#""call":"unsubscribe","param":{"id":1}"#,
            r#""call":"call","param":{"id":1,"method":"unsubscribe"}"#,
            r#""call":"call","param":{"id":1,"method":"unsubscribe","param":null}"#,
        ] {
            let text = format!(r#"{{"id":5,{call}}}"#);
            assert_eq!(decode(&text), Ok((json!(5), Call::Unsubscribe { feed: json!(1) })), "{text}");
        }
    }

    #[test]
    fn a_board_is_turned_as_the_client_says_or_to_the_other_side() {
        for (param, expected) in
            [(r#","param":{"flip":true}"#, Some(true)), (r#","param":false"#, Some(false)), ("", None)]
        {
            let text = format!(r#"{{"id":4,"call":"call","param":{{"id":1,"method":"flip"{param}}}}}"#);
            assert_eq!(decode(&text), Ok((json!(4), Call::Flip { feed: json!(1), is_flipped: expected })), "{param}");
        }
    }

    #[test]
    fn bad_messages_are_errors_with_the_id_of_the_call() {
        for (text, id) in [
            ("", Value::Null),
            ("[]", Value::Null),
            ("{}", Value::Null),
            (r#"{"id":7}"#, json!(7)),
            (r#"{"id":7,"call":"nothing"}"#, json!(7)),
            (r#"{"id":7,"call":"subscribe"}"#, json!(7)),
            (
                r#"{"id":7,"call":"subscribe","param":{"feed":"eboardevent","param":{"serialnr":null},"id":1}}"#,
                json!(7),
            ),
            (r#"{"id":7,"call":"call","param":{"id":1,"method":"setup"}}"#, json!(7)),
            (r#"{"id":7,"call":"call","param":{"id":"1","method":"flip"}}"#, json!(7)),
            (r#"{"id":7,"call":"call","param":{"id":1,"method":"flip","param":{"flip":"yes"}}}"#, json!(7)),
            (r#"{"id":7,"call":"call","param":{"id":1,"method":"flip","param":5}}"#, json!(7)),
            (r#"{"id":7,"call":"unsubscribe","param":null}"#, json!(7)),
            (r#"{"id":7,"call":"call","param":{"id":null,"method":"unsubscribe"}}"#, json!(7)),
            (r#"{"id":7,"call":"call","param":{"id":1,"method":"nothing"}}"#, json!(7)),
        ] {
            assert_eq!(decode(text).unwrap_err().id, id, "{text}");
        }
    }
}
