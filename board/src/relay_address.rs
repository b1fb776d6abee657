//! Where a relay is: `ws://host:port/path`.

use core::fmt;

/// The address of a relay, in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelayAddress<'a> {
    /// A name or an IPv4 address.
    pub host: &'a str,
    /// 80, if the address does not say.
    pub port: u16,
    /// `/ws/board`, if the address does not say.
    pub path: &'a str,
}

/// What is wrong with an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelayError {
    /// It asks for TLS. The link is encrypted with its own key, and needs none.
    Tls,
    /// It does not begin with `ws://`.
    Scheme,
    /// The host is missing, or has characters in it that no host has.
    Host,
    /// The port is not one.
    Port,
    /// The path has characters in it that no path has.
    Path,
}

impl fmt::Display for RelayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tls => "the link is encrypted with its own key and uses ws://, not wss://",
            Self::Scheme => "the address of a relay begins with ws://",
            Self::Host => "the address has no host",
            Self::Port => "a port is a number from 1 to 65535",
            Self::Path => "a path has no spaces and no strange characters in it",
        })
    }
}

impl core::error::Error for RelayError {}

impl<'a> RelayAddress<'a> {
    /// Reads an address.
    pub fn parse(text: &'a str) -> Result<Self, RelayError> {
        if text.starts_with("wss://") {
            return Err(RelayError::Tls);
        }
        let rest = text.strip_prefix("ws://").ok_or(RelayError::Scheme)?;
        let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        let (host, port) = match authority.split_once(':') {
            Some((host, port)) => (host, port.parse().ok().filter(|&port| port > 0).ok_or(RelayError::Port)?),
            None => (authority, 80),
        };
        let is_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
        if host.is_empty() || !host.bytes().all(is_host) {
            return Err(RelayError::Host);
        }
        if !path.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(RelayError::Path);
        }
        Ok(Self { host, port, path: if path.len() > 1 { path } else { "/ws/board" } })
    }

    /// The path of the pairing endpoint, in two parts: that of the link with `board` at its end replaced.
    #[must_use]
    pub fn pairing_path(&self) -> (&'a str, &'static str) {
        match self.path.strip_suffix("/board") {
            Some(before) => (before, "/pair"),
            None => ("", "/ws/pair"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_addresses() {
        let relay = |host, port, path| Ok(RelayAddress { host, port, path });
        assert_eq!(RelayAddress::parse("ws://10.0.2.2:4000/x/y"), relay("10.0.2.2", 4000, "/x/y"));
        assert_eq!(RelayAddress::parse("ws://relay.example"), relay("relay.example", 80, "/ws/board"));
        assert_eq!(RelayAddress::parse("ws://relay.example/"), relay("relay.example", 80, "/ws/board"));
    }

    #[test]
    fn the_pairing_endpoint_is_beside_that_of_the_link() {
        let path = |text| RelayAddress::parse(text).unwrap().pairing_path();
        assert_eq!(path("ws://r"), ("/ws", "/pair"));
        assert_eq!(path("ws://r/chess/ws/board"), ("/chess/ws", "/pair"));
        assert_eq!(path("ws://r/elsewhere"), ("", "/ws/pair"));
    }

    #[test]
    fn errors_name_the_problem() {
        for (text, error) in [
            ("wss://relay.example", RelayError::Tls),
            ("http://relay.example", RelayError::Scheme),
            ("", RelayError::Scheme),
            ("ws://", RelayError::Host),
            ("ws://:80", RelayError::Host),
            ("ws://a b", RelayError::Host),
            ("ws://relay\r\nX", RelayError::Host),
            ("ws://relay:0", RelayError::Port),
            ("ws://relay:65536", RelayError::Port),
            ("ws://relay/a b", RelayError::Path),
        ] {
            assert_eq!(RelayAddress::parse(text), Err(error), "{text}");
        }
    }
}
