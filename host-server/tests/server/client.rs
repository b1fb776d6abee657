//! HTTP and WebSocket clients.

use std::net::SocketAddr;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// Sends a request with these header lines, and returns the whole response.
pub(crate) async fn request_over(mut stream: impl AsyncRead + AsyncWrite + Unpin, head: &str, body: &str) -> String {
    let request = format!("{head}\r\nconnection: close\r\n\r\n{body}").replace("\r\n", "\n").replace('\n', "\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = Vec::new();
    // A server that closes early may cause a reset after its response.
    let _ = stream.read_to_end(&mut response).await;
    String::from_utf8(response).unwrap()
}

pub(crate) async fn request(address: SocketAddr, head: &str) -> String {
    let stream = TcpStream::connect(address).await.unwrap();
    let host = if head.to_ascii_lowercase().contains("\nhost:") { "" } else { "\nhost: localhost" };
    request_over(stream, &format!("{head}{host}"), "").await
}

/// Sends the bytes of a request, and returns the whole response.
pub(crate) async fn request_bytes(address: SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response).await;
    String::from_utf8(response).unwrap()
}

pub(crate) async fn get(address: SocketAddr, path: &str) -> String {
    request(address, &format!("GET {path} HTTP/1.1")).await
}

/// Status code and body.
pub(crate) fn parts(response: &str) -> (u16, &str) {
    let status = response.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, response.split_once("\r\n\r\n").map_or("", |(_, body)| body))
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
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    Ok(tokio_tungstenite::client_async(request, stream).await?.0)
}
