use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use crate::virtual_board::Hands;

/// Where a browser finds the pages of a relay: on its own machine, and from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Whereabouts {
    /// For whoever sits at the relay's machine; otherwise the only address.
    here: String,
    /// For everybody else in the same network, if the relay can tell.
    nearby: Option<String>,
    /// Who may touch the virtual board that is there, if one is.
    board: Option<Hands>,
}

impl Whereabouts {
    /// Of a relay that listens there.
    pub(crate) fn of(listening: SocketAddr, tls: bool) -> Self {
        let nearby = if listening.ip().is_unspecified() { way_out() } else { None };
        Self::from(listening, nearby, tls)
    }

    /// The same with a virtual board, if there is one.
    pub(crate) fn with_board(self, board: Option<Hands>) -> Self {
        Self { board, ..self }
    }

    /// Of a board that is shown there, without a relay.
    pub(crate) fn of_board(listening: SocketAddr, tls: bool, hands: Hands) -> impl fmt::Display {
        let Self { here, nearby, .. } = Self::of(listening, tls);
        Board { here, nearby, hands }
    }

    /// What others in the same network have to write.
    pub(super) fn nearby(self) -> Option<String> {
        self.nearby
    }

    /// Whether this origin is the relay's own, as others in the same network call it.
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
        let written = |ip: IpAddr| match ip {
            IpAddr::V4(ip) => page(ip.to_string()),
            IpAddr::V6(ip) => page(format!("[{ip}]")),
        };
        let ip = listening.ip();
        let is_at_home = ip.is_unspecified() || ip.is_loopback();
        let here = if is_at_home { page("localhost".to_owned()) } else { written(ip) };
        Self { here, nearby: nearby.map(written), board: None }
    }
}

impl fmt::Display for Whereabouts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Play in a browser: {}", self.here)?;
        if let Some(nearby) = &self.nearby {
            writeln!(f, "   on this network: {nearby}")?;
        }
        match self.board {
            None => Ok(()),
            Some(hands) => Board { here: &self.here, nearby: self.nearby.as_ref(), hands }.fmt(f),
        }
    }
}

/// Where a virtual board is, for those who may touch it.
struct Board<T> {
    here: T,
    nearby: Option<T>,
    hands: Hands,
}

impl<T: fmt::Display> fmt::Display for Board<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "The virtual board: {}board", self.here)?;
        match &self.nearby {
            Some(nearby) if self.hands == Hands::All => writeln!(f, "   on this network: {nearby}board"),
            _ => Ok(()),
        }
    }
}

/// The address of this machine on the way to everybody else. Nothing is sent to find out: the system only has to decide.
fn way_out() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address that is nobody's, and never will be.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_loopback() && !ip.is_unspecified()).then_some(ip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_written_as_a_browser_wants_them() {
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
            assert_eq!(Whereabouts::from(listening.parse().unwrap(), nearby, tls).to_string(), expected);
        }
    }

    #[test]
    fn a_board_is_named_to_those_who_may_touch_it() {
        let said = |hands| {
            let nearby = Some("192.168.1.7".parse().unwrap());
            let relay = Whereabouts::from("0.0.0.0:80".parse().unwrap(), nearby, false).with_board(Some(hands));
            relay.to_string().lines().skip(2).map(str::to_owned).collect::<Vec<_>>()
        };
        let board = "The virtual board: http://localhost/board";
        assert_eq!(said(Hands::Local), [board]);
        assert_eq!(said(Hands::All), [board, "   on this network: http://192.168.1.7/board"]);
    }

    #[test]
    fn a_relay_knows_its_own_name_in_the_network() {
        let listening = "[::]:8080".parse().unwrap();
        let relay = Whereabouts::from(listening, Some("192.168.1.7".parse().unwrap()), false);
        assert!(relay.is_nearby("http://192.168.1.7:8080"));
        assert!(!relay.is_nearby("http://192.168.1.8:8080") && !relay.is_nearby("http://localhost:8080"));
        assert!(!Whereabouts::from(listening, None, false).is_nearby(""));
    }
}
