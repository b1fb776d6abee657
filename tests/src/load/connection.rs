//! The JSON client of the load generator, with errors that distinguish a broken connection from a relay that does not answer.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::fmt;
use std::time::Duration;

use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use super::relay_url::RelayUrl;
use crate::json_client::JsonClient;

/// A relay that does not answer for this long has hung.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A connection to a relay.
pub(super) struct Connection {
    client: JsonClient,
    /// Messages that came while nothing was awaited.
    queued: VecDeque<Utf8Bytes>,
}

/// Why a connection cannot be used any more.
#[derive(Debug)]
pub(super) enum ConnectionError {
    /// Connecting or sending failed.
    Failed(anyhow::Error),
    /// The relay closed the connection.
    Closed,
    /// The relay did not answer within the timeout.
    TimedOut,
}

impl fmt::Display for ConnectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(error) => write!(f, "{error:#}"),
            Self::Closed => f.write_str("the relay closed the connection"),
            Self::TimedOut => f.write_str("the relay did not answer within the timeout"),
        }
    }
}

impl Connection {
    pub(super) async fn open(relay: &RelayUrl, path: &str) -> Result<Self, ConnectionError> {
        let client = JsonClient::connect(&relay.authority, path).await.map_err(ConnectionError::Failed)?;
        Ok(Self { client, queued: VecDeque::new() })
    }

    pub(super) async fn send(&mut self, text: Utf8Bytes) -> Result<(), ConnectionError> {
        self.client.send(Message::Text(text)).await.map_err(ConnectionError::Failed)
    }

    pub(super) async fn receive(&mut self) -> Result<Utf8Bytes, ConnectionError> {
        if let Some(text) = self.queued.pop_front() {
            return Ok(text);
        }
        let received = self.client.receive_text_within(TIMEOUT).await.ok_or(ConnectionError::TimedOut)?;
        received.map_err(|_| ConnectionError::Closed)
    }

    /// Answers pings, and queues messages, until it is cancelled. A relay drops players that do not answer its pings.
    pub(super) async fn answer_pings(&mut self) -> Infallible {
        loop {
            match self.client.receive_text_within(TIMEOUT).await {
                Some(Ok(text)) => self.queued.push_back(text),
                // The next `receive` reports the end.
                Some(Err(_)) => std::future::pending().await,
                None => {}
            }
        }
    }

    /// Answers pings until the connection ends, and drops messages.
    pub(super) async fn stay_connected(&mut self) {
        self.client.stay_connected().await;
    }

    pub(super) async fn close(self) {
        self.client.close().await;
    }
}
