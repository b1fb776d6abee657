//! A WebSocket client of a relay that sends and receives JSON, for all tests and the load generator.

use std::fmt::{self, Display};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

/// Timeout of every operation. It ends a test that hangs; a slow and busy machine stays below it.
pub const TIMEOUT: Duration = Duration::from_secs(30);

/// A WebSocket connection to a relay.
#[derive(Debug)]
pub struct JsonClient {
    socket: WebSocketStream<TcpStream>,
}

/// What a client receives.
#[derive(Clone, Debug, PartialEq)]
pub enum Received {
    /// A JSON message.
    Message(Value),
    /// The end of the connection, with the close code if the relay sent a close frame.
    Closed(Option<u16>),
}

/// The relay answered the WebSocket upgrade with an HTTP error.
#[derive(Clone, Debug, PartialEq)]
pub struct UpgradeRefused {
    /// The HTTP status.
    pub status: u16,
    /// The `Retry-After` header, in seconds.
    pub retry_after: Option<u64>,
    /// The JSON body.
    pub error: Value,
}

impl Display for UpgradeRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WebSocket upgrade refused with {}: {}", self.status, self.error)
    }
}

impl std::error::Error for UpgradeRefused {}

/// The header that carries the token of a seat.
#[must_use]
pub fn token_header(token: &str) -> (&'static str, String) {
    ("sec-websocket-protocol", format!("tabiya, tabiya.token.{token}"))
}

const NO_HEADERS: [(&str, &str); 0] = [];

impl JsonClient {
    /// Connects to a path of the relay at `host:port`. An HTTP error is an error of the type [`UpgradeRefused`].
    pub async fn connect(relay: impl Display, path: &str) -> Result<Self> {
        Self::connect_with(relay, path, &NO_HEADERS).await
    }

    /// Reconnects to the seat of this token.
    pub async fn connect_with_token(relay: impl Display, path: &str, token: &str) -> Result<Self> {
        Self::connect_with(relay, path, &[token_header(token)]).await
    }

    /// Connects with these headers, such as the `Origin` of a page.
    pub async fn connect_with(
        relay: impl Display,
        path: &str,
        headers: &[(&'static str, impl AsRef<str>)],
    ) -> Result<Self> {
        let relay = relay.to_string();
        let mut request = format!("ws://{relay}{path}").into_client_request()?;
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.as_ref().parse()?);
        }
        // Small buffers, because a load test has tens of thousands of clients on the machine of the relay.
        let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
        let connecting = async {
            let stream = TcpStream::connect(&relay).await?;
            stream.set_nodelay(true)?;
            tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await
        };
        let connected = timeout(TIMEOUT, connecting).await;
        match connected.with_context(|| format!("connecting to ws://{relay}{path} timed out"))? {
            Ok((socket, _)) => Ok(Self { socket }),
            Err(Error::Http(response)) => {
                let status = response.status().as_u16();
                let retry_after =
                    response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
                let error = serde_json::from_slice(response.body().as_deref().unwrap_or_default()).unwrap_or_default();
                bail!(UpgradeRefused { status, retry_after, error })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Limits what the kernel receives while nothing is read, to a few kilobytes.
    pub fn shrink_receive_buffer(&self) -> Result<()> {
        Ok(socket2::SockRef::from(self.socket.get_ref()).set_recv_buffer_size(4_096)?)
    }

    /// Sends a JSON message.
    pub async fn send_json(&mut self, message: &Value) -> Result<()> {
        self.send(Message::text(message.to_string())).await
    }

    /// Sends a frame of any kind.
    pub async fn send(&mut self, message: Message) -> Result<()> {
        Ok(timeout(TIMEOUT, self.socket.send(message)).await.context("sending to the relay timed out")??)
    }

    /// Sends a move in UCI notation. The relay rejects it unless the game has `ply` plies.
    pub async fn play(&mut self, mv: &str, ply: usize) -> Result<()> {
        let mut message = json!({"type": "move", "start": &mv[..2], "end": &mv[2..4], "ply": ply});
        if let Some(promotion) = mv.get(4..5) {
            message["promotion"] = promotion.into();
        }
        self.send_json(&message).await
    }

    /// The next text frame, or the close code; `None` if nothing comes in time. Cancel-safe.
    ///
    /// # Panics
    ///
    /// If a binary frame comes: a relay sends none to a JSON client.
    pub async fn receive_text_within(&mut self, time: Duration) -> Option<Result<Utf8Bytes, Option<u16>>> {
        let receive = async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Text(text))) => return Ok(text),
                    Some(Ok(Message::Close(frame))) => return Err(frame.map(|frame| frame.code.into())),
                    Some(Ok(Message::Binary(bytes))) => panic!("a binary frame on a JSON connection: {bytes:?}"),
                    // Tungstenite answers pings at the next read or write.
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => return Err(None),
                }
            }
        };
        timeout(time, receive).await.ok()
    }

    /// The next binary frame; `None` if the connection ends first or nothing comes in time.
    pub async fn receive_binary_within(&mut self, time: Duration) -> Option<Vec<u8>> {
        let receive = async {
            loop {
                match self.socket.next().await? {
                    Ok(Message::Binary(bytes)) => return Some(bytes.into()),
                    Ok(Message::Close(_)) | Err(_) => return None,
                    Ok(_) => {}
                }
            }
        };
        timeout(time, receive).await.ok()?
    }

    /// The next message or the end of the connection; `None` if nothing comes in time. Cancel-safe.
    pub async fn receive_within(&mut self, time: Duration) -> Option<Received> {
        Some(match self.receive_text_within(time).await? {
            Ok(text) => Received::Message(serde_json::from_str(&text).unwrap_or_default()),
            Err(code) => Received::Closed(code),
        })
    }

    /// The next message or the end of the connection.
    pub async fn receive(&mut self) -> Result<Received> {
        self.receive_within(TIMEOUT).await.context("receiving from the relay timed out")
    }

    /// The next message of this type; others before it are skipped.
    pub async fn receive_type(&mut self, kind: &str) -> Result<Value> {
        let mut skipped = Value::Null;
        loop {
            let waiting = || format!("waiting for {kind:?}, the last message before it was {skipped}");
            match self.receive().await.with_context(waiting)? {
                Received::Message(message) if message["type"] == kind => return Ok(message),
                Received::Message(message) => skipped = message,
                Received::Closed(code) => bail!("the relay closed the connection with {code:?} before {kind:?}"),
            }
        }
    }

    /// The close code; messages before it are skipped.
    pub async fn receive_close(&mut self) -> Result<Option<u16>> {
        loop {
            if let Received::Closed(code) = self.receive().await? {
                return Ok(code);
            }
        }
    }

    /// Answers pings until the connection ends, and drops everything else.
    pub async fn stay_connected(&mut self) {
        while let Some(Ok(_)) = self.socket.next().await {}
    }

    /// Closes the connection with a close frame, and waits until the relay has closed it as well.
    pub async fn close(mut self) {
        let close = async {
            // A connection that is gone already needs no close frame.
            let _ = self.socket.close(None).await;
            self.stay_connected().await;
        };
        let _ = timeout(TIMEOUT, close).await;
    }

    /// The TCP stream below the WebSocket.
    #[must_use]
    pub fn into_stream(self) -> TcpStream {
        self.socket.into_inner()
    }
}
