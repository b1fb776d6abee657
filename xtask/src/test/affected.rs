//! Decides which steps and packages a change can affect, by the dependency graph of the workspace. A pure function.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::metadata::Member;

/// What a test run covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scope {
    /// The packages that are linted, built and tested; none means all.
    packages: Option<BTreeSet<String>>,
    /// Packages that are only tested: a document or page changed that their tests read.
    readers: BTreeSet<String>,
    /// The page and the tests in a browser.
    pub(super) page: bool,
    /// The chip model. It also runs if the firmware is included.
    model: bool,
    /// The images of all boards. They are also built if the firmware is included.
    images: bool,
}

/// Which tests read a file that belongs to no package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Readers {
    /// Packages whose tests read it.
    pub(super) packages: BTreeSet<String>,
    /// Whether the tests in a browser read it.
    pub(super) page: bool,
}

/// Files at the root that no step reads.
const NOT_TESTED: [&str; 4] = [".dev/", ".github/", "LICENSE-APACHE", "LICENSE-MIT"];

/// What reads the table of boards, builds the images and checks them.
const IMAGE_SOURCES: [&str; 3] = ["xtask/src/firmware.rs", "xtask/src/image.rs", "xtask/src/size.rs"];

/// Whether tests may read this file although it belongs to no package.
pub(super) fn may_have_readers(file: &str) -> bool {
    file.starts_with("docs/") || file == ".env.example"
}

impl Scope {
    pub(super) const ALL: Self =
        Self { packages: None, readers: BTreeSet::new(), page: true, model: true, images: true };

    /// Whether the images of all boards are linted, built and checked.
    pub(super) fn images(&self) -> bool {
        self.images || self.includes("firmware")
    }

    /// Whether the images of the real boards are executed in the chip model.
    pub(super) fn chip(&self) -> bool {
        self.model || self.includes("firmware")
    }

    /// Whether a package is linted, built and tested.
    pub(super) fn includes(&self, package: &str) -> bool {
        self.packages.as_ref().is_none_or(|packages| packages.contains(package))
    }

    /// Whether the tests of a package run.
    pub(super) fn tests(&self, package: &str) -> bool {
        self.includes(package) || self.readers.contains(package)
    }

    /// The arguments that select the packages to lint for cargo; none if there are no packages.
    pub(super) fn lint_selection(&self) -> Option<Vec<String>> {
        select(self.packages.as_ref())
    }

    /// The arguments that select the packages to test for cargo; none if there are no packages.
    pub(super) fn test_selection(&self) -> Option<Vec<String>> {
        select(self.packages.as_ref().map(|packages| packages | &self.readers).as_ref())
    }

    /// The scope of a change. `readers` has the tests that read a file, for each file for which [`may_have_readers`] holds.
    pub(super) fn of_change(files: &[String], members: &[Member], readers: &BTreeMap<String, Readers>) -> Self {
        let mut changed = BTreeSet::new();
        let mut reading = BTreeSet::new();
        let mut page = false;
        let mut model = false;
        let mut images = false;
        for file in files {
            let is_document = Path::new(file).extension() == Some("md".as_ref()) || file.starts_with("docs/");
            images |= IMAGE_SOURCES.contains(&file.as_str());
            model |= file == "xtask/src/chip.rs";
            if let Some(readers) = readers.get(file) {
                reading.extend(readers.packages.iter().cloned());
                page |= readers.page;
            } else if NOT_TESTED.iter().any(|start| file.starts_with(start)) {
                // No step reads it.
            } else if file.starts_with("tests/browser/") {
                page = true;
            } else if file.starts_with("tests/chip/") {
                model = true;
            } else if let Some(owner) = owner(file, members) {
                let is_page = file.starts_with("host-server/page/");
                page |= is_page;
                // The README of a package is its documentation, and its examples are tests. The page is embedded in the
                // relay, whose tests check how it is served; how it works is tested in a browser.
                let packages = if is_document || is_page { &mut reading } else { &mut changed };
                packages.insert(owner.name.clone());
            } else if file.starts_with("fuzz/") {
                // The fuzzers are a workspace of their own; their seeds are replayed by the system tests.
                changed.insert("tests".to_owned());
            } else if !is_document {
                return Self::ALL;
            }
        }
        let packages = with_dependents(changed, members);
        // The browser plays through `tabiya`, and on the firmware in QEMU.
        page |= ["host-server", "firmware"].iter().any(|package| packages.contains(*package));
        let readers = &reading - &packages;
        Self { packages: Some(packages), readers, page, model, images }
    }
}

fn select(packages: Option<&BTreeSet<String>>) -> Option<Vec<String>> {
    let Some(packages) = packages else { return Some(vec!["--workspace".to_owned()]) };
    let arguments = packages.iter().flat_map(|package| ["--package".to_owned(), package.clone()]);
    (!packages.is_empty()).then(|| arguments.collect())
}

/// The package that a file belongs to: the one with the longest folder that contains it.
pub(super) fn owner<'a>(file: &str, members: &'a [Member]) -> Option<&'a Member> {
    let contains =
        |member: &&Member| file.strip_prefix(member.folder.as_str()).is_some_and(|rest| rest.starts_with('/'));
    members.iter().filter(contains).max_by_key(|member| member.folder.len())
}

/// These packages, and all that depend on them.
fn with_dependents(mut packages: BTreeSet<String>, members: &[Member]) -> BTreeSet<String> {
    loop {
        let is_new = |member: &&Member| !packages.contains(&member.name) && !member.dependencies.is_disjoint(&packages);
        let dependents: Vec<String> = members.iter().filter(is_new).map(|member| member.name.clone()).collect();
        if dependents.is_empty() {
            return packages;
        }
        packages.extend(dependents);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members() -> Vec<Member> {
        let member = |name: &str, folder: &str, dependencies: &[&str]| Member {
            name: name.to_owned(),
            folder: folder.to_owned(),
            dependencies: dependencies.iter().map(|name| (*name).to_owned()).collect(),
        };
        vec![
            member("chess", "chess", &[]),
            member("rules-bench", "chess/bench", &["chess"]),
            member("wire", "wire", &["chess"]),
            member("board", "board", &["chess", "wire"]),
            member("firmware", "firmware", &["board", "wire"]),
            member("host-server", "host-server", &["board", "wire"]),
            member("tests", "tests", &["firmware", "host-server"]),
            member("xtask", "xtask", &[]),
        ]
    }

    fn scope(files: &[&str]) -> Scope {
        let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
        let read_by = |packages: &[&str], page| Readers { packages: set(packages), page };
        let readers = BTreeMap::from([
            (".env.example".to_owned(), read_by(&["host-server"], false)),
            ("docs/lights.md".to_owned(), read_by(&["board"], false)),
            ("docs/playing.md".to_owned(), Readers::default()),
            ("docs/protocol.md".to_owned(), read_by(&["wire"], true)),
        ]);
        Scope::of_change(&files, &members(), &readers)
    }

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn only(packages: &[&str], readers: &[&str], page: bool) -> Scope {
        Scope { packages: Some(set(packages)), readers: set(readers), page, model: false, images: false }
    }

    #[test]
    fn a_crate_affects_itself_and_its_dependents() {
        let scope = scope(&["firmware/src/lib.rs"]);
        assert_eq!(scope, only(&["firmware", "tests"], &[], true));
        let selection = ["--package", "firmware", "--package", "tests"].map(str::to_owned).to_vec();
        assert_eq!((scope.lint_selection(), scope.test_selection()), (Some(selection.clone()), Some(selection)));
        assert!(scope.includes("tests") && !scope.includes("xtask"));
    }

    #[test]
    fn a_nested_crate_is_not_its_parent() {
        assert_eq!(scope(&["chess/bench/src/host.rs"]), only(&["rules-bench"], &[], false));
        assert!(scope(&["chess/src/lib.rs"]).includes("rules-bench"));
    }

    #[test]
    fn a_document_affects_only_the_tests_that_read_it() {
        assert_eq!(scope(&["docs/lights.md"]), only(&[], &["board"], false));
        assert_eq!(scope(&["board/README.md"]), only(&[], &["board"], false));
        assert_eq!(scope(&["docs/lights.md"]).lint_selection(), None);
        assert!(scope(&["docs/lights.md"]).tests("board") && !scope(&["docs/lights.md"]).includes("board"));
        assert_eq!(scope(&["docs/lights.md"]).test_selection(), Some(vec!["--package".into(), "board".into()]));
        let scope = scope(&["README.md", "docs/playing.md", "CONTRIBUTING.md", ".github/workflows/test.yml"]);
        assert_eq!((scope.test_selection(), scope.page), (None, false));
    }

    #[test]
    fn a_document_that_a_browser_test_reads_runs_the_browser_tests() {
        assert_eq!(scope(&["docs/protocol.md"]), only(&[], &["wire"], true));
    }

    #[test]
    fn the_example_settings_affect_the_tests_that_read_them() {
        assert!(
            may_have_readers(".env.example") && may_have_readers("docs/lights.md") && !may_have_readers("README.md")
        );
        assert_eq!(scope(&[".env.example"]), only(&[], &["host-server"], false));
    }

    #[test]
    fn the_page_affects_the_browser_tests_and_the_relay_that_embeds_it() {
        assert_eq!(scope(&["host-server/page/game/state.js"]), only(&[], &["host-server"], true));
        assert_eq!(scope(&["tests/browser/unit/state.test.js"]), only(&[], &[], true));
    }

    #[test]
    fn the_chip_model_runs_for_the_firmware_and_for_itself() {
        let model = scope(&["tests/chip/chipmodel/core.py"]);
        assert_eq!(model, Scope { model: true, ..only(&[], &[], false) });
        assert!(model.chip() && scope(&["firmware/src/lib.rs"]).chip() && !scope(&["xtask/src/main.rs"]).chip());
    }

    #[test]
    fn the_code_that_checks_images_runs_on_all_images() {
        for file in IMAGE_SOURCES {
            let images = scope(&[file]);
            assert_eq!(images, Scope { images: true, ..only(&["xtask"], &[], false) }, "{file}");
            assert!(images.images() && !images.includes("firmware"));
        }
        assert!(scope(&["firmware/src/lib.rs"]).images() && !scope(&["xtask/src/main.rs"]).images());
        assert!(scope(&["xtask/src/chip.rs"]).chip());
    }

    #[test]
    fn a_reader_that_is_also_changed_is_changed() {
        assert_eq!(scope(&["xtask/README.md", "xtask/src/main.rs"]), only(&["xtask"], &[], false));
    }

    #[test]
    fn an_unknown_file_affects_everything() {
        for file in ["Cargo.lock", "Cargo.toml", "rust-toolchain.toml", ".cargo/config.toml", "Makefile", "new/file.rs"]
        {
            assert_eq!(scope(&["README.md", file]), Scope::ALL, "{file}");
        }
        assert_eq!(Scope::ALL.test_selection(), Some(vec!["--workspace".to_owned()]));
    }

    #[test]
    fn seeds_of_the_fuzzers_are_replayed() {
        assert_eq!(scope(&["fuzz/seeds/link/a"]), only(&["tests"], &[], false));
    }
}
