//! The Socket.IO dialect, after the event table of seed 001's document: `/socket.io/`.
//!
//! socketioxide handles transports, framing and heartbeats. One task per client (`client.rs`) opens and joins rooms; one task per
//! client and room (`seat.rs`) carries acts and updates, translated by the pure `translator.rs`.
//!
//! - `arguments.rs`: decodes the positional arguments of an event into a request.
//! - `event.rs`: the events to a client; `outbox.rs` sends them.
//! - `fuzzed.rs`: a client that the fuzzer plays.
//!
//! docs/protocol.md specifies the events, with transcripts that a test replays.

mod arguments;
mod client;
mod event;
mod fuzzed;
mod outbox;
mod seat;
mod translator;

use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use parking_lot::Mutex;
use socketioxide::SocketIo;
use socketioxide::extract::{Event, SocketRef, TryData};
use socketioxide::handler::ConnectHandler;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::Services;
use crate::boards::Registry;
use crate::relay::Relay;
use crate::room::Terms;
use crate::server::ClientContext;
use arguments::{Arguments, Request};
use client::{Client, Received};
use outbox::Outbox;

#[doc(hidden)]
pub use fuzzed::{Effect, FuzzedClient};

/// The name in the list of dialects.
const NAME: &str = "socketio";

/// The heartbeat: a client that does not answer within interval and timeout is disconnected.
const PING_INTERVAL: Duration = Duration::from_secs(10);
const PING_TIMEOUT: Duration = Duration::from_secs(10);

/// Events of one client that wait to be handled. A client that sends more at once is disconnected.
const QUEUE: usize = 64;

/// Upper bound of a packet, in bytes. The longest event is a move with a code; a longer packet up to this is answered like any malformed one.
const MAX_PACKET: u64 = 100_000;

/// The countdown of the document, in milliseconds.
const COUNTDOWN_MS: u64 = 5_000;

#[derive(Clone)]
struct SocketIoState {
    relay: Relay,
    registry: Registry,
    /// The terms of new rooms.
    terms: Arc<Terms>,
}

pub(super) fn routes(services: &Services) -> Router {
    let terms = Terms { countdown: COUNTDOWN_MS, ..services.terms.clone() };
    let registry = services.boards.registry().clone();
    let state = SocketIoState { relay: services.relay.clone(), registry, terms: Arc::new(terms) };
    let (service, io) = SocketIo::builder()
        .ping_interval(PING_INTERVAL)
        .ping_timeout(PING_TIMEOUT)
        .max_payload(MAX_PACKET)
        .ws_max_message_size(MAX_PACKET as usize)
        .ws_max_frame_size(MAX_PACKET as usize)
        .build_svc();
    // Cancelled when the transports of all clients are closed.
    let closed = CancellationToken::new();
    let parent = closed.clone();
    let connect = move |socket: SocketRef| {
        connect(socket, state);
        ready(())
    };
    io.ns("/", connect.with(move |socket: SocketRef| ready(prepare(&socket, &parent))));
    tokio::spawn(close_all(io, services.stopping.clone(), closed));
    Router::new().route_service("/socket.io/", service.clone()).route_service("/socket.io", service)
}

/// Closes the transports of all clients when the relay stops. After that a client connects again by itself, which it does not after the
/// packet with which the relay disconnects a single client.
async fn close_all(io: SocketIo, stopping: CancellationToken, closed: CancellationToken) {
    stopping.cancelled().await;
    // A client that does not read delays this until the relay exits.
    io.close().await;
    closed.cancel();
}

/// What the handlers of a client pass to its task.
struct Prepared {
    context: ClientContext,
    events: mpsc::Receiver<Received>,
    ending: CancellationToken,
}

/// The extensions of a socket are cloned.
type PreparedSlot = Arc<Mutex<Option<Prepared>>>;

#[derive(Debug, thiserror::Error)]
#[error("the server cannot count this connection")]
struct NoContext;

/// Registers the handlers of a client before it receives that it is connected, since its first event may arrive right after that. They only
/// queue events, so that these are handled in their order. A handler that held its socket would keep both for ever.
fn prepare(socket: &SocketRef, closed: &CancellationToken) -> Result<(), NoContext> {
    // Missing only in a router without the guard, where nothing would be limited.
    let context = socket.req_parts().extensions.get::<ClientContext>().cloned().ok_or(NoContext)?;
    let (sender, events) = mpsc::channel(QUEUE);
    let ending = closed.child_token();
    let (overflow, disconnected) = (ending.clone(), ending.clone());
    // The body of a handler runs before it returns its future, in the order of the events. Only the future is spawned.
    socket.on_fallback(move |Event(name): Event, TryData(arguments): TryData<Arguments>| {
        // Decoded here, so that long arguments do not wait in the queue.
        let request = Request::decode(&name, &arguments.unwrap_or_default().0);
        if sender.try_send(request).is_err() {
            overflow.cancel();
        }
        ready(())
    });
    // Ends the task, and with it the client's place in every room.
    socket.on_disconnect(move || {
        disconnected.cancel();
        ready(())
    });
    socket.extensions.insert(PreparedSlot::new(Mutex::new(Some(Prepared { context, events, ending }))));
    Ok(())
}

/// Starts the task of a client.
fn connect(socket: SocketRef, state: SocketIoState) {
    let slot = socket.extensions.remove::<PreparedSlot>();
    let Some(Prepared { context, events, ending }) = slot.and_then(|slot| slot.lock().take()) else { return };
    tokio::spawn(Client::new(Outbox::new(socket, ending), context, state).run(events));
}

/// Decodes an event, for the fuzzer.
#[doc(hidden)]
#[must_use]
pub fn is_request(event: &str, arguments: &str) -> bool {
    // What cannot be read is handled like no arguments, as in `prepare`.
    let arguments = serde_json::from_str::<Arguments>(arguments).unwrap_or_default();
    matches!(Request::decode(event, &arguments.0), Some(Ok(_)))
}
