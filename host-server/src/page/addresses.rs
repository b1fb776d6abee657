//! URLs of a relay: on its own machine and in the local network.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use crate::config::TouchPolicy;

/// URLs of the page, printed at the start and used for shared links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageAddresses {
    /// URL on the relay's machine, or the only one.
    here: String,
    /// URL for other devices in the network, if known.
    nearby: Option<String>,
    /// Access to the virtual board, if there is one.
    board: Option<TouchPolicy>,
}

impl PageAddresses {
    pub(crate) fn of(listening: SocketAddr, tls: bool) -> Self {
        let nearby = if listening.ip().is_unspecified() { outgoing_address() } else { None };
        Self::from(listening, nearby, tls)
    }

    pub(crate) fn with_board(self, board: Option<TouchPolicy>) -> Self {
        Self { board, ..self }
    }

    /// URLs of a board's page without a relay.
    pub(crate) fn of_board(listening: SocketAddr, tls: bool, touch: TouchPolicy) -> impl fmt::Display {
        let Self { here, nearby, .. } = Self::of(listening, tls);
        Board { here, nearby, touch }
    }

    pub(super) fn nearby(self) -> Option<String> {
        self.nearby
    }

    /// Whether an origin is the relay's URL in the network.
    pub(super) fn is_nearby(&self, origin: &str) -> bool {
        self.nearby.as_ref().is_some_and(|nearby| nearby.trim_end_matches('/') == origin)
    }

    fn from(listening: SocketAddr, nearby: Option<IpAddr>, tls: bool) -> Self {
        let scheme = if tls { "https" } else { "http" };
        let port = match (tls, listening.port()) {
            (false, 80) | (true, 443) => String::new(),
            (_, port) => format!(":{port}"),
        };
        let page = |host: String| format!("{scheme}://{host}{port}/");
        let url = |ip: IpAddr| match ip {
            IpAddr::V4(ip) => page(ip.to_string()),
            IpAddr::V6(ip) => page(format!("[{ip}]")),
        };
        let ip = listening.ip();
        let is_local = ip.is_unspecified() || ip.is_loopback();
        let here = if is_local { page("localhost".to_owned()) } else { url(ip) };
        Self { here, nearby: nearby.map(url), board: None }
    }
}

impl fmt::Display for PageAddresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Play in a browser: {}", self.here)?;
        if let Some(nearby) = &self.nearby {
            writeln!(f, "   on this network: {nearby}")?;
        }
        match self.board {
            None => Ok(()),
            Some(touch) => Board { here: &self.here, nearby: self.nearby.as_ref(), touch }.fmt(f),
        }
    }
}

/// URLs of a virtual board; the one in the network only if other devices may move its pieces.
struct Board<T> {
    here: T,
    nearby: Option<T>,
    touch: TouchPolicy,
}

impl<T: fmt::Display> fmt::Display for Board<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "The virtual board: {}board", self.here)?;
        match &self.nearby {
            Some(nearby) if self.touch == TouchPolicy::All => writeln!(f, "   on this network: {nearby}board"),
            _ => Ok(()),
        }
    }
}

/// The address of the interface with the default route. Connecting a UDP socket sends nothing.
pub(crate) fn outgoing_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // TEST-NET-1, which is never assigned.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_loopback() && !ip.is_unspecified()).then_some(ip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_urls() {
        for (listening, nearby, tls, expected) in [
            ("[::]:8080", None, false, "Play in a browser: http://localhost:8080/\n"),
            ("127.0.0.1:80", None, false, "Play in a browser: http://localhost/\n"),
            ("192.168.1.7:443", None, true, "Play in a browser: https://192.168.1.7/\n"),
            ("[fe80::1]:8080", None, false, "Play in a browser: http://[fe80::1]:8080/\n"),
            (
                "0.0.0.0:8080",
                Some("192.168.1.7"),
                false,
                "Play in a browser: http://localhost:8080/\n   on this network: http://192.168.1.7:8080/\n",
            ),
        ] {
            let nearby = nearby.map(|ip: &str| ip.parse().unwrap());
            assert_eq!(PageAddresses::from(listening.parse().unwrap(), nearby, tls).to_string(), expected);
        }
    }

    #[test]
    fn names_the_board_for_clients_that_may_move_its_pieces() {
        let lines = |touch| {
            let nearby = Some("192.168.1.7".parse().unwrap());
            let relay = PageAddresses::from("0.0.0.0:80".parse().unwrap(), nearby, false).with_board(Some(touch));
            relay.to_string().lines().skip(2).map(str::to_owned).collect::<Vec<_>>()
        };
        let board = "The virtual board: http://localhost/board";
        assert_eq!(lines(TouchPolicy::Local), [board]);
        assert_eq!(lines(TouchPolicy::All), [board, "   on this network: http://192.168.1.7/board"]);
    }

    #[test]
    fn recognises_its_own_origin_in_the_network() {
        let listening = "[::]:8080".parse().unwrap();
        let relay = PageAddresses::from(listening, Some("192.168.1.7".parse().unwrap()), false);
        assert!(relay.is_nearby("http://192.168.1.7:8080"));
        assert!(!relay.is_nearby("http://192.168.1.8:8080") && !relay.is_nearby("http://localhost:8080"));
        assert!(!PageAddresses::from(listening, None, false).is_nearby(""));
    }
}
