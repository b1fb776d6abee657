//! The licences of what a program has besides crates: the shared libraries of the system, which the container image contains, and the
//! Rust standard library.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::process;

/// The file with the licences of the Rust standard library, below the folder of the toolchain.
const RUST_LIBRARY: &str = "share/doc/rust/COPYRIGHT-library.html";

/// The licences of the Rust standard library, as the toolchain has them.
pub(super) fn rust_library() -> Result<Vec<u8>> {
    let root = process::capture(process::program("rustc").args(["--print", "sysroot"]))?;
    let file = Path::new(root.trim()).join(RUST_LIBRARY);
    fs::read(&file)
        .with_context(|| format!("cannot read the licences of the Rust standard library, {}", file.display()))
}

/// A file with the licence of the Debian package of each library, and where its source is: the LGPL of glibc asks for both.
pub(super) fn notices(libraries: &[PathBuf]) -> Result<Vec<(String, Vec<u8>)>> {
    let mut notices: Vec<(String, Vec<u8>)> = Vec::new();
    for library in libraries {
        let package = package_of(library)?;
        if notices.iter().any(|(name, _)| *name == package) {
            continue;
        }
        let file = Path::new("/usr/share/doc").join(&package).join("copyright");
        let licence = fs::read_to_string(&file)
            .with_context(|| format!("cannot read the licence of {}, {}", library.display(), file.display()))?;
        let mut query = process::program("dpkg-query");
        let source =
            process::capture(query.args(["--show", "--showformat", "${source:Package} ${source:Version}", &package]))?;
        notices.push((package.clone(), notice(&package, &source, &licence)?.into_bytes()));
    }
    Ok(notices)
}

/// The text about a package with this source, a name and a version.
fn notice(package: &str, source: &str, licence: &str) -> Result<String> {
    let (name, version) =
        source.trim().split_once(' ').with_context(|| format!("dpkg-query names no source of {package}"))?;
    ensure!(!licence.trim().is_empty(), "the licence of {package} is empty");
    Ok(format!(
        "Libraries of the Debian package {package}, unchanged. Their source is {name} {version}:\n\
         https://sources.debian.org/src/{name}/{version}/ or https://snapshot.debian.org/package/{name}/{version}/\n\n{licence}"
    ))
}

/// The Debian package that has installed a library.
fn package_of(library: &Path) -> Result<String> {
    // A package may name a file in `/lib` where the loader finds it in `/usr/lib`, and the other way round.
    let shown = library.display().to_string();
    let other = shown.strip_prefix("/usr").map_or_else(|| format!("/usr{shown}"), str::to_owned);
    for path in [&shown, &other] {
        let output = Command::new("dpkg-query").args(["--search", path]).output();
        let output = output.context("the licences of the libraries in the container image come from dpkg: build the release on Debian or Ubuntu")?;
        if output.status.success() {
            let found = String::from_utf8_lossy(&output.stdout).into_owned();
            return package(&found).with_context(|| format!("dpkg-query names no package of {shown}: {found}"));
        }
    }
    anyhow::bail!("no Debian package has {shown}, so its licence is not known")
}

/// The package in a line of `dpkg-query --search`, such as `libc6:amd64: /lib/x86_64-linux-gnu/libc.so.6`.
fn package(line: &str) -> Option<String> {
    let name = line.split([':', ',']).next()?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_package_of_a_library() {
        assert_eq!(package("libc6:amd64: /lib/x86_64-linux-gnu/libc.so.6\n").as_deref(), Some("libc6"));
        assert_eq!(package("libgcc-s1: /lib/libgcc_s.so.1\n").as_deref(), Some("libgcc-s1"));
        assert_eq!(package(""), None);
    }

    #[test]
    fn a_notice_has_the_licence_and_the_source() {
        let text = notice("libc6", "glibc 2.36-9+deb12u14", "LGPL-2.1\n").expect("a notice");
        assert!(text.contains("https://sources.debian.org/src/glibc/2.36-9+deb12u14/") && text.ends_with("LGPL-2.1\n"));
        assert!(notice("libc6", "", "LGPL-2.1").is_err());
        assert!(notice("libc6", "glibc 1", " \n").is_err());
    }

    #[test]
    fn the_c_library_of_a_debian_system_has_a_notice() {
        let listed = std::env::current_exe()
            .ok()
            .and_then(|program| process::capture(process::program("ldd").arg(program)).ok());
        let library =
            listed.iter().flat_map(|listed| listed.split_whitespace()).find(|word| word.ends_with("/libc.so.6"));
        let Some(library) = library.filter(|_| process::is_on_path("dpkg-query")) else {
            println!("skipped: this system has no dpkg, or no libc.so.6");
            return;
        };
        let found = notices(&[PathBuf::from(library), PathBuf::from(library)]).expect("a notice");
        assert_eq!(found.iter().map(|(package, _)| package.as_str()).collect::<Vec<_>>(), ["libc6"]);
        assert!(String::from_utf8_lossy(&found[0].1).contains("GNU Lesser General Public"), "{found:?}");
    }

    #[test]
    fn the_toolchain_has_the_licences_of_its_library() {
        let text = rust_library().expect("rustc has them");
        assert!(String::from_utf8_lossy(&text).contains("Rust Standard Library"));
    }
}
