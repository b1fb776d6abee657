use std::net::SocketAddr;

use anyhow::{Context, Result};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::PATIENCE;

/// What comes back over HTTP.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The status line and the headers.
    pub head: String,
    /// What comes after them.
    pub body: Vec<u8>,
}

impl Answer {
    /// The content, as a text.
    #[must_use]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap_or_default()
    }

    /// The content, as JSON.
    pub fn json(&self) -> Result<Value> {
        serde_json::from_slice(&self.body).with_context(|| format!("{}\n\n{}", self.head, self.text()))
    }
}

/// Asks a relay for something.
pub async fn get(relay: SocketAddr, path: &str) -> Result<Answer> {
    ask(relay, &format!("GET {path} HTTP/1.1\r\nhost: {relay}\r\nconnection: close\r\n\r\n")).await
}

/// Sends something to a relay. The headers each end with a line break.
pub async fn post(relay: SocketAddr, path: &str, headers: &str, body: &str) -> Result<Answer> {
    let length = body.len();
    let head = format!("POST {path} HTTP/1.1\r\nhost: {relay}\r\nconnection: close\r\ncontent-length: {length}\r\n");
    ask(relay, &format!("{head}{headers}\r\n{body}")).await
}

async fn ask(relay: SocketAddr, request: &str) -> Result<Answer> {
    let asking = async {
        let mut stream = TcpStream::connect(relay).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        anyhow::Ok(answer)
    };
    let answer = timeout(PATIENCE, asking).await.context("no answer comes")??;
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").context("an answer has a head")?;
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).context("an answer has a status")?;
    Ok(Answer { status, head, body: answer[end + 4..].to_vec() })
}
