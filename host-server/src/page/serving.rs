//! Responses with a file: compression, `ETag` and caching.

use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::assets::File;

/// Revalidate with the `ETag` on each request.
const REVALIDATE: &str = "no-cache";
/// For URLs that contain the version.
const FOREVER: &str = "public, max-age=31536000, immutable";
/// For drawn pictures.
const ONE_HOUR: &str = "private, max-age=3600";
/// For pages at unknown paths.
const NEVER: &str = "no-store";

/// An HTML page.
pub(super) fn document(file: &File, request: &HeaderMap) -> Response {
    answer(file, REVALIDATE, request)
}

/// Another file; cached for ever if its URL contains the current version.
pub(super) fn file(file: &File, is_final: bool, request: &HeaderMap) -> Response {
    answer(file, if is_final { FOREVER } else { REVALIDATE }, request)
}

/// The page for an unknown path, with status 404.
pub(super) fn lost(file: &File, request: &HeaderMap) -> Response {
    let mut response = whole(file, request);
    *response.status_mut() = StatusCode::NOT_FOUND;
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(NEVER));
    headers.insert(VARY, HeaderValue::from_static("accept, accept-encoding"));
    response
}

pub(super) fn picture(svg: String) -> Response {
    ([(CONTENT_TYPE, "image/svg+xml"), (CACHE_CONTROL, ONE_HOUR)], svg).into_response()
}

fn answer(file: &File, cache: &'static str, request: &HeaderMap) -> Response {
    let is_known = request.get(IF_NONE_MATCH).is_some_and(|tags| matches(tags, &file.tag));
    let mut response = if is_known { StatusCode::NOT_MODIFIED.into_response() } else { whole(file, request) };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&file.tag) {
        headers.insert(ETAG, tag);
    }
    response
}

fn whole(file: &File, request: &HeaderMap) -> Response {
    match &file.gzip {
        Some(compressed) if takes_gzip(request) => {
            ([(CONTENT_TYPE, file.media_type), (CONTENT_ENCODING, "gzip")], compressed.clone()).into_response()
        }
        _ => ([(CONTENT_TYPE, file.media_type)], file.plain.clone()).into_response(),
    }
}

/// Whether the client accepts HTML. Other programs get plain text.
pub(super) fn wants_page(request: &HeaderMap) -> bool {
    let wanted = request.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    wanted.flat_map(|value| value.split(',')).any(|kind| {
        let name = kind.split(';').next().unwrap_or_default().trim();
        name.eq_ignore_ascii_case("text/html")
    })
}

/// Whether `If-None-Match` contains this tag. A proxy that compresses marks tags as weak.
fn matches(tags: &HeaderValue, tag: &str) -> bool {
    let Ok(tags) = tags.to_str() else { return false };
    tags.split(',').map(str::trim).any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag)
}

fn takes_gzip(request: &HeaderMap) -> bool {
    let codings = request.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    codings.flat_map(|value| value.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip") || name == "*");
        // `q=0` means not acceptable.
        let weight = parts.find_map(|part| part.strip_prefix("q=")).map_or(Ok(1.0), str::parse::<f32>);
        is_gzip && weight.is_ok_and(|weight| weight > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_accept_encoding_header() {
        for (header, expected) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("deflate, gzip;q=1.0, *;q=0.5", true),
            ("*", true),
            ("gzip;q=0", false),
            ("gzip; q=0.0", false),
            ("gzip;q=many", false),
            ("br", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, header.parse().unwrap());
            assert_eq!(takes_gzip(&headers), expected, "{header}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }

    #[test]
    fn matches_strong_and_weak_tags() {
        for (tags, expected) in
            [("\"a\"", true), ("W/\"a\"", true), ("\"b\", \"a\"", true), ("*", true), ("\"b\"", false), ("a", false)]
        {
            assert_eq!(matches(&tags.parse().unwrap(), "\"a\""), expected, "{tags}");
        }
    }
}
