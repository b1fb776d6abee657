//! Refusals in plain words.

use std::fmt::Display;

use axum::http::header::{CONNECTION, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::limits::Wait;

/// A sentence that says why.
pub(super) fn say(status: StatusCode, sentence: impl Display) -> Response {
    (status, format!("{sentence}\n")).into_response()
}

/// Too much of something.
pub(super) fn too_much(wait: Wait) -> Response {
    let mut response = say(StatusCode::TOO_MANY_REQUESTS, format_args!("too much at once; {wait}"));
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(wait.seconds()));
    response
}

/// The relay is about to end.
pub(super) fn stopping() -> Response {
    let mut response = say(StatusCode::SERVICE_UNAVAILABLE, "the relay is stopping; another one will be here soon");
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

/// The same for somebody whose request is not even read, in the bytes of HTTP.
pub(super) fn unread(wait: Wait) -> String {
    let sentence = format!("too many connections; {wait}\n");
    format!(
        "HTTP/1.1 429 Too Many Requests\r\nretry-after: {}\r\nconnection: close\r\ncontent-type: text/plain; \
         charset=utf-8\r\ncontent-length: {}\r\n\r\n{sentence}",
        wait.seconds(),
        sentence.len()
    )
}
