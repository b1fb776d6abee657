use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, io, process};

/// A folder that is removed, with everything in it, when this is dropped.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A new one, with nothing in it.
    pub fn new() -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = env::temp_dir().join(format!("tabiya-{}-{number}", process::id()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self { path }),
                // A process with our number has left one behind.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left does no harm, and the system removes it some time.
        let _ = fs::remove_dir_all(&self.path);
    }
}
