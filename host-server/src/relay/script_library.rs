//! Stored rule scripts, by the hash of their text. The first text under a hash stays.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::room::ScriptId;
use crate::scripts::MAX_SCRIPT;
use crate::store::{Collection, Store, StoreError};

/// The most scripts that are stored, and the most bytes of all of them.
const MAX_STORED: usize = 2_000;
const MAX_BYTES: u64 = 128 << 20;

/// A script that no game has used for more than this many days makes room for a new one when there is none. A game that needs it again says so, and
/// goes on when the same text is stored again.
const UNUSED_DAYS: u64 = 30;

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
    cache: Arc<Mutex<HashMap<ScriptId, Cached>>>,
}

#[derive(Debug)]
struct Cached {
    text: Arc<str>,
    /// The day that the index has at least as that of its last use.
    noted: u64,
}

/// All stored scripts.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Index(BTreeMap<ScriptId, Stored>);

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(from = "StoredRepr")]
struct Stored {
    /// In bytes.
    size: u64,
    /// The day of its last use, since 1970.
    used: u64,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum StoredRepr {
    /// An entry of a relay that did not note the use. It is noted with the next one.
    Size(u64),
    Used {
        size: u64,
        used: u64,
    },
}

impl From<StoredRepr> for Stored {
    fn from(stored: StoredRepr) -> Self {
        match stored {
            StoredRepr::Size(size) => Self { size, used: 0 },
            StoredRepr::Used { size, used } => Self { size, used },
        }
    }
}

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

    /// The text of a script, which counts as used today.
    pub async fn get(&self, id: ScriptId) -> Result<Option<Arc<str>>, StoreError> {
        self.get_on(today(), id).await
    }

    async fn get_on(&self, today: u64, id: ScriptId) -> Result<Option<Arc<str>>, StoreError> {
        let found = match self.cache.lock().get_mut(&id) {
            Some(cached) if cached.noted == today => return Ok(Some(cached.text.clone())),
            Some(cached) => {
                cached.noted = today;
                Some(cached.text.clone())
            }
            None => None,
        };
        let found = match found {
            Some(text) => Some(text),
            None => self.read(today, id).await?,
        };
        if found.is_some() {
            // If the store fails, the next day of use is noted.
            let _ = self.note_use(today, id).await;
        }
        Ok(found)
    }

    async fn read(&self, today: u64, id: ScriptId) -> Result<Option<Arc<str>>, StoreError> {
        let Some(record) = self.store.read(Collection::Scripts, &id.to_string()).await? else { return Ok(None) };
        let text = String::from_utf8(record.bytes)
            .map_err(|error| StoreError::Corrupt(format!("the script {id} is not text: {error}")))?;
        let text: Arc<str> = text.into();
        self.remember(today, id, &text);
        Ok(Some(text))
    }

    fn remember(&self, today: u64, id: ScriptId, text: &Arc<str>) {
        let mut cache = self.cache.lock();
        let bytes: usize = cache.values().map(|cached| cached.text.len()).sum();
        if cache.len() >= CACHED || bytes + text.len() > CACHED_BYTES {
            cache.clear();
        }
        cache.insert(id, Cached { text: text.clone(), noted: today });
    }

    /// Stores a script under its hash, unless it is there. `charge` is called with its size before a new one is stored, and may refuse.
    pub async fn put<E: From<PutError>>(
        &self,
        text: &str,
        charge: impl FnOnce(usize) -> Result<(), E>,
    ) -> Result<ScriptId, E> {
        self.put_on(today(), text, charge).await
    }

    async fn put_on<E: From<PutError>>(
        &self,
        today: u64,
        text: &str,
        charge: impl FnOnce(usize) -> Result<(), E>,
    ) -> Result<ScriptId, E> {
        if text.len() > MAX_SCRIPT {
            return Err(PutError::TooLarge(text.len()).into());
        }
        let id = script_id(text);
        if let Some(stored) = self.get_on(today, id).await.map_err(PutError::Store)? {
            return if *stored == *text { Ok(id) } else { Err(PutError::Taken.into()) };
        }
        charge(text.len())?;
        self.reserve(today, id, text.len()).await?;
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

    /// Adds a script to the index, if there is room or can be made. The index is written first, so that no script is stored which it lacks.
    async fn reserve(&self, today: u64, id: ScriptId, size: usize) -> Result<(), PutError> {
        for _ in 0..RETRIES {
            let (mut index, version) = self.index().await?;
            if index.0.contains_key(&id) {
                return Ok(());
            }
            let removed = index.add(id, Stored { size: size as u64, used: today }).ok_or(PutError::Full)?;
            for id in removed {
                // A crash after this leaves an entry without a text, which counts until the text is stored again or the entry is removed.
                self.store.remove(Collection::Scripts, &id.to_string()).await?;
                self.cache.lock().remove(&id);
                tracing::info!(script = %id, "removed a script that was not used for {UNUSED_DAYS} days, to make room");
            }
            if self.write(&index, version).await? {
                return Ok(());
            }
        }
        Err(PutError::Store(StoreError::Unavailable("the index of scripts is written too often".to_owned())))
    }

    /// Notes that a script was used.
    async fn note_use(&self, today: u64, id: ScriptId) -> Result<(), StoreError> {
        for _ in 0..RETRIES {
            let (mut index, version) = self.index().await?;
            let Some(stored) = index.0.get_mut(&id).filter(|stored| stored.used < today) else { return Ok(()) };
            stored.used = today;
            if self.write(&index, version).await? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The index, and its version.
    async fn index(&self) -> Result<(Index, u64), StoreError> {
        let Some(record) = self.store.read(Collection::Scripts, INDEX).await? else { return Ok((Index::default(), 0)) };
        let index = serde_json::from_slice(&record.bytes)
            .map_err(|error| StoreError::Corrupt(format!("the index of scripts: {error}")))?;
        Ok((index, record.version))
    }

    /// Writes the index, unless another relay has.
    async fn write(&self, index: &Index, version: u64) -> Result<bool, StoreError> {
        let text = serde_json::to_vec(index).unwrap_or_default();
        Ok(self.store.write(Collection::Scripts, INDEX, version, &text).await?.is_some())
    }
}

impl Index {
    /// Adds a script. If there is no room, removes the scripts that were not used for the longest time, and returns them; nothing if there are not
    /// enough of them.
    fn add(&mut self, id: ScriptId, new: Stored) -> Option<Vec<ScriptId>> {
        let mut bytes: u64 = self.0.values().map(|stored| stored.size).sum::<u64>() + new.size;
        let mut unused: Vec<(u64, ScriptId)> = self.0.iter().map(|(id, stored)| (stored.used, *id)).collect();
        unused.retain(|(used, _)| used + UNUSED_DAYS < new.used);
        unused.sort_unstable();
        let mut removed = Vec::new();
        while self.0.len() >= MAX_STORED || bytes > MAX_BYTES {
            let (_, oldest) = unused.get(removed.len())?;
            bytes -= self.0.remove(oldest).map_or(0, |stored| stored.size);
            removed.push(*oldest);
        }
        self.0.insert(id, new);
        Some(removed)
    }
}

/// Days since 1970.
fn today() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400)
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

    #[test]
    fn an_index_without_days_is_read() {
        let index: Index =
            serde_json::from_str(r#"{"0000000000000005":7,"0000000000000006":{"size":8,"used":9}}"#).unwrap();
        let stored: Vec<_> = index.0.values().map(|stored| (stored.size, stored.used)).collect();
        assert_eq!(stored, [(7, 0), (8, 9)]);
    }

    #[tokio::test]
    async fn a_script_that_was_not_used_for_a_month_makes_room() {
        let store: Arc<dyn Store> = Arc::new(Memory::default());
        let library = ScriptLibrary::new(store.clone());
        let text = |number: usize| format!("#{number:06}").repeat(MAX_SCRIPT / 7);
        let put = async |day: u64, number: usize| library.put_on(day, &text(number), |_| Ok::<_, PutError>(())).await;
        for number in 0..128 {
            put(100, number).await.unwrap();
        }
        // A game of another relay uses one of them, each time on another day.
        let other = ScriptLibrary::new(store);
        for day in [101, 120] {
            assert!(other.get_on(day, script_id(&text(0))).await.unwrap().is_some());
        }
        assert_eq!(put(130, 128).await, Err(PutError::Full));
        put(131, 128).await.unwrap();
        let kept = ScriptLibrary::new(library.store.clone());
        let mut missing = Vec::new();
        for number in 0..129 {
            if kept.get_on(131, script_id(&text(number))).await.unwrap().is_none() {
                missing.push(number);
            }
        }
        assert_eq!(missing.len(), 1);
        assert!(missing[0] != 0 && missing[0] != 128, "{missing:?}");
        // All others were looked at that day.
        assert_eq!(put(140, 129).await, Err(PutError::Full));
        assert!(put(140, 5).await.is_ok());
    }
}
