//! The embedded store: one redb file for one relay.
//!
//! One thread (`writer.rs`) makes all changes with group commit: it commits all changes that are queued in one transaction, and
//! answers when that is on the disk. So thousands of moves per second share one fsync, and a confirmed move survives a power
//! cut. Reads do not use that thread.
//!
//! - `tables.rs`: the tables of the file; `file.rs`: opens the file, also again after a disk failure.
//! - `change.rs`: what each change does to the tables; `look.rs`: reads.
//! - `check.rs`: checks the file for damage.
//! - `usage.rs`: how much of the file holds data.
//! - `clock.rs`: a monotonic clock that excludes downtime.

mod change;
mod check;
mod clock;
mod file;
mod look;
mod tables;
#[cfg(test)]
mod tests;
mod usage;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::mpsc;

pub use self::check::{Checked, check};
use self::clock::Clock;
pub use self::file::OpenError;
use self::file::{File, Trouble};
use self::tables::{LOG, Tables};
use self::usage::Usage;
use self::writer::Writer;
use super::{Appended, Batch, Collection, Created, Heartbeat, Listener, Pending, Record, Store, StoreError, StoredLog};
use crate::room::{Code, Entry, RelayId, RoomId, Time};

/// Most entries have fewer bytes than this as JSON.
const LINE: usize = 256;

/// A store in one file, for one relay.
#[derive(Debug)]
pub struct Embedded {
    file: Arc<File>,
    clock: Arc<Clock>,
    writer: Writer,
    usage: Arc<Usage>,
    /// The rooms that were open when the file was opened, until the relay takes them over.
    left_behind: Mutex<Vec<RoomId>>,
}

impl Embedded {
    /// Opens or creates the file. Finished games expire after `keep`.
    pub fn open(path: impl AsRef<Path>, keep: Duration) -> Result<Self, OpenError> {
        let (file, start) = file::guard(path.as_ref(), || File::open(path.as_ref()))?;
        let file = Arc::new(file);
        let clock = Arc::new(Clock::from(start.time));
        let writer = Writer::start(file.clone(), clock.clone(), keep, start.commits)
            .map_err(|error| OpenError::Unreadable(path.as_ref().to_owned(), error.to_string()))?;
        Ok(Self { file, clock, writer, usage: Arc::default(), left_behind: Mutex::new(start.open_rooms) })
    }

    /// Reads on a blocking thread.
    async fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&redb::ReadTransaction) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, StoreError> {
        let file = self.file.clone();
        tokio::task::spawn_blocking(move || file.read(look))
            .await
            .map_err(|error| StoreError::Unavailable(format!("the reading thread failed: {error}")))?
    }

    async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Tables<'_>, Time) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer.change(change).await
    }
}

impl Store for Embedded {
    fn now(&self) -> Time {
        self.clock.now()
    }

    /// No: the file is locked while the relay runs, so no other program can read the state.
    fn shows_state(&self) -> bool {
        false
    }

    fn create<'a>(&'a self, room: RoomId, code: &'a Code, log: &'a [Entry]) -> Pending<'a, Created> {
        Box::pin(async move {
            let (code, lines) = (code.clone(), encode(log)?);
            self.change(move |tables, _| change::create(tables, room, &code, &lines)).await
        })
    }

    fn find<'a>(&'a self, code: &'a Code) -> Pending<'a, Option<RoomId>> {
        let code = code.clone();
        Box::pin(self.look(move |file| look::find(file, &code)))
    }

    fn load(&self, room: RoomId, after: u64) -> Pending<'_, Vec<Entry>> {
        Box::pin(self.look(move |file| look::load(file, room, after, usize::MAX)))
    }

    fn read_log(&self, room: RoomId) -> Pending<'_, StoredLog> {
        Box::pin(async move {
            let lines = self.look(move |file| look::encoded(file, room)).await?;
            Ok(StoredLog::new(format!("room {room}"), lines))
        })
    }

    fn length(&self, room: RoomId) -> Pending<'_, u64> {
        Box::pin(self.look(move |file| look::length(&file.open_table(LOG)?, room)))
    }

    fn page(&self, room: RoomId, after: u64, most: usize) -> Pending<'_, Vec<Entry>> {
        Box::pin(self.look(move |file| look::load(file, room, after, most)))
    }

    fn append(&self, room: RoomId, batch: Batch) -> Pending<'_, Appended> {
        Box::pin(async move {
            let lines = encode(&batch.entries)?;
            let (after, is_last) = (batch.after, batch.frees.is_some());
            self.change(move |tables, now| change::append(tables, room, after, &lines, is_last.then_some(now))).await
        })
    }

    fn listen(&self, _: RoomId) -> Pending<'_, Listener> {
        Box::pin(async {
            // There is no other relay. The sender is dropped, so that the relay knows not to wait for signals.
            let (_, signals) = mpsc::channel(1);
            Ok(Listener { signals, guard: None })
        })
    }

    fn publish(&self, _: RoomId, _: Arc<[u8]>) {}

    fn heartbeat<'a>(&'a self, relay: RelayId, rooms: &'a [RoomId]) -> Pending<'a, Heartbeat> {
        Box::pin(async move {
            let mut left_behind = self.left_behind.lock();
            let mut orphans = std::mem::take(&mut *left_behind);
            orphans.retain(|room| !rooms.contains(room));
            Ok(Heartbeat { relays: vec![relay], orphans })
        })
    }

    fn deregister(&self, _: RelayId) -> Pending<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn read<'a>(&'a self, collection: Collection, name: &'a str) -> Pending<'a, Option<Record>> {
        let name = name.to_owned();
        Box::pin(self.look(move |file| look::read(file, collection, &name)))
    }

    fn write<'a>(
        &'a self,
        collection: Collection,
        name: &'a str,
        version: u64,
        bytes: &'a [u8],
    ) -> Pending<'a, Option<u64>> {
        let (name, bytes) = (name.to_owned(), bytes.to_vec());
        Box::pin(self.change(move |tables, _| change::write(tables, collection, &name, version, &bytes)))
    }

    fn remove<'a>(&'a self, collection: Collection, name: &'a str) -> Pending<'a, bool> {
        let name = name.to_owned();
        Box::pin(self.change(move |tables, _| change::remove(tables, collection, &name)))
    }

    fn list(&self, collection: Collection) -> Pending<'_, Vec<(String, Record)>> {
        Box::pin(self.look(move |file| look::list(file, collection)))
    }

    fn size(&self) -> Pending<'_, u64> {
        let file = self.file.clone();
        Box::pin(async move {
            let size = tokio::task::spawn_blocking(move || file.size()).await;
            let size = size.map_err(|error| StoreError::Unavailable(format!("the reading thread failed: {error}")))?;
            size.map_err(|error| StoreError::Unavailable(error.to_string()))
        })
    }

    fn used(&self) -> Pending<'_, u64> {
        let usage = self.usage.clone();
        Box::pin(self.look(move |file| usage.measure(file)))
    }

    fn check(&self) -> Pending<'_, ()> {
        Box::pin(self.writer.check())
    }

    fn ended(&self) -> Pending<'_, ()> {
        Box::pin(async {
            self.writer.ended().cancelled().await;
            Ok(())
        })
    }
}

fn encode(entries: &[Entry]) -> Result<Vec<Vec<u8>>, StoreError> {
    entries
        .iter()
        .map(|entry| {
            let mut line = Vec::with_capacity(LINE);
            let written = serde_json::to_writer(&mut line, entry);
            written.map_err(|error| StoreError::Corrupt(format!("encoding a new entry: {error}")))?;
            Ok(line)
        })
        .collect()
}
