//! Requests of boards to be paired, while the owner compares the squares.
//!
//! - `requests.rs`: the pending requests of this relay, in memory. `socket.rs`: the WebSocket of a board, `/ws/pair`.
//! - The owner sees and answers them on the page `/owner`: see `owner.rs`.

mod requests;
mod socket;
#[cfg(test)]
mod tests;

pub(crate) use requests::{AnswerError, PairingRequests};
pub(crate) use socket::routes;
