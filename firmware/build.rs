//! Finds the board that this image is for, and gives the linker its memory map.
//!
//! The boards are the table `[[package.metadata.boards]]` in Cargo.toml. The sources see `cfg(has_board)`.
//!
//! Linker arguments are given here and not as `rustflags` in `.cargo/config.toml`, because the variable `RUSTFLAGS` replaces
//! those silently: the build would succeed, and the image would be linked to the wrong addresses.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use toml::de::{DeTable, DeValue};

const MANIFEST: &str = "Cargo.toml";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={MANIFEST}");
    println!("cargo::rustc-check-cfg=cfg(has_board)");
    // A host has no board, also if features are enabled: it compiles and tests the portable part.
    if env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("none") {
        return;
    }

    let text = fs::read_to_string(MANIFEST).expect("cannot read Cargo.toml");
    let manifest = DeValue::Table(DeTable::parse(&text).expect("Cargo.toml is not TOML").into_inner());
    let boards = at(&manifest, &["package", "metadata", "boards"]).as_array().expect("`boards` is not an array");
    let boards = boards.iter().map(toml::Spanned::get_ref);
    let selected: Vec<&DeValue<'_>> = boards.filter(|board| is_enabled(name(board))).collect();
    match selected[..] {
        [] => {}
        [board] => {
            println!("cargo::rustc-cfg=has_board");
            link(board);
        }
        _ => {
            let names: Vec<&str> = selected.into_iter().map(name).collect();
            println!("cargo::error=an image is for one board, but these are enabled: {}", names.join(", "));
        }
    }
}

/// Writes the board's memory map where the linker finds it, and has its bin linked with that.
fn link(board: &DeValue<'_>) {
    let mut map = String::from("MEMORY\n{\n");
    for region in ["flash", "stack", "ram"] {
        let [origin, length] = ["origin", "length"].map(|bound| number(at(board, &["memory", region, bound])));
        writeln!(map, "  {} : ORIGIN = {origin:#010x}, LENGTH = {length:#x}", region.to_uppercase())
            .expect("a String takes everything");
    }
    map += "}\n_stack_start = ORIGIN(STACK) + LENGTH(STACK);\n_stack_end = ORIGIN(STACK);\n";

    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(folder.join("memory.x"), map).expect("cannot write memory.x");
    println!("cargo::rustc-link-search={}", folder.display());
    // --nmagic: flash has no pages, so sections need not be aligned to them.
    for argument in ["--nmagic", "-Tlink.x", "-Tdefmt.x"] {
        println!("cargo::rustc-link-arg-bin={}={argument}", name(board));
    }
}

/// Whether the feature of this name is enabled.
fn is_enabled(feature: &str) -> bool {
    env::var_os(format!("CARGO_FEATURE_{}", feature.to_uppercase().replace('-', "_"))).is_some()
}

fn name<'a>(board: &'a DeValue<'_>) -> &'a str {
    at(board, &["name"]).as_str().expect("the name of a board is not a string")
}

fn number(value: &DeValue<'_>) -> u32 {
    let digits = value.as_integer().expect("a bound of a memory region is not an integer");
    u32::from_str_radix(digits.as_str(), digits.radix()).expect("a bound of a memory region is not an address")
}

fn at<'a, 'i>(value: &'a DeValue<'i>, path: &[&str]) -> &'a DeValue<'i> {
    path.iter().fold(value, |value, key| {
        value.get(*key).unwrap_or_else(|| panic!("Cargo.toml has no {key} in {path:?}")).get_ref()
    })
}
