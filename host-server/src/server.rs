//! The shell around the relay: everything of `tabiya serve` that is neither rooms, nor stores, nor tongues.
//!
//! ```text
//! listener -> connection (TLS, HTTP, time limits) -> guard (who, how much, whose page) -> Door -> a tongue
//! ```
//!
//! - `listener.rs`, `tls.rs`, `connection.rs`: from a socket to requests. Each connection has a task, so nobody waits.
//! - `guard.rs`: what every request goes through; `address.rs`, `limits/`, `origin.rs` are what it asks.
//! - `door.rs`, `socket.rs`, `keepalive.rs`: what a tongue needs to talk to somebody.
//! - `shutdown.rs`: how it all ends; `watch.rs`, `metrics.rs`, `log.rs`: how it is seen from outside.
//! - `control.rs`: how other commands on the same machine talk to it.

mod address;
mod body;
mod connection;
#[cfg(unix)]
pub mod control;
mod descriptors;
mod door;
mod guard;
mod keepalive;
mod limits;
mod listener;
mod log;
pub mod metrics;
mod origin;
mod process;
mod refusal;
mod shutdown;
mod socket;
mod tls;
mod watch;

use std::fmt;
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

pub(crate) use descriptors::take_all as take_all_descriptors;
pub use door::Door;
pub use keepalive::{Beat, Keepalive};
pub use limits::{MessageRate, Wait};
pub(crate) use log::begin as begin_log;
pub use log::{LogFormat, Named};
pub use origin::{AllowedOrigins, BadOrigin, Stranger};
pub use shutdown::Shutdown;
pub use socket::{Goodbye, SendError, part, reading_failed, send};
pub use tls::TlsError;
pub use watch::StoreCheck;

use connection::House;
use door::Entrance;
use limits::Limits;
use tls::Certificates;
use watch::Watch;

use crate::config::Config;

/// Requests with more than this in them are refused, unless a tongue asks for more.
const LARGEST_REQUEST: usize = 64 * 1_024;
/// How often addresses are forgotten and figures are put in order.
const UPKEEP: Duration = Duration::from_secs(10);

/// Why a relay cannot serve.
#[derive(Debug)]
pub enum ServeError {
    /// It cannot listen there.
    Listen(SocketAddr, io::Error),
    /// It cannot show its certificate.
    Tls(TlsError),
    /// It cannot hear when it is told to stop.
    Signals(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listen(address, error) => write!(f, "cannot listen on {address}: {error}"),
            Self::Tls(error) => error.fmt(f),
            Self::Signals(error) => write!(f, "cannot listen to signals: {error}"),
        }
    }
}

impl std::error::Error for ServeError {}

/// A relay that listens, but does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    metrics_listener: Option<TcpListener>,
    certificates: Option<Arc<Certificates>>,
    config: Config,
}

impl Server {
    /// Begins to listen. Whatever could go wrong goes wrong here.
    pub fn bind(config: &Config) -> Result<Self, ServeError> {
        // What happens before the first request counts as well: rooms are taken over before anybody can ask.
        metrics::install();
        descriptors::raise(&config.limits);
        let listen = |address| listener::listen(address).map_err(|error| ServeError::Listen(address, error));
        let certificates = config.tls.as_ref().map(Certificates::load).transpose().map_err(ServeError::Tls)?;
        Ok(Self {
            listener: listen(config.listen)?,
            metrics_listener: config.metrics.listen.map(listen).transpose()?,
            certificates,
            config: config.clone(),
        })
    }

    /// Where it listens, which it has chosen itself if the port was 0.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Where its figures are, if they have an address of their own.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics_listener.as_ref().and_then(|listener| listener.local_addr().ok())
    }

    /// Answers until it is told to stop and everybody has gone, or had time to.
    pub async fn run(self, routes: Router, store: StoreCheck, shutdown: Shutdown) -> Result<(), ServeError> {
        let Self { listener, metrics_listener, certificates, config } = self;
        let figures = metrics::install();
        let entrance = Arc::new(Entrance {
            limits: Limits::new(config.limits, &DefaultClock::default()),
            proxies: config.proxies.clone(),
            origins: config.origins.clone(),
            shutdown: shutdown.clone(),
        });
        let tls = certificates.as_ref().map(Certificates::acceptor).transpose().map_err(ServeError::Tls)?;
        let watch = Watch::new(store, shutdown.clone(), config.proxies, config.metrics);
        let guarded = routes
            .layer(DefaultBodyLimit::max(LARGEST_REQUEST))
            .layer(from_fn_with_state(entrance.clone(), guard::guard));
        let app = watch.routes().merge(guarded);

        let mut tasks = JoinSet::new();
        if let Some(listener) = metrics_listener {
            // Whoever may ask here is not limited, and does not speak TLS.
            let limits = Limits::new(without_limits(config.limits), &DefaultClock::default());
            let entrance = Entrance {
                limits,
                proxies: crate::config::Proxies::default(),
                origins: AllowedOrigins::default(),
                shutdown: Shutdown::new(),
            };
            let house = House { app: watch.own_routes(), entrance: Arc::new(entrance), tls: None };
            tasks.spawn(connection::accept(listener, house));
        }
        if let Some(certificates) = certificates {
            tasks.spawn(renew(certificates));
        }
        tasks.spawn(connection::accept(listener, House { app, entrance: entrance.clone(), tls }));

        let mut upkeep = tokio::time::interval(UPKEEP);
        loop {
            tokio::select! {
                () = shutdown.stopping().cancelled() => break,
                _ = upkeep.tick() => {
                    entrance.limits.forget();
                    figures.run_upkeep();
                }
            }
        }
        // Meanwhile the door stays open, so that whoever comes is told to come back, and whoever asks how it is.
        let left = shutdown.finish(config.stop_within).await;
        if left > 0 {
            tracing::warn!(left, "connections that did not end in time are cut");
        }
        Ok(())
    }
}

fn without_limits(limits: crate::config::LimitConfig) -> crate::config::LimitConfig {
    crate::config::LimitConfig {
        connections: None,
        connections_per_address: None,
        connections_per_minute: None,
        requests_per_minute: None,
        joins_per_minute: None,
        messages_per_second: None,
        message: limits.message,
    }
}

/// Reads the certificate again whenever somebody says that there is a new one.
#[cfg(unix)]
async fn renew(certificates: Arc<Certificates>) {
    use tokio::signal::unix::{SignalKind, signal};

    let mut hangups = match signal(SignalKind::hangup()) {
        Ok(hangups) => hangups,
        Err(error) => {
            tracing::warn!(%error, "a new certificate will need a restart");
            return;
        }
    };
    while hangups.recv().await.is_some() {
        match certificates.reload() {
            Ok(()) => tracing::info!("the certificate was read again"),
            Err(error) => tracing::error!(%error, "the old certificate stays"),
        }
    }
}

#[cfg(not(unix))]
async fn renew(_: Arc<Certificates>) {}
