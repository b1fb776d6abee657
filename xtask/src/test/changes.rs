//! Lists the files that differ from a revision of git, committed or not.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use crate::metadata::Member;
use crate::process::{capture, program};

/// Files that differ from where this branch left `base`, relative to the root of the workspace, untracked ones included.
pub(super) fn files(base: Option<&str>) -> Result<Vec<String>> {
    let base = base.map_or_else(default_base, |base| Ok(base.to_owned()))?;
    let fork = git(&["merge-base", &base, "HEAD"]).with_context(|| format!("cannot compare with {base}"))?;
    let changed = git(&["diff", "--name-only", "--no-renames", fork.trim()])?;
    let untracked = git(&["ls-files", "--others", "--exclude-standard"])?;
    Ok(changed.lines().chain(untracked.lines()).map(str::to_owned).collect())
}

/// The packages whose sources name a document, by document: tests compare documents with the code.
pub(super) fn readers(files: &[String], members: &[Member]) -> Result<BTreeMap<String, Vec<String>>> {
    let mut readers = BTreeMap::new();
    for file in files.iter().filter(|file| file.starts_with("docs/")) {
        // git grep fails if nothing is found.
        let found =
            program("git").args(["grep", "--files-with-matches", "--fixed-strings", file, "--", "*.rs"]).output();
        let found = found.context("cannot start `git grep`")?;
        let sources = String::from_utf8_lossy(&found.stdout).into_owned();
        let packages = sources.lines().filter_map(|source| super::affected::owner(source, members));
        readers.insert(file.clone(), packages.map(|member| member.name.clone()).collect());
    }
    Ok(readers)
}

/// origin/main, or the parent commit where that is not there or is this commit itself.
fn default_base() -> Result<String> {
    let head = git(&["rev-parse", "HEAD"])?;
    let mut main = program("git");
    main.args(["rev-parse", "--verify", "--quiet", "origin/main"]);
    match main.output() {
        Ok(output) if output.status.success() && output.stdout != head.as_bytes() => Ok("origin/main".to_owned()),
        _ => Ok("HEAD~".to_owned()),
    }
}

fn git(args: &[&str]) -> Result<String> {
    capture(program("git").args(args))
}
