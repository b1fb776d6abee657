//! A simulated hand that plays on reed switches as people do: it hesitates, slides pieces, captures in any order, knocks
//! pieces over, answers early, and moves pieces with weak magnets.
//!
//! [`games`] chooses the moves, [`gesture`] makes timed touches of them, [`reeds`] simulates the switches with
//! their bounce. [`simulation`] plays whole games on the board's move detection, and compares what the hands
//! intended with what it read; [`counters`] counts, and [`targets`] has the limits.
//!
//! Some gestures look the same to switches that only see occupancy, such as a piece that comes back and a piece that captures
//! it there. Of such gestures the hands here make only
//! one, and the comment beside it says which one is left out.

pub mod behaviour;
pub mod counters;
pub mod games;
pub(crate) mod geometry;
pub mod gesture;
pub mod histogram;
pub mod reeds;
pub mod report;
pub mod scanned_board;
pub mod simulation;
pub mod targets;
