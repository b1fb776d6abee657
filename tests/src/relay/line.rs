use std::fmt;
use std::net::SocketAddr;
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

use super::PATIENCE;

/// A WebSocket to a relay, on which JSON is spoken.
#[derive(Debug)]
pub struct Line {
    socket: WebSocketStream<TcpStream>,
}

/// What comes over a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// A message.
    Message(Value),
    /// The end, with its code if it was said in order.
    End(Option<u16>),
}

/// A relay did not want to talk.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// The status over HTTP.
    pub status: u16,
    /// After how many seconds it is worth trying again.
    pub retry_after: Option<u64>,
    /// What it said.
    pub error: Value,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "refused with {}: {}", self.status, self.error)
    }
}

impl std::error::Error for Refused {}

impl Line {
    /// Connects. A refusal is an error of the type [`Refused`].
    pub async fn connect(relay: SocketAddr, path: &str) -> Result<Self> {
        Self::connect_from(relay, path, None).await
    }

    /// Connects as a page from somewhere does.
    pub async fn connect_from(relay: SocketAddr, path: &str, origin: Option<&str>) -> Result<Self> {
        let mut request = format!("ws://{relay}{path}").into_client_request()?;
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse()?);
        }
        // There are hundreds of these in some tests.
        let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
        let connecting = async {
            let stream = TcpStream::connect(relay).await?;
            stream.set_nodelay(true)?;
            tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await
        };
        match timeout(PATIENCE, connecting).await.context("no answer comes")? {
            Ok((socket, _)) => Ok(Self { socket }),
            Err(Error::Http(response)) => {
                let status = response.status().as_u16();
                let retry_after =
                    response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
                let error = serde_json::from_slice(response.body().as_deref().unwrap_or_default()).unwrap_or_default();
                bail!(Refused { status, retry_after, error })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Says something. That it was taken does not mean that it was heard.
    pub async fn say(&mut self, message: &Value) -> Result<()> {
        self.send(Message::text(message.to_string())).await
    }

    /// Sends a frame of any kind.
    pub async fn send(&mut self, message: Message) -> Result<()> {
        Ok(timeout(PATIENCE, self.socket.send(message)).await.context("nobody takes it")??)
    }

    /// A move, if so many were made before it.
    pub async fn play(&mut self, mv: &str, ply: usize) -> Result<()> {
        let mut message = json!({"type": "move", "start": &mv[..2], "end": &mv[2..4], "ply": ply});
        if let Some(promotion) = mv.get(4..5) {
            message["promotion"] = promotion.into();
        }
        self.say(&message).await
    }

    /// The next text, or the code of the end, if something comes in time. It loses nothing if it is given up while it waits.
    pub async fn hear_text_within(&mut self, time: Duration) -> Option<Result<Utf8Bytes, Option<u16>>> {
        let hear = async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Text(text))) => return Ok(text),
                    Some(Ok(Message::Close(frame))) => return Err(frame.map(|frame| frame.code.into())),
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => return Err(None),
                }
            }
        };
        timeout(time, hear).await.ok()
    }

    /// The next binary frame, if one comes in time before the end.
    pub async fn hear_bytes_within(&mut self, time: Duration) -> Option<Vec<u8>> {
        let hear = async {
            loop {
                match self.socket.next().await? {
                    Ok(Message::Binary(bytes)) => return Some(bytes.into()),
                    Ok(Message::Close(_)) | Err(_) => return None,
                    Ok(_) => {}
                }
            }
        };
        timeout(time, hear).await.ok()?
    }

    /// The next thing that comes, if something comes in time. It loses nothing if it is given up while it waits.
    pub async fn hear_within(&mut self, time: Duration) -> Option<Heard> {
        Some(match self.hear_text_within(time).await? {
            Ok(text) => Heard::Message(serde_json::from_str(&text).unwrap_or_default()),
            Err(code) => Heard::End(code),
        })
    }

    /// The next thing that comes.
    pub async fn hear(&mut self) -> Result<Heard> {
        self.hear_within(PATIENCE).await.context("nothing comes")
    }

    /// The next message of this type, whatever comes before it.
    pub async fn hear_until(&mut self, kind: &str) -> Result<Value> {
        loop {
            match self.hear().await? {
                Heard::Message(message) if message["type"] == kind => return Ok(message),
                Heard::Message(_) => {}
                Heard::End(code) => bail!("the line has ended with {code:?} before {kind}"),
            }
        }
    }

    /// The end of the line, whatever comes before it.
    pub async fn hear_end(&mut self) -> Result<Option<u16>> {
        loop {
            if let Heard::End(code) = self.hear().await? {
                return Ok(code);
            }
        }
    }

    /// What is under it.
    #[must_use]
    pub fn into_stream(self) -> TcpStream {
        self.socket.into_inner()
    }
}
