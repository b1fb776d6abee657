//! QR code of a link to a game, as SVG.

use std::fmt::Write;

use axum::extract::Query;
use axum::http::Uri;
use qrcodegen::{QrCode, QrCodeEcc};

use crate::room::Code;

/// Quiet zone in modules, as the standard demands.
const MARGIN: i32 = 4;

/// Why no QR code is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoPicture {
    #[error("the query has no link to draw: /qr.svg?link=...")]
    NoLink,
    /// Other links are refused, so that a stranger cannot publish foreign addresses under the relay's name.
    #[error("only links to games of this relay are drawn")]
    NotOurs,
}

/// Draws the link of the query, if it leads to a game at one of the relay's origins.
pub(super) fn draw(uri: &Uri, is_ours: impl Fn(&str) -> bool) -> Result<String, NoPicture> {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri).map_err(|_| NoPicture::NoLink)?;
    let link = pairs.0.into_iter().find(|(key, _)| key == "link").ok_or(NoPicture::NoLink)?.1;
    if !leads_to_game(&link, is_ours) {
        return Err(NoPicture::NotOurs);
    }
    // At most 512 bytes, which always fit.
    let code = QrCode::encode_text(&link, QrCodeEcc::Medium).map_err(|_| NoPicture::NotOurs)?;
    Ok(svg_of(&code))
}

/// Whether a link is `http(s)://{origin of the relay}/g/{code}`, with or without `?clock`.
fn leads_to_game(link: &str, is_ours: impl Fn(&str) -> bool) -> bool {
    let Some((origin, code)) = link.rsplit_once("/g/") else { return false };
    // The second screen with the clocks of the game.
    let code = code.strip_suffix("?clock").unwrap_or(code);
    let is_web = origin.starts_with("http://") || origin.starts_with("https://");
    is_web && link.len() <= 512 && code.parse::<Code>().is_ok() && is_ours(origin)
}

/// Black on white, also in dark mode: cameras expect it.
fn svg_of(code: &QrCode) -> String {
    let side = code.size() + 2 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#fff\" d=\"M0 0h{side}v{side}H0z\"/><path d=\""
    );
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|&x| code.get_module(x, y)) {
            // Writing to a `String` cannot fail.
            let _ = write!(svg, "M{} {}h1v1h-1z", x + MARGIN, y + MARGIN);
        }
    }
    svg.push_str("\"/></svg>");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(link: &str) -> Result<String, NoPicture> {
        let uri = format!("/qr.svg?link={link}").parse().unwrap();
        draw(&uri, |origin| origin == "http://board.local:8080")
    }

    #[test]
    fn draws_links_to_games_of_this_relay() {
        let svg = drawn("http://board.local:8080/g/abc").unwrap();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
        // QR version 3 has 29 modules per side.
        assert!(svg.contains("viewBox=\"0 0 37 37\""));
        assert!(drawn("http://board.local:8080/g/abc?clock").is_ok());
    }

    #[test]
    fn refuses_other_links() {
        for link in [
            "https://evil.example/g/abc",
            "http://board.local:8080/",
            "http://board.local:8080/g/",
            "http://board.local:8080/g/a-b",
            "http://board.local:8080/g/abc?watch",
            "http://board.local:8080/g/abc/../x",
            "http://board.local:8080/other/g/abc",
            "javascript://board.local:8080/g/abc",
            "",
        ] {
            assert_eq!(drawn(link), Err(NoPicture::NotOurs), "{link}");
        }
        assert_eq!(draw(&"/qr.svg".parse().unwrap(), |_| true), Err(NoPicture::NoLink));
    }
}
