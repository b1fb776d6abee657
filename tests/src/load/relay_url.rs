use std::fmt;
use std::str::FromStr;

/// The URL of a relay: `ws://host:port` or `http://host:port`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelayUrl {
    /// `host:port`.
    pub authority: String,
}

/// The text is not the URL of a relay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadUrl {
    /// The scheme is neither `ws` nor `http`.
    Scheme(String),
    /// The rest is not exactly a host and a port.
    Authority(String),
}

impl fmt::Display for BadUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheme(text) => write!(f, "{text:?} does not begin with ws:// or http://"),
            Self::Authority(text) => write!(f, "{text:?} is not a host and a port, as in ws://localhost:8080"),
        }
    }
}

impl std::error::Error for BadUrl {}

impl FromStr for RelayUrl {
    type Err = BadUrl;

    fn from_str(text: &str) -> Result<Self, BadUrl> {
        let rest = ["ws://", "http://"].into_iter().find_map(|scheme| text.strip_prefix(scheme));
        let authority = rest.ok_or_else(|| BadUrl::Scheme(text.into()))?.trim_end_matches('/');
        let port =
            authority.rsplit_once(':').and_then(|(host, port)| port.parse::<u16>().ok().filter(|_| !host.is_empty()));
        if port.is_none() || authority.contains(['/', '@', '?', '#', ' ']) {
            return Err(BadUrl::Authority(text.into()));
        }
        Ok(Self { authority: authority.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_ws_and_http_with_host_and_port() {
        for text in ["ws://localhost:8080", "http://localhost:8080/"] {
            assert_eq!(text.parse(), Ok(RelayUrl { authority: "localhost:8080".into() }));
        }
        assert_eq!("ws://[::1]:80".parse(), Ok(RelayUrl { authority: "[::1]:80".into() }));
    }

    #[test]
    fn rejects_other_text_and_names_it() {
        assert_eq!("localhost:80".parse::<RelayUrl>(), Err(BadUrl::Scheme("localhost:80".into())));
        for text in ["ws://", "ws://host", "ws://host:x", "ws://:80", "ws://host:80/path", "ws://me@host:80"] {
            assert_eq!(text.parse::<RelayUrl>(), Err(BadUrl::Authority(text.into())));
        }
    }
}
