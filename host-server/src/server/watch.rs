//! How the relay is, for those who look after it.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{CONNECTION, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use futures_util::future::BoxFuture;
use serde_json::json;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::guard::Peer;
use super::shutdown::Shutdown;
use super::{address, metrics, process, refusal};
use crate::config::{MetricsConfig, Proxies};

/// The store is not asked more often than this, however often somebody asks us.
const FRESH_FOR: Duration = Duration::from_secs(1);
/// A store that takes longer does not work.
const STORE_WITHIN: Duration = Duration::from_secs(2);

/// Asks the store whether it works.
pub type StoreCheck = Arc<dyn Fn() -> BoxFuture<'static, Result<(), String>> + Send + Sync>;

/// What it takes to answer.
pub(super) struct Watch {
    store: StoreCheck,
    last: Mutex<Option<(Instant, bool)>>,
    begun: Instant,
    shutdown: Shutdown,
    proxies: Proxies,
    metrics: MetricsConfig,
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}

impl Watch {
    pub(super) fn new(store: StoreCheck, shutdown: Shutdown, proxies: Proxies, metrics: MetricsConfig) -> Arc<Self> {
        Arc::new(Self { store, last: Mutex::default(), begun: Instant::now(), shutdown, proxies, metrics })
    }

    /// What everybody may ask.
    pub(super) fn routes(self: &Arc<Self>) -> Router {
        let router = Router::new().route("/healthz", get(health));
        let router = if self.metrics.listen.is_none() { router.route("/metrics", get(figures)) } else { router };
        router.with_state(self.clone())
    }

    /// What may be asked at an address of its own.
    pub(super) fn own_routes(self: &Arc<Self>) -> Router {
        let router = Router::new().route("/healthz", get(health)).route("/metrics", get(all_figures));
        router.with_state(self.clone())
    }

    /// Everybody who asks at the same time waits for the same answer.
    async fn store_works(&self) -> bool {
        let mut last = self.last.lock().await;
        if let Some((when, works)) = *last
            && when.elapsed() < FRESH_FOR
        {
            return works;
        }
        let works = match timeout(STORE_WITHIN, (self.store)()).await {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                tracing::error!(error, "the store does not work");
                false
            }
            Err(_) => {
                tracing::error!("the store does not answer");
                false
            }
        };
        *last = Some((Instant::now(), works));
        works
    }

    /// Figures tell how many people play, and when; a stranger has no business with that.
    fn may_see_figures(&self, peer: IpAddr, request: &Request) -> bool {
        self.metrics.public || address::is_local(peer, request.headers(), &self.proxies)
    }
}

/// What is wrong with the store is in the log, and not told to everybody.
async fn health(State(watch): State<Arc<Watch>>) -> Response {
    let stopping = watch.shutdown.is_stopping();
    let store = watch.store_works().await;
    let (code, status) = match (stopping, store) {
        (true, _) => (StatusCode::SERVICE_UNAVAILABLE, "stopping"),
        (false, false) => (StatusCode::SERVICE_UNAVAILABLE, "the store does not work"),
        (false, true) => (StatusCode::OK, "ok"),
    };
    let answer = json!({
        "status": status,
        "version": env!("CARGO_PKG_VERSION"),
        "store": if store { "ok" } else { "failing" },
        "uptime_seconds": watch.begun.elapsed().as_secs(),
    });
    let mut response = (code, Json(answer)).into_response();
    if stopping {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

async fn figures(State(watch): State<Arc<Watch>>, request: Request) -> Response {
    let peer = request.extensions().get::<Peer>().map(|peer| peer.address);
    if peer.is_some_and(|peer| watch.may_see_figures(peer, &request)) {
        return all_figures().await;
    }
    let sentence = "figures are only shown on the relay's own machine, or with --metrics-public or --metrics-listen";
    refusal::say(StatusCode::FORBIDDEN, sentence)
}

async fn all_figures() -> Response {
    let page = metrics::install().render() + &process::render();
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], page).into_response()
}
