//! Tells the linker about the images for the emulated Cortex-M. The host's binaries need nothing.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../../memory.x");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("none") {
        for argument in ["-Tlink.x", "--nmagic", "--defsym=BOARD_MPS2=1"] {
            println!("cargo:rustc-link-arg-bins={argument}");
        }
    }
}
