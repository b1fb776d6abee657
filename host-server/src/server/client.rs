//! The client of a request, as a dialect sees it: address, rate limits and shutdown.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::StatusCode;
use axum::http::request::Parts;
use tokio_util::sync::CancellationToken;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::ClientAddress;
use super::limits::{ChatLimit, ConnectionPermit, Limits, MessageRate, RetryAfter};
use super::shutdown::Shutdown;
use super::socket;
use crate::config::{AllowedOrigins, Proxies};
use crate::room::{Code, RoomId};

/// What an opened room adds to the store, in bytes, besides the acts of its participants.
const ROOM_BYTES: usize = 2_048;

/// What an act adds to the store, in bytes, besides its text.
const ENTRY_BYTES: usize = 256;

/// Entries of a game of chess whose replay is charged as one expensive request.
const REPLAYED_TOGETHER: u64 = 2_000;

/// Rules for all clients of one listener.
#[derive(Debug)]
pub(super) struct AccessControl {
    pub(super) limits: Limits,
    pub(super) proxies: Proxies,
    pub(super) origins: AllowedOrigins,
    pub(super) shutdown: Shutdown,
}

/// RAII guard of one connection: it counts against the limits, and the shutdown waits for it.
#[derive(Debug)]
pub(super) struct ConnectionGuard {
    _permit: ConnectionPermit,
    /// `None` for a connection accepted during the shutdown: it gets a 503 response, and the shutdown does not wait for it.
    _tracked: Option<TaskTrackerToken>,
}

impl ConnectionGuard {
    pub(super) fn new(permit: ConnectionPermit, shutdown: &Shutdown) -> Arc<Self> {
        Arc::new(Self { _permit: permit, _tracked: (!shutdown.is_stopping()).then(|| shutdown.track()) })
    }
}

/// Extractor with the client's address, limits and the shutdown token.
///
/// It keeps the connection counted: a dialect that upgrades to a WebSocket holds a clone until the socket is closed, and a
/// graceful shutdown waits for that.
#[derive(Clone, Debug)]
pub struct ClientContext {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    client: ClientAddress,
    is_local: bool,
    _guard: Arc<ConnectionGuard>,
    _behind_proxy: Option<ConnectionPermit>,
    access: Arc<AccessControl>,
}

impl ClientContext {
    pub(super) fn new(
        client: ClientAddress,
        is_local: bool,
        guard: Arc<ConnectionGuard>,
        behind_proxy: Option<ConnectionPermit>,
        access: Arc<AccessControl>,
    ) -> Self {
        let shared = Shared { client, is_local, _guard: guard, _behind_proxy: behind_proxy, access };
        Self { shared: Arc::new(shared) }
    }

    /// A context without limits, for tests that run without the server around them.
    #[cfg(test)]
    pub(crate) fn for_tests() -> Self {
        Self::for_tests_with(crate::config::LimitConfig::unlimited(65_536))
    }

    /// The same, with these limits.
    #[cfg(test)]
    pub(crate) fn for_tests_with(limits: crate::config::LimitConfig) -> Self {
        use governor::clock::DefaultClock;

        let access = AccessControl {
            limits: Limits::new(limits, &DefaultClock::default()),
            proxies: Proxies::default(),
            origins: AllowedOrigins::default(),
            shutdown: Shutdown::new(),
        };
        let client = ClientAddress::from(std::net::IpAddr::from([127, 0, 0, 1]));
        let permit = access.limits.connect(client, false).expect("there is no limit");
        let guard = ConnectionGuard::new(permit, &access.shutdown);
        Self::new(client, true, guard, None, Arc::new(access))
    }

    /// The client's address; behind a trusted proxy it is the forwarded one.
    #[must_use]
    pub fn address(&self) -> ClientAddress {
        self.shared.client
    }

    /// Whether the client is on the same machine as the relay.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.shared.is_local
    }

    /// Rate limit for codes that are wrong or new, against guessing.
    pub fn try_code(&self) -> Result<(), RetryAfter> {
        self.shared.access.limits.join(self.shared.client)
    }

    /// Rate limit for a code that exists. An address over the limit gets the same refusal as for a wrong code, so guessing does
    /// not reveal which codes exist. Generated codes are exempt: they are too long to guess, and another client behind the same
    /// address must not lock their owners out.
    pub fn try_known_code(&self, code: &Code) -> Result<(), RetryAfter> {
        if crate::random::is_drawn(code) { Ok(()) } else { self.shared.access.limits.join_known(self.shared.client) }
    }

    /// Rate limit of opening a room, which counts as trying a code.
    pub fn try_open_room(&self) -> Result<(), RetryAfter> {
        self.try_store_text(ROOM_BYTES)
    }

    /// Limit of a genome or preset that is stored under a new hash. It is apart from that of codes, so that saving does not keep a player from joining.
    pub fn try_save(&self, bytes: usize) -> Result<(), RetryAfter> {
        self.shared.access.limits.save(self.shared.client, bytes)
    }

    /// Limit of a room or script that is stored under a new code.
    pub fn try_store_text(&self, bytes: usize) -> Result<(), RetryAfter> {
        self.try_code()?;
        self.try_store(bytes)
    }

    /// Limit of an act, which is at most a few entries in the log of a room. `text` is the length of a chat message, or what the answer of a script
    /// will probably take.
    pub fn try_act(&self, text: usize) -> Result<(), RetryAfter> {
        self.try_store(ENTRY_BYTES + text)
    }

    /// Limit of entering as a player, which adds up to two entries to the log of a room.
    pub fn try_seat(&self) -> Result<(), RetryAfter> {
        self.try_store(2 * ENTRY_BYTES)
    }

    /// Limit of what an address may add to the store in a day.
    pub fn try_store(&self, bytes: usize) -> Result<(), RetryAfter> {
        self.shared.access.limits.store(self.shared.client, bytes)
    }

    /// Counts what was added to the store beyond what the limit has allowed, as far as this address has anything left.
    pub fn count_stored(&self, bytes: usize) {
        self.shared.access.limits.stored(self.shared.client, bytes);
    }

    /// Rate limit of a request that costs the relay as much as ten others.
    pub fn try_expensive(&self) -> Result<(), RetryAfter> {
        (0..9).try_for_each(|_| self.shared.access.limits.request(self.shared.client))
    }

    /// Rate limit of loading and replaying a log that costs as much as this many entries of a game of chess: an expensive request for each few
    /// thousand. It is asked before anything is loaded.
    pub fn try_replay(&self, cost: u64) -> Result<(), RetryAfter> {
        (0..cost.div_ceil(REPLAYED_TOGETHER).max(1)).try_for_each(|_| self.try_expensive())
    }

    /// Limits for the chat of spectators, which all spectators of an address share.
    pub(crate) fn try_spectator_chat(&self, room: RoomId, text: &str) -> Result<(), ChatLimit> {
        self.shared.access.limits.spectator_chat(self.shared.client, room, text.len())
    }

    /// A rate limiter for the messages of one connection.
    #[must_use]
    pub fn messages(&self) -> MessageRate {
        self.shared.access.limits.messages()
    }

    /// Sets the buffer sizes and the message limit of a WebSocket.
    pub fn upgrade(&self, upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
        socket::upgrade(upgrade, self.shared.access.limits.message_size())
    }

    /// Cancelled when the relay shuts down. The dialect then closes with [`CloseReason::Restart`](super::CloseReason::Restart).
    #[must_use]
    pub fn stopping(&self) -> &CancellationToken {
        self.shared.access.shutdown.stopping()
    }
}

impl<S: Sync> FromRequestParts<S> for ClientContext {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, StatusCode> {
        // Missing only in a router without the guard, where nothing would be limited.
        parts.extensions.get::<Self>().cloned().ok_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl<S: Sync> OptionalFromRequestParts<S> for ClientContext {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, Infallible> {
        Ok(parts.extensions.get::<Self>().cloned())
    }
}
