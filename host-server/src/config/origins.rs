//! Allowed origins (`ALLOWED_DOMAIN`): which pages may talk to the relay.
//!
//! A browser lets every page open a WebSocket to every server and only sends the page's origin along. A foreign page in a
//! player's browser must neither act for the player nor reach a relay on a private network.

use std::str::FromStr;

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue};

use super::hosts::{is_trusted_host, without_port as without_port_of_host};

/// Origins that may talk to the relay. An empty list allows only pages that the relay itself served.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedOrigins(Vec<OriginPattern>);

/// One allowed origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OriginPattern {
    /// `*`.
    Any,
    /// Scheme, host and port as in the `Origin` header.
    Whole(String),
    /// Host with optional port, any scheme.
    Host(String),
}

/// A text is not an origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an origin, such as https://chess.example, chess.example:8080 or *")]
pub struct InvalidOrigin;

/// A request came from a page of another origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("pages from this origin may not use this relay; ALLOWED_DOMAIN lists the allowed origins")]
pub struct OriginNotAllowed;

/// A request addressed the relay by a name that a foreign page could have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this relay may only be addressed by its IP address, as localhost, by a name that ends in .local, or by the name of its \
     machine; for another name set ALLOWED_DOMAIN"
)]
pub struct HostNotAllowed;

impl AllowedOrigins {
    /// Checks the `Host` header if no origin is listed, against DNS rebinding. A listed origin is checked by
    /// [`check`](Self::check), and names the page rather than the relay.
    pub fn check_host(&self, headers: &HeaderMap) -> Result<(), HostNotAllowed> {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok());
        if self.0.is_empty() && !host.is_some_and(is_trusted_host) { Err(HostNotAllowed) } else { Ok(()) }
    }

    /// Checks the `Host` header of a request for metrics, which may also be a name without a dot, as between containers, or a listed
    /// one.
    pub fn check_metrics_host(&self, headers: &HeaderMap) -> Result<(), HostNotAllowed> {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok()).ok_or(HostNotAllowed)?;
        let name = without_port_of_host(host).to_ascii_lowercase();
        let is_listed = self.0.iter().any(|pattern| match pattern {
            OriginPattern::Any => true,
            OriginPattern::Whole(whole) => Origin::read(whole).is_some_and(|origin| origin.host() == name),
            OriginPattern::Host(host) => without_port_of_host(host) == name,
        });
        if is_trusted_host(host) || !name.contains('.') || is_listed { Ok(()) } else { Err(HostNotAllowed) }
    }

    /// Checks the `Origin` header. Boards and scripts send none, and are allowed: only browsers can be misused by a foreign page.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), OriginNotAllowed> {
        let Some(origin) = headers.get(ORIGIN) else { return Ok(()) };
        if self.allows(origin, headers.get(HOST)) { Ok(()) } else { Err(OriginNotAllowed) }
    }

    fn allows(&self, origin: &HeaderValue, host: Option<&HeaderValue>) -> bool {
        let Ok(origin) = origin.to_str() else { return false };
        let Some(origin) = Origin::read(origin) else { return false };
        if self.0.is_empty() {
            let host = host.and_then(|host| host.to_str().ok()).map(str::to_ascii_lowercase);
            return host.is_some_and(|host| origin.authority == without_port(&host, origin.default_port()));
        }
        self.0.iter().any(|pattern| match pattern {
            OriginPattern::Any => true,
            OriginPattern::Whole(whole) => *whole == format!("{}://{}", origin.scheme, origin.authority),
            OriginPattern::Host(host) => *host == origin.authority || *host == origin.host(),
        })
    }
}

/// An origin in normal form: lower case, without the default port of its scheme.
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
        // An IPv6 address has colons, too, inside brackets.
        match self.authority.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => host,
            _ => &self.authority,
        }
    }
}

fn without_port<'a>(authority: &'a str, port: &str) -> &'a str {
    authority.strip_suffix(port).filter(|_| !port.is_empty()).unwrap_or(authority)
}

impl FromStr for OriginPattern {
    type Err = InvalidOrigin;

    fn from_str(text: &str) -> Result<Self, InvalidOrigin> {
        match text.trim() {
            "*" => Ok(Self::Any),
            text if text.contains("://") => {
                let origin = Origin::read(text.trim_end_matches('/')).ok_or(InvalidOrigin)?;
                Ok(Self::Whole(format!("{}://{}", origin.scheme, origin.authority)))
            }
            text => Ok(Self::Host(Origin::read(&format!("host://{text}")).ok_or(InvalidOrigin)?.authority)),
        }
    }
}

impl From<Vec<OriginPattern>> for AllowedOrigins {
    fn from(patterns: Vec<OriginPattern>) -> Self {
        Self(patterns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(allowed: &str, origin: &str, host: &str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if !origin.is_empty() {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        let patterns = allowed.split(',').filter(|part| !part.is_empty()).map(|part| part.parse().unwrap());
        AllowedOrigins(patterns.collect()).check(&headers).is_ok()
    }

    #[test]
    fn matches_origins_by_host_or_by_scheme_host_and_port() {
        for (allowed, origin, host, expected) in [
            // Empty list: only the relay's own pages.
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
            // Boards and scripts send no origin.
            ("", "", "chess.example", true),
            ("https://chess.example", "", "relay.example", true),
            // With a scheme: scheme, host and port must match.
            ("https://chess.example", "https://chess.example", "relay.example", true),
            ("https://chess.example/", "https://chess.example", "relay.example", true),
            ("https://chess.example:443", "https://chess.example", "relay.example", true),
            ("https://chess.example", "http://chess.example", "relay.example", false),
            ("https://chess.example", "https://chess.example:8443", "relay.example", false),
            ("http://front-end.domain", "http://front-end.domain", "relay.example", true),
            // A list does not include the relay's own pages.
            ("https://chess.example", "https://relay.example", "relay.example", false),
            // Without a scheme: only the host must match.
            ("chess.example", "http://chess.example", "relay.example", true),
            ("chess.example", "https://chess.example:8443", "relay.example", true),
            ("chess.example:8443", "https://chess.example:8443", "relay.example", true),
            ("chess.example:8443", "https://chess.example", "relay.example", false),
            ("chess.example", "https://www.chess.example", "relay.example", false),
            ("chess.example", "https://evilchess.example", "relay.example", false),
            ("[::1]", "http://[::1]:8080", "relay.example", true),
            // Several entries.
            ("https://a.example, b.example", "http://b.example", "relay.example", true),
            ("https://a.example, b.example", "https://c.example", "relay.example", false),
            ("*", "https://c.example", "relay.example", true),
        ] {
            assert_eq!(allows(allowed, origin, host), expected, "{allowed:?} {origin:?} {host:?}");
        }
    }

    #[test]
    fn rejects_invalid_origins() {
        for text in ["", "https://", "http://a b", "a/b", "https://a/path", "b c"] {
            assert_eq!(text.parse::<OriginPattern>(), Err(InvalidOrigin), "{text}");
        }
    }
}
