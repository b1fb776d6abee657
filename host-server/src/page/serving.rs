//! A file as an answer.

use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::shelf::File;

/// It has to be asked for again each time, but need not be sent again.
const ASK: &str = "no-cache";
/// It will never be anything else.
const FOREVER: &str = "public, max-age=31536000, immutable";
/// It costs little to make again, and nobody needs it twice.
const A_WHILE: &str = "private, max-age=3600";
/// It says nothing about the next time.
const NEVER: &str = "no-store";

/// A page.
pub(super) fn document(file: &File, asked: &HeaderMap) -> Response {
    answer(file, ASK, asked)
}

/// A file of a page, which may be kept if it will never be another one.
pub(super) fn file(file: &File, is_final: bool, asked: &HeaderMap) -> Response {
    answer(file, if is_final { FOREVER } else { ASK }, asked)
}

/// A page in place of one that is not there. Nobody keeps it: something may be there tomorrow.
pub(super) fn lost(file: &File, asked: &HeaderMap) -> Response {
    let mut response = whole(file, asked);
    *response.status_mut() = StatusCode::NOT_FOUND;
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(NEVER));
    headers.insert(VARY, HeaderValue::from_static("accept, accept-encoding"));
    response
}

/// A picture that was drawn for this request.
pub(super) fn picture(svg: String) -> Response {
    ([(CONTENT_TYPE, "image/svg+xml"), (CACHE_CONTROL, A_WHILE)], svg).into_response()
}

fn answer(file: &File, cache: &'static str, asked: &HeaderMap) -> Response {
    let is_known = asked.get(IF_NONE_MATCH).is_some_and(|tags| matches(tags, &file.tag));
    let mut response = if is_known { StatusCode::NOT_MODIFIED.into_response() } else { whole(file, asked) };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&file.tag) {
        headers.insert(ETAG, tag);
    }
    response
}

fn whole(file: &File, asked: &HeaderMap) -> Response {
    match &file.gzip {
        Some(squeezed) if takes_gzip(asked) => {
            ([(CONTENT_TYPE, file.media_type), (CONTENT_ENCODING, "gzip")], squeezed.clone()).into_response()
        }
        _ => ([(CONTENT_TYPE, file.media_type)], file.plain.clone()).into_response(),
    }
}

/// Whether whoever asks would like a page. Programs that want anything, or do not say, are told in a few words.
pub(super) fn wants_page(asked: &HeaderMap) -> bool {
    let wanted = asked.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    wanted.flat_map(|value| value.split(',')).any(|kind| {
        let name = kind.split(';').next().unwrap_or_default().trim();
        name.eq_ignore_ascii_case("text/html")
    })
}

/// Whether one of these tags is this one. A proxy that squeezes what it hands on marks a tag as weak.
fn matches(tags: &HeaderValue, tag: &str) -> bool {
    let Ok(tags) = tags.to_str() else { return false };
    tags.split(',').map(str::trim).any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag)
}

fn takes_gzip(asked: &HeaderMap) -> bool {
    let codings = asked.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    codings.flat_map(|value| value.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip") || name == "*");
        // It is refused by name with a weight of nothing.
        let weight = parts.find_map(|part| part.strip_prefix("q=")).map_or(Ok(1.0), str::parse::<f32>);
        is_gzip && weight.is_ok_and(|weight| weight > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_browser_takes_is_read() {
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
    fn a_tag_is_known_by_any_of_its_names() {
        for (tags, expected) in
            [("\"a\"", true), ("W/\"a\"", true), ("\"b\", \"a\"", true), ("*", true), ("\"b\"", false), ("a", false)]
        {
            assert_eq!(matches(&tags.parse().unwrap(), "\"a\""), expected, "{tags}");
        }
    }
}
