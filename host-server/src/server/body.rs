//! What comes with a request, in time.

use std::io;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use futures_util::{StreamExt, stream};
use tokio::time::{Instant, timeout_at};

/// So long may it take. Otherwise a client that sends a byte a minute would keep us for days.
const IN_TIME: Duration = Duration::from_secs(30);

/// The same content, which fails if it has not come in time.
pub(super) fn hurry(body: Body) -> Body {
    if body.is_end_stream() {
        return body;
    }
    let deadline = Instant::now() + IN_TIME;
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
