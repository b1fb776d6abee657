//! Who comes, and what they want, as the address says it.

use axum::extract::Query;
use axum::http::Uri;
use wire::link::ClockRule;

use crate::relay::{Claim, Invitation};
use crate::room::{Code, Name, Terms, Wish};
use crate::tongue::complaint::Complaint;

/// A day. Nobody plays longer, and it fits into what a board can show.
pub(in crate::tongue) const LONGEST_CLOCK: u32 = 86_400_000;
/// A minute. Whoever counts longer has forgotten why.
pub(in crate::tongue) const LONGEST_COUNTDOWN: u64 = 60_000;

/// Somebody at the door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Arrival {
    pub(super) name: Name,
    pub(super) code: Code,
    /// Whether they want to hear more than the document has.
    pub(super) extras: bool,
    pub(super) claim: Claim,
    /// What is agreed if the room has to be opened first; nothing, if they only want one that is there.
    pub(super) terms: Option<Terms>,
}

impl Arrival {
    /// Reads the path and the query. What is not said about a new room is as usual.
    pub(super) fn read(username: &str, code: &str, uri: &Uri, usual: &Terms) -> Result<Self, Complaint> {
        let code = code.parse().map_err(|bad| Complaint::bad(format_args!("The game code is wrong: {bad}.")))?;
        let username = username_of(username)?;
        let pairs =
            Query::<Vec<(String, String)>>::try_from_uri(uri).map_err(|_| Complaint::bad("The query is wrong."))?;
        let mut arrival = Self { name: username, code, extras: false, claim: Claim::Watch, terms: None };
        let mut terms = usual.clone();
        let (mut wish, mut token, mut watch, mut open) = (Wish::First, None, false, true);
        for (key, value) in pairs.0 {
            match key.as_str() {
                "extras" => arrival.extras = flag("extras", &value)?,
                "watch" => watch = flag("watch", &value)?,
                "open" => open = flag("open", &value)?,
                "name" => {
                    arrival.name =
                        value.parse().map_err(|bad| Complaint::bad(format_args!("The name is wrong: {bad}.")))?;
                }
                "token" => token = Some(value),
                "color" => wish = side(&value).ok_or_else(|| wrong("color", "white, black or random"))?,
                "clock" => terms.clock = Some(clock(&value).ok_or_else(|| wrong("clock", CLOCK))?),
                "countdown" => {
                    let countdown = value.parse().ok().filter(|&ms| ms <= LONGEST_COUNTDOWN);
                    terms.countdown = countdown.ok_or_else(|| wrong("countdown", "milliseconds, at most 60000"))?;
                }
                // Whoever makes an address may have reasons to put more into it.
                _ => {}
            }
        }
        match token {
            Some(token) => arrival.claim = Claim::Resume { token },
            None if watch => {}
            None => {
                arrival.claim = Claim::Play(Invitation::new(wish));
                arrival.terms = open.then_some(terms);
            }
        }
        Ok(arrival)
    }
}

/// Whether who comes has asked to be refused in words. A browser does not show a page the HTTP answer to its WebSocket.
pub(super) fn is_to_be_explained(uri: &Uri) -> bool {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri).map(|pairs| pairs.0).unwrap_or_default();
    pairs.iter().any(|(key, value)| key == "explain" && flag("explain", value).unwrap_or_default())
}

const CLOCK: &str = "seconds and increment such as 300+2, each at most a day";

fn wrong(key: &str, what: &str) -> Complaint {
    Complaint::bad(format_args!("In the query, {key} must be {what}."))
}

/// The document's names have only letters, digits and underscores.
fn username_of(text: &str) -> Result<Name, Complaint> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let name = if is_plain { text.parse().ok() } else { None };
    name.ok_or_else(|| Complaint::bad("The username is wrong: it is 1 to 32 letters, digits or underscores."))
}

fn flag(key: &str, value: &str) -> Result<bool, Complaint> {
    match value {
        "1" | "true" => Ok(true),
        "0" | "false" | "" => Ok(false),
        _ => Err(wrong(key, "1 or 0")),
    }
}

/// Where somebody would like to sit.
pub(in crate::tongue) fn side(name: &str) -> Option<Wish> {
    Some(match name {
        "white" => Wish::White,
        "black" => Wish::Black,
        "random" => Wish::Random,
        _ => return None,
    })
}

/// Seconds and an increment in seconds, each with up to three decimals.
fn clock(text: &str) -> Option<ClockRule> {
    let (base, increment) = text.split_once(['+', ' ']).unwrap_or((text, "0"));
    clock_rule(milliseconds(base)?, milliseconds(increment)?)
}

/// A clock that somebody can play with.
pub(in crate::tongue) fn clock_rule(base_ms: u32, increment_ms: u32) -> Option<ClockRule> {
    let is_sensible = (1..=LONGEST_CLOCK).contains(&base_ms) && increment_ms <= LONGEST_CLOCK;
    is_sensible.then_some(ClockRule { base_ms, increment_ms })
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

    fn read(username: &str, code: &str, query: &str) -> Result<Arrival, Complaint> {
        let uri = format!("/ws/api/x/y/?{query}").parse().unwrap();
        Arrival::read(username, code, &uri, &Terms::default())
    }

    #[test]
    fn the_documents_address_is_read() {
        let arrival = read("barry", "32g9y", "").unwrap();
        assert_eq!((arrival.name.as_str(), arrival.code.as_str()), ("barry", "32g9y"));
        assert!(!arrival.extras && matches!(arrival.claim, Claim::Play(Invitation { wish: Wish::First, .. })));
        assert_eq!(arrival.terms, Some(Terms::default()));
    }

    #[test]
    fn the_query_says_the_rest() {
        let arrival =
            read("b", "c", "extras=1&color=black&clock=300%2B2&countdown=3000&name=J%C3%BCrgen+%2F&x=y").unwrap();
        assert_eq!((arrival.extras, arrival.name.as_str()), (true, "Jürgen /"));
        assert!(matches!(arrival.claim, Claim::Play(Invitation { wish: Wish::Black, .. })));
        let terms = arrival.terms.unwrap();
        assert_eq!(terms.clock, Some(ClockRule { base_ms: 300_000, increment_ms: 2_000 }));
        assert_eq!(terms.countdown, 3_000);
        // A plus sign that was not written as such is a space in a query.
        let arrival = read("b", "c", "clock=0.5+1.25").unwrap();
        assert_eq!(arrival.terms.unwrap().clock, Some(ClockRule { base_ms: 500, increment_ms: 1_250 }));
        assert_eq!(read("b", "c", "watch=1").unwrap().claim, Claim::Watch);
        let arrival = read("b", "c", "open=0&clock=300").unwrap();
        assert!(matches!(arrival.claim, Claim::Play(_)) && arrival.terms.is_none());
        assert_eq!(read("b", "c", "token=t").unwrap().claim, Claim::Resume { token: "t".to_owned() });
    }

    #[test]
    fn who_wants_to_know_why_is_told() {
        let asks = |query: &str| is_to_be_explained(&format!("/ws/api/x/y/?{query}").parse().unwrap());
        assert!(asks("explain=1") && asks("clock=nonsense&explain=true"));
        assert!(!asks("") && !asks("explain=0") && !asks("explain=maybe"));
    }

    #[test]
    fn what_is_wrong_is_refused() {
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
            ("b", "c", "countdown=60001"),
            ("b", "c", "countdown=-1"),
        ] {
            assert!(read(username, code, query).is_err(), "{username} {code} {query}");
        }
    }
}
