//! Which Node.js drives the browser. An older one fails in strange ways, long after the set-up.

use std::fmt;

use anyhow::{Context, Result, bail, ensure};

use crate::process::{capture, program};

/// What `tests/browser/package.json` asks for: `playwright-core` needs 20, and 20.19 is what the tests are checked against.
/// Debian has it since trixie.
const OLDEST: Version = Version { major: 20, minor: 19 };

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version {
    major: u32,
    minor: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// Looks whether the one that is here is new enough.
pub(super) fn check() -> Result<()> {
    let said = capture(program("node").arg("--version")).context("cannot ask Node.js for its version")?;
    judge(&said)
}

fn judge(said: &str) -> Result<()> {
    let said = said.trim();
    let found = read(said).with_context(|| format!("`node --version` says {said:?}, which is no version"))?;
    ensure!(
        found >= OLDEST,
        "Node.js here is {said}, and the tests in a browser need {OLDEST} or newer; Debian has one since trixie, and \
         https://nodejs.org/en/download has them for every system"
    );
    Ok(())
}

/// Reads what Node.js says of itself, such as `v20.19.2`.
fn read(said: &str) -> Result<Version> {
    let mut numbers = said.strip_prefix('v').unwrap_or(said).split('.').map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Ok(Version { major, minor }),
        _ => bail!("it has no two numbers"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::browser;

    #[test]
    fn an_old_one_is_named_before_anything_fails() {
        for said in ["v18.20.4\n", "v20.18.9", "v12.22.12"] {
            let refused = format!("{:#}", judge(said).unwrap_err());
            assert!(refused.contains(said.trim()) && refused.contains("20.19"), "{refused}");
        }
        for said in ["v20.19.0\n", "v20.20.2", "v22.3.0", "24.1.0"] {
            judge(said).unwrap_or_else(|error| panic!("{said}: {error:#}"));
        }
        for said in ["", "v", "node", "v20", "v20.x.1", "v-1.2"] {
            assert!(format!("{:#}", judge(said).unwrap_err()).contains("no version"), "{said}");
        }
    }

    #[test]
    fn the_tests_in_a_browser_ask_for_the_same() {
        let package = std::fs::read_to_string(browser::folder().join("package.json")).expect("it is there");
        assert!(package.contains(&format!("\"node\": \">={OLDEST}\"")), "{package}");
    }
}
