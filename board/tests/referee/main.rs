//! The brain of the board, from reeds to deeds and light, as its users meet it.

mod at_one_board;
mod choosing;
mod clocks;
mod far_away;
mod guidance;
mod results;
mod script;
mod self_test;
