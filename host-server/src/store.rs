//! Where rooms and boards are kept. The log of a room is the truth; a relay only ever has a copy of it.
//!
//! Two stores keep the same promises: what was added is there for good before anybody is told so, and a log only grows by
//! those who know all of it. [`embedded`] is one file and one relay; [`redis`] is shared by any number of relays.

pub mod embedded;
pub mod memory;
pub mod redis;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use tokio::sync::mpsc;

use crate::room::{Code, Entry, RelayId, RoomId, Time};

/// What a store will have done some time.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Where rooms and boards are kept.
pub trait Store: fmt::Debug + Send + Sync + 'static {
    /// What time it is. All relays on one store agree on it, it never goes back, and it does not count the time in which
    /// nobody could have played because the store's only relay was down.
    fn now(&self) -> Time;

    /// Whether it shows the documented state of a game to whoever looks into it, so that it wants it with each batch.
    fn shows_state(&self) -> bool;

    /// Opens a room under a code, with the first lines of its log. The code must be free: nobody has it, or the room that
    /// had it is [freed](Batch::frees).
    fn create<'a>(&'a self, room: RoomId, code: &'a Code, log: &'a [Entry]) -> Pending<'a, Created>;

    /// The room that a code opens, or has opened last if it is free by now and the room is still kept.
    fn find<'a>(&'a self, code: &'a Code) -> Pending<'a, Option<RoomId>>;

    /// The lines of a room's log after the first so many. There are none if the room is not, or no longer, kept.
    fn load(&self, room: RoomId, after: u64) -> Pending<'_, Vec<Entry>>;

    /// Adds lines to a log.
    fn append(&self, room: RoomId, batch: Batch) -> Pending<'_, Appended>;

    /// Lets a relay know when something happens in a room through another relay. It lasts until the listener is dropped.
    /// Signals may be lost, and one too many does no harm; after [`Signal::Lost`] the listener looks for itself.
    fn listen(&self, room: RoomId) -> Pending<'_, Listener>;

    /// Tells the other relays that have this room something that nobody needs to remember. It may be lost.
    fn whisper(&self, room: RoomId, words: Arc<[u8]>);

    /// A relay says that it is alive and looks after these rooms, and learns who else is, and which open rooms nobody looks
    /// after any more: from now on they are its own.
    fn beat<'a>(&'a self, relay: RelayId, rooms: &'a [RoomId]) -> Pending<'a, Pulse>;

    /// A relay stops, and says so instead of leaving the others to find out.
    fn retire(&self, relay: RelayId) -> Pending<'_, ()>;

    /// A record, with its version.
    fn read<'a>(&'a self, drawer: Drawer, name: &'a str) -> Pending<'a, Option<Record>>;

    /// Writes a record, if it still has this version; 0 is that there is none. Returns its new version, or nothing if it has
    /// another one.
    fn write<'a>(&'a self, drawer: Drawer, name: &'a str, version: u64, bytes: &'a [u8]) -> Pending<'a, Option<u64>>;

    /// Removes a record. Returns whether there was one.
    fn remove<'a>(&'a self, drawer: Drawer, name: &'a str) -> Pending<'a, bool>;

    /// All records in a drawer, by name.
    fn list(&self, drawer: Drawer) -> Pending<'_, Vec<(String, Record)>>;

    /// Whether it works, for those who ask how the relay is.
    fn check(&self) -> Pending<'_, ()>;
}

/// Lines for a log, and what else changes with them, all at once or not at all.
#[derive(Clone, Debug)]
pub struct Batch {
    /// How many lines the log has, as far as the writer knows.
    pub after: u64,
    /// The lines.
    pub entries: Vec<Entry>,
    /// The documented state of the game after them, for a store that [shows](Store::shows_state) it.
    pub state: Option<Vec<u8>>,
    /// The code, if the room is closed by this: from now on another room may have it, and the log is kept only for as long
    /// as finished games are.
    pub frees: Option<Code>,
}

/// What came of opening a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    /// It is open.
    Done,
    /// The code opens another one.
    Taken(RoomId),
}

/// What came of adding to a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Appended {
    /// The lines are in it, for good.
    Done,
    /// Others were quicker: these are the lines that the writer does not know yet. Nothing was added.
    Behind(Vec<Entry>),
}

/// Something that comes from other relays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signal {
    /// The log has so many lines now.
    Grown(u64),
    /// Somebody whispers.
    Whisper(Arc<[u8]>),
    /// Something may have been missed.
    Lost,
}

/// What comes from other relays about a room.
#[derive(Debug)]
pub struct Listener {
    /// The signals.
    pub signals: mpsc::Receiver<Signal>,
    /// Ends the listening when it is dropped.
    pub guard: Option<Box<dyn Unlisten>>,
}

/// Whatever has to be undone when nobody listens any more, which it does when it is dropped.
pub trait Unlisten: fmt::Debug + Send + Sync {}

/// Who is alive, and what is left behind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pulse {
    /// All relays that are alive, this one included.
    pub relays: Vec<RelayId>,
    /// Open rooms that nobody has looked after lately.
    pub orphans: Vec<RoomId>,
}

/// A kind of record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Drawer {
    /// Boards that are paired, by name.
    Boards,
    /// What was said to boards and heard from them, by id.
    Sessions,
}

/// Bytes that are kept, with a version that grows whenever they change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The version, from 1.
    pub version: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Why a store did not do something. Nothing has changed, unless it is [unclear](StoreError::Unclear).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// It cannot be reached. Trying again later may help.
    Unavailable(String),
    /// It was asked, and did not answer: it may have done it.
    Unclear(String),
    /// It has no room left.
    Full(String),
    /// What it holds makes no sense.
    Corrupt(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(why) => write!(f, "the store cannot be reached: {why}"),
            Self::Unclear(why) => write!(f, "the store did not answer: {why}"),
            Self::Full(why) => write!(f, "the store is full: {why}"),
            Self::Corrupt(why) => write!(f, "the store holds something that makes no sense: {why}"),
        }
    }
}

impl std::error::Error for StoreError {}
