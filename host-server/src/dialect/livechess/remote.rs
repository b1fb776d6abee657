//! The feed of one board over a WebSocket, for `tabiya livechess` on another machine: `/boards/{name}/live`.
//!
//! The client proves that it has the board's pairing key by a hash of it. Each message is a [`BoardView`] as JSON.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::StreamExt;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::{client_async, tungstenite};
use tokio_util::either::Either;

use crate::boards::{BoardFeed, BoardView, Registry, Serial};
use crate::hex::Hex;
use crate::server::{ClientContext, CloseReason, close};

const SEND_TIMEOUT: Duration = Duration::from_secs(10);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Pings keep the connection open, and detect a relay that has stopped.
const PING_INTERVAL: Duration = Duration::from_secs(15);
const RECONNECT_AFTER: Duration = Duration::from_secs(2);

#[derive(Clone)]
struct FeedState {
    registry: Registry,
    feed: BoardFeed,
}

pub(crate) fn routes(registry: Registry, feed: BoardFeed) -> Router {
    Router::new().route("/boards/{name}/live", get(follow)).with_state(FeedState { registry, feed })
}

async fn follow(
    State(state): State<FeedState>,
    Path(name): Path<String>,
    headers: HeaderMap,
    client: ClientContext,
    upgrade: WebSocketUpgrade,
) -> Response {
    // The same answer for an unknown board and a wrong key, so that names cannot be probed.
    let refused = || (StatusCode::FORBIDDEN, "No board has this name and key.\n").into_response();
    let Ok(Some((board, _))) = state.registry.read(&name).await else { return refused() };
    let given = headers.get(AUTHORIZATION).map(HeaderValue::as_bytes).unwrap_or_default();
    if !bool::from(given.ct_eq(authorization(board.key.bytes()).as_bytes())) {
        return match client.try_code() {
            Ok(()) => refused(),
            Err(wait) => (StatusCode::TOO_MANY_REQUESTS, format!("{wait}\n")).into_response(),
        };
    }
    let serial = Serial::of(board.id());
    client.upgrade(upgrade).on_upgrade(move |socket| send_views(socket, state.feed, serial, client))
}

async fn send_views(mut socket: WebSocket, feed: BoardFeed, serial: Serial, client: ClientContext) {
    let mut views = feed.subscribe();
    let mut sent = None;
    let rate = client.messages();
    loop {
        let view = views.borrow_and_update().get(&serial).cloned();
        if let Some(view) = view
            && sent.as_ref() != Some(&view)
        {
            let Ok(json) = serde_json::to_string(&view) else { return };
            if !matches!(timeout(SEND_TIMEOUT, socket.send(Message::Text(json.into()))).await, Ok(Ok(()))) {
                return;
            }
            sent = Some(view);
        }
        tokio::select! {
            () = client.stopping().cancelled() => return close(socket, CloseReason::Restart, None).await,
            changed = views.changed() => if changed.is_err() { return },
            message = socket.recv() => match message {
                Some(Ok(_)) if rate.check().is_err() => return close(socket, CloseReason::Rate, None).await,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                _ => return,
            },
            () = sleep(PING_INTERVAL) => {
                let ping = socket.send(Message::Ping(Vec::new().into()));
                if !matches!(timeout(SEND_TIMEOUT, ping).await, Ok(Ok(()))) {
                    return;
                }
            }
        }
    }
}

/// The header that proves knowledge of the pairing key without sending it.
fn authorization(key: [u8; 32]) -> String {
    let digest = Sha256::new().chain_update(b"tabiya board feed").chain_update(key).finalize();
    format!("Bearer {}", Hex(&digest))
}

/// Where the feed of a board is, and its key.
pub(crate) struct RemoteBoard {
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) tls: bool,
    pub(crate) name: String,
    pub(crate) key: [u8; 32],
}

/// Copies the feed of a remote board until it is dropped. It reconnects after errors.
pub(crate) async fn copy(board: RemoteBoard, feed: BoardFeed) {
    let serial = Serial::of(wire::link::PairingKey::new(board.key).board_id());
    loop {
        match receive(&board, &feed).await {
            Ok(()) => tracing::info!(relay = board.host, "relay disconnected, reconnecting"),
            Err(error) => tracing::warn!(relay = board.host, %error, "connecting to the relay failed, will retry"),
        }
        feed.disconnected(&serial);
        sleep(RECONNECT_AFTER).await;
    }
}

async fn receive(board: &RemoteBoard, feed: &BoardFeed) -> Result<(), tungstenite::Error> {
    let RemoteBoard { host, port, tls, name, key } = board;
    let scheme = if *tls { "wss" } else { "ws" };
    let mut request =
        format!("{scheme}://{host}:{port}/boards/{}/live", percent_encoded(name)).into_client_request()?;
    let authorization = HeaderValue::from_str(&authorization(*key)).expect("hexadecimal digits are a valid header");
    request.headers_mut().insert(AUTHORIZATION, authorization);
    let connect = async { client_async(request, open(host, *port, *tls).await?).await };
    let timed_out = |_| tungstenite::Error::Io(io::ErrorKind::TimedOut.into());
    let (mut socket, _) = timeout(CONNECT_TIMEOUT, connect).await.map_err(timed_out)??;
    tracing::info!(relay = host, board = name, "connected to the relay");
    loop {
        // The relay pings.
        match timeout(2 * PING_INTERVAL, socket.next()).await {
            Ok(Some(Ok(tungstenite::Message::Text(text)))) => match serde_json::from_str::<BoardView>(&text) {
                Ok(view) => feed.publish(view),
                Err(error) => tracing::warn!(%error, "message of the relay ignored"),
            },
            Ok(Some(Ok(tungstenite::Message::Close(_))) | None) => return Ok(()),
            Ok(Some(Ok(_))) => {}
            Ok(Some(Err(error))) => return Err(error),
            Err(elapsed) => return Err(timed_out(elapsed)),
        }
    }
}

/// Connects to a relay. With TLS its certificate must be valid for the host, for the certificate authorities of this machine.
async fn open(host: &str, port: u16, tls: bool) -> io::Result<Either<TcpStream, TlsStream<TcpStream>>> {
    let stream = TcpStream::connect((host, port)).await?;
    if !tls {
        return Ok(Either::Left(stream));
    }
    let mut roots = RootCertStore::empty();
    // Certificates that cannot be read are left out, and the handshake names a missing one.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().map_err(io::Error::other)?;
    let config = builder.with_root_certificates(roots).with_no_client_auth();
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    Ok(Either::Right(TlsConnector::from(Arc::new(config)).connect(name, stream).await?))
}

fn percent_encoded(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    name.bytes().fold(String::new(), |text, byte| {
        if is_plain(byte) { text + &char::from(byte).to_string() } else { text + &format!("%{byte:02X}") }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::hex;

    /// The example in docs/protocol.md.
    #[test]
    fn the_example_of_the_document_is_true() {
        let document = include_str!("../../../../docs/protocol.md");
        let block = document.split("\n```feed\n").nth(1).and_then(|text| text.split("\n```\n").next()).unwrap();
        let mut lines = block.splitn(3, '\n');
        let mut field = |name: &str| lines.next().and_then(|line| line.strip_prefix(name)).unwrap();
        let key: [u8; 32] = hex::parse(field("key: ")).unwrap().try_into().unwrap();
        assert_eq!(authorization(key), field("authorization: "));
        let json: Value = serde_json::from_str(field("message: ")).unwrap();
        let view: BoardView = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(view.serial, Serial::of(wire::link::PairingKey::new(key).board_id()));
        assert_eq!(serde_json::to_value(&view).unwrap(), json);
        assert!(view.is_exact());
    }
}
