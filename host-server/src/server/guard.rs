//! What every request goes through before anybody looks at it: who it is from, how much of it there may be, and whose page
//! it comes from.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE,
    ORIGIN, UPGRADE, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::door::{Connection, Door, Entrance};
use super::metrics::{self, Limit};
use super::{address, body, refusal};

/// Who is at the other end of the connection that a request came by.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    pub(super) address: IpAddr,
    pub(super) connection: Arc<Connection>,
}

/// Lets a request in, or does not.
pub(super) async fn guard(State(entrance): State<Arc<Entrance>>, mut request: Request, next: Next) -> Response {
    if entrance.shutdown.is_stopping() {
        return refusal::stopping();
    }
    // It is there: the loop that accepts connections writes it.
    let Some(peer) = request.extensions_mut().remove::<Peer>() else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let client = address::client(peer.address, request.headers(), &entrance.proxies);
    // A page has many files, and a school with one address many people who open it at the same time.
    let is_file = request.uri().path().starts_with(crate::page::FILES);
    if !is_file && let Err(wait) = entrance.limits.request(client) {
        return refusal::too_much(wait);
    }
    let permit = if address::is_proxy(peer.address, &entrance.proxies) {
        match entrance.limits.connect_through_proxy(client) {
            Ok(permit) => Some(permit),
            Err(wait) => return refusal::too_much(wait),
        }
    } else {
        None
    };
    let origin = request.headers().get(ORIGIN).cloned();
    let is_friend = entrance.origins.check(request.headers());
    if let Err(stranger) = is_friend
        && can_change_something(request.method(), request.headers())
    {
        metrics::refused(Limit::Origin);
        return refusal::say(StatusCode::FORBIDDEN, stranger);
    }
    if request.method() == Method::OPTIONS && origin.is_some() && is_friend.is_ok() {
        return allow_reading(StatusCode::NO_CONTENT.into_response(), origin);
    }
    let is_local = address::is_local(peer.address, request.headers(), &entrance.proxies);
    request.extensions_mut().insert(Door::new(client, is_local, peer.connection, permit, entrance));
    let request = request.map(|content: Body| body::hurry(content));
    let mut response = next.run(request).await;
    // Names that strangers have chosen are in the answers. A browser must not take such an answer for a page.
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if is_friend.is_ok() { allow_reading(response, origin) } else { response }
}

/// Reading is harmless: a browser does not show the answer to a page that may not see it.
fn can_change_something(method: &Method, headers: &HeaderMap) -> bool {
    !method.is_safe() || headers.contains_key(UPGRADE)
}

/// Tells a browser that a page from elsewhere may read the answer.
fn allow_reading(mut response: Response, origin: Option<HeaderValue>) -> Response {
    let Some(origin) = origin else { return response };
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.append(VARY, HeaderValue::from_static("origin"));
    if response.status() == StatusCode::NO_CONTENT {
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, PUT, DELETE"));
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("authorization, content-type"));
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("3600"));
    }
    response
}
