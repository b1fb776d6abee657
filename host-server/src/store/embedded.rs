//! One file, one relay.
//!
//! All changes go through one thread (`writer.rs`), which takes whatever has come in since it looked last, makes one
//! transaction of it, and answers when that is on the disk. So thousands of moves a second share the wait for the disk, and
//! nobody is told anything that a power cut could take back. Reading goes past that thread.
//!
//! - `tables.rs`: what is in the file; `file.rs`: how it is opened, also again after the disk was full.
//! - `change.rs`: what each change does to the tables; `look.rs`: what is read from them.
//! - `clock.rs`: a time that stands still while nobody could have played.

mod change;
mod clock;
mod file;
mod look;
mod tables;
#[cfg(test)]
mod tests;
mod writer;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;

use self::clock::Clock;
pub use self::file::OpenError;
use self::file::{File, Trouble};
use self::tables::Tables;
use self::writer::Writer;
use super::{Appended, Batch, Created, Drawer, Listener, Pending, Pulse, Record, Store, StoreError};
use crate::room::{Code, Entry, RelayId, RoomId, Time};

/// A store in one file, for one relay.
#[derive(Debug)]
pub struct Embedded {
    file: Arc<File>,
    clock: Arc<Clock>,
    writer: Writer,
    /// The rooms that were open when the file was opened, until somebody takes them over.
    left_behind: Mutex<Vec<RoomId>>,
}

impl Embedded {
    /// Opens the file, or makes it. Finished games are kept in it for so long.
    pub fn open(path: impl AsRef<Path>, keep: Duration) -> Result<Self, OpenError> {
        let (file, start) = File::open(path.as_ref())?;
        let file = Arc::new(file);
        let clock = Arc::new(Clock::from(start.time));
        let writer = Writer::start(file.clone(), clock.clone(), keep, start.commits)
            .map_err(|error| OpenError::Unreadable(path.as_ref().to_owned(), error.to_string()))?;
        Ok(Self { file, clock, writer, left_behind: Mutex::new(start.open_rooms) })
    }

    /// Looks something up on a thread that may wait for the disk.
    async fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&redb::ReadTransaction) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, StoreError> {
        let file = self.file.clone();
        tokio::task::spawn_blocking(move || file.read(look))
            .await
            .map_err(|error| StoreError::Unavailable(format!("the one who looks has failed: {error}")))?
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

    /// Nobody can look into this file: whoever has it open is alone with it, and can work the state out.
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
        Box::pin(self.look(move |file| look::load(file, room, after)))
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
            // There is no other relay, so nothing will ever come. The sender is gone, and the relay does not wait for it.
            let (_, signals) = mpsc::channel(1);
            Ok(Listener { signals, guard: None })
        })
    }

    fn whisper(&self, _: RoomId, _: Arc<[u8]>) {}

    fn beat<'a>(&'a self, relay: RelayId, rooms: &'a [RoomId]) -> Pending<'a, Pulse> {
        Box::pin(async move {
            let mut left_behind = self.left_behind.lock().unwrap_or_else(PoisonError::into_inner);
            let mut orphans = std::mem::take(&mut *left_behind);
            orphans.retain(|room| !rooms.contains(room));
            Ok(Pulse { relays: vec![relay], orphans })
        })
    }

    fn retire(&self, _: RelayId) -> Pending<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn read<'a>(&'a self, drawer: Drawer, name: &'a str) -> Pending<'a, Option<Record>> {
        let name = name.to_owned();
        Box::pin(self.look(move |file| look::read(file, drawer, &name)))
    }

    fn write<'a>(&'a self, drawer: Drawer, name: &'a str, version: u64, bytes: &'a [u8]) -> Pending<'a, Option<u64>> {
        let (name, bytes) = (name.to_owned(), bytes.to_vec());
        Box::pin(self.change(move |tables, _| change::write(tables, drawer, &name, version, &bytes)))
    }

    fn remove<'a>(&'a self, drawer: Drawer, name: &'a str) -> Pending<'a, bool> {
        let name = name.to_owned();
        Box::pin(self.change(move |tables, _| change::remove(tables, drawer, &name)))
    }

    fn list(&self, drawer: Drawer) -> Pending<'_, Vec<(String, Record)>> {
        Box::pin(self.look(move |file| look::list(file, drawer)))
    }

    fn check(&self) -> Pending<'_, ()> {
        // Only a commit shows whether the disk takes anything.
        Box::pin(self.change(|_, _| Ok(())))
    }
}

fn encode(entries: &[Entry]) -> Result<Vec<Vec<u8>>, StoreError> {
    entries
        .iter()
        .map(|entry| {
            serde_json::to_vec(entry).map_err(|error| StoreError::Corrupt(format!("a line that is new: {error}")))
        })
        .collect()
}
