//! Plain-text responses for refused requests.

use std::fmt::Display;

use axum::http::header::{CONNECTION, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::limits::RetryAfter;

pub(super) fn refuse(status: StatusCode, reason: impl Display) -> Response {
    (status, format!("{reason}\n")).into_response()
}

/// 429 with `Retry-After`.
pub(super) fn rate_limited(retry: RetryAfter) -> Response {
    let mut response = refuse(StatusCode::TOO_MANY_REQUESTS, format_args!("too many requests; {retry}"));
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(retry.seconds()));
    response
}

/// 503 while the relay shuts down.
pub(super) fn stopping() -> Response {
    let mut response = refuse(StatusCode::SERVICE_UNAVAILABLE, "the relay is restarting; try again in a second");
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

/// The bytes of a 429 response for a connection over the limit, whose request is never read.
pub(super) fn too_many_connections(retry: RetryAfter) -> String {
    let body = format!("too many connections; {retry}\n");
    format!(
        "HTTP/1.1 429 Too Many Requests\r\nretry-after: {}\r\nconnection: close\r\ncontent-type: text/plain; \
         charset=utf-8\r\ncontent-length: {}\r\n\r\n{body}",
        retry.seconds(),
        body.len()
    )
}
