//! Persistent storage of rooms and boards. The log of a room is the source of truth; relays hold copies of it.
//!
//! Both stores give the same guarantees: an append is durable before it is confirmed, and it succeeds only if the writer knows
//! the whole log (compare-and-append). [`embedded`] is one file for one relay; [`redis`] is shared by any number of relays.

pub mod embedded;
pub mod memory;
pub mod redis;
mod stored_log;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use tokio::sync::mpsc;

use crate::room::{Code, Entry, RelayId, RoomId, Time};

pub use stored_log::StoredLog;
use stored_log::is_chat;

/// The future result of a store operation.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Persistent storage of rooms, boards and relay liveness.
pub trait Store: fmt::Debug + Send + Sync + 'static {
    /// The current time. All relays on one store agree on it, it is monotonic, and it excludes downtime of the embedded
    /// store's only relay, so that players do not lose on time meanwhile.
    fn now(&self) -> Time;

    /// Whether batches should contain the documented state of the game, for other programs that read the store.
    fn shows_state(&self) -> bool;

    /// Opens a room under a code, with the first entries of its log. The code must be unused, or
    /// [freed](Batch::frees) by the room that had it.
    fn create<'a>(&'a self, room: RoomId, code: &'a Code, log: &'a [Entry]) -> Pending<'a, Created>;

    /// The room with a code, or the last one that had it if that is still stored.
    fn find<'a>(&'a self, code: &'a Code) -> Pending<'a, Option<RoomId>>;

    /// The entries of a room's log after the first `after`. Empty if the room is not stored.
    fn load(&self, room: RoomId, after: u64) -> Pending<'_, Vec<Entry>>;

    /// The whole log of a room, which the caller decodes on a thread for long work. Empty if the room is not stored.
    fn read_log(&self, room: RoomId) -> Pending<'_, StoredLog> {
        Box::pin(async move { self.load(room, 0).await.map(StoredLog::from) })
    }

    /// The number of stored entries of a room's log: what loading and replaying it costs. 0 if the room is not stored.
    fn length(&self, room: RoomId) -> Pending<'_, u64>;

    /// At most `most` entries of a room's log after the first `after`.
    fn page(&self, room: RoomId, after: u64, most: usize) -> Pending<'_, Vec<Entry>>;

    /// Appends entries to a log if it ends with the entry that [`Batch::after`] names.
    fn append(&self, room: RoomId, batch: Batch) -> Pending<'_, Appended>;

    /// Subscribes to the signals of other relays about a room, until the listener is dropped. Signals may be lost or
    /// repeated; after [`Signal::Lost`] the listener loads the log.
    fn listen(&self, room: RoomId) -> Pending<'_, Listener>;

    /// Publishes a message that is not persisted to the other relays that serve this room. It may be lost.
    fn publish(&self, room: RoomId, words: Arc<[u8]>);

    /// Renews the heartbeat of a relay and its leases on rooms. Returns the live relays, and open rooms whose lease has
    /// expired: the caller holds their leases from now on.
    fn heartbeat<'a>(&'a self, relay: RelayId, rooms: &'a [RoomId]) -> Pending<'a, Heartbeat>;

    /// Removes a relay that stops, so that the others need not wait for its heartbeat to expire.
    fn deregister(&self, relay: RelayId) -> Pending<'_, ()>;

    /// Reads a record with its version.
    fn read<'a>(&'a self, collection: Collection, name: &'a str) -> Pending<'a, Option<Record>>;

    /// Writes a record if it still has this version (compare-and-swap); 0 means that there is none. Returns its new version,
    /// or `None` on a version conflict.
    fn write<'a>(
        &'a self,
        collection: Collection,
        name: &'a str,
        version: u64,
        bytes: &'a [u8],
    ) -> Pending<'a, Option<u64>>;

    /// Removes a record. Returns whether there was one.
    fn remove<'a>(&'a self, collection: Collection, name: &'a str) -> Pending<'a, bool>;

    /// All records in a collection, by name.
    fn list(&self, collection: Collection) -> Pending<'_, Vec<(String, Record)>>;

    /// The size of the store in bytes: of the file, or of the memory that Redis uses. 0 if it is not known.
    fn size(&self) -> Pending<'_, u64>;

    /// The part of that size that holds data, which is less after games have expired, because a file keeps free pages for new data.
    /// It may take a while to find out.
    fn used(&self) -> Pending<'_, u64> {
        self.size()
    }

    /// Health check: whether the store can write.
    fn check(&self) -> Pending<'_, ()>;

    /// Waits until the store has failed for good, so that only a restart of the process helps.
    fn ended(&self) -> Pending<'_, ()> {
        Box::pin(std::future::pending())
    }
}

/// The end of a log: what compare-and-append compares. A length alone does not name a log: after a failover that lost entries,
/// other entries may have taken their places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The number of entries.
    pub version: u64,
    /// The write id of the last entry; ignored in an empty log.
    pub write_id: u64,
}

impl Head {
    /// The head after these further entries.
    #[must_use]
    pub fn after(self, entries: &[Entry]) -> Self {
        Self {
            version: self.version.saturating_add(entries.len() as u64),
            write_id: entries.last().map_or(self.write_id, |entry| entry.write_id),
        }
    }
}

/// Entries to append, and what changes with them in the same transaction.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The end of the log as the writer knows it.
    pub after: Head,
    /// The entries to append.
    pub entries: Vec<Entry>,
    /// The documented state of the game after them, for a store that [shows](Store::shows_state) it.
    pub state: Option<Vec<u8>>,
    /// The code, if the entries close the room: another room may have it from now on, and the log expires like those of
    /// finished games.
    pub frees: Option<Code>,
}

/// The result of [`Store::create`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    /// The room is open.
    Done,
    /// Another room has the code.
    Taken(RoomId),
}

/// The result of [`Store::append`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Appended {
    /// The entries are durable.
    Done,
    /// Version conflict: the log has these further entries, and nothing was appended. None if the log is not stored any more.
    Conflict(Vec<Entry>),
    /// The log has another history than the writer knows, and nothing was appended: a failover or a power cut has lost entries
    /// that the store had confirmed.
    Diverged,
}

/// A notification from another relay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signal {
    /// The log ends here now.
    Grown(Head),
    /// A message that is not persisted.
    Transient(Arc<[u8]>),
    /// Signals may have been lost.
    Lost,
}

/// A subscription to the signals about a room.
#[derive(Debug)]
pub struct Listener {
    #[expect(missing_docs, reason = "the name says it")]
    pub signals: mpsc::Receiver<Signal>,
    /// Unsubscribes when it is dropped.
    pub guard: Option<Box<dyn Unlisten>>,
}

/// A guard that unsubscribes when it is dropped.
pub trait Unlisten: fmt::Debug + Send + Sync {}

/// The answer to a heartbeat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heartbeat {
    /// All live relays, including the caller.
    pub relays: Vec<RelayId>,
    /// Open rooms whose lease has expired.
    pub orphans: Vec<RoomId>,
}

/// A collection of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Collection {
    /// Paired boards, by name.
    Boards,
    /// Link sessions with boards, by board id.
    Sessions,
    /// Genomes of GMO chess, by hash.
    Genomes,
    /// Presets of GMO chess, by hash.
    Presets,
    /// What LiveChess clients have received of each board, by its serial number: set-up, moves and orientation.
    LiveChess,
    /// Rule scripts, by hash.
    Scripts,
    /// The games of each board, by the code of the board.
    BoardGames,
    /// Codes of tables that wait for an opponent, by their first six characters.
    ShortCodes,
}

/// A stored value with a version that grows with every write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The version, from 1.
    pub version: u64,
    /// What the writer has encoded. The store does not interpret it.
    pub bytes: Vec<u8>,
}

/// Why a store operation failed. Nothing has changed, except perhaps after [`StoreError::Unclear`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// The store is unreachable. A retry may succeed.
    Unavailable(String),
    /// The answer was lost: the operation may have succeeded.
    Unclear(String),
    /// The store has no space left.
    Full(String),
    /// Stored data cannot be read.
    Corrupt(String),
}

impl StoreError {
    /// A sentence for clients. It contains no keys, addresses or errors of the system; those are in the log.
    #[must_use]
    pub const fn for_clients(&self) -> &'static str {
        match self {
            Self::Unavailable(_) | Self::Unclear(_) => "The relay cannot reach its store. Try again.",
            Self::Full(_) => "The relay's store is full. Nothing can be stored now.",
            Self::Corrupt(_) => "The stored data of this game cannot be read.",
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(why) => write!(f, "the store is unreachable: {why}"),
            Self::Unclear(why) => write!(f, "the answer of the store was lost: {why}"),
            Self::Full(why) => write!(f, "the store is full: {why}"),
            Self::Corrupt(why) => write!(f, "stored data cannot be read: {why}"),
        }
    }
}

impl std::error::Error for StoreError {}
