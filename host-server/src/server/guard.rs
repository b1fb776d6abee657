//! Middleware for every request: client address, rate limits, allowed hosts and origins (CORS), and a deadline for the body.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE, ORIGIN, UPGRADE, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::client::{AccessControl, ClientContext, ConnectionGuard};
use super::{ClientAddress, address, body, refusal};
use crate::metrics::{self, Limit};

/// Path of static files. `--requests-per-minute` does not count them: a page has many files, and a school with one address has
/// many people who open it at the same time.
pub(crate) const STATIC_FILES: &str = "/page/";

/// The connection that a request came by.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    pub(super) address: IpAddr,
    pub(super) guard: Arc<ConnectionGuard>,
}

pub(super) async fn guard(State(access): State<Arc<AccessControl>>, mut request: Request, next: Next) -> Response {
    if access.shutdown.is_stopping() {
        return refusal::stopping();
    }
    // `connection.rs` inserts it in every request.
    let Some(peer) = request.extensions_mut().remove::<Peer>() else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let client = address::client(peer.address, request.headers(), &access.proxies);
    let is_file = request.uri().path().starts_with(STATIC_FILES);
    if !is_file && let Err(retry) = access.limits.request(client) {
        return refusal::rate_limited(retry);
    }
    // A browser sends the origin with every WebSocket. Boards send none, and may know the relay by any name.
    let is_board = request.headers().contains_key(UPGRADE) && !request.headers().contains_key(ORIGIN);
    if !is_board && let Err(error) = access.origins.check_host(request.headers()) {
        metrics::refused(Limit::Host);
        return refusal::refuse(StatusCode::FORBIDDEN, error);
    }
    let permit = if address::is_proxy(peer.address, &access.proxies) {
        match access.limits.connect_through_proxy(client) {
            Ok(permit) => Some(permit),
            Err(retry) => return refusal::rate_limited(retry),
        }
    } else {
        None
    };
    let origin = request.headers().get(ORIGIN).cloned();
    let allowed = access.origins.check(request.headers());
    if let Err(error) = allowed
        && changes_state(request.method(), request.headers())
    {
        metrics::refused(Limit::Origin);
        return refusal::refuse(StatusCode::FORBIDDEN, error);
    }
    if request.method() == Method::OPTIONS && origin.is_some() && allowed.is_ok() {
        return with_cors(StatusCode::NO_CONTENT.into_response(), origin);
    }
    let is_local = address::is_local(peer.address, request.headers());
    request.extensions_mut().insert(ClientContext::new(client, is_local, peer.guard, permit, access));
    let request = request.map(|content: Body| body::with_deadline(content));
    let mut response = next.run(request).await;
    // Responses contain names that users chose; a browser must not sniff such a response as HTML.
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if allowed.is_ok() { with_cors(response, origin) } else { response }
}

/// Adds the client to a request at a listener whose routes check host and origin themselves.
pub(super) async fn attach_client(
    State(access): State<Arc<AccessControl>>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(peer) = request.extensions_mut().remove::<Peer>() else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let client = ClientAddress::from(peer.address);
    if let Err(retry) = access.limits.request(client) {
        return refusal::rate_limited(retry);
    }
    let is_local = address::is_local(peer.address, request.headers());
    request.extensions_mut().insert(ClientContext::new(client, is_local, peer.guard, None, access));
    next.run(request).await
}

/// Safe methods need no origin check: the browser itself hides the response from a page of another origin.
fn changes_state(method: &Method, headers: &HeaderMap) -> bool {
    !method.is_safe() || headers.contains_key(UPGRADE)
}

/// Adds the CORS headers.
fn with_cors(mut response: Response, origin: Option<HeaderValue>) -> Response {
    let Some(origin) = origin else { return response };
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    // The origin is never `*`, so cookies go to allowed origins only.
    headers.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
    headers.append(VARY, HeaderValue::from_static("origin"));
    if response.status() == StatusCode::NO_CONTENT {
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, PUT, DELETE"));
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("authorization, content-type"));
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("3600"));
    }
    response
}
