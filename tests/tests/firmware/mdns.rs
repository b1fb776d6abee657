//! The announcement of a real relay, read as the firmware reads it.

use std::net::{Ipv4Addr, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use firmware::discovery::{FoundRelay, MDNS, query, read_answer};
use tests::parts;
use tests::relay::{RelayProcess, StoreLocation};
use tests::temp_dir::TempDir;

/// Timeout of the search. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

/// How long a query waits for an answer, as in the firmware.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(1500);

/// Whether this machine receives what it sends to the group of multicast DNS; some containers have no network that does.
fn has_multicast() -> bool {
    let received = || {
        let receiver = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
        receiver.join_multicast_v4(&MDNS.0, &Ipv4Addr::UNSPECIFIED)?;
        receiver.set_read_timeout(Some(ANSWER_TIMEOUT))?;
        let sender = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
        sender.send_to(b"?", (MDNS.0, receiver.local_addr()?.port()))?;
        receiver.recv(&mut [0; 8])
    };
    received().is_ok()
}

/// Asks as the firmware does, from a port of its own, until the relay with this port answers. Other relays may be in the network.
fn find(port: u16) -> Result<FoundRelay> {
    let end = format!(":{port}");
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    socket.set_read_timeout(Some(ANSWER_TIMEOUT))?;
    let deadline = Instant::now() + TIMEOUT;
    for id in 1.. {
        ensure!(Instant::now() < deadline, "no relay with port {port} has answered");
        socket.send_to(&query(id), MDNS)?;
        let mut bytes = [0; 2048];
        while let Ok(count) = socket.recv(&mut bytes) {
            if let Some(found) = read_answer(&bytes[..count], id).filter(|found| found.url.ends_with(&end)) {
                return Ok(found);
            }
        }
    }
    unreachable!("there are more ids than the timeout allows")
}

/// A board sends one query from an ephemeral port, and the answer of the relay names it, with an address at which it can be reached.
#[test]
fn a_relay_answers_the_search_of_a_board() -> Result<()> {
    if !has_multicast() {
        parts::skip("this machine receives no multicast packets");
        return Ok(());
    }
    let folder = TempDir::new()?;
    let location = StoreLocation::Folder(folder.path().to_owned());
    let Some(mut relay) = RelayProcess::start_on_all_addresses(location, &[])? else { return Ok(()) };
    relay.wait_for_log("relay announced by mDNS")?;
    let port = relay.address().port();
    let found = find(port)?;
    ensure!(found.url.starts_with("ws://tabiya") && found.url.ends_with(&format!(".local:{port}")), "{}", found.url);
    let address = found.address.context("the answer has an address")?;
    TcpStream::connect((address, port)).with_context(|| format!("the relay is not at {address}"))?;
    relay.check()
}
