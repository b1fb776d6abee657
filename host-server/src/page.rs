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
//! Another page is another document under `page/` and a line of routes that calls [`document`]. It names its files as
//! `/page/...`; on the way out that becomes `/page/{version}/...`, which a browser may keep for ever.

mod promises;
mod qr;
mod serving;
mod shelf;
mod whereabouts;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::server::AllowedOrigins;
use shelf::SHELF;
pub(crate) use whereabouts::Whereabouts;

/// Where the files of pages are. They are small, always the same, and many at once, so they are not counted as requests.
pub(crate) const FILES: &str = "/page/";

/// The page itself, and the files of all pages. Links to games of these origins are drawn as well.
pub fn routes(origins: AllowedOrigins) -> Router {
    Router::new()
        .route("/", get(play))
        .route("/g/{code}", get(play))
        .route("/page/{*path}", get(file))
        .route("/qr.svg", get(draw))
        .with_state(origins)
}

async fn play(headers: HeaderMap) -> Response {
    document("index.html", &headers)
}

/// A page of this name, as an answer to a request with these headers.
pub(crate) fn document(name: &str, headers: &HeaderMap) -> Response {
    match SHELF.document(name) {
        Some(file) => promises::keep(serving::document(&file, headers)),
        None => nothing(),
    }
}

async fn file(Path(path): Path<String>, headers: HeaderMap) -> Response {
    // Another version is what a page asks for that came from another relay, or a moment before this one was started.
    let (version, name) = path.split_once('/').unwrap_or_default();
    match SHELF.file(name).or_else(|| SHELF.file(&path)) {
        Some(file) => promises::keep(serving::file(&file, version == SHELF.version(), &headers)),
        None => nothing(),
    }
}

async fn draw(State(origins): State<AllowedOrigins>, uri: Uri, headers: HeaderMap) -> Response {
    match qr::draw(&uri, &headers, &origins) {
        Ok(picture) => promises::keep(serving::picture(picture)),
        Err(refusal) => (StatusCode::BAD_REQUEST, format!("{refusal}\n")).into_response(),
    }
}

fn nothing() -> Response {
    (StatusCode::NOT_FOUND, "there is no such page\n").into_response()
}

#[cfg(test)]
mod tests;
