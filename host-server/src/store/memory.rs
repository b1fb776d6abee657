//! A store in memory, for one relay and its lifetime: for tests and experiments.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::{Appended, Batch, Collection, Created, Head, Heartbeat, Listener, Pending, Record, Store, StoreError};
use crate::room::{Code, Entry, RelayId, RoomId, Time};

/// Rooms and boards in memory.
#[derive(Debug)]
pub struct Memory {
    begun: Instant,
    is_away: AtomicBool,
    refused_appends: AtomicU64,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    codes: HashMap<Code, RoomId>,
    logs: HashMap<RoomId, Log>,
    records: HashMap<(Collection, String), Record>,
}

#[derive(Debug)]
struct Log {
    entries: Vec<Entry>,
    is_freed: bool,
}

impl Default for Memory {
    fn default() -> Self {
        let (is_away, refused_appends) = (AtomicBool::new(false), AtomicU64::new(0));
        Self { begun: Instant::now(), is_away, refused_appends, kept: Mutex::default() }
    }
}

impl Memory {
    /// Simulates a failover to a replica that lacks the last entries of all logs.
    pub fn lose(&self, entries: usize) {
        for log in self.kept().logs.values_mut() {
            log.entries.truncate(log.entries.len().saturating_sub(entries).max(1));
        }
    }

    /// Simulates that the store is unreachable, or reachable again.
    pub fn set_unavailable(&self, is_away: bool) {
        self.is_away.store(is_away, Ordering::Relaxed);
    }

    /// How many batches were not appended because the store was unreachable.
    pub fn refused_appends(&self) -> u64 {
        self.refused_appends.load(Ordering::Relaxed)
    }

    fn done<'a, T: Send + 'a>(&self, act: impl FnOnce(&mut Kept) -> T) -> Pending<'a, T> {
        let done = if self.is_away.load(Ordering::Relaxed) {
            Err(StoreError::Unavailable("a test has made it unreachable".to_owned()))
        } else {
            Ok(act(&mut self.kept()))
        };
        Box::pin(future::ready(done))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // Nothing is ever half-done in it.
        self.kept.lock()
    }
}

impl Store for Memory {
    fn now(&self) -> Time {
        Time(self.begun.elapsed().as_millis().try_into().unwrap_or(u64::MAX))
    }

    fn shows_state(&self) -> bool {
        false
    }

    fn create<'a>(&'a self, room: RoomId, code: &'a Code, log: &'a [Entry]) -> Pending<'a, Created> {
        self.done(|kept| {
            if let Some(other) = kept.codes.get(code)
                && kept.logs.get(other).is_some_and(|log| !log.is_freed)
            {
                return Created::Taken(*other);
            }
            kept.codes.insert(code.clone(), room);
            kept.logs.insert(room, Log { entries: log.to_vec(), is_freed: false });
            Created::Done
        })
    }

    fn find<'a>(&'a self, code: &'a Code) -> Pending<'a, Option<RoomId>> {
        self.done(|kept| kept.codes.get(code).copied())
    }

    fn load(&self, room: RoomId, after: u64) -> Pending<'_, Vec<Entry>> {
        self.done(|kept| kept.logs.get(&room).map_or_else(Vec::new, |log| since(&log.entries, after)))
    }

    fn length(&self, room: RoomId) -> Pending<'_, u64> {
        self.done(|kept| kept.logs.get(&room).map_or(0, |log| log.entries.len() as u64))
    }

    fn page(&self, room: RoomId, after: u64, most: usize) -> Pending<'_, Vec<Entry>> {
        self.done(|kept| {
            let mut entries = kept.logs.get(&room).map_or_else(Vec::new, |log| since(&log.entries, after));
            entries.truncate(most);
            entries
        })
    }

    fn append(&self, room: RoomId, batch: Batch) -> Pending<'_, Appended> {
        if self.is_away.load(Ordering::Relaxed) {
            self.refused_appends.fetch_add(1, Ordering::Relaxed);
        }
        self.done(|kept| {
            let Some(log) = kept.logs.get_mut(&room) else { return Appended::Conflict(Vec::new()) };
            let Head { version, write_id } = batch.after;
            if let Some(last) = version.checked_sub(1)
                && since(&log.entries, last).first().is_none_or(|entry| entry.write_id != write_id)
            {
                return Appended::Diverged;
            }
            if log.entries.len() as u64 != version {
                return Appended::Conflict(since(&log.entries, version));
            }
            log.entries.extend(batch.entries);
            log.is_freed |= batch.frees.is_some();
            if log.is_freed {
                log.entries.retain(|entry| !matches!(entry.fact, crate::room::Fact::Said { .. }));
            }
            Appended::Done
        })
    }

    fn listen(&self, _: RoomId) -> Pending<'_, Listener> {
        // There is no other relay, so no signal will come.
        self.done(|_| Listener { signals: mpsc::channel(1).1, guard: None })
    }

    fn publish(&self, _: RoomId, _: Arc<[u8]>) {}

    fn heartbeat<'a>(&'a self, relay: RelayId, _: &'a [RoomId]) -> Pending<'a, Heartbeat> {
        self.done(|_| Heartbeat { relays: vec![relay], orphans: Vec::new() })
    }

    fn deregister(&self, _: RelayId) -> Pending<'_, ()> {
        self.done(|_| ())
    }

    fn read<'a>(&'a self, collection: Collection, name: &'a str) -> Pending<'a, Option<Record>> {
        self.done(|kept| kept.records.get(&(collection, name.to_owned())).cloned())
    }

    fn write<'a>(
        &'a self,
        collection: Collection,
        name: &'a str,
        version: u64,
        bytes: &'a [u8],
    ) -> Pending<'a, Option<u64>> {
        self.done(|kept| match kept.records.entry((collection, name.to_owned())) {
            Slot::Occupied(mut slot) if slot.get().version == version => {
                slot.insert(Record { version: version + 1, bytes: bytes.to_vec() });
                Some(version + 1)
            }
            Slot::Vacant(slot) if version == 0 => {
                slot.insert(Record { version: 1, bytes: bytes.to_vec() });
                Some(1)
            }
            _ => None,
        })
    }

    fn remove<'a>(&'a self, collection: Collection, name: &'a str) -> Pending<'a, bool> {
        self.done(|kept| kept.records.remove(&(collection, name.to_owned())).is_some())
    }

    fn list(&self, collection: Collection) -> Pending<'_, Vec<(String, Record)>> {
        self.done(|kept| {
            let in_drawer = kept.records.iter().filter(|((of, _), _)| *of == collection);
            let mut records: Vec<_> = in_drawer.map(|((_, name), record)| (name.clone(), record.clone())).collect();
            records.sort_by(|one, other| one.0.cmp(&other.0));
            records
        })
    }

    fn size(&self) -> Pending<'_, u64> {
        let entry_bytes = size_of::<Entry>() as u64;
        self.done(|kept| kept.logs.values().map(|log| log.entries.len() as u64 * entry_bytes).sum())
    }

    fn check(&self) -> Pending<'_, ()> {
        self.done(|_| ())
    }
}

fn since(entries: &[Entry], after: u64) -> Vec<Entry> {
    usize::try_from(after).ok().and_then(|after| entries.get(after..)).unwrap_or_default().to_vec()
}
