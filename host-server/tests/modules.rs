//! The table of modules in README.md lists every module, a module uses only modules below it, and a dialect uses no other dialect.

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
    named_after("crate::", &code(text))
}

/// The dialects or shared modules that a file names which is so many levels below `dialect/`.
fn used_of_dialects(text: &str, depth: usize) -> Vec<String> {
    let code = code(text);
    let mut names = named_after("crate::dialect::", &code);
    // A longer chain leaves the dialects, a shorter one stays in the own.
    let chain = "super::".repeat(depth);
    let code = code.replace(&"super::".repeat(depth + 1), "");
    names.extend(named_after(&chain, &code));
    names
}

fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect()
}

/// The modules that follow a path.
fn named_after(path: &str, code: &str) -> Vec<String> {
    code.split(path).skip(1).flat_map(first_names).filter(|name| name.starts_with(char::is_lowercase)).collect()
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
fn finds_the_dialects_that_a_file_names() {
    let text = "use super::super::gmo::read;\nuse super::message;\nuse crate::dialect::{View, games::table};\nuse super::super::super::room;\n";
    assert_eq!(used_of_dialects(text, 2), ["games", "gmo"]);
    assert_eq!(used_of_dialects("use super::{Services, chezz::adapter};\nuse super::super::room;\n", 1), ["chezz"]);
}

#[test]
fn a_dialect_uses_no_other_dialect() {
    let list = fs::read_to_string("src/dialect.rs").expect("dialect.rs has the list of dialects");
    let listed = list.split("Listed { name: \"").skip(1).map(name);
    // It has a listener of its own and is not in the list.
    let dialects: Vec<_> = listed.chain(["livechess".to_owned()]).collect();
    assert!(dialects.len() > 5, "{dialects:?}");
    let mut files = Vec::new();
    sources(Path::new("src/dialect"), &mut files);
    let mut problems = Vec::new();
    for file in files {
        let path = file.strip_prefix("src/dialect").expect("the file is in it");
        let own = path.iter().next().and_then(|name| name.to_str()).unwrap_or_default().trim_end_matches(".rs");
        let text = fs::read_to_string(&file).expect("the file can be read");
        for other in used_of_dialects(&text, path.iter().count()) {
            if other != own && dialects.contains(&other) {
                problems.push(format!("{} uses the dialect {other}", file.display()));
            }
        }
    }
    problems.sort();
    problems.dedup();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
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
