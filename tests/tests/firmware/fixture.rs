//! Helpers of the firmware tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result};
use chess::Square;

/// A temporary folder for the journal.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("tabiya-body-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).context("there is no place for a folder")?;
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The argument with the path of the journal.
    pub(crate) fn journal(&self) -> String {
        format!("journal={}", self.0.join("journal").display())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left is in the system's temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn square(name: &str) -> Square {
    name.parse().expect("the name of a square")
}
