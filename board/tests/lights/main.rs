//! The proof of the lights: whatever the board says is seen, told apart, paid for, and costs nothing when it is still.
//!
//! All of it looks at frames, as an eye does, and so through everything that makes them: colours, rhythms, brightness,
//! and the budget. What is left to chance starts from a fixed seed; `PROPTEST_RNG_SEED` and `PROPTEST_CASES` ask for
//! more.

// What several files need.
mod chance;
mod watch;

// What is proven.
mod brightness;
mod budget;
mod colour_blindness;
mod document;
mod idle;
mod safety;
mod scene;
mod show;
