//! Listening sockets: dual-stack bind and an accept loop that survives errors.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use socket2::{Domain, Protocol, SockRef, Socket, Type};
use tokio::net::{TcpListener, TcpStream};

/// Accept queue. After a restart all clients reconnect at once.
const BACKLOG: i32 = 1_024;

/// The kernel drops a connection whose peer acknowledges no data for this time.
#[cfg(target_os = "linux")]
const USER_TIMEOUT: Duration = Duration::from_secs(30);

/// Pause after an accept error such as EMFILE, which lasts until another connection closes.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Listens on an address. `[::]` is dual-stack, and falls back to `0.0.0.0` on a machine without IPv6.
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
        // EAFNOSUPPORT: its `ErrorKind` is unstable, and the number depends on the system.
        || cfg!(target_os = "linux") && error.raw_os_error() == Some(97)
}

fn listen_at(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    if address.is_ipv6() {
        // The default depends on the system and its settings.
        socket.set_only_v6(address.ip() != IpAddr::V6(Ipv6Addr::UNSPECIFIED))?;
    }
    // Connections in TIME_WAIT must not delay a restart. On Windows the option would let two processes bind the same port.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    TcpListener::from_std(socket.into())
}

/// Accepts the next connection. Retries for ever: an error concerns one connection only, or is temporary.
pub(super) async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                configure(&stream);
                return (stream, peer);
            }
            Err(error) if is_connection_error(&error) => {}
            Err(error) => {
                tracing::error!(%error, "accepting connections failed, retrying");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

fn is_connection_error(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};

    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// Disables Nagle's algorithm, so that a move is sent at once, and sets the user timeout. Errors are ignored: they mean that
/// the connection is gone, and the next read or write reports it.
fn configure(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    let _ = socket.set_tcp_nodelay(true);
    #[cfg(target_os = "linux")]
    let _ = socket.set_tcp_user_timeout(Some(USER_TIMEOUT));
}
