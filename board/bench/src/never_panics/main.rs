//! An image that calls everything in `board` with values that the optimiser cannot know, and in which a panic is an
//! undefined symbol: it only links if no panic is left anywhere.
#![cfg_attr(target_os = "none", no_std)]
#![cfg_attr(target_os = "none", no_main)]

#[cfg(target_os = "none")]
mod brain;
#[cfg(target_os = "none")]
mod image;
#[cfg(target_os = "none")]
mod journal;
#[cfg(target_os = "none")]
mod session;

#[cfg(not(target_os = "none"))]
fn main() {}
