//! Placeholder until the crate is written in the next commit.
