//! A server with test routes instead of the dialects.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use host_server::config::Config;
use host_server::metrics;
use host_server::server::{
    ClientContext, CloseReason, Keepalive, KeepaliveAction, SendError, Server, Shutdown, close, close_reason, send,
};
use tokio::task::JoinHandle;

pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    pub(crate) metrics_address: Option<SocketAddr>,
    pub(crate) shutdown: Shutdown,
    pub(crate) store_works: Arc<AtomicBool>,
    pub(crate) task: JoinHandle<()>,
}

impl TestServer {
    /// Starts a server with these variables set.
    pub(crate) fn start(variables: &[(&str, &str)]) -> Self {
        let address = [("TABIYA_LISTEN", "127.0.0.1:0")];
        // The first setting of a variable wins.
        let config = Config::from_variables(variables.iter().copied().chain(address)).unwrap();
        let server = Server::bind(&config).unwrap();
        let (address, metrics_address) = (server.address().unwrap(), server.metrics_address());
        let shutdown = Shutdown::new();
        let store_works = Arc::new(AtomicBool::new(true));
        let check = store_works.clone();
        let check = Arc::new(move || {
            let works = check.load(Ordering::Relaxed);
            Box::pin(async move { if works { Ok(()) } else { Err("secret detail".to_owned()) } }) as _
        });
        let running = server.run(routes(), check, shutdown.clone());
        let task = tokio::spawn(async move { running.await.unwrap() });
        Self { address, metrics_address, shutdown, store_works, task }
    }
}

fn routes() -> Router {
    Router::new()
        .route("/who", get(|client: ClientContext| async move { client.address().to_string() }))
        .route("/local", get(|client: ClientContext| async move { client.is_local().to_string() }))
        .route("/length", post(|body: Bytes| async move { body.len().to_string() }))
        .route("/code", get(code))
        .route("/echo", any(echo))
}

async fn code(client: ClientContext) -> Response {
    match client.try_code() {
        Ok(()) => "no such room".into_response(),
        Err(retry) => (StatusCode::TOO_MANY_REQUESTS, retry.to_string()).into_response(),
    }
}

async fn echo(client: ClientContext, upgrade: WebSocketUpgrade) -> Response {
    client.upgrade(upgrade).on_upgrade(move |socket| repeat(client, socket))
}

/// A dialect that echoes every message.
async fn repeat(client: ClientContext, mut socket: WebSocket) {
    let _connected = metrics::connected("echo");
    let rate = client.messages();
    let mut keepalive = Keepalive::default();
    let reason = loop {
        let message = tokio::select! {
            () = client.stopping().cancelled() => break CloseReason::Restart,
            action = keepalive.next() => match action {
                KeepaliveAction::Ping => Message::Ping(Bytes::new()),
                KeepaliveAction::TimedOut => break CloseReason::Dead,
            },
            received = socket.recv() => {
                keepalive.received();
                match received {
                    None => return,
                    Some(Err(error)) => match close_reason(&error) {
                        Some(reason) => break reason,
                        None => return,
                    },
                    Some(Ok(_)) if rate.check().is_err() => break CloseReason::Rate,
                    Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => message,
                    Some(Ok(_)) => continue,
                }
            }
        };
        match send(&mut socket, message).await {
            Ok(()) => {}
            Err(SendError::Slow) => break CloseReason::Slow,
            Err(SendError::Gone(_)) => return,
        }
    };
    close(socket, reason, Some(Message::text("farewell"))).await;
}
