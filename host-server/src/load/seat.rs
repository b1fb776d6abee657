use std::fmt;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::url::RelayUrl;

/// How long anything may take before it counts as hung.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

/// A connection to a relay.
pub(super) struct Seat {
    socket: WebSocketStream<TcpStream>,
}

/// Why a connection is of no more use.
#[derive(Debug)]
pub(super) enum Broken {
    /// It broke, or the relay closed it.
    Line(Box<Error>),
    /// The relay closed it in order.
    Closed,
    /// Nothing came for too long.
    Hung,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(error) => error.fmt(f),
            Self::Closed => f.write_str("the relay has closed the connection"),
            Self::Hung => f.write_str("nothing came for too long"),
        }
    }
}

impl From<Error> for Broken {
    fn from(error: Error) -> Self {
        Self::Line(Box::new(error))
    }
}

impl From<std::io::Error> for Broken {
    fn from(error: std::io::Error) -> Self {
        Error::from(error).into()
    }
}

impl Seat {
    /// Connects to a path on a relay.
    pub(super) async fn take(relay: &RelayUrl, path: &str) -> Result<Self, Broken> {
        // Buffers for ten thousand of these have to fit into the same machine as the relay.
        let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
        let authority = relay.authority.as_str();
        let connect = async {
            let stream = TcpStream::connect(authority).await?;
            stream.set_nodelay(true)?;
            let (socket, _) = client_async_with_config(format!("ws://{authority}{path}"), stream, Some(config)).await?;
            Ok(Self { socket })
        };
        timeout(PATIENCE, connect).await.map_err(|_| Broken::Hung)?
    }

    pub(super) async fn send(&mut self, text: Utf8Bytes) -> Result<(), Broken> {
        timeout(PATIENCE, self.socket.send(Message::Text(text))).await.map_err(|_| Broken::Hung)?.map_err(Into::into)
    }

    /// The next text that comes.
    pub(super) async fn hear(&mut self) -> Result<Utf8Bytes, Broken> {
        let hear = async {
            loop {
                match self.socket.next().await.ok_or(Broken::Closed)?? {
                    Message::Text(text) => return Ok(text),
                    Message::Close(_) => return Err(Broken::Closed),
                    // Pings are answered when the socket is next written to or read.
                    _ => {}
                }
            }
        };
        timeout(PATIENCE, hear).await.map_err(|_| Broken::Hung)?
    }

    /// Goes on hearing, as one must to be alive, until the connection ends.
    pub(super) async fn stay(&mut self) {
        while let Some(Ok(_)) = self.socket.next().await {}
    }

    pub(super) async fn leave(mut self) {
        // Whoever is gone already need not be told.
        let _ = timeout(Duration::from_secs(1), self.socket.close(None)).await;
    }
}
