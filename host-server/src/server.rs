//! HTTP server of `tabiya serve`: everything around the dialects, without rooms and stores.
//!
//! ```text
//! listener -> connection (TLS, HTTP, timeouts) -> guard (address, limits, origin) -> ClientContext -> dialect
//! ```
//!
//! - `listener.rs`, `tls.rs`, `connection.rs`: accept sockets and serve HTTP, one task per connection.
//! - `guard.rs`: middleware for every request; it uses `address.rs` and `limits/`.
//! - `client.rs`, `socket.rs`, `keepalive.rs`: what a dialect needs to talk to its client.
//! - `shutdown.rs`: graceful shutdown; `health.rs`, `log.rs`: monitoring.
//! - `control.rs`: Unix socket for other `tabiya` commands on the same machine.

mod address;
mod body;
mod client;
mod connection;
#[cfg(unix)]
pub mod control;
mod descriptors;
mod guard;
mod health;
mod keepalive;
mod limits;
mod listener;
mod log;
mod refusal;
mod shutdown;
mod socket;
mod tls;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use governor::clock::DefaultClock;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

pub use address::ClientAddress;
pub use client::ClientContext;
pub(crate) use guard::STATIC_FILES;
pub use health::StoreCheck;
pub use keepalive::{Keepalive, KeepaliveAction};
pub(crate) use limits::ChatLimit;
pub use limits::{MessageRate, RetryAfter};
pub use log::LogSafe;
pub(crate) use log::init as init_logging;
pub use shutdown::Shutdown;
pub use socket::{CloseReason, SendError, close, close_reason, send};
pub use tls::TlsError;

use client::AccessControl;
use connection::ServerState;
use health::Health;
use limits::Limits;
use tls::Certificates;

use crate::config::{AllowedOrigins, Config, LimitConfig, Proxies};

/// Largest request body in bytes, unless a route allows more.
const MAX_BODY: usize = 64 * 1_024;
/// Interval for removing expired addresses from the rate limiters.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(10);

/// Why the server cannot run.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ServeError {
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    #[error(transparent)]
    Tls(#[from] TlsError),
    #[error("cannot install signal handlers: {0}")]
    Signals(io::Error),
}

/// A server whose sockets are bound, but which does not accept connections yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    metrics_listener: Option<TcpListener>,
    certificates: Option<Arc<Certificates>>,
    config: Config,
}

impl Server {
    /// Binds the sockets and loads the certificate, so that configuration errors show before anything else starts.
    pub fn bind(config: &Config) -> Result<Self, ServeError> {
        descriptors::raise_for(&config.limits);
        let listen = |address| listener::listen(address).map_err(|error| ServeError::Listen(address, error));
        let certificates = config.tls.as_ref().map(Certificates::load).transpose()?;
        Ok(Self {
            listener: listen(config.listen)?,
            metrics_listener: config.metrics.listen.map(listen).transpose()?,
            certificates,
            config: config.clone(),
        })
    }

    /// The bound address. The system chooses the port if the configured one is 0.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// The bound address of the separate metrics listener, if there is one.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics_listener.as_ref().and_then(|listener| listener.local_addr().ok())
    }

    /// Serves until `shutdown`, then waits for open connections until the configured timeout.
    pub async fn run(self, routes: Router, store: StoreCheck, shutdown: Shutdown) -> Result<(), ServeError> {
        let Self { listener, metrics_listener, certificates, config } = self;
        let access = Arc::new(AccessControl {
            limits: Limits::new(config.limits, &DefaultClock::default()),
            proxies: config.proxies.clone(),
            origins: config.origins.clone(),
            shutdown: shutdown.clone(),
        });
        let tls = certificates.as_ref().map(Certificates::acceptor).transpose()?;
        let health = Health::new(store, shutdown.clone(), config.metrics, config.origins.clone());
        let guarded =
            routes.layer(DefaultBodyLimit::max(MAX_BODY)).layer(from_fn_with_state(access.clone(), guard::guard));
        let app = health.routes().merge(guarded);

        let mut tasks = JoinSet::new();
        if let Some(listener) = metrics_listener {
            // The operator chose who can reach this address: no limits, no TLS, and it answers until the process ends.
            let access = AccessControl {
                limits: Limits::new(LimitConfig::unlimited(config.limits.message), &DefaultClock::default()),
                proxies: Proxies::default(),
                origins: AllowedOrigins::default(),
                shutdown: Shutdown::new(),
            };
            let state = ServerState { app: health.metrics_routes(), access: Arc::new(access), tls: None };
            tasks.spawn(connection::accept(listener, state));
        }
        if let Some(certificates) = certificates {
            tasks.spawn(reload_on_hangup(certificates));
        }
        tasks.spawn(connection::accept(listener, ServerState { app, access: access.clone(), tls }));

        let mut cleanup = tokio::time::interval(CLEANUP_INTERVAL);
        loop {
            tokio::select! {
                () = shutdown.stopping().cancelled() => break,
                _ = cleanup.tick() => access.limits.remove_expired(),
            }
        }
        // The listener stays open during shutdown: new requests get 503 with Retry-After, and /healthz says "stopping".
        let open = shutdown.finish(config.stop_within).await;
        if open > 0 {
            tracing::warn!(open, "shutdown timeout: closing connections that are still open");
        }
        Ok(())
    }
}

/// A bound socket of its own, beside the server: without TLS, and without checks of host and origin, which its routes must make.
#[derive(Debug)]
pub(crate) struct Listener {
    listener: TcpListener,
    address: SocketAddr,
}

impl Listener {
    pub(crate) fn bind(address: SocketAddr) -> Result<Self, ServeError> {
        let failed = |error| ServeError::Listen(address, error);
        let listener = listener::listen(address).map_err(failed)?;
        Ok(Self { address: listener.local_addr().map_err(failed)?, listener })
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until it is dropped.
    pub(crate) async fn run(self, app: Router, limits: &LimitConfig, shutdown: Shutdown) {
        let access = AccessControl {
            limits: Limits::new(*limits, &DefaultClock::default()),
            proxies: Proxies::default(),
            origins: AllowedOrigins::default(),
            shutdown,
        };
        let access = Arc::new(access);
        let app = app.layer(from_fn_with_state(access.clone(), guard::attach_client));
        let accepting = connection::accept(self.listener, ServerState { app, access: access.clone(), tls: None });
        let cleaning = async {
            let mut cleanup = tokio::time::interval(CLEANUP_INTERVAL);
            loop {
                cleanup.tick().await;
                access.limits.remove_expired();
            }
        };
        tokio::join!(accepting, cleaning);
    }
}

/// Reloads the TLS certificate on SIGHUP.
#[cfg(unix)]
async fn reload_on_hangup(certificates: Arc<Certificates>) {
    use tokio::signal::unix::{SignalKind, signal};

    let mut hangups = match signal(SignalKind::hangup()) {
        Ok(hangups) => hangups,
        Err(error) => {
            tracing::warn!(%error, "no SIGHUP handler: a new TLS certificate needs a restart");
            return;
        }
    };
    while hangups.recv().await.is_some() {
        match certificates.reload() {
            Ok(()) => tracing::info!("TLS certificate reloaded"),
            Err(error) => tracing::error!(%error, "TLS reload failed, keeping the current certificate"),
        }
    }
}

#[cfg(not(unix))]
async fn reload_on_hangup(_: Arc<Certificates>) {}
