//! The Socket.IO dialect, after the event table of seed 001's document: `/socket.io/`.
//!
//! socketioxide handles transports, framing and heartbeats. One task per client (`client.rs`) opens and joins rooms; one task per
//! client and room (`seat.rs`) carries acts and updates, translated by the pure `translator.rs`.
//!
//! - `arguments.rs`: decodes the positional arguments of an event into a request.
//! - `event.rs`: the events to a client.
//! - `fuzzed.rs`: a client that the fuzzer plays.
//!
//! docs/protocol.md specifies the events, with transcripts that a test replays.

mod arguments;
mod client;
mod event;
mod fuzzed;
mod seat;
mod translator;

use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use serde_json::Value;
use socketioxide::SocketIo;
use socketioxide::extract::{Event, SocketRef, TryData};
use tokio::sync::mpsc;

use super::Services;
use crate::boards::Registry;
use crate::relay::Relay;
use crate::room::Terms;
use crate::server::ClientContext;
use arguments::{Arguments, Request};
use client::Client;

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
    io.ns("/", async move |socket: SocketRef| connect(&socket, state.clone()));
    Router::new().route_service("/socket.io/", service.clone()).route_service("/socket.io", service)
}

/// Starts the task of a client. Handlers only queue events, so that they are handled in their order.
fn connect(socket: &SocketRef, state: SocketIoState) {
    // Missing only in a router without the guard, where nothing would be limited.
    let Some(context) = socket.req_parts().extensions.get::<ClientContext>().cloned() else {
        let _ = socket.clone().disconnect();
        return;
    };
    let (sender, events) = mpsc::channel(QUEUE);
    // The body of a handler runs before it returns its future, in the order of the events. Only the future is spawned.
    socket.on_fallback(move |socket: SocketRef, Event(name): Event, TryData(arguments): TryData<Arguments>| {
        // Decoded here, so that long arguments do not wait in the queue.
        let request = Request::decode(&name, &arguments.unwrap_or_default().0);
        if sender.try_send(request).is_err() {
            let _ = socket.disconnect();
        }
        ready(())
    });
    let client = Client::new(socket.clone(), context, state);
    let task = tokio::spawn(client.run(events)).abort_handle();
    // Ends the task, and with it the client's place in every room.
    socket.on_disconnect(move || {
        task.abort();
        ready(())
    });
}

/// Decodes an event, for the fuzzer.
#[doc(hidden)]
#[must_use]
pub fn is_request(event: &str, arguments: &str) -> bool {
    let arguments = serde_json::from_str::<Vec<Value>>(arguments).unwrap_or_default();
    matches!(Request::decode(event, &arguments), Some(Ok(_)))
}
