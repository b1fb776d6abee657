//! `cargo xtask release`: builds the files that are given to users, in `dist/`.
//!
//! | file | for |
//! |---|---|
//! | `tabiya-VERSION-TRIPLE` | the relay on this kind of machine |
//! | `tabiya-BOARD-VERSION.bin` | a board: drop it on the USB drive of the Nucleo |
//! | `tabiya-BOARD-VERSION.elf` | the same with debug information, for probe-rs and the log |
//! | `tabiya-VERSION-TRIPLE.container.tar` | the relay as a container image, for `docker load` or `podman load` |
//! | `compose.yaml` | the container with Redis |
//! | `LICENSE-*`, `THIRD-PARTY-LICENCES.txt`, `RUST-LIBRARY-LICENCES.html` | also in the container image, with those of the libraries there |
//! | `SHA256SUMS` | `sha256sum --check SHA256SUMS` verifies all of it |

mod container;
mod flat_image;
mod system_libraries;
mod tar;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use sha2::{Digest, Sha256};

use crate::firmware::boards;
use crate::licences::SHIPPED;
use crate::metadata::Metadata;
use crate::process;

const VERSION: &str = env!("CARGO_PKG_VERSION");

const SUMS: &str = "SHA256SUMS";

#[derive(Args)]
pub(crate) struct Options {
    /// Folder for the files. Its content is replaced.
    #[arg(long, default_value = "dist")]
    output: PathBuf,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let dist = process::root().join(&options.output);
    if dist.exists() {
        fs::remove_dir_all(&dist).with_context(|| format!("cannot replace {}", dist.display()))?;
    }
    fs::create_dir_all(&dist).with_context(|| format!("cannot create {}", dist.display()))?;

    let triple = host_triple()?;
    process::run(&mut process::cargo(&["build", "--release", "--locked", "--package", "host-server"]))?;
    let relay = process::target_dir().join("release").join(process::tabiya_name());
    copy(&relay, &dist.join(format!("tabiya-{VERSION}-{triple}")))?;
    let licences = licences()?;
    let image = container::image(&relay, VERSION, &licences)?;
    write(&dist.join(format!("tabiya-{VERSION}-{triple}.container.tar")), &image)?;
    write(&dist.join("compose.yaml"), container::compose(VERSION).as_bytes())?;

    for board in boards()?.iter().filter(|board| !board.is_emulated()) {
        let (path, _) = board.build()?;
        let elf = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let flat = flat_image::flatten(&elf, &board.memory)
            .with_context(|| format!("cannot convert the image for {}", board.name))?;
        write(&dist.join(format!("tabiya-{}-{VERSION}.bin", board.name)), &flat)?;
        write(&dist.join(format!("tabiya-{}-{VERSION}.elf", board.name)), &elf)?;
    }

    for (name, text) in &licences {
        write(&dist.join(name), text)?;
    }
    let sums = checksums(&dist)?;
    write(&dist.join(SUMS), sums.as_bytes())?;
    print!("{sums}");
    println!("the release is in {}", dist.display());
    Ok(())
}

/// The target triple of this machine, as rustc names it.
fn host_triple() -> Result<String> {
    let version = process::capture(process::program("rustc").arg("-vV"))?;
    let triple = version.lines().find_map(|line| line.strip_prefix("host: "));
    triple.map(str::to_owned).context("`rustc -vV` names no host")
}

/// The licences of a release, by file.
fn licences() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let own = |name| -> Result<_> {
        let file = process::root().join(name);
        Ok((name, fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?))
    };
    let crates = third_party_licences(&Metadata::load()?)?;
    Ok(vec![
        own("LICENSE-MIT")?,
        own("LICENSE-APACHE")?,
        ("THIRD-PARTY-LICENCES.txt", crates.into_bytes()),
        ("RUST-LIBRARY-LICENCES.html", system_libraries::rust_library()?),
    ])
}

/// Name, version, licence and licence texts of every crate that is compiled into the released programs.
fn third_party_licences(metadata: &Metadata) -> Result<String> {
    let mut text = String::from("Third-party software in the programs and firmware images of this release.\n");
    for package in metadata.shipped_with(&SHIPPED).into_iter().filter(|package| !package.is_local()) {
        let licence = package.license.as_deref().unwrap_or("no licence given");
        _ = write!(text, "\n{}\n{} {}: {licence}\n", "=".repeat(80), package.name, package.version);
        let mut files: Vec<PathBuf> = fs::read_dir(package.folder())
            .with_context(|| format!("cannot read the folder of {}", package.name))?
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| is_licence_file(path))
            .collect();
        files.sort();
        for file in files {
            let content = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            _ = write!(text, "\n--- {name}\n{}\n", String::from_utf8_lossy(&content).trim_end());
        }
    }
    Ok(text)
}

fn is_licence_file(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_uppercase();
    path.is_file()
        && ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"].iter().any(|start| name.starts_with(start))
}

/// The SHA-256 of every file of a folder, in the format of `sha256sum`.
fn checksums(folder: &Path) -> Result<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .filter_map(|entry| entry.ok().map(|entry| entry.file_name().to_string_lossy().into_owned()))
        .filter(|name| name != SUMS)
        .collect();
    names.sort();
    let mut sums = String::new();
    for name in names {
        let content = fs::read(folder.join(&name)).with_context(|| format!("cannot read {name}"))?;
        _ = writeln!(sums, "{}  {name}", sha256(&content));
    }
    Ok(sums)
}

/// SHA-256 in hexadecimal digits.
fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut digits, byte| {
        _ = write!(digits, "{byte:02x}");
        digits
    })
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).map(drop).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

fn write(file: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_checksums_as_sha256sum_does() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn every_shipped_crate_is_in_the_list_of_licences() {
        let metadata = Metadata::load().expect("cargo metadata works");
        let text = third_party_licences(&metadata).expect("the crates are downloaded");
        for name in ["embassy-stm32 ", "axum ", "smoltcp "] {
            assert!(text.contains(&format!("\n{name}")), "{name}");
        }
        assert!(!text.contains("\nshakmaty ") && !text.contains("\nhost-server "));
    }
}
