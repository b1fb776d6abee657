//! What a browser is shown: the page on which people play, at `/` and `/g/{code}`.
//!
//! The files are those under `host-server/page/`; they are part of the program, so nothing has to be installed, and nothing
//! comes from elsewhere. In a debug build they are read from there each time, so that a reload shows what has changed.
//!
//! - `shelf.rs`: the files, with what is sent of them.
//! - `serving.rs`: an answer to a browser; `promises.rs`: what it is told about what a page may do.
//! - `qr.rs`: the address of a game as a picture.
//! - `whereabouts.rs`: where somebody who has started a relay finds its pages.
//!
//! Where there is nothing, a browser is shown `page/lost.html`, and a program told so.
//!
//! Another page is another document under `page/` and a line of routes that calls `document`. It names its files as
//! `/page/...`; on the way out that becomes `/page/{version}/...`, which a browser may keep for ever.

mod promises;
mod qr;
mod serving;
mod shelf;
mod whereabouts;

use std::net::SocketAddr;
use std::sync::LazyLock;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use serde_json::json;

use crate::server::AllowedOrigins;
use shelf::{SHELF, Shelf};
pub(crate) use whereabouts::Whereabouts;

/// Where the files of pages are. They are small, always the same, and many at once, so they are not counted as requests.
pub(crate) const FILES: &str = "/page/";

/// The relay whose pages they are.
#[derive(Clone, Debug, Default)]
pub struct House {
    /// Whose pages it lets in. Links to games there are drawn.
    pub origins: AllowedOrigins,
    /// Where it listens, if that is known.
    pub listening: Option<SocketAddr>,
    /// Whether it speaks TLS by itself.
    pub tls: bool,
    /// Whether it has a virtual board.
    pub has_board: bool,
}

impl House {
    /// A machine may be in another network every hour.
    fn whereabouts(&self) -> Option<Whereabouts> {
        self.listening.map(|listening| Whereabouts::of(listening, self.tls))
    }
}

/// The page itself, and the files of all pages.
pub fn routes(house: House) -> Router {
    // Nobody who comes should wait for the files to be made ready.
    LazyLock::force(&SHELF);
    Router::new()
        .route("/", get(play))
        .route("/g/{code}", get(play))
        .route("/g/{code}/", get(play))
        .route("/qr.svg", get(draw))
        .route("/whereabouts", get(whereabouts))
        .with_state(house)
        .merge(files())
}

/// The files of all pages, and what is shown where there is nothing.
pub(crate) fn files() -> Router {
    files_of(&SHELF)
}

fn files_of(shelf: &'static Shelf) -> Router {
    Router::new().route("/page/{*path}", get(file)).with_state(shelf).fallback(lost)
}

async fn play(headers: HeaderMap) -> Response {
    document("index.html", &headers)
}

/// A page of this name, as an answer to a request with these headers.
pub(crate) fn document(name: &str, headers: &HeaderMap) -> Response {
    match SHELF.document(name) {
        Some(file) => promises::of_document(serving::document(&file, headers)),
        None => nothing(),
    }
}

async fn file(State(shelf): State<&'static Shelf>, Path(path): Path<String>, headers: HeaderMap) -> Response {
    // Another version is what a page asks for that came from another relay, or a moment before this one was started.
    let (version, name) = path.split_once('/').unwrap_or_default();
    match shelf.file(name).or_else(|| shelf.file(&path)) {
        Some(file) => promises::of_file(serving::file(&file, shelf.is_final(version), &headers)),
        None => nothing(),
    }
}

/// Somebody has come to an address at which there is nothing.
async fn lost(headers: HeaderMap) -> Response {
    match SHELF.document("lost.html").filter(|_| serving::wants_page(&headers)) {
        Some(file) => promises::of_document(serving::lost(&file, &headers)),
        None => nothing(),
    }
}

/// What else there is: the relay's address in its network, for whoever has opened the page as `localhost` and wants to hand on
/// a link; and a board for whoever has none.
async fn whereabouts(State(house): State<House>) -> Response {
    let nearby = house.whereabouts().and_then(Whereabouts::nearby);
    ([(CACHE_CONTROL, "no-store")], Json(json!({ "nearby": nearby, "board": house.has_board }))).into_response()
}

async fn draw(State(house): State<House>, uri: Uri, headers: HeaderMap) -> Response {
    let is_ours = |origin: &str| {
        let is_allowed = HeaderValue::from_str(origin).is_ok_and(|origin| {
            let mut asked = headers.clone();
            asked.insert(ORIGIN, origin);
            house.origins.check(&asked).is_ok()
        });
        is_allowed || house.whereabouts().is_some_and(|relay| relay.is_nearby(origin))
    };
    match qr::draw(&uri, is_ours) {
        Ok(picture) => promises::of_document(serving::picture(picture)),
        Err(refusal) => (StatusCode::BAD_REQUEST, format!("{refusal}\n")).into_response(),
    }
}

fn nothing() -> Response {
    (StatusCode::NOT_FOUND, "there is no such page\n").into_response()
}

#[cfg(test)]
mod tests;
