//! Whom a tongue talks to, and what it may do with them.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::StatusCode;
use axum::http::request::Parts;
use tokio_util::sync::CancellationToken;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::limits::{Limits, MessageRate, Permit, Wait};
use super::origin::AllowedOrigins;
use super::shutdown::Shutdown;
use super::socket;
use crate::config::Proxies;
use crate::room::Code;

/// What is the same for all who come in.
#[derive(Debug)]
pub(super) struct Entrance {
    pub(super) limits: Limits,
    pub(super) proxies: Proxies,
    pub(super) origins: AllowedOrigins,
    pub(super) shutdown: Shutdown,
}

/// That a connection may be, and that it is not done.
#[derive(Debug)]
pub(super) struct Connection {
    _permit: Permit,
    /// Whoever comes while the relay stops is only told so, and not waited for.
    _busy: Option<TaskTrackerToken>,
}

impl Connection {
    pub(super) fn new(permit: Permit, shutdown: &Shutdown) -> Arc<Self> {
        Arc::new(Self { _permit: permit, _busy: (!shutdown.is_stopping()).then(|| shutdown.busy()) })
    }
}

/// The way in that somebody has come. Every handler can ask for it.
///
/// A connection counts for as long as there is a copy of its door: a tongue that takes over a WebSocket keeps one until it
/// is done with it, and the relay waits for that when it stops.
#[derive(Clone, Debug)]
pub struct Door {
    inside: Arc<Inside>,
}

#[derive(Debug)]
struct Inside {
    client: IpAddr,
    is_local: bool,
    _connection: Arc<Connection>,
    _behind_proxy: Option<Permit>,
    entrance: Arc<Entrance>,
}

impl Door {
    pub(super) fn new(
        client: IpAddr,
        is_local: bool,
        connection: Arc<Connection>,
        behind_proxy: Option<Permit>,
        entrance: Arc<Entrance>,
    ) -> Self {
        let inside = Inside { client, is_local, _connection: connection, _behind_proxy: behind_proxy, entrance };
        Self { inside: Arc::new(inside) }
    }

    /// A door for a test that has no shell around it. There are no limits, and nothing stops.
    #[cfg(test)]
    pub(crate) fn without_shell() -> Self {
        use governor::clock::DefaultClock;

        let limits = crate::config::LimitConfig {
            connections: None,
            connections_per_address: None,
            connections_per_minute: None,
            requests_per_minute: None,
            joins_per_minute: None,
            messages_per_second: None,
            message: 65_536,
        };
        let entrance = Entrance {
            limits: Limits::new(limits, &DefaultClock::default()),
            proxies: Proxies::default(),
            origins: AllowedOrigins::default(),
            shutdown: Shutdown::new(),
        };
        let client = IpAddr::from([127, 0, 0, 1]);
        let permit = entrance.limits.connect(client, false).expect("there is no limit");
        let connection = Connection::new(permit, &entrance.shutdown);
        Self::new(client, true, connection, None, Arc::new(entrance))
    }

    /// Who is asking, as far as those say whom we believe.
    #[must_use]
    pub fn address(&self) -> IpAddr {
        self.inside.client
    }

    /// Whether somebody asks from the machine that the relay is on, as far as can be told.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.inside.is_local
    }

    /// Somebody tries a code that is wrong or new. Codes are short, and this is why nobody guesses them.
    pub fn try_code(&self) -> Result<(), Wait> {
        self.inside.entrance.limits.join(self.inside.client)
    }

    /// Somebody tries a code that is right. Who has tried too many others does not learn that, unless it is a code that
    /// nobody finds by trying: then it was told to them, and their neighbours' guessing must not keep them out.
    pub fn try_known_code(&self, code: &Code) -> Result<(), Wait> {
        if crate::dice::is_drawn(code) { Ok(()) } else { self.inside.entrance.limits.join_known(self.inside.client) }
    }

    /// How often this connection may say something.
    #[must_use]
    pub fn messages(&self) -> MessageRate {
        self.inside.entrance.limits.messages()
    }

    /// Prepares a WebSocket, so that it takes no messages that are too large, and no memory while nothing happens.
    pub fn upgrade(&self, upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
        socket::upgrade(upgrade, self.inside.entrance.limits.message_size())
    }

    /// Is cancelled when the relay has to stop. Then a tongue says [goodbye](super::Goodbye::Restart).
    #[must_use]
    pub fn stopping(&self) -> &CancellationToken {
        self.inside.entrance.shutdown.stopping()
    }
}

impl<S: Sync> FromRequestParts<S> for Door {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, StatusCode> {
        // Only a router that is not behind the shell has none, and then nothing is limited: better not to answer.
        parts.extensions.get::<Self>().cloned().ok_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl<S: Sync> OptionalFromRequestParts<S> for Door {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, Infallible> {
        Ok(parts.extensions.get::<Self>().cloned())
    }
}
