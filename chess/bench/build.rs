//! Linker arguments of the image for the emulated Cortex-M. The host's binary needs none.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=memory.x");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("none") {
        println!("cargo::rustc-link-search={}", env!("CARGO_MANIFEST_DIR"));
        for argument in ["-Tlink.x", "--nmagic"] {
            println!("cargo::rustc-link-arg-bins={argument}");
        }
    }
}
