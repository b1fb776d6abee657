//! A TCP proxy that injects network faults: it can hold, slow down and cut connections.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::sleep;

/// The state of one direction of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Bytes pass at once.
    Free,
    /// At most this many bytes pass, followed by a pause.
    Slow(usize, Duration),
    /// Nothing passes. Bytes are kept, and pass when the state changes.
    Held,
}

/// The faults of a connection, for each direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct NetworkFaults {
    pub to_server: Flow,
    pub to_client: Flow,
}

impl NetworkFaults {
    /// No faults.
    pub const NONE: Self = Self { to_server: Flow::Free, to_client: Flow::Free };
    /// Both directions are held, as if the cable were unplugged.
    pub const HELD: Self = Self { to_server: Flow::Held, to_client: Flow::Held };
    /// Requests arrive, replies are held.
    pub const REPLIES_HELD: Self = Self { to_server: Flow::Free, to_client: Flow::Held };
}

/// A proxy. Dropping it closes its listener and its connections.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    /// Where new connections lead.
    server: watch::Sender<SocketAddr>,
    faults: watch::Sender<NetworkFaults>,
    /// Number of cuts; a change resets all connections.
    cuts: watch::Sender<u32>,
}

impl Proxy {
    /// Listens on a free port, and forwards connections to an address.
    pub async fn start(to: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let server = watch::Sender::new(to);
        let current = server.subscribe();
        let faults = watch::Sender::new(NetworkFaults::NONE);
        let cuts = watch::Sender::new(0);
        let (watched, mut cut) = (faults.subscribe(), cuts.subscribe());
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    accepted = listener.accept() => {
                        let Ok((near, _)) = accepted else { return };
                        // Earlier cuts do not concern this connection.
                        let mut cuts = cut.clone();
                        cuts.mark_unchanged();
                        let to = *current.borrow();
                        tokio::spawn(connect(near, to, watched.clone(), cuts));
                    }
                    changed = cut.changed() => if changed.is_err() { return },
                }
            }
        });
        Ok(Self { address, server, faults, cuts })
    }

    /// The address to connect to.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sets the faults of all present and future connections.
    pub fn set(&self, faults: NetworkFaults) {
        self.faults.send_replace(faults);
    }

    /// Leads to another server, like an address that a failover moves. All connections are reset.
    pub fn redirect(&self, to: SocketAddr) {
        self.server.send_replace(to);
        self.cut();
    }

    /// Resets all connections. New connections are accepted.
    pub fn cut(&self) {
        self.cuts.send_modify(|cuts| *cuts += 1);
    }
}

async fn connect(
    near: TcpStream,
    to: SocketAddr,
    faults: watch::Receiver<NetworkFaults>,
    mut cuts: watch::Receiver<u32>,
) {
    let Ok(far) = TcpStream::connect(to).await else { return };
    for stream in [&near, &far] {
        // Linger 0, so that held bytes are not sent when the connection is cut. Neither option fails on an open socket.
        let _ = (stream.set_nodelay(true), stream.set_zero_linger());
    }
    let ((near_out, near_in), (far_out, far_in)) = (near.into_split(), far.into_split());
    let to_server = carry(near_out, far_in, faults.clone(), |faults| faults.to_server);
    let to_client = carry(far_out, near_in, faults, |faults| faults.to_client);
    tokio::select! {
        // Either direction ends both: no client or server in these tests uses half-closed connections.
        _ = to_server => {}
        _ = to_client => {}
        _ = cuts.changed() => {}
    }
}

async fn carry(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut faults: watch::Receiver<NetworkFaults>,
    direction: fn(&NetworkFaults) -> Flow,
) -> io::Result<()> {
    let mut buffer = vec![0; 16 << 10];
    loop {
        // A held direction is not read, so that the sender sees back pressure.
        if faults.wait_for(|faults| direction(faults) != Flow::Held).await.is_err() {
            return Ok(());
        }
        let (most, pause) = match direction(&faults.borrow()) {
            Flow::Slow(most, pause) => (most.clamp(1, buffer.len()), Some(pause)),
            Flow::Free | Flow::Held => (buffer.len(), None),
        };
        let Some(part) = buffer.get_mut(..most) else { return Ok(()) };
        let len = from.read(part).await?;
        if len == 0 {
            return Ok(());
        }
        if faults.wait_for(|faults| direction(faults) != Flow::Held).await.is_err() {
            return Ok(());
        }
        to.write_all(part.get(..len).unwrap_or_default()).await?;
        if let Some(pause) = pause {
            sleep(pause).await;
        }
    }
}
