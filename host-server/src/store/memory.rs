//! Nothing but memory, for one relay and for as long as it lives: for tests, and for trying things out.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::{Appended, Batch, Created, Drawer, Listener, Pending, Pulse, Record, Store, StoreError};
use crate::room::{Code, Entry, RelayId, RoomId, Time};

/// Rooms and boards in memory.
#[derive(Debug)]
pub struct Memory {
    begun: Instant,
    is_away: AtomicBool,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    codes: HashMap<Code, RoomId>,
    logs: HashMap<RoomId, Log>,
    records: HashMap<(Drawer, String), Record>,
}

#[derive(Debug)]
struct Log {
    entries: Vec<Entry>,
    is_freed: bool,
}

impl Default for Memory {
    fn default() -> Self {
        Self { begun: Instant::now(), is_away: AtomicBool::new(false), kept: Mutex::default() }
    }
}

impl Memory {
    /// From now on it cannot be reached, or can again, as happens to better stores.
    pub fn go_away(&self, is_away: bool) {
        self.is_away.store(is_away, Ordering::Relaxed);
    }

    fn done<'a, T: Send + 'a>(&self, act: impl FnOnce(&mut Kept) -> T) -> Pending<'a, T> {
        let done = if self.is_away.load(Ordering::Relaxed) {
            Err(StoreError::Unavailable("it was told to be away".to_owned()))
        } else {
            Ok(act(&mut self.kept()))
        };
        Box::pin(future::ready(done))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // Nothing is ever half-done in it.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
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

    fn append(&self, room: RoomId, batch: Batch) -> Pending<'_, Appended> {
        self.done(|kept| {
            let Some(log) = kept.logs.get_mut(&room) else { return Appended::Behind(Vec::new()) };
            if log.entries.len() as u64 != batch.after {
                return Appended::Behind(since(&log.entries, batch.after));
            }
            log.entries.extend(batch.entries);
            log.is_freed |= batch.frees.is_some();
            Appended::Done
        })
    }

    fn listen(&self, _: RoomId) -> Pending<'_, Listener> {
        // There is no other relay that anything could come from.
        self.done(|_| Listener { signals: mpsc::channel(1).1, guard: None })
    }

    fn whisper(&self, _: RoomId, _: Arc<[u8]>) {}

    fn beat<'a>(&'a self, relay: RelayId, _: &'a [RoomId]) -> Pending<'a, Pulse> {
        self.done(|_| Pulse { relays: vec![relay], orphans: Vec::new() })
    }

    fn retire(&self, _: RelayId) -> Pending<'_, ()> {
        self.done(|_| ())
    }

    fn read<'a>(&'a self, drawer: Drawer, name: &'a str) -> Pending<'a, Option<Record>> {
        self.done(|kept| kept.records.get(&(drawer, name.to_owned())).cloned())
    }

    fn write<'a>(&'a self, drawer: Drawer, name: &'a str, version: u64, bytes: &'a [u8]) -> Pending<'a, Option<u64>> {
        self.done(|kept| match kept.records.entry((drawer, name.to_owned())) {
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

    fn remove<'a>(&'a self, drawer: Drawer, name: &'a str) -> Pending<'a, bool> {
        self.done(|kept| kept.records.remove(&(drawer, name.to_owned())).is_some())
    }

    fn list(&self, drawer: Drawer) -> Pending<'_, Vec<(String, Record)>> {
        self.done(|kept| {
            let in_drawer = kept.records.iter().filter(|((of, _), _)| *of == drawer);
            let mut records: Vec<_> = in_drawer.map(|((_, name), record)| (name.clone(), record.clone())).collect();
            records.sort_by(|one, other| one.0.cmp(&other.0));
            records
        })
    }

    fn check(&self) -> Pending<'_, ()> {
        self.done(|_| ())
    }
}

fn since(entries: &[Entry], after: u64) -> Vec<Entry> {
    usize::try_from(after).ok().and_then(|after| entries.get(after..)).unwrap_or_default().to_vec()
}
