//! The dialect of boards: the link, at `/ws/board`.
//!
//! A board connects if it is [paired](crate::boards) (`handshake.rs`). Each connection has one task (`connection.rs`, with `seat.rs`, `stored.rs` and `local_game.rs`), which owns
//! its [`RelaySession`]: a state machine without I/O that makes all decisions. The task feeds it frames and updates of the room,
//! stores its record, and sends its frames.
//!
//! - `relay_session.rs`, with `agree.rs`, `seat.rs` and `local_game.rs`: what is sent to a board, its acts, its seat, and the room that
//!   follows a game of two people at the board.
//! - `replica.rs`: the relay's copy of the board's game; `act.rs`: the acts that its events lead to.
//! - `record.rs`, `board_seat.rs`, `repr.rs`: the stored state of a session.
//! - `server.rs`: all boards that are connected to this relay, and the HTTP list of free boards.

mod act;
mod board_seat;
mod close_cause;
mod connection;
mod handshake;
mod record;
mod relay_session;
mod replica;
mod repr;
mod server;
#[cfg(test)]
mod tests;

pub use board_seat::BoardSeat;
pub use record::BoardRecord;
pub use relay_session::{PendingAct, Plan, RelaySession, Unnumbered};
pub use server::BoardServer;
