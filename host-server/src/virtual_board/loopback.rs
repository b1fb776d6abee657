//! Connects a virtual board to the relay of the same process: WebSocket over an in-memory stream.
//!
//! It is independent of the listen address, TLS and the connection limits.

use std::convert::Infallible;

use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::DuplexStream;
use tower::ServiceExt;

use super::relay_link::RelayConnector;

/// Buffer of the stream in bytes.
const BUFFER: usize = 8 * 1_024;

/// A connector that serves these routes.
pub(crate) fn connector(routes: Router) -> RelayConnector {
    RelayConnector::new("ws://loopback/ws/board".to_owned(), move || {
        let routes = routes.clone();
        Box::pin(async move {
            let (here, there) = tokio::io::duplex(BUFFER);
            tokio::spawn(serve(routes, there));
            Ok(here)
        })
    })
}

async fn serve(routes: Router, stream: DuplexStream) {
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let routes = routes.clone();
        async move {
            let Ok(response) = routes.oneshot(request.map(Body::new)).await;
            Ok::<_, Infallible>(response)
        }
    });
    let session = http1::Builder::new().serve_connection(TokioIo::new(stream), service).with_upgrades();
    if let Err(error) = session.await {
        tracing::trace!(%error, "in-memory connection of the virtual board ended with an error");
    }
}
