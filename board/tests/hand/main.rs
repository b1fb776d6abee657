//! The proof of the hand, without chance: every legal move of a set of positions, in every order of touches that hands
//! could make it in, and everything that hands do besides.
//!
//! Touches come to the hand as a scan without bounce gives them, so that its delays are exact; bounce, haste and
//! clumsiness are for the simulated hand in the system tests.

// What several files need.
mod orders;
mod positions;
mod table;

// The tests.
mod corrections;
mod expected;
mod garbage;
mod illegal_captures;
mod kings;
mod moves;
mod nothing;
mod overlaps;
mod paces;
mod pairs;
mod past;
mod promotions;
mod quick_moves;
mod slides;
mod wrong;
