//! A room that somebody opens before anybody comes.

use axum::body::Bytes;
use chess::Position;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::relay::{Claim, Invitation, Relay, Visitor};
use crate::room::{Code, Name, Terms, UserId, Wish};
use crate::store::Created;
use crate::tongue::chessata::{LONGEST_COUNTDOWN, clock_rule, side};
use crate::tongue::complaint::Complaint;

/// What somebody who opens a room asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Order {
    /// Who wants to play, if it is the one who asks.
    name: Option<Name>,
    wish: Wish,
    terms: Terms,
}

impl Order {
    /// Reads the body of a request. An empty one asks for a room as usual.
    pub(super) fn read(body: &Bytes, usual: &Terms) -> Result<Self, Complaint> {
        let mut order = Self { name: None, wish: Wish::First, terms: usual.clone() };
        if body.trim_ascii().is_empty() {
            return Ok(order);
        }
        let value: Value =
            serde_json::from_slice(body).map_err(|error| Complaint::bad(format_args!("Not JSON: {error}.")))?;
        let Value::Object(fields) = value else { return Err(Complaint::bad("A game is asked for by a JSON object.")) };
        for (field, value) in fields {
            match (field.as_str(), value) {
                (_, Value::Null) => {}
                ("name", Value::String(name)) => order.name = Some(name.parse().map_err(|bad| wrong("name", bad))?),
                ("color", Value::String(color)) => order.wish = side(&color).ok_or_else(|| wrong("color", COLOR))?,
                ("clock", Value::Object(clock)) => {
                    let base = number(&clock, "base_ms").ok_or_else(|| wrong("clock", CLOCK))?;
                    let increment = number(&clock, "increment_ms").ok_or_else(|| wrong("clock", CLOCK))?;
                    order.terms.clock = Some(clock_rule(base, increment).ok_or_else(|| wrong("clock", CLOCK))?);
                }
                ("countdown_ms", Value::Number(countdown)) => {
                    let countdown = countdown.as_u64().filter(|&ms| ms <= LONGEST_COUNTDOWN);
                    order.terms.countdown = countdown.ok_or_else(|| wrong("countdown_ms", COUNTDOWN))?;
                }
                ("start", Value::String(fen)) => {
                    let position: Position = fen.parse().map_err(|error| wrong("start", error))?;
                    order.terms.start = Some(position.fen().to_string());
                }
                ("name" | "start", _) => return Err(wrong(&field, "it must be a text")),
                ("color", _) => return Err(wrong("color", COLOR)),
                ("clock", _) => return Err(wrong("clock", CLOCK)),
                ("countdown_ms", _) => return Err(wrong("countdown_ms", COUNTDOWN)),
                _ => return Err(wrong(&field, "nobody knows what it means")),
            }
        }
        Ok(order)
    }
}

const COLOR: &str = "it must be \"white\", \"black\" or \"random\"";
const CLOCK: &str = "it must be an object with base_ms (from 1) and increment_ms (from 0), each at most a day";
const COUNTDOWN: &str = "it must be a number of milliseconds, at most 60000";

fn wrong(field: &str, why: impl std::fmt::Display) -> Complaint {
    Complaint::bad(format_args!("The field {field:?} is wrong: {why}."))
}

fn number(clock: &Map<String, Value>, field: &str) -> Option<u32> {
    match clock.get(field) {
        None => (field == "increment_ms").then_some(0),
        Some(value) => value.as_u64()?.try_into().ok(),
    }
}

/// What somebody who has opened a room gets to know.
#[derive(Debug, Serialize)]
pub(super) struct Opened {
    code: Code,
    #[serde(flatten)]
    seat: Option<Seat>,
    paths: Paths,
}

/// The seat that is kept for them.
#[derive(Debug, Serialize)]
struct Seat {
    user_id: UserId,
    token: String,
    color: String,
}

#[derive(Debug, Serialize)]
struct Paths {
    play: String,
    pgn: String,
    json: String,
    bin: String,
}

impl Order {
    /// Opens the room, under a code that nobody can guess.
    pub(super) async fn fulfil(self, relay: &Relay) -> Result<Opened, Complaint> {
        let code = loop {
            let code = crate::dice::code();
            if relay.open(&code, self.terms.clone()).await? == Created::Done {
                break code;
            }
        };
        let name =
            self.name.as_ref().map_or("{username}", |name| if is_plain(name) { name.as_str() } else { "player" });
        let paths = Paths {
            play: format!("/ws/api/{name}/{code}/"),
            pgn: format!("/games/{code}.pgn"),
            json: format!("/games/{code}.json"),
            bin: format!("/games/{code}.bin"),
        };
        let seat = match self.name {
            Some(name) => Some(sit(relay, &code, name, self.wish).await?),
            None => None,
        };
        Ok(Opened { code, seat, paths })
    }
}

/// Takes a seat for somebody who will come. It is theirs for as long as a player may be away.
async fn sit(relay: &Relay, code: &Code, name: Name, wish: Wish) -> Result<Seat, Complaint> {
    let invitation = Invitation::new(wish);
    let token = invitation.token.clone();
    let attendance = relay.enter(code, Visitor::new(name), Claim::Sit(invitation), None).await?;
    let color = attendance.color().map(|color| color.to_string()).unwrap_or_default();
    Ok(Seat { user_id: attendance.visitor().id.clone(), token, color })
}

fn is_plain(name: &Name) -> bool {
    name.as_str().bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use wire::link::ClockRule;

    use super::*;

    fn read(body: &'static str) -> Result<Order, Complaint> {
        Order::read(&Bytes::from_static(body.as_bytes()), &Terms::default())
    }

    #[test]
    fn nothing_is_needed() {
        let usual = Order { name: None, wish: Wish::First, terms: Terms::default() };
        for body in ["", " \n", "{}", r#"{"name":null,"clock":null}"#] {
            assert_eq!(read(body).unwrap(), usual, "{body}");
        }
    }

    #[test]
    fn everything_can_be_said() {
        let order = read(
            r#"{"name":"Jürgen","color":"black","clock":{"base_ms":60000,"increment_ms":500},"countdown_ms":3000,
                "start":"4k3/8/8/8/8/8/4P3/4K3 w - -"}"#,
        )
        .unwrap();
        assert_eq!((order.name.unwrap().as_str(), order.wish), ("Jürgen", Wish::Black));
        assert_eq!(order.terms.clock, Some(ClockRule { base_ms: 60_000, increment_ms: 500 }));
        assert_eq!(order.terms.countdown, 3_000);
        assert_eq!(order.terms.start.as_deref(), Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (body, field) in [
            ("[]", "object"),
            ("{", "Not JSON"),
            (r#"{"name":5}"#, "\"name\""),
            (r#"{"name":""}"#, "\"name\""),
            (r#"{"color":"red"}"#, "\"color\""),
            (r#"{"color":1}"#, "\"color\""),
            (r#"{"clock":300}"#, "\"clock\""),
            (r#"{"clock":{}}"#, "\"clock\""),
            (r#"{"clock":{"base_ms":0}}"#, "\"clock\""),
            (r#"{"clock":{"base_ms":1,"increment_ms":-1}}"#, "\"clock\""),
            (r#"{"clock":{"base_ms":4294967296}}"#, "\"clock\""),
            (r#"{"countdown_ms":60001}"#, "\"countdown_ms\""),
            (r#"{"countdown_ms":"3"}"#, "\"countdown_ms\""),
            (r#"{"start":"8/8/8/8/8/8/8/8 w - -"}"#, "\"start\""),
            (r#"{"start":5}"#, "\"start\""),
            (r#"{"colour":"white"}"#, "\"colour\""),
        ] {
            let complaint = crate::tongue::json(&read(body).unwrap_err()).replace("\\\"", "\"");
            assert!(complaint.contains("\"status_code\":400") && complaint.contains(field), "{body}: {complaint}");
        }
    }
}
