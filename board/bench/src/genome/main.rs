//! What GMO chess costs on a Cortex-M: prints instructions, bytes of RAM and bytes of stack, one figure a line. With the feature `empty` the
//! image has only the rules of chess, so that the difference in size is the flash that GMO chess takes.
#![cfg_attr(target_os = "none", no_std)]
#![cfg_attr(target_os = "none", no_main)]

#[cfg(all(target_os = "none", not(feature = "empty")))]
#[path = "../common/dearest_setup.rs"]
mod dearest_setup;
#[cfg(target_os = "none")]
mod image;
#[cfg(all(target_os = "none", not(feature = "empty")))]
mod measure;
#[cfg(all(target_os = "none", not(feature = "empty")))]
#[path = "../device/stack.rs"]
mod stack;

#[cfg(not(target_os = "none"))]
fn main() {}
