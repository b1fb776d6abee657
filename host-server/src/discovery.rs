//! DNS-SD over multicast DNS: announces the relay in the local network, and finds a relay for a virtual board.

use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use chess::Bitboard;
use mdns_sd::{ServiceDaemon, ServiceEvent, ServiceInfo};

use crate::config::own_name;

/// The service that relays announce.
const SERVICE: &str = "_tabiya._tcp.local.";

/// How long a board searches for a relay at a time.
const SEARCH: Duration = Duration::from_secs(5);

/// Maximum length of a host name that still fits into the journal of a board, with `ws://`, `.local` and a port.
const MAX_HOST: usize = 40;

/// The announcement of a relay. It ends with a goodbye when this is dropped.
pub(crate) struct Announcement {
    daemon: ServiceDaemon,
}

impl Announcement {
    /// Announces a relay that listens at this address, unless no other machine can reach it. A failure is logged: boards can be
    /// paired without it.
    pub(crate) fn new(listening: SocketAddr) -> Option<Self> {
        if listening.ip().is_loopback() {
            return None;
        }
        match Self::announce(listening) {
            Ok(announcement) => {
                tracing::info!(service = SERVICE, port = listening.port(), "relay announced by mDNS");
                Some(announcement)
            }
            Err(error) => {
                tracing::warn!(%error, "announcing the relay by mDNS failed, set its address on the console of each board");
                None
            }
        }
    }

    fn announce(listening: SocketAddr) -> Result<Self, mdns_sd::Error> {
        let daemon = ServiceDaemon::new()?;
        let host = host_label(&own_name().unwrap_or_default());
        let instance = format!("{host}-{}", listening.port());
        let ip = listening.ip();
        let addresses = if ip.is_unspecified() { String::new() } else { ip.to_string() };
        let no_properties: [(&str, &str); 0] = [];
        let service = ServiceInfo::new(
            SERVICE,
            &instance,
            &format!("{host}.local."),
            addresses,
            listening.port(),
            &no_properties[..],
        )?;
        let service = if ip.is_unspecified() { service.enable_addr_auto() } else { service };
        daemon.register(service)?;
        Ok(Self { daemon })
    }
}

impl Drop for Announcement {
    fn drop(&mut self) {
        // The daemon's thread sends the goodbye; the process may end before it does.
        let _ = self.daemon.shutdown();
    }
}

/// The host name in the domain `local`: `tabiya-` and the name of the machine, with other characters than letters and digits as
/// hyphens. It differs from the machine's own name, which another mDNS responder may announce.
fn host_label(machine: &str) -> String {
    let first = machine.split('.').next().unwrap_or_default();
    let plain =
        first.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' });
    let label: String = format!("tabiya-{}", plain.collect::<String>()).chars().take(MAX_HOST).collect();
    label.trim_end_matches('-').to_owned()
}

/// A relay in the local network.
#[derive(Clone, Debug)]
pub(crate) struct FoundRelay {
    /// `ws://host:port`, for the journal of the board.
    pub(crate) url: String,
    pub(crate) address: SocketAddr,
}

/// Searches for a relay in the local network for a few seconds.
pub(crate) async fn find() -> Option<FoundRelay> {
    tokio::task::spawn_blocking(browse).await.ok()?
}

fn browse() -> Option<FoundRelay> {
    let daemon = ServiceDaemon::new().ok()?;
    let events = daemon.browse(SERVICE).ok()?;
    let until = Instant::now() + SEARCH;
    let mut found = None;
    while found.is_none()
        && let Ok(event) = events.recv_deadline(until)
    {
        if let ServiceEvent::ServiceResolved(service) = event {
            let ip = service.get_addresses_v4().into_iter().next();
            found = ip.map(|ip| {
                let address = SocketAddr::new(IpAddr::V4(ip), service.get_port());
                // The address, not the name: a system without mDNS in its resolver could not look the name up.
                FoundRelay { url: format!("ws://{address}"), address }
            });
        }
    }
    let _ = daemon.shutdown();
    found
}

/// The names of squares, separated by spaces.
pub(crate) fn square_names(squares: Bitboard) -> String {
    let mut names = String::new();
    for square in squares.squares() {
        let separator = if names.is_empty() { "" } else { " " };
        // Writing to a string cannot fail.
        let _ = write!(names, "{separator}{square}");
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_label_fits_into_an_address() {
        for (machine, label) in [
            ("raspberrypi", "tabiya-raspberrypi"),
            ("Kitchen_PC.example.org", "tabiya-kitchen-pc"),
            ("", "tabiya"),
            (&"x".repeat(100), &format!("tabiya-{}", "x".repeat(33))),
        ] {
            assert_eq!(host_label(machine), label);
            let url = format!("ws://{label}.local:65535");
            assert!(url.len() <= wire::journal::MAX_VALUE && board::RelayAddress::parse(&url).is_ok(), "{url}");
        }
    }

    #[test]
    fn a_relay_on_the_loopback_interface_is_not_announced() {
        assert!(Announcement::new("127.0.0.1:8080".parse().unwrap()).is_none());
        assert!(Announcement::new("[::1]:8080".parse().unwrap()).is_none());
    }
}
