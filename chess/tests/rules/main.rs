//! Tests of the rules.
//!
//! Two independent engines, cozy-chess and shakmaty, are the reference for everything they implement. Claims, takebacks and
//! errors are tested against the Laws of Chess.
//!
//! All files are one test program, which is linked once. Random tests have a fixed seed; `PROPTEST_RNG_SEED` and
//! `PROPTEST_CASES` override it, and `PERFT_NODES` asks for deeper counts.

// What several files need.
mod random_games;
mod reference_engines;
mod script;
mod table;

// The tests.
mod counters;
mod fen;
mod lockstep;
mod long_game;
mod material;
mod moves;
mod outcomes;
mod perft;
mod repetition;
mod san;
mod scoresheet;
mod setup;
mod take_back;
