//! A physical simulation of magnets, reed switches and hands, against the whole playing surface of a board.
//!
//! It shares nothing with [`crate::hand`], which makes touches: here pieces move through space, and the switches see what the field
//! of their magnets gives. So a piece closes a switch before it touches the wood, a piece that stands off the middle of its square may
//! not be seen, and a captured piece that is pushed off may leave no gap.
//!
//! `physics` has the fields and the switches, `motion` the trajectories, `tabletop` the pieces on the board; `style` says how often
//! people do what, `gesture` makes motions of a move, `session` plays whole games and compares, `oracle` says whether the signals
//! were sufficient, and `tally` counts by style and by class of fault.

pub mod bench;
mod gesture;
mod motion;
mod oracle;
mod physics;
pub mod report;
pub mod session;
pub mod style;
mod tabletop;
pub mod tally;
pub mod targets;
