//! Tests of the playing surface: reed scans in, effects and lights out.

mod at_one_board;
mod choosing;
mod clocks;
mod computer;
mod genome;
mod guidance;
mod hints;
mod menu;
mod remote_opponent;
mod results;
mod script;
mod self_test;
mod withdrawal;
