//! Tests of the lights: meanings are visible and distinguishable, keep to the current budget, and cause no wake-ups when
//! they are static.
//!
//! The tests look at frames, so they cover colours, rhythms, brightness and budget together. Random tests have a fixed
//! seed; `PROPTEST_RNG_SEED` and `PROPTEST_CASES` override it.

// Shared by the tests.
mod chance;
mod watch;

// Tests.
mod brightness;
mod budget;
mod colour_blindness;
mod document;
mod idle;
mod safety;
mod scene;
mod show;
