//! The way to the relay of the same process: a WebSocket as any other, on a wire that never leaves it.
//!
//! It does not matter where the relay listens, whether it speaks TLS there, and how many connections it takes from one
//! address.

use std::convert::Infallible;

use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::DuplexStream;
use tower::ServiceExt;

use super::line::Way;

/// What may be on the wire.
const WIRE: usize = 8 * 1_024;

/// The way to where these routes are.
pub(crate) fn way(routes: Router) -> Way {
    Way::new("ws://loopback/ws/board".to_owned(), move || {
        let routes = routes.clone();
        Box::pin(async move {
            let (here, there) = tokio::io::duplex(WIRE);
            tokio::spawn(serve(routes, there));
            Ok(here)
        })
    })
}

async fn serve(routes: Router, wire: DuplexStream) {
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let routes = routes.clone();
        async move {
            let Ok(response) = routes.oneshot(request.map(Body::new)).await;
            Ok::<_, Infallible>(response)
        }
    });
    let conversation = http1::Builder::new().serve_connection(TokioIo::new(wire), service).with_upgrades();
    if let Err(error) = conversation.await {
        tracing::trace!(%error, "the virtual board's connection ended in the middle of something");
    }
}
