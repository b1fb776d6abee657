//! Power-cut tests of the journal: after a cut at any point, a board recovers the last stored state and nothing else.
//!
//! A simulated flash loses power after any written byte and at any stage of an erase. All random numbers have fixed seeds.

// Shared by the tests.
mod flash;
mod script;
mod test_board;
#[path = "../common/told_chess.rs"]
mod told_chess;

// Tests.
mod behaviour;
mod damage;
mod long_game;
mod power_cuts;
mod wear;
