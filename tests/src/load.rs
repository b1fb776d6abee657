//! A load generator for relays: it plays many games through real sockets, checks every state against an independent rules
//! engine (cozy-chess), and measures the latency from one player to the other.
//!
//! - `load_test.rs`: runs the games in parallel for a given time.
//! - `game.rs`: one game and its two players; `player.rs`: a player, who reconnects when the connection breaks.
//! - `process_metrics.rs`: CPU time and memory of a relay, from its `/metrics`.
//! - `echo.rs`: sends the same frames to an echo server as a baseline; `time_slices.rs` alternates between the two.
//! - `idle.rs`: connections that do nothing.
//! - `dialects.rs`: the throughput of other dialects beside that of Chessata.
//! - `report.rs`: counters and the report.

mod connection;
mod dialects;
mod echo;
mod game;
mod idle;
mod load_test;
mod player;
mod process_metrics;
mod relay_url;
mod report;
mod time_slices;

pub use dialects::{DIALECTS, DialectComparison, compare_dialect};
pub use idle::IdleConnections;
pub use load_test::{LoadResult, LoadTest};
pub use relay_url::{BadUrl, RelayUrl};
pub use report::{Counters, EchoComparison, Latency, LoadReport};
