//! The tongue of boards: the link, at `/ws/board`.
//!
//! A board that knocks is let in if it is [paired](crate::boards) (`door.rs`). Each that is connected has one task
//! (`attendant.rs`), which owns its [`Agent`]: all decisions are there, and can be tested without a socket. The task brings
//! the agent its frames and its room, keeps its record, and sends what it says.
//!
//! - `agent.rs`, with `agree.rs` and `seat.rs`: what a board is told, what it asks for, and where it sits.
//! - `mirror.rs`: what a board has before it; `want.rs`: what its words mean to a room.
//! - `record.rs`, `place.rs`, `form.rs`: what must not be forgotten.
//! - `house.rs`: all boards that are connected to this relay, and those who ask about them.

mod agent;
mod attendant;
mod door;
mod form;
mod house;
mod mirror;
mod pace;
mod parting;
mod place;
mod record;
#[cfg(test)]
mod tests;
mod want;

pub use agent::{Agent, Errand, Passing, Plan};
pub use house::House;
pub use place::Place;
pub use record::Record;
pub use want::Want;
