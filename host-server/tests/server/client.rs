//! Clients, good and bad.

use std::net::SocketAddr;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// Sends a request with these lines in its head, and returns everything that comes back.
pub(crate) async fn ask_over(mut stream: impl AsyncRead + AsyncWrite + Unpin, head: &str, body: &str) -> String {
    let request = format!("{head}\r\nconnection: close\r\n\r\n{body}").replace("\r\n", "\n").replace('\n', "\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // Whoever cuts a connection may do so while the other side still talks.
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8(answer).unwrap()
}

pub(crate) async fn ask(address: SocketAddr, head: &str) -> String {
    let stream = TcpStream::connect(address).await.unwrap();
    let host = if head.to_ascii_lowercase().contains("\nhost:") { "" } else { "\nhost: relay" };
    ask_over(stream, &format!("{head}{host}"), "").await
}

pub(crate) async fn get(address: SocketAddr, path: &str) -> String {
    ask(address, &format!("GET {path} HTTP/1.1")).await
}

/// The number in the first line, and what comes after the head.
pub(crate) fn parts(answer: &str) -> (u16, &str) {
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, answer.split_once("\r\n\r\n").map_or("", |(_, body)| body))
}

pub(crate) async fn connect(address: SocketAddr) -> WebSocketStream<TcpStream> {
    connect_as(address, &[]).await.unwrap()
}

pub(crate) async fn connect_as(
    address: SocketAddr,
    headers: &[(&'static str, &str)],
) -> Result<WebSocketStream<TcpStream>, Error> {
    connect_over(TcpStream::connect(address).await?, address, headers).await
}

pub(crate) async fn connect_over<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    address: SocketAddr,
    headers: &[(&'static str, &str)],
) -> Result<WebSocketStream<S>, Error> {
    let mut request = format!("ws://{address}/echo").into_client_request()?;
    for (name, value) in headers {
        request.headers_mut().append(*name, value.parse().unwrap());
    }
    Ok(tokio_tungstenite::client_async(request, stream).await?.0)
}
