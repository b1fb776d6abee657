//! A crowd of players for a relay: it plays real games through real sockets, checks every state that it is shown against
//! rules that are not ours, and measures how long a move takes to the other player.
//!
//! - [`crowd`]: the games, side by side, for as long as it was asked to.
//! - `game.rs`: one game and its two players, who come back when their connections break.
//! - `seat.rs`: one connection; `said.rs`: what a relay says over it.
//! - `judge.rs`: the other rules.
//! - `figures.rs`: what a relay says that it takes.
//! - `echo.rs`: the same frames through a server that does nothing, to compare with in `turns.rs`; `idle.rs`: people who only sit there.
//! - `tally.rs`: what came of it.

mod crowd;
mod echo;
mod figures;
mod game;
mod idle;
mod judge;
mod said;
mod seat;
mod tally;
mod turns;
mod url;

pub(crate) use crowd::Crowd;
pub(crate) use idle::Idlers;
pub(crate) use tally::Report;
pub(crate) use url::RelayUrl;
