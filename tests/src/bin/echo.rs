//! A WebSocket echo server: the upper bound for a relay on the same libraries. It prints its address, and exits at the end of
//! its input.

use std::io::{self, Read};
use std::thread;

use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::routing::get;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    thread::spawn(|| {
        // Returns at the end of the input.
        let _ = io::stdin().read(&mut [0]);
        std::process::exit(0);
    });
    // As the relay does. It fails only on a closed connection.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    let app = Router::new().route("/", get(async |upgrade: WebSocketUpgrade| upgrade.on_upgrade(echo)));
    axum::serve(listener, app).await
}

async fn echo(mut socket: WebSocket) {
    while let Some(Ok(message)) = socket.recv().await {
        if matches!(message, Message::Text(_) | Message::Binary(_)) && socket.send(message).await.is_err() {
            return;
        }
    }
}
