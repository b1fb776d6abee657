//! What the browser is told that pages from here never do, so that it need not let them.

use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

/// Whatever somebody manages to smuggle into a page: it cannot run, load anything, or send anything elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Something that is shown by itself.
pub(super) fn of_document(response: Response) -> Response {
    let promises = [
        (CONTENT_SECURITY_POLICY, POLICY),
        // The address of a game lets whoever sees it watch.
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    of_file(with(response, promises))
}

/// Something that only pages use. There are many of them, so nothing is said that means nothing.
pub(super) fn of_file(response: Response) -> Response {
    let promises =
        [(X_CONTENT_TYPE_OPTIONS, "nosniff"), (HeaderName::from_static("cross-origin-resource-policy"), "same-origin")];
    with(response, promises)
}

fn with<const N: usize>(mut response: Response, promises: [(HeaderName, &'static str); N]) -> Response {
    for (name, value) in promises {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
