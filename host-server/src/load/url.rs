use std::fmt;
use std::str::FromStr;

/// Where a relay is: `ws://host:port` or `http://host:port`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RelayUrl {
    /// Its host and port, as a socket wants them.
    pub(crate) authority: String,
}

/// The text is not the address of a relay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BadUrl {
    /// It begins with something else.
    Scheme(String),
    /// There is no host and port behind that, or more than those.
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
    fn a_relay_is_a_host_and_a_port() {
        for text in ["ws://localhost:8080", "http://localhost:8080/"] {
            assert_eq!(text.parse(), Ok(RelayUrl { authority: "localhost:8080".into() }));
        }
        assert_eq!("ws://[::1]:80".parse(), Ok(RelayUrl { authority: "[::1]:80".into() }));
    }

    #[test]
    fn anything_else_is_named() {
        assert_eq!("localhost:80".parse::<RelayUrl>(), Err(BadUrl::Scheme("localhost:80".into())));
        for text in ["ws://", "ws://host", "ws://host:x", "ws://:80", "ws://host:80/path", "ws://me@host:80"] {
            assert_eq!(text.parse::<RelayUrl>(), Err(BadUrl::Authority(text.into())));
        }
    }
}
