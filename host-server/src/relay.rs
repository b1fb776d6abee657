//! All rooms that this relay looks after, and the way in.
//!
//! Each open room that somebody is in has one task here (`relay/host.rs`), which is the only one that changes this relay's copy of
//! it. A connection [enters](Relay::enter) and gets an [`Attendance`]: through it goes what the visitor wants, and out of
//! it comes whatever happens. The relay knows nothing of the tongue that is spoken on the other side of that.
//!
//! **Invariant:** nothing is told before it is in the store. A relay may die at any moment, and nobody has seen anything that
//! another relay does not know.

mod attendance;
mod beat;
mod happening;
mod host;
#[cfg(test)]
mod tests;
mod visitor;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::room::{Code, Entry, Fact, RelayId, Room, RoomId, Terms};
use crate::server::metrics;
use crate::store::{Created, Store, StoreError};

pub use attendance::{Answer, Attendance, CommandError, Gone};
pub use happening::{Happening, News, Tongue, Watcher, Whisper, Words};
pub use visitor::{Claim, Invitation, Visitor};

use host::Orders;

/// All rooms that this relay looks after.
#[derive(Clone, Debug)]
pub struct Relay {
    shared: Arc<Shared>,
}

/// The tasks that look after rooms, and the way to each.
type Hosts = HashMap<RoomId, Way>;

/// Nobody looks after a room any more.
fn give_up(hosts: &mut Hosts, room: RoomId) {
    hosts.remove(&room);
    metrics::rooms(hosts.len());
}

#[derive(Debug)]
struct Shared {
    id: RelayId,
    store: Arc<dyn Store>,
    hosts: Mutex<Hosts>,
    /// Those that may read a whole log at the same time.
    opening: Semaphore,
    /// The relays that are alive, as far as is known.
    living: Mutex<Arc<[RelayId]>>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

/// The way to a task.
#[derive(Debug)]
struct Way {
    orders: Orders,
    told: Told,
}

/// What a task has been told about which relays are alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Nothing,
    /// The answer to the question that is being asked.
    Soon,
    Once,
}

/// So many logs are read at the same time.
const OPENING: usize = 64;

/// Why somebody could not come in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EnterError {
    /// There is no room with this code.
    NoRoom,
    /// The room has just been closed.
    Closed,
    /// The secret does not open a seat in this room.
    WrongToken,
    /// The seat that was asked for is taken.
    Taken,
    /// The store does not answer.
    Store(StoreError),
    /// The relay is about to stop.
    Stopping,
}

impl fmt::Display for EnterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRoom => f.write_str("There is no match with this code."),
            Self::Closed => f.write_str("The match has just been closed."),
            Self::WrongToken => f.write_str("This token opens no seat in this match."),
            Self::Taken => f.write_str("That seat is taken."),
            Self::Store(error) => write!(f, "The match cannot be reached: {error}."),
            Self::Stopping => f.write_str("The relay is about to stop. Try again."),
        }
    }
}

impl std::error::Error for EnterError {}

impl From<StoreError> for EnterError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Relay {
    /// A relay on a store. It begins to look after rooms when somebody comes, and to [beat](Relay::live) when told to.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        let shared = Shared {
            id: RelayId(crate::dice::roll()),
            store,
            hosts: Mutex::default(),
            opening: Semaphore::new(OPENING),
            living: Mutex::new(Arc::new([])),
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Which relay it is.
    #[must_use]
    pub fn id(&self) -> RelayId {
        self.shared.id
    }

    /// Where everything is kept.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.shared.store
    }

    /// How many rooms it looks after.
    #[must_use]
    pub fn rooms(&self) -> usize {
        self.shared.hosts().len()
    }

    /// Opens a room under a code that is free.
    pub async fn open(&self, code: &Code, terms: Terms) -> Result<Created, StoreError> {
        let room = RoomId(crate::dice::roll());
        let on = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let fact = Fact::Opened { room, code: code.clone(), terms, on };
        let entry = Entry { at: self.shared.store.now(), pen: crate::dice::roll(), from: None, fact };
        let created = self.shared.store.create(room, code, &[entry]).await?;
        if created == Created::Done {
            // It is empty as yet, and closes by itself if nobody comes.
            let _ = self.host(room);
        }
        Ok(created)
    }

    /// Comes into the room that a code opens. With terms a room is opened if there is none.
    pub async fn enter(
        &self,
        code: &Code,
        visitor: Visitor,
        claim: Claim,
        terms: Option<&Terms>,
    ) -> Result<Attendance, EnterError> {
        // A room may close, or be opened by others, just when we look. That does not happen many times in a row.
        let mut last = EnterError::NoRoom;
        for _ in 0..8 {
            let room = match (self.shared.store.find(code).await?, terms) {
                (Some(room), _) => room,
                (None, None) => return Err(EnterError::NoRoom),
                (None, Some(terms)) => {
                    self.open(code, terms.clone()).await?;
                    continue;
                }
            };
            match self.enter_room(room, visitor.clone(), claim.clone()).await {
                Err(EnterError::Closed | EnterError::NoRoom) if terms.is_some() => {
                    // The code is free again.
                    if let Some(terms) = terms {
                        self.open(code, terms.clone()).await?;
                    }
                    last = EnterError::Closed;
                }
                entered => return entered,
            }
        }
        Err(last)
    }

    /// Comes into a room by its number.
    pub async fn enter_room(&self, room: RoomId, visitor: Visitor, claim: Claim) -> Result<Attendance, EnterError> {
        for _ in 0..8 {
            let host = self.host(room)?;
            match Attendance::enter(self.shared.store.clone(), host, visitor.clone(), claim.clone()).await {
                // The task had just ended; there will be another one.
                None => tokio::task::yield_now().await,
                Some(entered) => return entered,
            }
        }
        Err(EnterError::Closed)
    }

    /// A room as it is in the store, for those who only want to read.
    pub async fn look(&self, code: &Code) -> Result<Option<Room>, StoreError> {
        Ok(self.log(code).await?.and_then(|log| Room::from_log(&log)))
    }

    /// The log of the room that a code opens, or has opened last.
    pub async fn log(&self, code: &Code) -> Result<Option<Vec<Entry>>, StoreError> {
        let Some(room) = self.shared.store.find(code).await? else { return Ok(None) };
        let log = self.shared.store.load(room, 0).await?;
        Ok(if log.is_empty() { None } else { Some(log) })
    }

    /// The way to the task that looks after a room; there is one from now on.
    fn host(&self, room: RoomId) -> Result<Orders, EnterError> {
        let mut hosts = self.shared.hosts();
        if self.shared.stop.is_cancelled() {
            return Err(EnterError::Stopping);
        }
        if let Some(way) = hosts.get(&room).filter(|way| !way.orders.is_closed()) {
            return Ok(way.orders.clone());
        }
        let (orders, mailbox) = mpsc::unbounded_channel();
        hosts.insert(room, Way { orders: orders.clone(), told: Told::Nothing });
        metrics::rooms(hosts.len());
        self.shared.tasks.spawn(host::look_after(self.shared.clone(), room, mailbox));
        Ok(orders)
    }

    /// Tells all rooms that nobody is here any more, and waits until the store knows.
    pub async fn stop(&self) {
        {
            // Nobody is let in any more as soon as this is let go of.
            let _hosts = self.shared.hosts();
            self.shared.stop.cancel();
        }
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
        if let Err(error) = self.shared.store.retire(self.shared.id).await {
            tracing::warn!(%error, "could not say goodbye to the store");
        }
    }
}

impl Shared {
    fn hosts(&self) -> MutexGuard<'_, Hosts> {
        // Nothing is ever half-done in it.
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
