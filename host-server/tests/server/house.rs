//! A relay that has no rooms, but everything around them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use host_server::config::{Config, Sources};
use host_server::server::metrics::{self, Tongue};
use host_server::server::{Beat, Door, Goodbye, Keepalive, SendError, Server, Shutdown, part, reading_failed, send};
use tokio::task::JoinHandle;

pub(crate) struct House {
    pub(crate) address: SocketAddr,
    pub(crate) metrics_address: Option<SocketAddr>,
    pub(crate) shutdown: Shutdown,
    pub(crate) store_works: Arc<AtomicBool>,
    pub(crate) task: JoinHandle<()>,
}

impl House {
    /// Starts one with these variables set.
    pub(crate) fn open(variables: &[(&str, &str)]) -> Self {
        let here = [("TABIYA_LISTEN", "127.0.0.1:0")];
        // The first that sets something counts.
        let sources = Sources::of_variables(variables.iter().copied().chain(here));
        let server = Server::bind(&Config::read(&sources).unwrap()).unwrap();
        let (address, metrics_address) = (server.address().unwrap(), server.metrics_address());
        let shutdown = Shutdown::new();
        let store_works = Arc::new(AtomicBool::new(true));
        let check = store_works.clone();
        let check = Arc::new(move || {
            let works = check.load(Ordering::Relaxed);
            Box::pin(async move { if works { Ok(()) } else { Err("it is on holiday".to_owned()) } }) as _
        });
        let running = server.run(rooms(), check, shutdown.clone());
        let task = tokio::spawn(async move { running.await.unwrap() });
        Self { address, metrics_address, shutdown, store_works, task }
    }
}

fn rooms() -> Router {
    Router::new()
        .route("/who", get(|door: Door| async move { door.address().to_string() }))
        .route("/length", post(|body: Bytes| async move { body.len().to_string() }))
        .route("/code", get(code))
        .route("/echo", any(echo))
}

async fn code(door: Door) -> Response {
    match door.try_code() {
        Ok(()) => "no such room".into_response(),
        Err(wait) => (StatusCode::TOO_MANY_REQUESTS, wait.to_string()).into_response(),
    }
}

async fn echo(door: Door, upgrade: WebSocketUpgrade) -> Response {
    door.upgrade(upgrade).on_upgrade(move |socket| converse(door, socket))
}

/// A tongue that only repeats what it hears.
async fn converse(door: Door, mut socket: WebSocket) {
    let _connected = metrics::connected(Tongue::Chessata);
    let rate = door.messages();
    let mut keepalive = Keepalive::default();
    let goodbye = loop {
        let message = tokio::select! {
            () = door.stopping().cancelled() => break Goodbye::Restart,
            beat = keepalive.beat() => match beat {
                Beat::Ping => Message::Ping(Bytes::new()),
                Beat::Dead => break Goodbye::Dead,
            },
            heard = socket.recv() => {
                keepalive.heard();
                match heard {
                    None => return,
                    Some(Err(error)) => match reading_failed(&error) {
                        Some(goodbye) => break goodbye,
                        None => return,
                    },
                    Some(Ok(_)) if rate.check().is_err() => break Goodbye::Rate,
                    Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => message,
                    Some(Ok(_)) => continue,
                }
            }
        };
        match send(&mut socket, message).await {
            Ok(()) => {}
            Err(SendError::Slow) => break Goodbye::Slow,
            Err(SendError::Gone(_)) => return,
        }
    };
    part(socket, goodbye, Some(Message::text("farewell"))).await;
}
