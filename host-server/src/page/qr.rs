//! The address of a game as a picture that a telephone can read.

use std::fmt;
use std::fmt::Write;

use axum::extract::Query;
use axum::http::Uri;
use qrcodegen::{QrCode, QrCodeEcc};

use crate::room::Code;

/// So many modules around it have to be empty.
const MARGIN: i32 = 4;

/// Why nothing is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoPicture {
    /// The query has no link.
    NoLink,
    /// The link leads somewhere else: strangers would have their addresses drawn in our name.
    NotOurs,
}

impl fmt::Display for NoPicture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoLink => "the query has no link to draw: /qr.svg?link=...",
            Self::NotOurs => "only links to games on this relay are drawn",
        })
    }
}

/// Draws the link that the query has, if it leads to a game at one of our origins.
pub(super) fn draw(uri: &Uri, is_ours: impl Fn(&str) -> bool) -> Result<String, NoPicture> {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri).map_err(|_| NoPicture::NoLink)?;
    let link = pairs.0.into_iter().find(|(key, _)| key == "link").ok_or(NoPicture::NoLink)?.1;
    if !leads_to_game(&link, is_ours) {
        return Err(NoPicture::NotOurs);
    }
    // A link of ours is never too long to be drawn.
    let code = QrCode::encode_text(&link, QrCodeEcc::Medium).map_err(|_| NoPicture::NotOurs)?;
    Ok(paint(&code))
}

/// Whether a link is `http(s)://{one of ours}/g/{code}`.
fn leads_to_game(link: &str, is_ours: impl Fn(&str) -> bool) -> bool {
    let Some((origin, code)) = link.rsplit_once("/g/") else { return false };
    let is_web = origin.starts_with("http://") || origin.starts_with("https://");
    is_web && link.len() <= 512 && code.parse::<Code>().is_ok() && is_ours(origin)
}

/// Dark modules on light ground, whatever the page looks like: that is what telephones look for.
fn paint(code: &QrCode) -> String {
    let side = code.size() + 2 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#fff\" d=\"M0 0h{side}v{side}H0z\"/><path d=\""
    );
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|&x| code.get_module(x, y)) {
            // Nothing can go wrong when writing into a text.
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
    fn a_link_to_a_game_here_is_drawn() {
        let svg = drawn("http://board.local:8080/g/abc").unwrap();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
        // A code of the third size has 29 modules on each side.
        assert!(svg.contains("viewBox=\"0 0 37 37\""));
    }

    #[test]
    fn no_other_link_is() {
        for link in [
            "https://evil.example/g/abc",
            "http://board.local:8080/",
            "http://board.local:8080/g/",
            "http://board.local:8080/g/a-b",
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
