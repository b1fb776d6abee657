//! Serves the web page at `/` and `/g/{code}`, the list of games at `/games`, the page for rule scripts at `/rules` and the laboratory at `/lab`, with their files.
//!
//! The files are those under `host-server/page/`, compiled into the program. A debug build reads them from the disk for each
//! request, so that a reload shows changes.
//!
//! - `assets.rs`: the files, compressed and with their version; `serving.rs`: responses with caching headers.
//! - `security.rs`: Content-Security-Policy and similar headers.
//! - `qr.rs`: QR codes of links to games.
//! - `addresses.rs`: the URLs of a relay on its own machine and in the network.
//!
//! An unknown path gets `page/lost.html` in a browser, and one line of text otherwise.
//!
//! A new page is an HTML file under `page/` and a route that calls `document`. It refers to its files as `/page/...`, which is
//! sent as `/page/{version}/...`, so that a browser can cache them for ever.

mod addresses;
mod assets;
mod comments;
mod qr;
mod security;
mod serving;

use std::net::SocketAddr;
use std::sync::LazyLock;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use serde_json::json;

use crate::config::{AllowedOrigins, TouchPolicy};
use crate::server::{ClientContext, STATIC_FILES as FILES};
pub(crate) use addresses::{PageAddresses, outgoing_address};
use assets::{ASSETS, Assets};

/// State of the page's routes.
#[derive(Clone, Debug, Default)]
pub struct PageState {
    /// Origins for whose links QR codes are drawn.
    pub origins: AllowedOrigins,
    /// Listen address of the relay, if known.
    pub listening: Option<SocketAddr>,
    /// Whether the relay itself terminates TLS.
    pub tls: bool,
    /// Who may move the pieces of the relay's virtual board, if it has one.
    pub board: Option<TouchPolicy>,
}

impl PageState {
    /// Computed for each request, since the machine may change its network.
    fn addresses(&self) -> Option<PageAddresses> {
        self.listening.map(|listening| PageAddresses::of(listening, self.tls))
    }
}

/// Routes of the page and of all files.
pub fn routes(state: PageState) -> Router {
    // Compress the files at the start, and not for the first request.
    LazyLock::force(&ASSETS);
    Router::new()
        .route("/", get(play))
        .route("/g/{code}", get(play))
        .route("/g/{code}/", get(play))
        .route("/games", get(games))
        .route("/rules", get(write_rules))
        .route("/lab", get(laboratory))
        .route("/qr.svg", get(draw))
        .route("/whereabouts", get(whereabouts))
        .with_state(state)
        .merge(files())
}

/// Routes of the files, and the fallback for unknown paths.
pub(crate) fn files() -> Router {
    files_of(&ASSETS)
}

fn files_of(assets: &'static Assets) -> Router {
    Router::new().route("/page/{*path}", get(file)).with_state(assets).fallback(lost)
}

async fn play(headers: HeaderMap) -> Response {
    document("index.html", &headers)
}

/// The games of a browser, and of a board.
async fn games(headers: HeaderMap) -> Response {
    document("games.html", &headers)
}

/// The page on which users write rules.
async fn write_rules(headers: HeaderMap) -> Response {
    document("rules.html", &headers)
}

async fn laboratory(headers: HeaderMap) -> Response {
    document("laboratory.html", &headers)
}

/// The response with an HTML file.
pub(crate) fn document(name: &str, headers: &HeaderMap) -> Response {
    match ASSETS.document(name) {
        Some(file) => security::for_document(serving::document(&file, headers)),
        None => not_found(),
    }
}

async fn file(State(assets): State<&'static Assets>, Path(path): Path<String>, headers: HeaderMap) -> Response {
    // A page from before an upgrade, or from another relay, asks for another version.
    let (version, name) = path.split_once('/').unwrap_or_default();
    match assets.file(name).or_else(|| assets.file(&path)) {
        Some(file) => security::for_file(serving::file(&file, assets.is_immutable(version), &headers)),
        None => not_found(),
    }
}

async fn lost(headers: HeaderMap) -> Response {
    match ASSETS.document("lost.html").filter(|_| serving::wants_page(&headers)) {
        Some(file) => security::for_document(serving::lost(&file, &headers)),
        None => not_found(),
    }
}

/// The relay's URL in the local network, for sharing links from a page opened as `localhost`, and whether there is a virtual
/// board whose pieces the client may move.
async fn whereabouts(State(state): State<PageState>, client: Option<ClientContext>) -> Response {
    // A client from elsewhere must not learn the addresses of the private network.
    let is_local = client.is_some_and(|client| client.is_local());
    let has_board = state.board.is_some_and(|touch| touch == TouchPolicy::All || is_local);
    let nearby = state.addresses().filter(|_| is_local).and_then(PageAddresses::nearby);
    ([(CACHE_CONTROL, "no-store")], Json(json!({ "nearby": nearby, "board": has_board }))).into_response()
}

async fn draw(State(state): State<PageState>, uri: Uri, headers: HeaderMap) -> Response {
    let is_ours = |origin: &str| {
        let is_allowed = HeaderValue::from_str(origin).is_ok_and(|origin| {
            let mut asked = headers.clone();
            asked.insert(ORIGIN, origin);
            state.origins.check(&asked).is_ok()
        });
        is_allowed || state.addresses().is_some_and(|relay| relay.is_nearby(origin))
    };
    match qr::draw(&uri, is_ours) {
        Ok(picture) => security::for_document(serving::picture(picture)),
        Err(refusal) => (StatusCode::BAD_REQUEST, format!("{refusal}\n")).into_response(),
    }
}

fn not_found() -> Response {
    (StatusCode::NOT_FOUND, "not found\n").into_response()
}

#[cfg(test)]
mod tests;
