//! What is spoken at the door: each tongue translates between one kind of client and the [relay](crate::relay).
//!
//! A tongue knows nothing of the others. People at one table may each speak another one, and none of them notices.

pub mod board;
pub mod chessata;
mod complaint;
pub mod games;
mod notation;

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;

/// Something as JSON.
fn json(something: &impl Serialize) -> String {
    // It could only fail for keys that are no texts, or because of a writer, and here is neither.
    serde_json::to_string(something).unwrap_or_default()
}

/// Something as a frame of JSON.
fn frame(something: &impl Serialize) -> Utf8Bytes {
    json(something).into()
}
