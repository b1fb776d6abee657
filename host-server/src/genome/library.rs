//! Stored genomes and presets, by hash. The first text that is written under a hash stays.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rules::genome::{BACK_ROW, Dna, DnaError, PIECES};

use super::hash::Hash;
use super::preset::{Preset, PresetError};
use crate::store::{Collection, Store, StoreError};

/// The most texts of each kind that are stored. At 500 bytes each they take at most about 10 MB.
const MAX_STORED: usize = 20_000;

/// After this many writes the texts are counted again, because other relays on the same store write, too.
const RECOUNT_AFTER: usize = 100;

/// The name of the default preset in the original game.
const DEFAULT_PRESET: &str = "default";

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Genome,
    Preset,
}

/// Why a text is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Invalid {
    #[error("the DNA is invalid: {0}")]
    Dna(DnaError),
    #[error("the preset is invalid: {0}")]
    Preset(PresetError),
}

impl Kind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Genome => "genome",
            Self::Preset => "preset",
        }
    }

    /// Checks that a text is valid DNA or a preset.
    pub(crate) fn check(self, text: &str) -> Result<(), Invalid> {
        match self {
            Self::Genome => text.parse::<Dna>().map(drop).map_err(Invalid::Dna),
            Self::Preset => text.parse::<Preset>().map(drop).map_err(Invalid::Preset),
        }
    }

    const fn collection(self) -> Collection {
        match self {
            Self::Genome => Collection::Genomes,
            Self::Preset => Collection::Presets,
        }
    }

    /// The built-in text with this hash, or with this name of the original game.
    fn built_in(self, name: &str) -> Option<String> {
        let is_named = |known: &str, text: &str| name == known || name == Hash::of(text).to_string();
        match self {
            Self::Genome => {
                PIECES.iter().find(|piece| is_named(piece.name, piece.dna)).map(|piece| piece.dna.to_owned())
            }
            Self::Preset => Some(default_preset().to_string()).filter(|text| is_named(DEFAULT_PRESET, text)),
        }
    }
}

/// The back row of the original game.
pub(crate) fn default_preset() -> Preset {
    Preset::of(BACK_ROW.iter().filter_map(|&piece| PIECES.get(piece)).map(|piece| Hash::of(piece.dna)))
}

/// The result of writing a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Put {
    Stored,
    /// The same text was stored before.
    Known,
    /// Another text with this hash was stored before.
    Taken,
    /// There are too many texts.
    Full,
}

/// Genomes and presets in the store of the relay.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    store: Arc<dyn Store>,
    counts: Arc<[Count; 2]>,
    /// The most texts of each kind.
    limit: usize,
}

/// How many texts of one kind are stored, as of the last count.
#[derive(Debug, Default)]
struct Count {
    texts: AtomicUsize,
    /// Writes until the next count.
    fresh_for: AtomicUsize,
}

impl Library {
    pub(crate) fn new(store: Arc<dyn Store>) -> Self {
        Self::limited(store, MAX_STORED)
    }

    /// A library that takes as many texts of each kind.
    pub(crate) fn limited(store: Arc<dyn Store>, limit: usize) -> Self {
        Self { store, counts: Arc::default(), limit }
    }

    /// The text with a hash, or a built-in one with a name.
    pub(crate) async fn get(&self, kind: Kind, name: &str) -> Result<Option<String>, StoreError> {
        if let Some(text) = kind.built_in(name) {
            return Ok(Some(text));
        }
        let record = self.store.read(kind.collection(), name).await?;
        record
            .map(|record| String::from_utf8(record.bytes))
            .transpose()
            .map_err(|error| StoreError::Corrupt(format!("the {} {name} is not text: {error}", kind.name())))
    }

    /// Whether a text is stored under its hash; nothing if the hash is free.
    pub(crate) async fn compare(&self, kind: Kind, text: &str) -> Result<Option<Put>, StoreError> {
        let stored = self.get(kind, &Hash::of(text).to_string()).await?;
        Ok(stored.map(|stored| if stored == text { Put::Known } else { Put::Taken }))
    }

    /// Stores a valid text under its hash, unless there is one.
    pub(crate) async fn put(&self, kind: Kind, text: &str) -> Result<Put, StoreError> {
        if let Some(known) = self.compare(kind, text).await? {
            return Ok(known);
        }
        if self.count(kind).await? >= self.limit {
            return Ok(Put::Full);
        }
        let name = Hash::of(text).to_string();
        match self.store.write(kind.collection(), &name, 0, text.as_bytes()).await? {
            Some(_) => Ok(Put::Stored),
            // Another client was faster.
            None => Ok(self.compare(kind, text).await?.unwrap_or(Put::Taken)),
        }
    }

    async fn count(&self, kind: Kind) -> Result<usize, StoreError> {
        let Count { texts, fresh_for } = &self.counts[kind as usize];
        let is_fresh = fresh_for.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
        if is_fresh {
            return Ok(texts.fetch_add(1, Ordering::Relaxed));
        }
        let counted = self.store.list(kind.collection()).await?.len();
        texts.store(counted + 1, Ordering::Relaxed);
        fresh_for.store(RECOUNT_AFTER, Ordering::Relaxed);
        Ok(counted)
    }
}
