//! Relays on an in-memory store with injected faults, in paused tokio time.

mod absence;
mod computer;
mod crowds;
mod entering;
mod failover;
mod full;
mod reading;
mod relays;
mod scripts;
mod trouble;
mod world;
