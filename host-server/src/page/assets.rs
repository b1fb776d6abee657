//! The files of the web page, compiled into the program.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::FILES;
use super::comments::shortened;
use crate::hex::Hex;

const EMBEDDED: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/page.rs"));

pub(super) static ASSETS: LazyLock<Assets> =
    LazyLock::new(|| Assets::load(if cfg!(debug_assertions) { AssetSource::Disk } else { AssetSource::Program }));

/// Where files are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AssetSource {
    /// The program. A file of one version never changes.
    Program,
    /// The disk at each request, for development.
    Disk,
}

/// A file with everything for its responses.
#[derive(Debug)]
pub(super) struct File {
    pub(super) media_type: &'static str,
    pub(super) plain: Bytes,
    /// Compressed, if that is smaller.
    pub(super) gzip: Option<Bytes>,
    /// `ETag`: a hash of the content.
    pub(super) tag: String,
}

pub(super) struct Assets {
    /// Embedded bytes and prepared file, by name.
    files: BTreeMap<&'static str, (&'static [u8], Arc<File>)>,
    version: String,
    source: AssetSource,
}

impl Assets {
    pub(super) fn load(source: AssetSource) -> Self {
        let mut hash = Sha256::new();
        for (name, bytes) in EMBEDDED {
            hash.update(name.len().to_le_bytes());
            hash.update(name);
            hash.update(Sha256::digest(bytes));
        }
        let version = Hex(&hash.finalize()[..6]).to_string();
        let ready = |&(name, bytes)| (name, (bytes, Arc::new(File::new(name, Bytes::from_static(bytes), &version))));
        Self { files: EMBEDDED.iter().map(ready).collect(), version, source }
    }

    /// Hash of all files.
    #[cfg(test)]
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// Whether a URL with this version may be cached for ever.
    pub(super) fn is_immutable(&self, version: &str) -> bool {
        self.source == AssetSource::Program && version == self.version
    }

    /// A file that is not an HTML page; pages have their own routes.
    pub(super) fn file(&self, name: &str) -> Option<Arc<File>> {
        if is_document(name) { None } else { self.take(name) }
    }

    /// An HTML page, whose links contain the version.
    pub(super) fn document(&self, name: &str) -> Option<Arc<File>> {
        if is_document(name) { self.take(name) } else { None }
    }

    fn take(&self, name: &str) -> Option<Arc<File>> {
        let (embedded, file) = self.files.get(name)?;
        let changed = if self.source == AssetSource::Disk { reread(name) } else { None };
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

/// Reads a file from the source directory, if it exists.
fn reread(name: &str) -> Option<Vec<u8>> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("page").join(name)).ok()
}

pub(super) fn is_document(name: &str) -> bool {
    extension(name) == "html"
}

pub(super) fn extension(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or_default()
}

impl File {
    fn new(name: &str, bytes: Bytes, version: &str) -> Self {
        let plain = match extension(name) {
            "html" => String::from_utf8_lossy(&bytes).replace(FILES, &format!("{FILES}{version}/")).into(),
            "js" | "css" => shortened(&String::from_utf8_lossy(&bytes)).into(),
            _ => bytes,
        };
        let tag = format!("\"{}\"", Hex(&Sha256::digest(&plain)[..12]));
        Self { media_type: media_type(name), gzip: compress(&plain), plain, tag }
    }
}

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

fn compress(plain: &[u8]) -> Option<Bytes> {
    let mut compressed = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail; on an error the file is sent uncompressed.
    compressed.write_all(plain).ok()?;
    compressed.finish().ok().filter(|compressed| compressed.len() < plain.len()).map(Bytes::from)
}
