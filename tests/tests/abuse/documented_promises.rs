//! docs/security.md names a test for each promise, and the tests exist.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

const SECURITY: &str = include_str!("../../../docs/security.md");

/// The links of a line, as pairs of the quoted text and the path.
fn tests_in(line: &str) -> impl Iterator<Item = (&str, &str)> {
    line.split("[`").skip(1).filter_map(|rest| {
        let (name, rest) = rest.split_once("`](../")?;
        let (path, _) = rest.split_once(')')?;
        Some((name, path))
    })
}

#[test]
fn every_promise_names_a_test_that_exists() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the crate is in a workspace")?;
    let (mut promises, mut section) = (0, "");
    for line in SECURITY.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title;
        }
        let is_row = line.starts_with("| ") && !line.starts_with("| promise ");
        if !section.starts_with("Promises ") || !is_row {
            continue;
        }
        promises += 1;
        ensure!(tests_in(line).next().is_some(), "no test is named: {line}");
        for (name, path) in tests_in(line) {
            let source = fs::read_to_string(root.join(path)).with_context(|| format!("{path} of {name}"))?;
            let is_there = match Path::new(path).extension().and_then(|extension| extension.to_str()) {
                Some("js") => source.contains(&format!("test(\"{name}\"")),
                _ => source.contains(&format!("fn {name}(")) && (source.contains("test]") || source.contains("test(")),
            };
            ensure!(is_there, "{path} has no test {name:?}");
        }
    }
    ensure!(promises >= 25, "only {promises} promises were found");
    Ok(())
}
