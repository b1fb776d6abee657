//! Bad input and bad manners: nobody can disturb others, or the relay.
//!
//! - `crowd.rs`: a room with hundreds who watch, some of whom misbehave.
//! - `limits.rs`: how much is too much, and what then; `silence.rs`: those who are not there any more.
//! - `nonsense.rs`: thousands of messages and frames that mean nothing, while others play.
//! - `pair.rs`: two who play, whatever happens around them.

#![cfg(unix)]

mod crowd;
mod limits;
mod nonsense;
mod pair;
mod silence;

use anyhow::Result;
use tests::redis::Folder;
use tests::relay::{Keeping, Relay};

/// A relay with a store of its own, without limits that are not set.
fn relay(folder: &Folder, arguments: &[&str]) -> Result<Option<Relay>> {
    Relay::start(Keeping::Folder(folder.path().join("data")), arguments)
}
