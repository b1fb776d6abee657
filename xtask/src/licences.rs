//! Checks the licences of every crate that ships: the dependencies of `tabiya` and of the firmware, without those of tests
//! and benchmarks.
//!
//! cargo-deny does the same and more, but takes minutes to build on the machine of every contributor.

use anyhow::{Result, ensure};
use spdx::{Expression, ParseMode};

use crate::metadata::{Metadata, Package};

/// The packages whose binaries are given to users.
pub(crate) const SHIPPED: [&str; 2] = ["host-server", "firmware"];

/// Licences that may be linked into a program that is MIT OR Apache-2.0 as a whole: permissive ones, and
/// MPL-2.0, whose copyleft ends at the files of the crate itself. GPL and LGPL are not among them: shakmaty (GPL) is a peer
/// in tests and benchmarks only.
const ALLOWED: [&str; 10] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "MPL-2.0",
    "Unicode-3.0",
    "Zlib",
];

/// Crates with another permissive licence that nothing else replaces, and that licence: the handshake of the link, and a hash in the client of
/// Redis.
const EXCEPTIONS: [(&str, &str); 2] = [("noise-protocol", "Unlicense"), ("xxhash-rust", "BSL-1.0")];

pub(crate) fn check() -> Result<()> {
    let metadata = Metadata::load()?;
    let packages = metadata.shipped_with(&SHIPPED);
    let refused: Vec<String> = packages.iter().filter_map(|package| refusal(package)).collect();
    ensure!(
        refused.is_empty(),
        "these crates ship with {} and have no licence of the list in xtask/src/licences.rs:\n{}",
        SHIPPED.join(" or "),
        refused.join("\n")
    );
    println!("{} shipped crates have a permitted licence", packages.len());
    Ok(())
}

/// A line about a crate that may not ship.
fn refusal(package: &Package) -> Option<String> {
    let licence = package.license.as_deref();
    let is_exception = |licence| EXCEPTIONS.contains(&(package.name.as_str(), licence));
    let is_allowed = licence.is_some_and(|licence| is_allowed(licence) || is_exception(licence));
    (!is_allowed).then(|| format!("  {} {}: {}", package.name, package.version, licence.unwrap_or("no licence given")))
}

/// Evaluates an SPDX expression. A `/`, which crates.io used to accept, means OR.
fn is_allowed(licence: &str) -> bool {
    Expression::parse_mode(licence, ParseMode::LAX)
        .is_ok_and(|expression| expression.evaluate(|requirement| ALLOWED.contains(&requirement.to_string().as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluates_alternatives_and_combinations() {
        for allowed in [
            "MIT",
            "MIT/Apache-2.0",
            "Apache-2.0 / MIT",
            "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
            "MIT AND BSD-3-Clause",
        ] {
            assert!(is_allowed(allowed), "{allowed}");
        }
        for refused in [
            "GPL-3.0-or-later",
            "MIT AND GPL-2.0-only",
            "LGPL-2.1-or-later",
            "AGPL-3.0-only OR SSPL-1.0",
            "GPL-2.0-only WITH Classpath-exception-2.0",
            "proprietary",
            "",
        ] {
            assert!(!is_allowed(refused), "{refused}");
        }
    }

    #[test]
    fn gpl_crates_of_tests_and_benchmarks_do_not_ship() {
        let metadata = Metadata::load().expect("cargo metadata works");
        let names = |members: &[&str]| -> Vec<String> {
            metadata.shipped_with(members).into_iter().map(|package| package.name.clone()).collect()
        };
        assert!(names(&["rules-bench"]).iter().any(|name| name == "shakmaty"));
        let shipped = names(&SHIPPED);
        assert!(!shipped.iter().any(|name| name == "shakmaty" || name == "proptest"));
        assert!(shipped.iter().any(|name| name == "embassy-stm32") && shipped.iter().any(|name| name == "axum"));
    }
}
