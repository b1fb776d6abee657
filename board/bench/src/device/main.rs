//! Measures the playing surface on a Cortex-M: prints instructions per scan, bytes of RAM and bytes of stack, one figure per line.
#![cfg_attr(target_os = "none", no_std)]
#![cfg_attr(target_os = "none", no_main)]

#[cfg(target_os = "none")]
mod cost;
#[cfg(target_os = "none")]
#[path = "../common/dearest_setup.rs"]
mod dearest_setup;
#[cfg(target_os = "none")]
mod image;
#[cfg(target_os = "none")]
mod player;
#[cfg(target_os = "none")]
mod stack;

#[cfg(not(target_os = "none"))]
fn main() {}
