//! `/healthz` and `/metrics`.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{CONNECTION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use futures_util::future::BoxFuture;
use serde_json::json;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::guard::Peer;
use super::shutdown::Shutdown;
use super::{address, refusal};
use crate::config::{AllowedOrigins, MetricsConfig};
use crate::metrics;

/// How long a result of the store check is reused.
const CACHE_TIME: Duration = Duration::from_secs(1);
/// A store check that takes longer counts as failed.
const STORE_TIMEOUT: Duration = Duration::from_secs(2);

/// Checks that the store answers.
pub type StoreCheck = Arc<dyn Fn() -> BoxFuture<'static, Result<(), String>> + Send + Sync>;

/// State of the health and metrics routes.
pub(super) struct Health {
    store: StoreCheck,
    last: Mutex<Option<(Instant, bool)>>,
    started: Instant,
    shutdown: Shutdown,
    metrics: MetricsConfig,
    /// Names by which the metrics may be asked for.
    origins: AllowedOrigins,
}

impl fmt::Debug for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Health").finish_non_exhaustive()
    }
}

impl Health {
    pub(super) fn new(
        store: StoreCheck,
        shutdown: Shutdown,
        metrics: MetricsConfig,
        origins: AllowedOrigins,
    ) -> Arc<Self> {
        Arc::new(Self { store, last: Mutex::default(), started: Instant::now(), shutdown, metrics, origins })
    }

    /// Routes on the relay's address.
    pub(super) fn routes(self: &Arc<Self>) -> Router {
        let router = Router::new().route("/healthz", get(healthz));
        let router = if self.metrics.listen.is_none() { router.route("/metrics", get(local_metrics)) } else { router };
        router.with_state(self.clone())
    }

    /// Routes on the separate address of `--metrics-listen`.
    pub(super) fn metrics_routes(self: &Arc<Self>) -> Router {
        let router = Router::new().route("/healthz", get(healthz)).route("/metrics", get(named_metrics));
        router.with_state(self.clone())
    }

    /// Holds the lock during the check, so that concurrent requests share one result.
    async fn store_works(&self) -> bool {
        let mut last = self.last.lock().await;
        if let Some((when, works)) = *last
            && when.elapsed() < CACHE_TIME
        {
            return works;
        }
        let works = match timeout(STORE_TIMEOUT, (self.store)()).await {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                tracing::error!(error, "store check failed");
                false
            }
            Err(_) => {
                tracing::error!("store check timed out");
                false
            }
        };
        *last = Some((Instant::now(), works));
        works
    }

    /// Metrics show how many people play, and when, so they are private by default.
    fn may_see_metrics(&self, peer: IpAddr, request: &Request) -> bool {
        self.metrics.public || address::is_local(peer, request.headers())
    }
}

/// The error of the store is in the log and not in the response, which is public.
async fn healthz(State(health): State<Arc<Health>>) -> Response {
    let stopping = health.shutdown.is_stopping();
    let store = health.store_works().await;
    let (code, status) = match (stopping, store) {
        (true, _) => (StatusCode::SERVICE_UNAVAILABLE, "stopping"),
        (false, false) => (StatusCode::SERVICE_UNAVAILABLE, "store failing"),
        (false, true) => (StatusCode::OK, "ok"),
    };
    let answer = json!({
        "status": status,
        "version": env!("CARGO_PKG_VERSION"),
        "store": if store { "ok" } else { "failing" },
        "uptime_seconds": health.started.elapsed().as_secs(),
    });
    let mut response = (code, Json(answer)).into_response();
    if stopping {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

async fn local_metrics(State(health): State<Arc<Health>>, request: Request) -> Response {
    let peer = request.extensions().get::<Peer>().map(|peer| peer.address);
    if peer.is_some_and(|peer| health.may_see_metrics(peer, &request)) {
        return all_metrics();
    }
    let reason = "metrics are only available on the relay's own machine, or with --metrics-public or --metrics-listen";
    refusal::refuse(StatusCode::FORBIDDEN, reason)
}

/// Metrics on the address of their own. A page of any name could otherwise read them by DNS rebinding.
async fn named_metrics(State(health): State<Arc<Health>>, headers: HeaderMap) -> Response {
    match health.origins.check_metrics_host(&headers) {
        Ok(()) => all_metrics(),
        Err(error) => refusal::refuse(StatusCode::FORBIDDEN, error),
    }
}

fn all_metrics() -> Response {
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], metrics::render()).into_response()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_result_of_the_store_check_is_reused_for_a_second() {
        let checks = Arc::new(AtomicU32::new(0));
        let counter = checks.clone();
        // Only the first check succeeds.
        let check: StoreCheck = Arc::new(move || {
            let is_first = counter.fetch_add(1, Ordering::Relaxed) == 0;
            Box::pin(async move { if is_first { Ok(()) } else { Err("no answer".to_owned()) } })
        });
        let metrics = MetricsConfig { listen: None, public: false };
        let health = Health::new(check, Shutdown::new(), metrics, AllowedOrigins::default());
        assert!(health.store_works().await);
        tokio::time::advance(CACHE_TIME / 2).await;
        assert!(health.store_works().await);
        assert_eq!(checks.load(Ordering::Relaxed), 1);
        tokio::time::advance(CACHE_TIME / 2).await;
        assert!(!health.store_works().await);
        assert_eq!(checks.load(Ordering::Relaxed), 2);
    }
}
