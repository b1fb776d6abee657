//! Whose pages may talk to the relay.
//!
//! A browser lets every page open a WebSocket to every server, and only tells the server whose page it is. A page of a
//! stranger, open in a player's browser, must not speak for the player, nor reach a relay on a private network.

use std::fmt;
use std::str::FromStr;

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue};

/// The origins that may talk to the relay. If there are none, its own may.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedOrigins(Vec<Pattern>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Pattern {
    Any,
    /// Scheme, host and port, as a browser writes them.
    Whole(String),
    /// The host, with the port if it was given, whatever the scheme.
    Host(String),
}

/// A text is no list of origins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadOrigin;

/// A page of a stranger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stranger;

impl AllowedOrigins {
    /// Whether a request may be answered. Boards and scripts have no origin: nobody can lead them astray.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Stranger> {
        let Some(origin) = headers.get(ORIGIN) else { return Ok(()) };
        if self.allows(origin, headers.get(HOST)) { Ok(()) } else { Err(Stranger) }
    }

    fn allows(&self, origin: &HeaderValue, host: Option<&HeaderValue>) -> bool {
        let Ok(origin) = origin.to_str() else { return false };
        let Some(origin) = Origin::read(origin) else { return false };
        if self.0.is_empty() {
            let host = host.and_then(|host| host.to_str().ok()).map(str::to_ascii_lowercase);
            return host.is_some_and(|host| origin.authority == without_port(&host, origin.default_port()));
        }
        self.0.iter().any(|pattern| match pattern {
            Pattern::Any => true,
            Pattern::Whole(whole) => *whole == format!("{}://{}", origin.scheme, origin.authority),
            Pattern::Host(host) => *host == origin.authority || *host == origin.host(),
        })
    }
}

/// An origin in the one way to write it: small letters, and no port that goes without saying.
struct Origin {
    scheme: String,
    authority: String,
}

impl Origin {
    fn read(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        let (scheme, authority) = text.split_once("://")?;
        let is_host = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']');
        if scheme.is_empty() || authority.is_empty() || !authority.chars().all(is_host) {
            return None;
        }
        let mut origin = Self { scheme: scheme.to_owned(), authority: String::new() };
        authority.clone_into(&mut origin.authority);
        without_port(authority, origin.default_port()).clone_into(&mut origin.authority);
        Some(origin)
    }

    fn default_port(&self) -> &'static str {
        match self.scheme.as_str() {
            "http" | "ws" => ":80",
            "https" | "wss" => ":443",
            _ => "",
        }
    }

    fn host(&self) -> &str {
        // An address of IPv6 has colons as well, but they are in brackets.
        match self.authority.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => host,
            _ => &self.authority,
        }
    }
}

fn without_port<'a>(authority: &'a str, port: &str) -> &'a str {
    authority.strip_suffix(port).filter(|_| !port.is_empty()).unwrap_or(authority)
}

impl FromStr for AllowedOrigins {
    type Err = BadOrigin;

    fn from_str(text: &str) -> Result<Self, BadOrigin> {
        let pattern = |part: &str| match part {
            "*" => Ok(Pattern::Any),
            _ if part.contains("://") => {
                let origin = Origin::read(part.trim_end_matches('/')).ok_or(BadOrigin)?;
                Ok(Pattern::Whole(format!("{}://{}", origin.scheme, origin.authority)))
            }
            _ => {
                let origin = Origin::read(&format!("host://{part}")).ok_or(BadOrigin)?;
                Ok(Pattern::Host(origin.authority))
            }
        };
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(pattern).collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for BadOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is origins with commas between them, like https://chess.example, chess.example:8080, or *")
    }
}

impl std::error::Error for BadOrigin {}

impl fmt::Display for Stranger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("pages from this origin may not talk to this relay; ALLOWED_DOMAIN says which may")
    }
}

impl std::error::Error for Stranger {}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(allowed: &str, origin: &str, host: &str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if !origin.is_empty() {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        allowed.parse::<AllowedOrigins>().unwrap().check(&headers).is_ok()
    }

    #[test]
    fn the_table() {
        for (allowed, origin, host, expected) in [
            // Nobody said anything: the relay's own pages may.
            ("", "http://board.local:8080", "board.local:8080", true),
            ("", "https://chess.example", "chess.example", true),
            ("", "https://chess.example:443", "chess.example", true),
            ("", "https://chess.example", "chess.example:443", true),
            ("", "HTTPS://Chess.Example", "chess.EXAMPLE", true),
            ("", "http://[::1]:8080", "[::1]:8080", true),
            ("", "http://localhost:3000", "localhost:8080", false),
            ("", "http://localhost", "localhost:8080", false),
            ("", "https://evil.example", "chess.example", false),
            ("", "https://chess.example.evil.example", "chess.example", false),
            ("", "null", "chess.example", false),
            ("", "https://", "chess.example", false),
            ("", "https://chess.example@evil.example", "chess.example", false),
            // Boards and scripts have none.
            ("", "", "chess.example", true),
            ("https://chess.example", "", "relay.example", true),
            // With a scheme and a port, all of it counts.
            ("https://chess.example", "https://chess.example", "relay.example", true),
            ("https://chess.example/", "https://chess.example", "relay.example", true),
            ("https://chess.example:443", "https://chess.example", "relay.example", true),
            ("https://chess.example", "http://chess.example", "relay.example", false),
            ("https://chess.example", "https://chess.example:8443", "relay.example", false),
            ("http://front-end.domain", "http://front-end.domain", "relay.example", true),
            // Then the relay's own pages count no more than others.
            ("https://chess.example", "https://relay.example", "relay.example", false),
            // With the host alone, the rest does not.
            ("chess.example", "http://chess.example", "relay.example", true),
            ("chess.example", "https://chess.example:8443", "relay.example", true),
            ("chess.example:8443", "https://chess.example:8443", "relay.example", true),
            ("chess.example:8443", "https://chess.example", "relay.example", false),
            ("chess.example", "https://www.chess.example", "relay.example", false),
            ("chess.example", "https://evilchess.example", "relay.example", false),
            ("[::1]", "http://[::1]:8080", "relay.example", true),
            // One of several.
            ("https://a.example, b.example", "http://b.example", "relay.example", true),
            ("https://a.example, b.example", "https://c.example", "relay.example", false),
            ("*", "https://c.example", "relay.example", true),
        ] {
            assert_eq!(allows(allowed, origin, host), expected, "{allowed:?} {origin:?} {host:?}");
        }
    }

    #[test]
    fn what_is_no_origin_is_refused() {
        for text in ["https://", "http://a b", "a/b", "https://a/path", "a,b c"] {
            assert_eq!(text.parse::<AllowedOrigins>(), Err(BadOrigin), "{text}");
        }
    }
}
