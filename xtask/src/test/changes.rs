//! Lists the files that differ from a revision of git, committed or not.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use super::affected::{Readers, may_have_readers, owner};
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

/// The tests that read a file without a package, by file: tests compare documents with the code, and start with examples.
pub(super) fn readers(files: &[String], members: &[Member]) -> Result<BTreeMap<String, Readers>> {
    let mut readers = BTreeMap::new();
    for file in files.iter().filter(|file| may_have_readers(file)) {
        let mut search = program("git");
        // A user's settings of git must not add columns to the output.
        search.args(["grep", "--untracked", "--no-color", "--no-line-number", "--no-column", "--fixed-strings"]);
        search.args(["-e", file, "--", "*.rs", "tests/browser/*.js"]);
        // git grep fails if nothing is found.
        let found = search.output().context("cannot start `git grep`")?;
        readers.insert(file.clone(), readers_in(&String::from_utf8_lossy(&found.stdout), members));
    }
    Ok(readers)
}

/// The tests in what `git grep` has found: lines of the form `path:line of the file`. A comment that names a file does not read it.
fn readers_in(found: &str, members: &[Member]) -> Readers {
    let mut readers = Readers::default();
    for (path, line) in found.lines().filter_map(|line| line.split_once(':')) {
        if line.trim_start().starts_with("//") || line.trim_start().starts_with('*') {
            continue;
        }
        if path.starts_with("tests/browser/") {
            readers.page = true;
        } else if let Some(member) = owner(path, members) {
            readers.packages.insert(member.name.clone());
        }
    }
    readers
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::root;

    fn members() -> Vec<Member> {
        ["host-server", "tests", "wire"]
            .map(|name| Member { name: name.to_owned(), folder: name.to_owned(), dependencies: [].into() })
            .into()
    }

    #[test]
    fn a_comment_that_names_a_document_does_not_read_it() {
        let found = "wire/tests/a.rs:const DOCUMENT: &str = include_str!(\"../../docs/b.md\");\n\
                     host-server/src/c.rs:    /// docs/b.md specifies it.\n\
                     tests/browser/harness/d.js: *   docs/b.md calls them\n";
        assert_eq!(readers_in(found, &members()), Readers { packages: ["wire".to_owned()].into(), page: false });
        let found = "tests/browser/e.js:const B = readFile(\"../../docs/b.md\");\n";
        assert_eq!(readers_in(found, &members()), Readers { page: true, ..Readers::default() });
    }

    #[test]
    fn finds_the_tests_that_read_the_files_of_this_repository() {
        if !root().join(".git").exists() {
            eprintln!("skipped: this is no checkout of git");
            return;
        }
        let files = ["docs/protocol.md", "docs/operations.md", ".env.example", "README.md"].map(str::to_owned);
        let readers = readers(&files, &members()).expect("git is installed");
        assert_eq!(readers.len(), 3, "the README is not searched for");
        let packages = |file: &str| readers[file].packages.iter().map(String::as_str).collect::<Vec<_>>();
        assert_eq!(packages("docs/protocol.md"), ["host-server", "tests", "wire"]);
        assert!(readers["docs/protocol.md"].page, "tests/browser/clients/document.test.js reads it");
        assert_eq!(packages(".env.example"), ["host-server"]);
        assert!(!readers["docs/operations.md"].page);
    }
}
