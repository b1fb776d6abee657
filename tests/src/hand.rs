//! A hand that plays chess on reed switches as people do: it hesitates, slides pieces, takes in whatever order, knocks
//! things over, answers before the other is done, and has weak magnets under its pieces.
//!
//! [`games`] says which moves are made, [`gesture`] what a hand does to make one, and when; [`reeds`] is what the switches
//! make of it, with all their bounce. [`sitting`] lets hands play whole games on the brain of the board, and compares what
//! they meant with what it read; [`tally`] keeps count, [`verdict`] says what should have come of it.
//!
//! Some things no board can know that only sees what is occupied: whether a piece that came back is the one that had been
//! there, or one that took it. Where two different deeds look the same to switches that never fail, hands here do only
//! one of them, and the comment beside it says which one is left out.

pub mod chance;
pub mod delays;
pub mod games;
pub mod gesture;
pub mod habit;
pub mod reeds;
pub mod report;
pub mod sitting;
pub mod table;
pub mod tally;
pub mod verdict;
mod way;
