//! Invalid input, floods and dead connections: no client can disturb others or the relay.
//!
//! - `misbehaving_clients.rs`: a room with hundreds of spectators, some of whom misbehave.
//! - `limits.rs`: rate and size limits; `dead_connections.rs`: connections that no longer answer.
//! - `documented_promises.rs`: docs/security.md names existing tests.
//! - `invalid_input.rs`: thousands of invalid messages and frames during a game.
//! - `reverse_proxy.rs`: a relay behind nginx.
//! - `two_players.rs`: two players whose moves are timed and checked.

#![cfg(unix)]

mod dead_connections;
mod documented_promises;
mod invalid_input;
mod limits;
mod misbehaving_clients;
mod reverse_proxy;
mod two_players;

use anyhow::Result;
use tests::relay::{RelayProcess, StoreLocation};
use tests::temp_dir::TempDir;

/// A relay with its own store. Limits that are not set are off.
fn relay(folder: &TempDir, arguments: &[&str]) -> Result<Option<RelayProcess>> {
    RelayProcess::start(StoreLocation::Folder(folder.path().join("data")), arguments)
}
