//! The chessata dialect over real sockets: whole games, invalid input, and the examples of docs/protocol.md.
//!
//! The relay runs in this process with its whole server, on a free port.

mod client;
mod document;
mod downloads;
mod errors;
mod games;
mod in_process_relay;
mod json;
mod long_games;
mod order;
mod returning;
mod slow;
mod stored_games;
