//! The files of all pages.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::FILES;
use crate::hex::Hex;

const EMBEDDED: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// All files.
pub(super) static SHELF: LazyLock<Shelf> =
    LazyLock::new(|| Shelf::stock(if cfg!(debug_assertions) { Origin::Disk } else { Origin::Program }));

/// Where what is sent comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// From the program itself, so a file of its version is never anything else.
    Program,
    /// From the disk, as it is there at that moment: for whoever works on the pages.
    Disk,
}

/// Something that can be sent.
#[derive(Debug)]
pub(super) struct File {
    pub(super) media_type: &'static str,
    pub(super) plain: Bytes,
    /// The same, smaller; nothing, if it would not be.
    pub(super) gzip: Option<Bytes>,
    /// Another one has another tag.
    pub(super) tag: String,
}

pub(super) struct Shelf {
    /// As they were built into the program, and ready to be sent.
    files: BTreeMap<&'static str, (&'static [u8], Arc<File>)>,
    version: String,
    origin: Origin,
}

impl Shelf {
    pub(super) fn stock(origin: Origin) -> Self {
        let mut hash = Sha256::new();
        for (name, bytes) in EMBEDDED {
            hash.update(name.len().to_le_bytes());
            hash.update(name);
            hash.update(Sha256::digest(bytes));
        }
        let version = Hex(&hash.finalize()[..6]).to_string();
        let ready = |&(name, bytes)| (name, (bytes, Arc::new(File::new(name, Bytes::from_static(bytes), &version))));
        Self { files: EMBEDDED.iter().map(ready).collect(), version, origin }
    }

    /// Changes when any file does.
    #[cfg(test)]
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// Whether a file that was asked for by this version will never be anything else.
    pub(super) fn is_final(&self, version: &str) -> bool {
        self.origin == Origin::Program && version == self.version
    }

    /// A file. Pages are not among them: they have addresses of their own.
    pub(super) fn file(&self, name: &str) -> Option<Arc<File>> {
        if is_document(name) { None } else { self.take(name) }
    }

    /// A page, which names its files with their version.
    pub(super) fn document(&self, name: &str) -> Option<Arc<File>> {
        if is_document(name) { self.take(name) } else { None }
    }

    fn take(&self, name: &str) -> Option<Arc<File>> {
        let (embedded, file) = self.files.get(name)?;
        let changed = if self.origin == Origin::Disk { reread(name) } else { None };
        Some(match changed {
            Some(bytes) if bytes != *embedded => Arc::new(File::new(name, bytes.into(), &self.version)),
            _ => file.clone(),
        })
    }

    #[cfg(test)]
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.files.keys().copied()
    }
}

/// A file as it is now, for whoever works on it, if it is still where the program was built from.
fn reread(name: &str) -> Option<Vec<u8>> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("page").join(name)).ok()
}

pub(super) fn is_document(name: &str) -> bool {
    extension(name) == "html"
}

/// What a name ends with.
pub(super) fn extension(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or_default()
}

impl File {
    fn new(name: &str, bytes: Bytes, version: &str) -> Self {
        let plain = if is_document(name) {
            String::from_utf8_lossy(&bytes).replace(FILES, &format!("{FILES}{version}/")).into()
        } else {
            bytes
        };
        let tag = format!("\"{}\"", Hex(&Sha256::digest(&plain)[..12]));
        Self { media_type: media_type(name), gzip: squeeze(&plain), plain, tag }
    }
}

/// What is in a file, by its name.
fn media_type(name: &str) -> &'static str {
    match extension(name) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        _ => "application/octet-stream",
    }
}

fn squeeze(plain: &[u8]) -> Option<Bytes> {
    let mut squeezed = GzEncoder::new(Vec::new(), Compression::best());
    // Nothing can go wrong when writing into memory; if it did, it would be sent as it is.
    squeezed.write_all(plain).ok()?;
    squeezed.finish().ok().filter(|squeezed| squeezed.len() < plain.len()).map(Bytes::from)
}
