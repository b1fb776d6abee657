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

/// All files. They are made ready when the first is asked for.
pub(super) static SHELF: LazyLock<Shelf> = LazyLock::new(|| Shelf::stock(EMBEDDED));

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
    files: BTreeMap<&'static str, (Arc<File>, Arc<File>)>,
    version: String,
}

impl Shelf {
    fn stock(embedded: &'static [(&'static str, &'static [u8])]) -> Self {
        let mut hash = Sha256::new();
        for (name, bytes) in embedded {
            hash.update(name.len().to_le_bytes());
            hash.update(name);
            hash.update(Sha256::digest(bytes));
        }
        let version = Hex(&hash.finalize()[..6]).to_string();
        let ready = |&(name, bytes): &(&'static str, &'static [u8])| {
            let file = Arc::new(File::new(name, Bytes::from_static(bytes)));
            let document =
                if is_document(name) { Arc::new(File::versioned(name, bytes, &version)) } else { file.clone() };
            (name, (file, document))
        };
        Self { files: embedded.iter().map(ready).collect(), version }
    }

    /// Changes when any file does.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// A file as it is. Pages are not among them: they have addresses of their own.
    pub(super) fn file(&self, name: &str) -> Option<Arc<File>> {
        let (&name, (file, _)) = self.files.get_key_value(name).filter(|(name, _)| !is_document(name))?;
        Some(fresh(name).map_or_else(|| file.clone(), |bytes| Arc::new(File::new(name, bytes.into()))))
    }

    /// A page, which knows the version of its files.
    pub(super) fn document(&self, name: &str) -> Option<Arc<File>> {
        let (&name, (_, document)) = self.files.get_key_value(name).filter(|(name, _)| is_document(name))?;
        let fresh = fresh(name).map(|bytes| Arc::new(File::versioned(name, &bytes, &self.version)));
        Some(fresh.unwrap_or_else(|| document.clone()))
    }

    #[cfg(test)]
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.files.keys().copied()
    }
}

/// While somebody works on the page, a file is what it is now, if it is still where the program was built from.
fn fresh(name: &str) -> Option<Vec<u8>> {
    if cfg!(debug_assertions) {
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("page").join(name)).ok()
    } else {
        None
    }
}

pub(super) fn is_document(name: &str) -> bool {
    extension(name) == "html"
}

/// What a name ends with.
pub(super) fn extension(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or_default()
}

impl File {
    fn new(name: &str, plain: Bytes) -> Self {
        let tag = format!("\"{}\"", Hex(&Sha256::digest(&plain)[..12]));
        Self { media_type: media_type(name), gzip: squeeze(&plain), plain, tag }
    }

    fn versioned(name: &str, bytes: &[u8], version: &str) -> Self {
        let text = String::from_utf8_lossy(bytes).replace(FILES, &format!("{FILES}{version}/"));
        Self::new(name, text.into())
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
