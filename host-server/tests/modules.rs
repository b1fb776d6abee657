//! The table of modules in README.md lists every module, and a module uses only modules below it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The row of each module, from the top.
fn rows() -> BTreeMap<String, usize> {
    let readme = fs::read_to_string("README.md").expect("README.md is beside this crate's manifest");
    let table = readme.split("## Modules").nth(1).expect("README.md has a table of modules");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(" |"));
    let names = rows.enumerate().flat_map(|(row, (cell, _))| {
        cell.split(", ").map(move |name| (name.trim_matches('`').trim_end_matches(['/']).replace(".rs", ""), row))
    });
    names.collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        if name == "tests" {
            // Tests may use every module.
        } else if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The modules of this crate that a file names, outside of comments and tests.
fn used(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines
        .flat_map(|line| line.split("crate::").skip(1))
        .map(|path| path.split(|letter: char| letter != '_' && !letter.is_alphanumeric()).next().unwrap_or_default())
        .filter(|name| name.starts_with(|letter: char| letter.is_ascii_lowercase()))
}

#[test]
fn a_module_uses_only_modules_below_it_in_the_table() {
    let rows = rows();
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    let mut problems = Vec::new();
    for file in files {
        let path = file.strip_prefix("src").expect("the file is in src");
        let module = path.iter().next().and_then(|name| name.to_str()).unwrap_or_default().trim_end_matches(".rs");
        let Some(row) = rows.get(module) else {
            problems.push(format!("{module} is not in the table"));
            continue;
        };
        let text = fs::read_to_string(&file).expect("the file can be read");
        for other in used(&text).filter(|other| *other != module) {
            match rows.get(other) {
                None => problems.push(format!("{other}, which {} uses, is not in the table", file.display())),
                Some(lower) if lower <= row => {
                    problems.push(format!("{} uses {other}, which is not below {module}", file.display()));
                }
                Some(_) => {}
            }
        }
    }
    problems.sort();
    problems.dedup();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
