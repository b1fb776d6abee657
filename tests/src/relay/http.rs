use std::net::SocketAddr;

use anyhow::{Context, Result};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::TIMEOUT;

/// An HTTP response.
#[derive(Debug)]
pub struct HttpResponse {
    /// The status code.
    pub status: u16,
    /// The status line and the headers.
    pub head: String,
    /// The body.
    pub body: Vec<u8>,
}

impl HttpResponse {
    /// The body as text.
    #[must_use]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap_or_default()
    }

    /// The body as JSON.
    pub fn json(&self) -> Result<Value> {
        serde_json::from_slice(&self.body).with_context(|| format!("{}\n\n{}", self.head, self.text()))
    }
}

/// Sends a GET request.
pub async fn get(relay: SocketAddr, path: &str) -> Result<HttpResponse> {
    request(relay, &format!("GET {path} HTTP/1.1\r\nhost: {relay}\r\nconnection: close\r\n\r\n")).await
}

/// Sends a POST request. Each of the headers ends with CRLF.
pub async fn post(relay: SocketAddr, path: &str, headers: &str, body: &str) -> Result<HttpResponse> {
    let length = body.len();
    let head = format!("POST {path} HTTP/1.1\r\nhost: {relay}\r\nconnection: close\r\ncontent-length: {length}\r\n");
    request(relay, &format!("{head}{headers}\r\n{body}")).await
}

/// Sends a request as it is.
pub async fn request(relay: SocketAddr, request: &str) -> Result<HttpResponse> {
    let asking = async {
        let mut stream = TcpStream::connect(relay).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        anyhow::Ok(answer)
    };
    let answer = timeout(TIMEOUT, asking).await.context("no answer comes")??;
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").context("an answer has a head")?;
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).context("an answer has a status")?;
    Ok(HttpResponse { status, head, body: answer[end + 4..].to_vec() })
}
