//! WebSocket connection of a virtual board to its relay, with a simulated network plug.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};
use wire::link::MAX_FRAME;

use crate::discovery::FoundRelay;

/// Timeout for connecting, with the WebSocket handshake.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Queue length in frames, for each direction.
const QUEUE: usize = 8;

/// A bidirectional byte stream: TCP or in memory.
pub(super) trait ByteStream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> ByteStream for T {}

type Connecting = BoxFuture<'static, io::Result<Box<dyn ByteStream>>>;

/// Opens connections to one relay.
#[derive(Clone)]
pub(crate) struct RelayConnector {
    /// `ws://host:port/path`.
    url: String,
    /// The address to store, if the relay was found in the network.
    found: Option<String>,
    connect: Arc<dyn Fn() -> Connecting + Send + Sync>,
}

impl fmt::Debug for RelayConnector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RelayConnector").field(&self.url).finish()
    }
}

impl RelayConnector {
    pub(super) fn new<W: ByteStream + 'static>(
        url: String,
        connect: impl Fn() -> BoxFuture<'static, io::Result<W>> + Send + Sync + 'static,
    ) -> Self {
        let connect = move || {
            let connecting = connect();
            let boxed: Connecting = Box::pin(async move { Ok(Box::new(connecting.await?) as Box<dyn ByteStream>) });
            boxed
        };
        Self { url, found: None, connect: Arc::new(connect) }
    }

    /// Connects by TCP.
    pub(crate) fn tcp(relay: board::RelayAddress<'_>) -> Self {
        Self::tcp_at(format!("{}:{}", relay.host, relay.port), relay.path)
    }

    /// Connects by TCP to the pairing endpoint.
    pub(super) fn tcp_to_pair(relay: board::RelayAddress<'_>) -> Self {
        let (before, end) = relay.pairing_path();
        Self::tcp_at(format!("{}:{}", relay.host, relay.port), &format!("{before}{end}"))
    }

    /// Connects to the pairing endpoint of a relay that was found in the network.
    fn tcp_to_found(relay: FoundRelay) -> Self {
        Self { found: Some(relay.url), ..Self::tcp_at(relay.address.to_string(), "/ws/pair") }
    }

    fn tcp_at(address: String, path: &str) -> Self {
        Self::new(format!("ws://{address}{path}"), move || {
            let address = address.clone();
            Box::pin(async move {
                let stream = TcpStream::connect(address).await?;
                stream.set_nodelay(true)?;
                Ok(stream)
            })
        })
    }
}

pub(super) enum LinkEvent {
    Connected {
        /// The address of a relay that was found in the network.
        found: Option<String>,
    },
    Frame(Vec<u8>),
    /// The connection ended, or could not be opened.
    Gone,
}

/// A connection attempt, and then the connection. Dropping it closes the socket without a close frame.
pub(super) struct RelayLink {
    frames: mpsc::Sender<Vec<u8>>,
    events: mpsc::Receiver<LinkEvent>,
    task: tokio::task::JoinHandle<()>,
}

impl RelayLink {
    /// Connects as soon as the network plug is in; without a connector to a relay that it finds in the network, to be paired.
    pub(super) fn new(connector: Option<RelayConnector>, plug: watch::Receiver<bool>) -> Self {
        let (frames, outgoing) = mpsc::channel(QUEUE);
        let (sender, events) = mpsc::channel(QUEUE);
        let task = tokio::spawn(async move {
            run(connector, plug, outgoing, &sender).await;
            // The link may be dropped.
            let _ = sender.send(LinkEvent::Gone).await;
        });
        Self { frames, events, task }
    }

    /// A permit to queue one frame, if the queue has room.
    pub(super) fn permit(&self) -> Option<mpsc::Permit<'_, Vec<u8>>> {
        self.frames.try_reserve().ok()
    }

    /// The next event. Cancel-safe.
    pub(super) async fn event(&mut self) -> LinkEvent {
        self.events.recv().await.unwrap_or(LinkEvent::Gone)
    }
}

impl Drop for RelayLink {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn run(
    connector: Option<RelayConnector>,
    mut plug: watch::Receiver<bool>,
    mut outgoing: mpsc::Receiver<Vec<u8>>,
    sender: &mpsc::Sender<LinkEvent>,
) {
    plugged_in(&mut plug).await;
    let connector = match connector {
        Some(connector) => connector,
        None => match crate::discovery::find().await {
            Some(relay) => RelayConnector::tcp_to_found(relay),
            None => return,
        },
    };
    let Some(mut socket) = connect(&connector).await else { return };
    if sender.send(LinkEvent::Connected { found: connector.found }).await.is_err() {
        return;
    }
    loop {
        // With the plug out, frames stay queued and the socket stays open: a pulled cable closes no TCP connection.
        plugged_in(&mut plug).await;
        tokio::select! {
            _ = plug.changed() => {}
            frame = outgoing.recv() => {
                let Some(frame) = frame else { return };
                if socket.send(Message::Binary(frame.into())).await.is_err() {
                    return;
                }
            }
            message = socket.next() => match message {
                Some(Ok(Message::Binary(frame))) => {
                    if sender.send(LinkEvent::Frame(frame.into())).await.is_err() {
                        return;
                    }
                }
                // tungstenite answers pings.
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                _ => return,
            },
        }
    }
}

async fn connect(connector: &RelayConnector) -> Option<WebSocketStream<Box<dyn ByteStream>>> {
    let config = WebSocketConfig::default()
        .read_buffer_size(4096)
        .write_buffer_size(0)
        .max_message_size(Some(MAX_FRAME))
        .max_frame_size(Some(MAX_FRAME));
    let connecting = async {
        let stream = (connector.connect)().await.map_err(|error| error.to_string())?;
        let connected = client_async_with_config(connector.url.as_str(), stream, Some(config)).await;
        Ok::<_, String>(connected.map_err(|error| error.to_string())?.0)
    };
    let problem = match timeout(CONNECT_TIMEOUT, connecting).await {
        Ok(Ok(socket)) => return Some(socket),
        Ok(Err(problem)) => problem,
        Err(_) => "timed out".to_owned(),
    };
    tracing::debug!(relay = connector.url, problem, "connecting to the relay failed");
    None
}

async fn plugged_in(plug: &mut watch::Receiver<bool>) {
    // An error means that the board's task has ended, which also drops this future.
    if plug.wait_for(|is_in| *is_in).await.is_err() {
        std::future::pending::<()>().await;
    }
}
