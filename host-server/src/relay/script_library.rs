//! Stored rule scripts, by the hash of their text. The first text under a hash stays.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::room::ScriptId;
use crate::scripts::MAX_SCRIPT;
use crate::store::{Collection, Store, StoreError};

/// The most scripts that are stored, and the most bytes of all of them.
const MAX_STORED: usize = 2_000;
const MAX_BYTES: u64 = 128 << 20;

/// The record that says which scripts are stored. Every other record is the text of a script.
const INDEX: &str = "index";

/// How often the index is written again after a version conflict with another relay.
const RETRIES: usize = 16;

/// The texts that are kept in memory: at most this many, and this many bytes.
const CACHED: usize = 64;
const CACHED_BYTES: usize = 8 << 20;

/// Bits of the hash that are the id: a number in JSON has 53.
const ID_BITS: u32 = 52;

/// Rule scripts in the store of the relay.
#[derive(Clone, Debug)]
pub struct ScriptLibrary {
    store: Arc<dyn Store>,
    cache: Arc<Mutex<HashMap<ScriptId, Arc<str>>>>,
}

/// The sizes of all stored scripts, in bytes.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Index(BTreeMap<ScriptId, u64>);

/// Why a script was not stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the texts say it")]
pub enum PutError {
    #[error("A script has at most {MAX_SCRIPT} bytes, not {0}.")]
    TooLarge(usize),
    #[error("This relay stores no more scripts.")]
    Full,
    #[error("Another script with the same hash was stored first. Change the text, for example with a comment.")]
    Taken,
    #[error("{}", .0.for_clients())]
    Store(#[from] StoreError),
}

/// The id of a script.
#[must_use]
pub fn script_id(text: &str) -> ScriptId {
    let hash = Sha256::digest(text.as_bytes());
    let first = hash.first_chunk().map_or(0, |&bytes| u64::from_be_bytes(bytes));
    ScriptId(first >> (u64::BITS - ID_BITS))
}

impl ScriptLibrary {
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        Self { store, cache: Arc::default() }
    }

    /// The text of a script.
    pub async fn get(&self, id: ScriptId) -> Result<Option<Arc<str>>, StoreError> {
        if let Some(text) = self.cache.lock().get(&id) {
            return Ok(Some(text.clone()));
        }
        let Some(record) = self.store.read(Collection::Scripts, &id.to_string()).await? else { return Ok(None) };
        let text = String::from_utf8(record.bytes)
            .map_err(|error| StoreError::Corrupt(format!("the script {id} is not text: {error}")))?;
        let text: Arc<str> = text.into();
        self.remember(id, &text);
        Ok(Some(text))
    }

    fn remember(&self, id: ScriptId, text: &Arc<str>) {
        let mut cache = self.cache.lock();
        let bytes: usize = cache.values().map(|text| text.len()).sum();
        if cache.len() >= CACHED || bytes + text.len() > CACHED_BYTES {
            cache.clear();
        }
        cache.insert(id, text.clone());
    }

    /// Stores a script under its hash, unless it is there. `charge` is called with its size before a new one is stored, and may refuse.
    pub async fn put<E: From<PutError>>(
        &self,
        text: &str,
        charge: impl FnOnce(usize) -> Result<(), E>,
    ) -> Result<ScriptId, E> {
        if text.len() > MAX_SCRIPT {
            return Err(PutError::TooLarge(text.len()).into());
        }
        let id = script_id(text);
        if let Some(stored) = self.get(id).await.map_err(PutError::Store)? {
            return if *stored == *text { Ok(id) } else { Err(PutError::Taken.into()) };
        }
        charge(text.len())?;
        self.reserve(id, text.len()).await?;
        let written = self.store.write(Collection::Scripts, &id.to_string(), 0, text.as_bytes()).await;
        match written.map_err(PutError::Store)? {
            Some(_) => Ok(id),
            // Another client was faster.
            None => match self.get(id).await.map_err(PutError::Store)? {
                Some(stored) if *stored == *text => Ok(id),
                _ => Err(PutError::Taken.into()),
            },
        }
    }

    /// Adds a script to the index, if there is room. The index is written first, so that no script is stored which it lacks.
    async fn reserve(&self, id: ScriptId, size: usize) -> Result<(), PutError> {
        for _ in 0..RETRIES {
            let record = self.store.read(Collection::Scripts, INDEX).await?;
            let version = record.as_ref().map_or(0, |record| record.version);
            let mut index: Index = match record {
                None => Index::default(),
                Some(record) => serde_json::from_slice(&record.bytes)
                    .map_err(|error| StoreError::Corrupt(format!("the index of scripts: {error}")))?,
            };
            let bytes: u64 = index.0.values().sum::<u64>() + size as u64;
            if index.0.insert(id, size as u64).is_some() {
                return Ok(());
            }
            if index.0.len() > MAX_STORED || bytes > MAX_BYTES {
                return Err(PutError::Full);
            }
            let text = serde_json::to_vec(&index).unwrap_or_default();
            if self.store.write(Collection::Scripts, INDEX, version, &text).await?.is_some() {
                return Ok(());
            }
        }
        Err(PutError::Store(StoreError::Unavailable("the index of scripts is written too often".to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::memory::Memory;

    async fn put(library: &ScriptLibrary, text: &str) -> Result<ScriptId, PutError> {
        library.put(text, |_| Ok(())).await
    }

    #[tokio::test]
    async fn a_script_is_stored_once_under_its_hash() {
        let store: Arc<dyn Store> = Arc::new(Memory::default());
        let library = ScriptLibrary::new(store.clone());
        let id = put(&library, "x = 1").await.unwrap();
        assert_eq!(id, script_id("x = 1"));
        assert!(id.0 < 1 << 53);
        let again = library.put("x = 1", |_| Err(PutError::Full)).await;
        assert_eq!(again, Ok(id), "a known script costs nothing");
        assert_eq!(library.put("x = 2", |_| Err(PutError::Full)).await, Err(PutError::Full));
        // Another relay on the same store has it.
        let other = ScriptLibrary::new(store);
        assert_eq!(other.get(id).await.unwrap().as_deref(), Some("x = 1"));
        assert_eq!(other.get(ScriptId(1)).await.unwrap(), None);
        let large = "#".repeat(MAX_SCRIPT + 1);
        assert_eq!(put(&other, &large).await, Err(PutError::TooLarge(MAX_SCRIPT + 1)));
    }

    #[tokio::test]
    async fn a_relay_stores_a_limited_number_of_bytes() {
        let library = ScriptLibrary::new(Arc::new(Memory::default()));
        let text = |number: usize| format!("#{number:06}").repeat(MAX_SCRIPT / 7);
        for number in 0..128 {
            put(&library, &text(number)).await.unwrap();
        }
        assert_eq!(put(&library, &text(128)).await, Err(PutError::Full));
        assert!(put(&library, &text(5)).await.is_ok(), "it is stored already");
    }
}
