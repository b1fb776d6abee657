//! The proof of the journal: whenever the power goes, the board comes back to what it had last kept, and to nothing else.
//!
//! A board that plays is played on a flash that can lose its power after any byte that it writes and at any stage of an
//! erasure. What is left to chance starts from a fixed seed.

// What several files need.
mod flash;
mod script;
mod world;

// What is proven.
mod cuts;
mod damage;
mod details;
mod long_game;
mod wear;
