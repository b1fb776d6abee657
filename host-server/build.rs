//! Generates the list of all files under `page/`, which the program embeds.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    // Cargo watches the whole directory.
    println!("cargo::rerun-if-changed=page");
    let variable = |name| env::var_os(name).map(PathBuf::from).ok_or_else(|| io::Error::other(name));
    let folder = variable("CARGO_MANIFEST_DIR")?.join("page");
    let mut files = Vec::new();
    gather(&folder, &mut files)?;
    files.sort();
    let mut list = "[\n".to_owned();
    for file in &files {
        let name = file.strip_prefix(&folder).map_err(io::Error::other)?;
        // URLs have slashes also on Windows.
        let name = name.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
        // A relative path, so that a moved checkout can reuse its build.
        let path = format!("/page/{name}");
        writeln!(list, "    ({name:?}, include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?}))),")
            .map_err(io::Error::other)?;
    }
    list.push(']');
    fs::write(variable("OUT_DIR")?.join("page.rs"), list)
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if entry.file_type()?.is_dir() {
            gather(&entry.path(), files)?;
        } else if !is_hidden {
            files.push(entry.path());
        }
    }
    Ok(())
}
