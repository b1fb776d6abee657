//! Tells the linker where things go on a microcontroller.
//!
//! The arguments are given here and not as `rustflags` in `.cargo/config.toml`, because the variable `RUSTFLAGS` replaces
//! those without a word: the build would succeed and give an image that starts at address zero of nothing.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The linker reads this file behind cargo's back.
    println!("cargo::rerun-if-changed=../memory.x");

    if env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("none") {
        return;
    }
    // Sections are packed in flash: there are no memory pages to align them to.
    println!("cargo::rustc-link-arg-bins=--nmagic");
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
    println!("cargo::rustc-link-arg-bins=-Tdefmt.x");
    println!("cargo::rustc-link-arg-bin=mps2=--defsym=BOARD_MPS2=1");
    println!("cargo::rustc-link-arg-bin=nucleo-f429=--defsym=BOARD_F429=1");
}
