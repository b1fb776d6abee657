//! Sessions: a random id in a cookie. Relays store nothing about a session: the token of its seat in a room is a hash of both, so any
//! relay recognises it.

use axum::http::HeaderMap;
use axum::http::header::COOKIE;
use sha2::{Digest, Sha256};

use crate::hex::Hex;
use crate::room::Code;

const NAME: &str = "session_id";

/// Thirty days, in seconds.
const MAX_AGE: u32 = 30 * 24 * 60 * 60;

/// A shorter id could be guessed, and is replaced.
const SHORTEST: usize = 20;
const LONGEST: usize = 64;

pub(super) struct BrowserSession(String);

impl BrowserSession {
    /// The session of the request's cookie, or a new one.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let known = pairs.find(|(name, id)| *name == NAME && is_id(id)).map(|(_, id)| id.to_owned());
        Self(known.unwrap_or_else(crate::random::token))
    }

    /// The token of this session's seat in a room.
    pub(super) fn token(&self, code: &Code) -> String {
        let digest = Sha256::digest(format!("chezz seat\n{}\n{code}", self.0));
        Hex(&digest).to_string()
    }

    /// The value of the `Set-Cookie` header.
    pub(super) fn cookie(&self, is_secure: bool) -> String {
        let secure = if is_secure { "; Secure" } else { "" };
        format!("{NAME}={}; Path=/; Max-Age={MAX_AGE}; HttpOnly; SameSite=Lax{secure}", self.0)
    }
}

fn is_id(text: &str) -> bool {
    (SHORTEST..=LONGEST).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Whether a proxy says that the client uses https. A client that claims it only makes its own cookie stricter. Behind several proxies the
/// first entry of the list is the client's own connection.
pub(super) fn is_forwarded_https(headers: &HeaderMap) -> bool {
    let schemes = headers.get("x-forwarded-proto").and_then(|schemes| schemes.to_str().ok());
    schemes
        .and_then(|schemes| schemes.split(',').next())
        .is_some_and(|first| first.trim().eq_ignore_ascii_case("https"))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    fn session(cookie: &str) -> BrowserSession {
        BrowserSession::of(&HeaderMap::from_iter([(COOKIE, cookie.parse().unwrap())]))
    }

    #[test]
    fn the_same_cookie_is_the_same_session() {
        let id = "-NpKkqU6EAzD7Cwif20u";
        let (one, other) = (session(&format!("session_id={id}")), session(&format!("a=b; session_id={id}; c=d")));
        let code = "17".parse().unwrap();
        assert_eq!(one.token(&code), other.token(&code));
        assert_ne!(one.token(&code), one.token(&"18".parse().unwrap()));
        assert_eq!(one.cookie(false), format!("session_id={id}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax"));
        assert!(one.cookie(true).ends_with("; Secure"));
    }

    #[test]
    fn the_first_proxy_says_whether_the_client_uses_https() {
        for (schemes, expected) in [
            ("https", true),
            ("HTTPS", true),
            ("https, http", true),
            ("http, https", false),
            ("http", false),
            ("", false),
        ] {
            let headers =
                HeaderMap::from_iter([(HeaderName::from_static("x-forwarded-proto"), schemes.parse().unwrap())]);
            assert_eq!(is_forwarded_https(&headers), expected, "{schemes}");
        }
        assert!(!is_forwarded_https(&HeaderMap::new()));
    }

    #[test]
    fn a_missing_short_or_strange_cookie_is_replaced() {
        for cookie in [
            "",
            "session_id=",
            "session_id=short",
            "session_id=has spaces in it, and more",
            "other=-NpKkqU6EAzD7Cwif20u",
        ] {
            assert_ne!(session(cookie).0, session(cookie).0, "{cookie}");
        }
    }
}
