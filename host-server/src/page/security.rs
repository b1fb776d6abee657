//! Security headers: Content-Security-Policy, referrer and cross-origin policies.

use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

/// Content-Security-Policy: an injected script or style does not run, and data cannot be sent to another server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Headers of an HTML page or a picture.
pub(super) fn for_document(response: Response) -> Response {
    let headers = [
        (CONTENT_SECURITY_POLICY, POLICY),
        // The address of a game gives access to it.
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for_file(with(response, headers))
}

/// Headers of the other files.
pub(super) fn for_file(response: Response) -> Response {
    let headers =
        [(X_CONTENT_TYPE_OPTIONS, "nosniff"), (HeaderName::from_static("cross-origin-resource-policy"), "same-origin")];
    with(response, headers)
}

fn with<const N: usize>(mut response: Response, headers: [(HeaderName, &'static str); N]) -> Response {
    for (name, value) in headers {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
