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

/// The modules of this crate that a file names, outside of comments and of the module of its tests.
fn used(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    code.split("crate::").skip(1).flat_map(first_names).filter(|name| name.starts_with(char::is_lowercase)).collect()
}

/// The first names of a path, of which `{a::b, c}` has several.
fn first_names(path: &str) -> Vec<String> {
    let Some(group) = path.strip_prefix('{') else { return vec![name(path)] };
    let mut depth = 1;
    let mut names = vec![name(group)];
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => names.push(name(&group[at + 1..])),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

/// The identifier at the start of a text.
fn name(text: &str) -> String {
    text.trim_start().chars().take_while(|&letter| letter == '_' || letter.is_alphanumeric()).collect()
}

#[test]
fn finds_modules_in_paths_and_groups_but_not_in_comments_and_tests() {
    let text = "// crate::comment::Item\n#[cfg(test)]\nmod tests;\nuse crate::room::{Room, Seat};\nuse crate::{\n    \
        relay::{self, Relay},\n    store,\n    Services,\n};\n#[cfg(test)]\nmod tests {\n    use crate::owner::Owner;\n}\n";
    assert_eq!(used(text), ["room", "relay", "store"]);
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
        for other in used(&text).into_iter().filter(|other| other != module) {
            match rows.get(&other) {
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
