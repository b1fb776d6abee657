//! The rooms that this relay serves, and how participants enter them.
//!
//! Each open room with participants has one task here (`room_task.rs`), an actor that owns this relay's copy of the room. A room
//! in which nothing happens for a while is parked without one (`parked.rs`). A
//! connection [enters](Relay::enter) and gets a [`RoomHandle`], which sends acts and receives updates. The relay knows nothing
//! of the dialects that the connections speak.
//!
//! **Invariant:** an update is broadcast only after the store has confirmed it. So when a relay dies, every relay can find in
//! the store all that any participant has seen.

mod heartbeat;
mod parked;
mod participant;
mod replay;
mod room_handle;
mod room_task;
mod rulings;
mod script_library;
mod short_codes;
#[cfg(test)]
mod tests;
mod update;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::computer::Computers;
use crate::metrics;
use crate::room::{Code, Command, Entry, Fact, Participant, RelayId, Room, RoomId, Ruling, Terms, Time};
use crate::scripts::Scripts;
use crate::store::{Created, Store, StoreError};

pub use participant::{Claim, SeatRequest};
pub use room_handle::{ActError, ActResult, RoomHandle, UpdatesEnded};
pub use rulings::RulingError;
pub use script_library::{PutError, ScriptLibrary, script_id};
pub use update::{RoomUpdate, Spectator, Transient, Update};

use parked::Parked;
use replay::ReplayPool;
use room_task::{MAILBOX, RoomMessage, RoomSender};
use rulings::Rulings;
use short_codes::LastSweep;

/// A relay: serves rooms from a store.
#[derive(Clone, Debug)]
pub struct Relay {
    shared: Arc<Shared>,
}

/// The rooms that have a task in this relay, and the parked ones.
#[derive(Debug, Default)]
struct Rooms {
    tasks: HashMap<RoomId, RoomTaskEntry>,
    parked: Parked,
}

impl Rooms {
    /// Removes the task of a room.
    fn deregister(&mut self, room: RoomId) {
        self.tasks.remove(&room);
        metrics::rooms(self.tasks.len());
    }

    /// Removes the task of a room, to be started again when a timeout is due.
    fn park(&mut self, room: RoomId, due: Time) {
        self.deregister(room);
        self.parked.park(room, due);
    }
}

#[derive(Debug)]
struct Shared {
    id: RelayId,
    store: Arc<dyn Store>,
    rooms: Mutex<Rooms>,
    /// Limits how many logs are loaded at the same time.
    opening: Semaphore,
    replays: ReplayPool,
    short_codes_swept: LastSweep,
    rulings: Rulings,
    /// The size of the store in bytes above which no room is opened; 0 for no limit.
    max_store: AtomicU64,
    is_store_full: AtomicBool,
    /// The relays that are alive, as of the last heartbeat.
    live_relays: Mutex<Arc<[RelayId]>>,
    /// The computers that play in the rooms of this relay; the usual ones, unless they are configured.
    computers: OnceLock<Computers>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

/// The running task of a room.
#[derive(Debug)]
struct RoomTaskEntry {
    messages: RoomSender,
    notified: Notified,
}

/// Whether a task has received which relays are alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notified {
    Never,
    /// It will receive them with the answer to the heartbeat that is under way.
    Pending,
    Once,
}

/// Maximum number of logs that are loaded at the same time.
const CONCURRENT_LOADS: usize = 64;

/// Entries of a game of chess from which replaying a log for a client is charged.
pub const LONG_LOG: u64 = 500;

/// How many entries of a game of chess cost as much to replay as one of a game by a script, which may have 20 KB.
const WEIGHT_OF_SCRIPTS: u64 = 40;

/// The same for a game by other rules, in which legal moves are harder to find.
const WEIGHT_OF_OTHER_RULES: u64 = 5;

/// The most that a weight makes of a log. Not every entry is a move, and a client must be able to pay for every game within a minute.
const MOST_WEIGHED: u64 = 60_000;

/// How often entering is retried when rooms open and close concurrently.
const ENTER_RETRIES: usize = 8;

/// Why a participant cannot enter. The texts are shown to players.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the text of each variant documents it")]
pub enum EnterError {
    #[error("There is no game with this code.")]
    NoRoom,
    #[error("This game has ended.")]
    Closed,
    #[error("This token opens no seat in this game.")]
    WrongToken,
    #[error("That seat is taken.")]
    Taken,
    #[error("{}", .0.for_clients())]
    Store(#[from] StoreError),
    #[error("Too many matches were opened. Try again later.")]
    TooManyRooms(Duration),
    #[error("The relay is shutting down. Try again.")]
    Stopping,
}

impl Relay {
    /// A relay on a store. [`Relay::live`] starts its heartbeat.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        let shared = Shared {
            id: RelayId(crate::random::roll()),
            rooms: Mutex::default(),
            opening: Semaphore::new(CONCURRENT_LOADS),
            replays: ReplayPool::default(),
            short_codes_swept: LastSweep::default(),
            rulings: Rulings::new(store.clone()),
            store,
            max_store: AtomicU64::new(0),
            is_store_full: AtomicBool::new(false),
            live_relays: Mutex::new(Arc::new([])),
            computers: OnceLock::new(),
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Executes rule scripts with this. Without it, games by scripts can be shown, resumed and ended, but not played.
    pub fn execute_scripts(&self, scripts: Scripts) {
        self.shared.rulings.execute_with(scripts);
    }

    /// The stored rule scripts.
    #[must_use]
    pub fn script_library(&self) -> &ScriptLibrary {
        &self.shared.rulings.library
    }

    /// How a game by a script starts. The script need not be stored.
    pub async fn try_script(&self, text: &str) -> Result<Ruling, RulingError> {
        self.shared.rulings.start(text).await
    }

    /// Refuses to open rooms while the store has more than this many bytes. Open games go on.
    pub fn limit_store(&self, bytes: u64) {
        self.shared.max_store.store(bytes, Ordering::Relaxed);
    }

    /// Sets the computers that play in the rooms of this relay, before the first room is opened.
    pub fn use_computers(&self, computers: Computers) {
        // They are set once, at the start.
        _ = self.shared.computers.set(computers);
    }

    /// The computers that play in the rooms of this relay.
    pub(crate) fn computers(&self) -> &Computers {
        self.shared.computers()
    }

    /// Measures the store, for the metric and the limit.
    async fn measure_store(&self) -> Result<(), StoreError> {
        let (size, most) = (self.shared.store.size().await?, self.shared.max_store.load(Ordering::Relaxed));
        metrics::store_size(size);
        let is_full = most > 0 && size > most && self.shared.store.used().await? > most;
        if self.shared.is_store_full.swap(is_full, Ordering::Relaxed) != is_full {
            tracing::warn!(size, limit = most, is_full, "store size has crossed its limit");
        }
        Ok(())
    }

    /// The id of this relay process.
    #[must_use]
    pub fn id(&self) -> RelayId {
        self.shared.id
    }

    /// The store that holds rooms and boards.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.shared.store
    }

    /// Number of rooms that have a task on this relay.
    #[must_use]
    pub fn rooms(&self) -> usize {
        self.shared.rooms().tasks.len()
    }

    /// Opens a room under a free code.
    pub async fn open(&self, code: &Code, terms: Terms) -> Result<Created, StoreError> {
        if self.shared.is_store_full.load(Ordering::Relaxed) {
            return Err(StoreError::Full("its size limit is reached".to_owned()));
        }
        let room = RoomId(crate::random::roll());
        let on = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let fact = Fact::Opened { room, code: code.clone(), terms, on };
        let entry = Entry { at: self.shared.store.now(), write_id: crate::random::roll(), from: None, fact };
        let created = self.shared.store.create(room, code, &[entry]).await?;
        if created == Created::Done {
            // The task closes the room if no player enters.
            let _ = self.room_task(room);
        }
        Ok(created)
    }

    /// Enters the room with a code. If terms are given and there is no such room, it is opened.
    pub async fn enter(
        &self,
        code: &Code,
        participant: Participant,
        claim: Claim,
        terms: Option<&Terms>,
    ) -> Result<RoomHandle, EnterError> {
        self.enter_charged(code, participant, claim, terms, || Ok(())).await
    }

    /// The same. `charge` is called before a room is opened, once, and may refuse with the time to wait.
    pub async fn enter_charged(
        &self,
        code: &Code,
        participant: Participant,
        claim: Claim,
        terms: Option<&Terms>,
        charge: impl Fn() -> Result<(), Duration> + Send,
    ) -> Result<RoomHandle, EnterError> {
        let mut charge = Some(charge);
        let mut pay = move || charge.take().map_or(Ok(()), |charge| charge()).map_err(EnterError::TooManyRooms);
        // A room may be opened or closed concurrently, which does not happen many times in a row.
        let mut last = EnterError::NoRoom;
        for _ in 0..ENTER_RETRIES {
            let room = match (self.shared.store.find(code).await?, terms) {
                (Some(room), _) => room,
                (None, None) => return Err(EnterError::NoRoom),
                (None, Some(terms)) => {
                    pay()?;
                    self.open(code, terms.clone()).await?;
                    continue;
                }
            };
            match self.enter_room(room, participant.clone(), claim.clone()).await {
                Err(EnterError::Closed | EnterError::NoRoom) if terms.is_some() => {
                    // The code has become free meanwhile.
                    if let Some(terms) = terms {
                        pay()?;
                        self.open(code, terms.clone()).await?;
                    }
                    last = EnterError::Closed;
                }
                entered => return entered,
            }
        }
        Err(last)
    }

    /// Enters a room by its id.
    pub async fn enter_room(
        &self,
        room: RoomId,
        participant: Participant,
        claim: Claim,
    ) -> Result<RoomHandle, EnterError> {
        for _ in 0..ENTER_RETRIES {
            let room_task = self.room_task(room)?;
            match RoomHandle::enter(self.shared.store.clone(), room_task, participant.clone(), claim.clone()).await {
                // The task has just ended: the next iteration starts another one.
                None => tokio::task::yield_now().await,
                Some(entered) => return entered,
            }
        }
        Err(EnterError::Closed)
    }

    /// Executes a command of a board in the room that follows its game, or to which it was invited.
    pub async fn follow_board(&self, room: RoomId, command: Command) -> Result<Arc<Room>, ActError> {
        for _ in 0..ENTER_RETRIES {
            let (reply, answer) = oneshot::channel();
            let message = Box::new(RoomMessage::Follow { command: command.clone(), reply });
            // If the task has just ended, the next iteration starts another one.
            if self.room_task(room)?.send(message).await.is_ok()
                && let Ok(result) = answer.await
            {
                return result;
            }
            tokio::task::yield_now().await;
        }
        Err(ActError::Ended)
    }

    /// Loads a room from the store without entering it.
    pub async fn look(&self, code: &Code) -> Result<Option<Room>, StoreError> {
        let Some(room) = self.shared.store.find(code).await? else { return Ok(None) };
        Ok(self.replay_log(room, |log| Room::from_log(&log)).await?.flatten())
    }

    /// The same for a client. `charge` is asked before a long log is loaded, with what that [costs](Self::replay_cost).
    pub async fn look_charged<E>(
        &self,
        code: &Code,
        charge: impl FnOnce(u64) -> Result<(), E>,
    ) -> Result<Result<Option<Room>, E>, StoreError> {
        let Some(room) = self.shared.store.find(code).await? else { return Ok(Ok(None)) };
        if let Err(refused) = self.charge_replay(room, charge).await? {
            return Ok(Err(refused));
        }
        Ok(Ok(self.replay_log(room, |log| Room::from_log(&log)).await?.flatten()))
    }

    /// Asks `charge` what a long log [costs](Self::replay_cost), before a client enters its room: the log may have to be loaded and replayed for
    /// the client, and is shown to it.
    pub async fn charge_replay<E>(
        &self,
        room: RoomId,
        charge: impl FnOnce(u64) -> Result<(), E>,
    ) -> Result<Result<(), E>, StoreError> {
        let cost = self.replay_cost(room).await?;
        Ok(if cost > LONG_LOG { charge(cost) } else { Ok(()) })
    }

    /// What it costs to load and replay the log of a room, as the number of entries of a game of chess that cost as much. 0 if the room is not
    /// stored.
    pub async fn replay_cost(&self, room: RoomId) -> Result<u64, StoreError> {
        let first = self.shared.store.page(room, 0, 1).await?;
        let length = self.shared.store.length(room).await?;
        Ok(first.first().map_or(0, |first| cost_of(first, length)))
    }

    /// This relay's copy of a room, if a task here has one.
    pub async fn copy(&self, room: RoomId) -> Option<Arc<Room>> {
        let messages = self.shared.rooms().tasks.get(&room)?.messages.clone();
        let (reply, answer) = oneshot::channel();
        messages.send(Box::new(RoomMessage::Look { reply })).await.ok()?;
        answer.await.ok()
    }

    /// Loads the log of a room, and decodes and replays it on a blocking thread. `None` if the room is not stored.
    pub async fn replay_log<T: Send + 'static>(
        &self,
        room: RoomId,
        work: impl FnOnce(Vec<Entry>) -> T + Send + 'static,
    ) -> Result<Option<T>, StoreError> {
        let stored = self.shared.store.read_log(room).await?;
        self.replay(move || {
            let log = stored.decode()?;
            Ok(if log.is_empty() { None } else { Some(work(log)) })
        })
        .await
    }

    /// The [cost](Self::replay_cost) of a room, if the room was opened under this code.
    pub async fn replay_cost_under(&self, room: RoomId, code: &Code) -> Result<Option<u64>, StoreError> {
        let first = self.shared.store.page(room, 0, 1).await?;
        let is_opened_as = |entry: &&Entry| matches!(&entry.fact, Fact::Opened { code: opened, .. } if opened == code);
        let Some(first) = first.first().filter(is_opened_as) else { return Ok(None) };
        Ok(Some(cost_of(first, self.shared.store.length(room).await?)))
    }

    /// Runs work on a log on a blocking thread. Few run at the same time.
    pub async fn replay<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        self.shared.replays.run(work).await
    }

    /// Loads the terms of the room with a code, or of the last room that had it.
    pub async fn terms(&self, code: &Code) -> Result<Option<Terms>, StoreError> {
        let Some(room) = self.shared.store.find(code).await? else { return Ok(None) };
        let first = self.shared.store.page(room, 0, 1).await?;
        Ok(first.into_iter().next().and_then(|entry| match entry.fact {
            Fact::Opened { terms, .. } => Some(terms),
            _ => None,
        }))
    }

    /// The room with a code, or the last one that had it.
    pub async fn find(&self, code: &Code) -> Result<Option<RoomId>, StoreError> {
        self.shared.store.find(code).await
    }

    /// The mailbox of the task of a room. The task is started if there is none.
    fn room_task(&self, room: RoomId) -> Result<RoomSender, EnterError> {
        let mut rooms = self.shared.rooms();
        if self.shared.stop.is_cancelled() {
            return Err(EnterError::Stopping);
        }
        if let Some(entry) = rooms.tasks.get(&room).filter(|entry| !entry.messages.is_closed()) {
            return Ok(entry.messages.clone());
        }
        let (messages, mailbox) = mpsc::channel(MAILBOX);
        rooms.parked.remove(room);
        rooms.tasks.insert(room, RoomTaskEntry { messages: messages.clone(), notified: Notified::Never });
        metrics::rooms(rooms.tasks.len());
        self.shared.tasks.spawn(room_task::run(self.shared.clone(), room, mailbox));
        Ok(messages)
    }

    /// Disconnects all players in the log, waits for all tasks to end, and deregisters the relay from the store.
    pub async fn stop(&self) {
        {
            // Under the lock, so that no task is started afterwards.
            let _rooms = self.shared.rooms();
            self.shared.stop.cancel();
        }
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
        if let Err(error) = self.shared.store.deregister(self.shared.id).await {
            tracing::warn!(%error, "deregistering relay from store failed");
        }
    }
}

/// What it costs to replay a log that begins with this entry.
fn cost_of(first: &Entry, length: u64) -> u64 {
    let weight = match &first.fact {
        Fact::Opened { terms, .. } if terms.script.is_some() => WEIGHT_OF_SCRIPTS,
        Fact::Opened { terms, .. } if terms.start().chess().is_none() => WEIGHT_OF_OTHER_RULES,
        _ => 1,
    };
    length.saturating_mul(weight).min(length.max(MOST_WEIGHED))
}

impl Shared {
    fn computers(&self) -> &Computers {
        self.computers.get_or_init(Computers::default)
    }

    fn rooms(&self) -> MutexGuard<'_, Rooms> {
        self.rooms.lock()
    }
}
