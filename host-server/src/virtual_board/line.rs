//! The cable between a virtual board and its relay, and the WebSocket through it.

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

/// How long a relay may take until there is a connection.
const PATIENCE: Duration = Duration::from_secs(10);

/// So many frames may wait to be sent.
const WAITING: usize = 8;

/// Something that bytes go through, both ways.
pub(super) trait Wire: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Wire for T {}

/// A wire that is being laid.
type Connecting = BoxFuture<'static, io::Result<Box<dyn Wire>>>;

/// The way to a relay.
#[derive(Clone)]
pub(crate) struct Way {
    /// What the WebSocket is asked for: `ws://host:port/path`.
    url: String,
    connect: Arc<dyn Fn() -> Connecting + Send + Sync>,
}

impl fmt::Debug for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Way").field(&self.url).finish()
    }
}

impl Way {
    pub(super) fn new<W: Wire + 'static>(
        url: String,
        connect: impl Fn() -> BoxFuture<'static, io::Result<W>> + Send + Sync + 'static,
    ) -> Self {
        let connect = move || {
            let connecting = connect();
            let boxed: Connecting = Box::pin(async move { Ok(Box::new(connecting.await?) as Box<dyn Wire>) });
            boxed
        };
        Self { url, connect: Arc::new(connect) }
    }

    /// Over the network.
    pub(crate) fn to(relay: board::Relay<'_>) -> Self {
        let board::Relay { host, port, path } = relay;
        let address = format!("{host}:{port}");
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

/// What a call has come to.
pub(super) enum Report {
    /// There is a connection.
    Connected,
    /// A frame has come.
    Frame(Vec<u8>),
    /// There is no connection any more, or none was to be had.
    Gone,
}

/// A call to the relay. It ends when this is dropped, as if the cable had been cut.
pub(super) struct Call {
    frames: mpsc::Sender<Vec<u8>>,
    reports: mpsc::Receiver<Report>,
    task: tokio::task::JoinHandle<()>,
}

impl Call {
    /// Calls the relay as soon as the plug is in.
    pub(super) fn new(way: Way, plug: watch::Receiver<bool>) -> Self {
        let (frames, outgoing) = mpsc::channel(WAITING);
        let (telling, reports) = mpsc::channel(WAITING);
        let task = tokio::spawn(async move {
            talk(way, plug, outgoing, &telling).await;
            // Nobody who has hung up wants to know.
            let _ = telling.send(Report::Gone).await;
        });
        Self { frames, reports, task }
    }

    /// A place for a frame, if there is one.
    pub(super) fn place(&self) -> Option<mpsc::Permit<'_, Vec<u8>>> {
        self.frames.try_reserve().ok()
    }

    /// What the call comes to next.
    pub(super) async fn report(&mut self) -> Report {
        self.reports.recv().await.unwrap_or(Report::Gone)
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn talk(
    way: Way,
    mut plug: watch::Receiver<bool>,
    mut outgoing: mpsc::Receiver<Vec<u8>>,
    telling: &mpsc::Sender<Report>,
) {
    plugged_in(&mut plug).await;
    let Some(mut socket) = connect(&way).await else { return };
    if telling.send(Report::Connected).await.is_err() {
        return;
    }
    loop {
        // What is on its way stays there while the cable is out: neither side is told, as with any cable.
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
                    if telling.send(Report::Frame(frame.into())).await.is_err() {
                        return;
                    }
                }
                // The library answers pings.
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                _ => return,
            },
        }
    }
}

async fn connect(way: &Way) -> Option<WebSocketStream<Box<dyn Wire>>> {
    let config = WebSocketConfig::default()
        .read_buffer_size(4096)
        .write_buffer_size(0)
        .max_message_size(Some(MAX_FRAME))
        .max_frame_size(Some(MAX_FRAME));
    let connecting = async {
        let wire = (way.connect)().await.map_err(|error| error.to_string())?;
        let shaken = client_async_with_config(way.url.as_str(), wire, Some(config)).await;
        Ok::<_, String>(shaken.map_err(|error| error.to_string())?.0)
    };
    let problem = match timeout(PATIENCE, connecting).await {
        Ok(Ok(socket)) => return Some(socket),
        Ok(Err(problem)) => problem,
        Err(_) => "it takes too long".to_owned(),
    };
    tracing::debug!(relay = way.url, problem, "the relay cannot be reached");
    None
}

async fn plugged_in(plug: &mut watch::Receiver<bool>) {
    // It fails only when the board is gone, and then nobody waits for this any more.
    if plug.wait_for(|is_in| *is_in).await.is_err() {
        std::future::pending::<()>().await;
    }
}
