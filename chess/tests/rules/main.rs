//! The proof of the rules.
//!
//! Two other engines judge every claim that they can judge: cozy-chess and shakmaty, which share no code with each other
//! or with this crate. What they do not know (claims, taking back, our own errors) is tested against the Laws of Chess.
//!
//! All of it is one program, so that it is linked once, and the tests of all files run side by side. What is left to
//! chance starts from a fixed seed, so that a run is the same everywhere; `PROPTEST_RNG_SEED` and `PROPTEST_CASES` ask
//! for other games and for more of them, `PERFT_NODES` for deeper counts.

// What several files need.
mod chance;
mod judges;
mod script;
mod table;

// What is proven.
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
