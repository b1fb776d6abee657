use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

/// Whatever somebody manages to smuggle into a page: it cannot run, load anything, or send anything elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Tells the browser what pages from here never do, so that it need not let them.
pub(super) fn keep(mut response: Response) -> Response {
    let promises: [(HeaderName, &str); 5] = [
        (CONTENT_SECURITY_POLICY, POLICY),
        // The address of a game lets whoever sees it watch.
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    let headers = response.headers_mut();
    for (name, value) in promises {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
