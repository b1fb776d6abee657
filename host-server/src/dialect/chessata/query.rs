//! Decodes the upgrade request of a client: path, query, and the seat token in the subprotocols.

use axum::extract::Query;
use axum::http::header::SEC_WEBSOCKET_PROTOCOL;
use axum::http::{HeaderMap, Uri};
use rules::Start;
use wire::link::ClockRule;

use crate::dialect::json_error::JsonError;
use crate::dialect::terms::{LONGEST_COUNTDOWN, clock_rule, side_named};
use crate::relay::{Claim, SeatRequest};
use crate::room::{Code, Name, RoomId, SideChoice, Terms};

/// The subprotocol of this dialect. A client that sends its seat token offers it as well, since a browser fails a connection for
/// which the server selects none of the offered subprotocols.
const SUBPROTOCOL: &str = "tabiya";

/// Prefix of the subprotocol that carries a seat token. Proxies log URLs, so a token does not belong into the query.
const TOKEN_SUBPROTOCOL: &str = "tabiya.token.";

/// A request to enter a room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Arrival {
    pub(super) name: Name,
    pub(super) code: Code,
    /// Whether the client understands the extensions of the document.
    pub(super) extras: bool,
    pub(super) claim: Claim,
    /// The terms of the room if it has to be opened first; `None` if it must exist.
    pub(super) terms: Option<Terms>,
    /// The number of a stored game that is to be shown.
    pub(super) game: Option<u32>,
    /// The room of the stored game, if another room may have the code by now.
    pub(super) room: Option<RoomId>,
}

impl Arrival {
    /// Decodes the request. `usual` are the default terms of a new room.
    pub(super) fn read(
        username: &str,
        code: &str,
        uri: &Uri,
        headers: &HeaderMap,
        usual: &Terms,
    ) -> Result<Self, JsonError> {
        let code = code.parse().map_err(|bad| JsonError::bad(format_args!("The game code is wrong: {bad}.")))?;
        let username = username_of(username)?;
        let pairs =
            Query::<Vec<(String, String)>>::try_from_uri(uri).map_err(|_| JsonError::bad("The query is wrong."))?;
        let mut arrival =
            Self { name: username, code, extras: false, claim: Claim::Watch, terms: None, game: None, room: None };
        let mut terms = usual.clone();
        let (mut side, mut token, mut watch, mut open) = (SideChoice::First, None, false, true);
        for (key, value) in pairs.0 {
            match key.as_str() {
                "extras" => arrival.extras = flag("extras", &value)?,
                "watch" => watch = flag("watch", &value)?,
                "open" => open = flag("open", &value)?,
                "name" => {
                    arrival.name =
                        value.parse().map_err(|bad| JsonError::bad(format_args!("The name is wrong: {bad}.")))?;
                }
                // Older clients send the token in the query.
                "token" => token = Some(value),
                "color" => side = side_named(&value).ok_or_else(|| wrong("color", "white, black or random"))?,
                "clock" => terms.clock = Some(clock(&value).ok_or_else(|| wrong("clock", CLOCK))?),
                "countdown" => {
                    let countdown = value.parse().ok().filter(|&ms| ms <= LONGEST_COUNTDOWN);
                    terms.countdown = countdown.ok_or_else(|| wrong("countdown", "milliseconds, at most 60000"))?;
                }
                "game" => {
                    let number = value.parse().ok().filter(|&number| number > 0);
                    arrival.game = Some(number.ok_or_else(|| wrong("game", "a number from 1"))?);
                }
                "room" => arrival.room = Some(value.parse().map_err(|_| wrong("room", "the id of a room"))?),
                "rules" => {
                    let start = Start::read(&value, None);
                    let start = start.map_err(|error| JsonError::bad(format_args!("In the query, {error}.")))?;
                    terms.start = Some(Box::new(start)).filter(|start| **start != Start::CHESS);
                }
                // Unknown keys are ignored, so that clients can add their own.
                _ => {}
            }
        }
        match token_in(headers).or(token) {
            Some(token) => arrival.claim = Claim::Resume { token },
            None if watch => {}
            None => {
                let request = if arrival.extras { SeatRequest::claiming(side) } else { SeatRequest::new(side) };
                arrival.claim = Claim::Play(request);
                arrival.terms = open.then_some(terms);
            }
        }
        Ok(arrival)
    }
}

/// The seat token among the offered subprotocols.
fn token_in(headers: &HeaderMap) -> Option<String> {
    offered(headers).find_map(|protocol| protocol.strip_prefix(TOKEN_SUBPROTOCOL)).map(str::to_owned)
}

/// The subprotocols that the relay accepts, the preferred one first: a token is repeated in the response only to a client that
/// offers nothing else.
pub(super) fn subprotocols(headers: &HeaderMap) -> Vec<String> {
    let tokens = offered(headers).filter(|protocol| protocol.starts_with(TOKEN_SUBPROTOCOL));
    std::iter::once(SUBPROTOCOL).chain(tokens).map(str::to_owned).collect()
}

fn offered(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let lists = headers.get_all(SEC_WEBSOCKET_PROTOCOL).iter().filter_map(|list| list.to_str().ok());
    lists.flat_map(|list| list.split(',')).map(str::trim)
}

/// Whether the client wants a refusal as a WebSocket message. A browser hides the HTTP response from the page.
pub(super) fn is_to_be_explained(uri: &Uri) -> bool {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri).map(|pairs| pairs.0).unwrap_or_default();
    pairs.iter().any(|(key, value)| key == "explain" && flag("explain", value).unwrap_or_default())
}

const CLOCK: &str = "seconds and increment such as 300+2, each at most a day";

fn wrong(key: &str, what: &str) -> JsonError {
    JsonError::bad(format_args!("In the query, {key} must be {what}."))
}

/// The document allows only letters, digits and underscores.
fn username_of(text: &str) -> Result<Name, JsonError> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let name = if is_plain { text.parse().ok() } else { None };
    name.ok_or_else(|| JsonError::bad("The username is wrong: it must be 1 to 32 letters, digits or underscores."))
}

fn flag(key: &str, value: &str) -> Result<bool, JsonError> {
    match value {
        "1" | "true" => Ok(true),
        "0" | "false" | "" => Ok(false),
        _ => Err(wrong(key, "1 or 0")),
    }
}

/// Seconds and an increment in seconds, each with up to three decimals.
fn clock(text: &str) -> Option<ClockRule> {
    let (base, increment) = text.split_once(['+', ' ']).unwrap_or((text, "0"));
    clock_rule(milliseconds(base)?, milliseconds(increment)?)
}

fn milliseconds(text: &str) -> Option<u32> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(decimals) || decimals.len() > 3 {
        return None;
    }
    let thousandths: u32 = format!("{decimals:0<3}").parse().ok()?;
    whole.parse::<u32>().ok()?.checked_mul(1_000)?.checked_add(thousandths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(username: &str, code: &str, query: &str) -> Result<Arrival, JsonError> {
        read_with(username, code, query, &HeaderMap::new())
    }

    fn read_with(username: &str, code: &str, query: &str, headers: &HeaderMap) -> Result<Arrival, JsonError> {
        let uri = format!("/ws/api/x/y/?{query}").parse().unwrap();
        Arrival::read(username, code, &uri, headers, &Terms::default())
    }

    #[test]
    fn reads_the_url_of_the_document() {
        let arrival = read("barry", "32g9y", "").unwrap();
        assert_eq!((arrival.name.as_str(), arrival.code.as_str()), ("barry", "32g9y"));
        assert!(!arrival.extras && matches!(arrival.claim, Claim::Play(SeatRequest { side: SideChoice::First, .. })));
        assert_eq!(arrival.terms, Some(Terms::default()));
    }

    #[test]
    fn reads_the_query() {
        let arrival =
            read("b", "c", "extras=1&color=black&clock=300%2B2&countdown=3000&name=J%C3%BCrgen+%2F&x=y").unwrap();
        assert_eq!((arrival.extras, arrival.name.as_str()), (true, "Jürgen /"));
        assert!(matches!(arrival.claim, Claim::Play(SeatRequest { side: SideChoice::Black, .. })));
        let terms = arrival.terms.unwrap();
        assert_eq!(terms.clock, Some(ClockRule { base_ms: 300_000, increment_ms: 2_000 }));
        assert_eq!(terms.countdown, 3_000);
        // An unescaped plus sign is a space in a query.
        let arrival = read("b", "c", "clock=0.5+1.25").unwrap();
        assert_eq!(arrival.terms.unwrap().clock, Some(ClockRule { base_ms: 500, increment_ms: 1_250 }));
        assert_eq!(*read("b", "c", "rules=breakthrough").unwrap().terms.unwrap().start(), Start::Breakthrough);
        assert_eq!(read("b", "c", "rules=chess").unwrap().terms, Some(Terms::default()));
        assert_eq!(read("b", "c", "watch=1").unwrap().claim, Claim::Watch);
        let arrival = read("b", "c", "watch=1&game=2&room=00000000000000ff").unwrap();
        assert_eq!((arrival.game, arrival.room), (Some(2), Some(RoomId(255))));
        let arrival = read("b", "c", "open=0&clock=300").unwrap();
        assert!(matches!(arrival.claim, Claim::Play(_)) && arrival.terms.is_none());
        assert_eq!(read("b", "c", "token=t").unwrap().claim, Claim::Resume { token: "t".to_owned() });
    }

    #[test]
    fn a_token_may_come_as_a_subprotocol() {
        let offering = |lists: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for list in lists {
                headers.append(SEC_WEBSOCKET_PROTOCOL, list.parse().unwrap());
            }
            headers
        };
        let claim = |query, lists: &[&'static str]| read_with("b", "c", query, &offering(lists)).unwrap().claim;
        let resume = |token: &str| Claim::Resume { token: token.to_owned() };
        assert_eq!(claim("", &["tabiya, tabiya.token.a-B_9"]), resume("a-B_9"));
        assert_eq!(claim("watch=1", &["tabiya", "tabiya.token.x"]), resume("x"));
        assert_eq!(claim("token=old", &["tabiya.token.new"]), resume("new"));
        assert!(matches!(claim("", &["tabiya", "chat"]), Claim::Play(_)));

        assert_eq!(subprotocols(&offering(&["tabiya, tabiya.token.x"]))[0], "tabiya");
        assert_eq!(subprotocols(&offering(&["tabiya.token.x"])), ["tabiya", "tabiya.token.x"]);
    }

    #[test]
    fn refusals_are_explained_on_request() {
        let asks = |query: &str| is_to_be_explained(&format!("/ws/api/x/y/?{query}").parse().unwrap());
        assert!(asks("explain=1") && asks("clock=nonsense&explain=true"));
        assert!(!asks("") && !asks("explain=0") && !asks("explain=maybe"));
    }

    #[test]
    fn rejects_invalid_urls() {
        let long = "a".repeat(33);
        for (username, code, query) in [
            ("", "c", ""),
            (long.as_str(), "c", ""),
            ("J\u{fc}rgen", "c", ""),
            ("a b", "c", ""),
            ("b", "", ""),
            ("b", long.as_str(), ""),
            ("b", "c-d", ""),
            ("b", "c", "name="),
            ("b", "c", "name=%00"),
            ("b", "c", "name=%E2%80%AEgnp"),
            ("b", "c", "color=red"),
            ("b", "c", "extras=maybe"),
            ("b", "c", "open=maybe"),
            ("b", "c", "clock=0%2B0"),
            ("b", "c", "clock=5m"),
            ("b", "c", "clock=-5"),
            ("b", "c", "clock=1.2345"),
            ("b", "c", "clock=86401"),
            ("b", "c", "clock=99999999999999999999"),
            ("b", "c", "game=0"),
            ("b", "c", "game=last"),
            ("b", "c", "room=nowhere"),
            ("b", "c", "rules=checkers"),
            ("b", "c", "countdown=60001"),
            ("b", "c", "countdown=-1"),
        ] {
            assert!(read(username, code, query).is_err(), "{username} {code} {query}");
        }
    }
}
