//! The sockets that a relay waits at.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use socket2::{Domain, Protocol, SockRef, Socket, Type};
use tokio::net::{TcpListener, TcpStream};

/// So many may wait to be accepted. After a restart they all come at once.
const BACKLOG: i32 = 1_024;

/// Whoever does not acknowledge anything for so long is gone, or keeps us on purpose.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// When there is no room for another connection, there may be in a moment.
const NO_ROOM: Duration = Duration::from_millis(100);

/// Listens at an address. The one that means all of IPv6 means all of IPv4 as well, and that alone where there is no IPv6.
pub(super) fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    match listen_at(address) {
        Err(error) if address.ip() == IpAddr::V6(Ipv6Addr::UNSPECIFIED) && is_without_ipv6(&error) => {
            listen_at((Ipv4Addr::UNSPECIFIED, address.port()).into())
        }
        result => result,
    }
}

fn is_without_ipv6(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::AddrNotAvailable
        || error.kind() == io::ErrorKind::Unsupported
        // The name for it is not stable yet, neither is its number the same everywhere.
        || cfg!(target_os = "linux") && error.raw_os_error() == Some(97)
}

fn listen_at(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    if address.is_ipv6() {
        // What it is by default depends on the system, and on its settings.
        socket.set_only_v6(address.ip() != IpAddr::V6(Ipv6Addr::UNSPECIFIED))?;
    }
    // A relay that was just ended leaves connections behind, and the next one must not wait for them. Elsewhere it would
    // mean that two may listen at the same place.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    TcpListener::from_std(socket.into())
}

/// The next connection. It never gives up: what goes wrong here is about one connection, or passes.
pub(super) async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                prepare(&stream);
                return (stream, peer);
            }
            Err(error) if is_about_one(&error) => {}
            Err(error) => {
                tracing::error!(%error, "cannot accept connections");
                tokio::time::sleep(NO_ROOM).await;
            }
        }
    }
}

fn is_about_one(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};

    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// A move is small and in a hurry: it must not wait for more to send. If any of this fails, the connection is gone already,
/// and whoever uses it will notice.
fn prepare(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    let _ = socket.set_tcp_nodelay(true);
    #[cfg(target_os = "linux")]
    let _ = socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED));
}
