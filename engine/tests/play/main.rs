//! The engine through its public interface, with fixed seeds and few nodes.

mod draws;
mod levels;
mod mates;
mod random_positions;
mod resuming;
mod selectivity;
mod thinker;
