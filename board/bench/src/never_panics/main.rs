//! An image that calls everything in `board` with values that the optimiser cannot know. A panic in it is an undefined symbol, so it links
//! only if no panic can be reached.
#![cfg_attr(target_os = "none", no_std)]
#![cfg_attr(target_os = "none", no_main)]

#[cfg(target_os = "none")]
mod board_core;
#[cfg(target_os = "none")]
mod genome;
#[cfg(target_os = "none")]
mod image;
#[cfg(target_os = "none")]
mod journal;
#[cfg(target_os = "none")]
mod session;
#[cfg(target_os = "none")]
mod surface;
#[cfg(target_os = "none")]
mod told;

#[cfg(not(target_os = "none"))]
fn main() {}
