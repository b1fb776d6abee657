//! Checks the version of Node.js. An old one fails later, with errors that do not name the cause.

use std::fmt;

use anyhow::{Context, Result, bail, ensure};

use crate::process::{capture, program};

/// The minimum of `tests/browser/package.json`: `playwright-core` needs 20, and 20.19 is the oldest that the tests were run
/// with. Debian has it since trixie.
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

/// Checks that the installed version is new enough.
pub(super) fn check() -> Result<()> {
    let output = capture(program("node").arg("--version")).context("cannot run `node --version`")?;
    check_version(&output)
}

fn check_version(output: &str) -> Result<()> {
    let output = output.trim();
    let found =
        parse(output).with_context(|| format!("`node --version` printed {output:?}, which is not a version"))?;
    ensure!(
        found >= OLDEST,
        "Node.js is {output}, and the browser tests need {OLDEST} or newer; Debian has it since trixie, and \
         https://nodejs.org/en/download has it for every system"
    );
    Ok(())
}

/// Parses a version such as `v20.19.2`.
fn parse(text: &str) -> Result<Version> {
    let mut numbers = text.strip_prefix('v').unwrap_or(text).split('.').map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Ok(Version { major, minor }),
        _ => bail!("it does not begin with two numbers"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::browser;

    #[test]
    fn rejects_an_old_version() {
        for output in ["v18.20.4\n", "v20.18.9", "v12.22.12"] {
            let refused = format!("{:#}", check_version(output).unwrap_err());
            assert!(refused.contains(output.trim()) && refused.contains("20.19"), "{refused}");
        }
        for output in ["v20.19.0\n", "v20.20.2", "v22.3.0", "24.1.0"] {
            check_version(output).unwrap_or_else(|error| panic!("{output}: {error:#}"));
        }
        for output in ["", "v", "node", "v20", "v20.x.1", "v-1.2"] {
            assert!(format!("{:#}", check_version(output).unwrap_err()).contains("not a version"), "{output}");
        }
    }

    #[test]
    fn package_json_has_the_same_minimum() {
        let package = std::fs::read_to_string(browser::folder().join("package.json")).expect("it is there");
        assert!(package.contains(&format!("\"node\": \">={OLDEST}\"")), "{package}");
    }
}
