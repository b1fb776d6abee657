//! Deadline for request bodies.

use std::io;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use futures_util::{StreamExt, stream};
use tokio::time::{Instant, timeout_at};

/// A client that sends one byte a minute must not hold a connection for days.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// Wraps a body so that reading fails with `TimedOut` after the deadline.
pub(super) fn with_deadline(body: Body) -> Body {
    if body.is_end_stream() {
        return body;
    }
    let deadline = Instant::now() + BODY_TIMEOUT;
    let chunks = stream::unfold(Some(body.into_data_stream()), move |chunks| async move {
        let mut chunks = chunks?;
        match timeout_at(deadline, chunks.next()).await {
            Ok(Some(Ok(chunk))) => Some((Ok(chunk), Some(chunks))),
            Ok(Some(Err(error))) => Some((Err(io::Error::other(error)), None)),
            Ok(None) => None,
            Err(_) => Some((Err(io::ErrorKind::TimedOut.into()), None)),
        }
    });
    Body::from_stream(chunks)
}
