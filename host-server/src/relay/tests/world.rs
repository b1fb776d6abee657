use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use crate::relay::{Claim, Relay, RoomHandle, RoomUpdate, SeatRequest, Update, UpdatesEnded};
use crate::room::{Act, Code, Entry, Fact, Participant, RelayId, Room, RoomId, SideChoice, Terms, Time};
use crate::store::memory::Memory;
use crate::store::{
    Appended, Batch, Collection, Created, Heartbeat, Listener, Pending, Record, Signal, Store, StoreError, StoredLog,
};

/// A relay without a heartbeat for this many milliseconds is dead.
const DEAD: u64 = 5_000;

/// The store that all relays of a test share.
#[derive(Clone, Debug, Default)]
pub(super) struct World(Arc<Common>);

#[derive(Debug, Default)]
struct Common {
    memory: Memory,
    subscribers: Mutex<Vec<Subscriber>>,
    heartbeats: Mutex<HashMap<RelayId, (Time, HashSet<RoomId>)>>,
    open: Mutex<HashSet<RoomId>>,
    stores: AtomicUsize,
}

#[derive(Debug)]
struct Subscriber {
    store: usize,
    room: RoomId,
    signals: mpsc::Sender<Signal>,
}

/// The store as one relay sees it.
pub(super) struct FaultyStore {
    number: usize,
    world: World,
    is_cut_off: AtomicBool,
    faults: Mutex<VecDeque<Fault>>,
    appends: AtomicUsize,
    states: AtomicUsize,
    loads: AtomicUsize,
    are_logs_damaged: AtomicBool,
}

/// A fault of the next append.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    Unavailable,
    UnclearButDone,
    UnclearAndNotDone,
    Full,
    Corrupt,
    /// The append takes this many milliseconds.
    Slow(u64),
}

impl fmt::Debug for FaultyStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FaultyStore({})", self.number)
    }
}

impl World {
    /// A relay with heartbeats.
    pub(super) async fn relay(&self) -> (Relay, Arc<FaultyStore>) {
        let (relay, store) = self.silent_relay();
        relay.live().await.unwrap();
        (relay, store)
    }

    /// A relay without heartbeats.
    pub(super) fn silent_relay(&self) -> (Relay, Arc<FaultyStore>) {
        let store = FaultyStore {
            number: self.0.stores.fetch_add(1, Ordering::Relaxed),
            world: self.clone(),
            is_cut_off: AtomicBool::new(false),
            faults: Mutex::default(),
            appends: AtomicUsize::new(0),
            states: AtomicUsize::new(0),
            loads: AtomicUsize::new(0),
            are_logs_damaged: AtomicBool::new(false),
        };
        let store = Arc::new(store);
        (Relay::new(store.clone()), store)
    }

    /// Simulates a failover of the store to a replica that lacks the last entries of all logs.
    pub(super) fn lose_entries(&self, entries: usize) {
        self.0.memory.lose(entries);
    }

    /// The log of the room of the tests.
    pub(super) async fn log(&self) -> Vec<Entry> {
        let room = self.0.memory.find(&code()).await.unwrap().unwrap();
        self.0.memory.load(room, 0).await.unwrap()
    }

    pub(super) async fn facts(&self) -> Vec<Fact> {
        self.log().await.into_iter().map(|entry| entry.fact).collect()
    }

    pub(super) async fn room(&self) -> Room {
        Room::from_log(&self.log().await).unwrap()
    }

    /// How many times a fact of this kind is in the log.
    pub(super) async fn count(&self, is_kind: impl Fn(&Fact) -> bool) -> usize {
        self.facts().await.iter().filter(|fact| is_kind(fact)).count()
    }

    fn signal(&self, from: usize, room: RoomId, signal: &Signal) {
        for subscriber in self
            .0
            .subscribers
            .lock()
            .unwrap()
            .iter()
            .filter(|subscriber| subscriber.store != from && subscriber.room == room)
        {
            let _ = subscriber.signals.try_send(signal.clone());
        }
    }
}

impl FaultyStore {
    /// Queues faults for the next appends.
    pub(super) fn inject(&self, faults: impl IntoIterator<Item = Fault>) {
        self.faults.lock().unwrap().extend(faults);
    }

    pub(super) fn clear_faults(&self) {
        self.faults.lock().unwrap().clear();
    }

    /// Cuts the relay off from the store, or reconnects it with [`Signal::Lost`].
    pub(super) fn cut_off(&self, is_cut_off: bool) {
        self.is_cut_off.store(is_cut_off, Ordering::Relaxed);
        if is_cut_off {
            self.drop_signals();
        } else {
            self.lose_signals();
        }
    }

    /// Tells the relay that signals were lost.
    pub(super) fn lose_signals(&self) {
        for subscriber in
            self.world.0.subscribers.lock().unwrap().iter().filter(|subscriber| subscriber.store == self.number)
        {
            let _ = subscriber.signals.try_send(Signal::Lost);
        }
    }

    /// Reconnects the relay without [`Signal::Lost`].
    pub(super) fn reconnect_silently(&self) {
        self.is_cut_off.store(false, Ordering::Relaxed);
    }

    /// Drops all further signals to this relay.
    pub(super) fn drop_signals(&self) {
        for subscriber in
            self.world.0.subscribers.lock().unwrap().iter_mut().filter(|subscriber| subscriber.store == self.number)
        {
            subscriber.room = RoomId(0);
        }
    }

    /// The number of attempted appends.
    pub(super) fn appends(&self) -> usize {
        self.appends.load(Ordering::Relaxed)
    }

    /// The number of attempted appends with the state of the game.
    pub(super) fn states(&self) -> usize {
        self.states.load(Ordering::Relaxed)
    }

    /// The number of whole logs that were loaded.
    pub(super) fn loads(&self) -> usize {
        self.loads.load(Ordering::Relaxed)
    }

    /// Adds a line to all logs that cannot be decoded.
    pub(super) fn damage_logs(&self) {
        self.are_logs_damaged.store(true, Ordering::Relaxed);
    }

    fn reach(&self) -> Result<(), StoreError> {
        let is_cut_off = self.is_cut_off.load(Ordering::Relaxed);
        if is_cut_off { Err(StoreError::Unavailable("cut off".to_owned())) } else { Ok(()) }
    }

    async fn write(&self, room: RoomId, batch: Batch) -> Result<Appended, StoreError> {
        let grown = batch.after.after(&batch.entries);
        let is_closed = batch.frees.is_some();
        let appended = self.world.0.memory.append(room, batch).await?;
        if appended == Appended::Done {
            if is_closed {
                self.world.0.open.lock().unwrap().remove(&room);
            }
            self.world.signal(self.number, room, &Signal::Grown(grown));
        }
        Ok(appended)
    }
}

impl Store for FaultyStore {
    fn now(&self) -> Time {
        self.world.0.memory.now()
    }

    fn shows_state(&self) -> bool {
        true
    }

    fn create<'a>(&'a self, room: RoomId, code: &'a Code, log: &'a [Entry]) -> Pending<'a, Created> {
        Box::pin(async move {
            self.reach()?;
            let created = self.world.0.memory.create(room, code, log).await?;
            if created == Created::Done {
                self.world.0.open.lock().unwrap().insert(room);
            }
            Ok(created)
        })
    }

    fn find<'a>(&'a self, code: &'a Code) -> Pending<'a, Option<RoomId>> {
        Box::pin(async move {
            self.reach()?;
            self.world.0.memory.find(code).await
        })
    }

    fn load(&self, room: RoomId, after: u64) -> Pending<'_, Vec<Entry>> {
        Box::pin(async move {
            self.reach()?;
            self.world.0.memory.load(room, after).await
        })
    }

    fn read_log(&self, room: RoomId) -> Pending<'_, StoredLog> {
        Box::pin(async move {
            self.loads.fetch_add(1, Ordering::Relaxed);
            let log = self.load(room, 0).await?;
            let mut lines: Vec<Vec<u8>> = log.iter().map(|entry| serde_json::to_vec(entry).unwrap()).collect();
            if self.are_logs_damaged.load(Ordering::Relaxed) {
                lines.push(b"{".to_vec());
            }
            Ok(StoredLog::new("log".to_owned(), lines))
        })
    }

    fn length(&self, room: RoomId) -> Pending<'_, u64> {
        self.world.0.memory.length(room)
    }

    fn page(&self, room: RoomId, after: u64, most: usize) -> Pending<'_, Vec<Entry>> {
        Box::pin(async move {
            self.reach()?;
            self.world.0.memory.page(room, after, most).await
        })
    }

    fn append(&self, room: RoomId, batch: Batch) -> Pending<'_, Appended> {
        Box::pin(async move {
            self.appends.fetch_add(1, Ordering::Relaxed);
            self.states.fetch_add(usize::from(batch.state.is_some()), Ordering::Relaxed);
            self.reach()?;
            let fault = self.faults.lock().unwrap().pop_front();
            match fault {
                None => self.write(room, batch).await,
                Some(Fault::Slow(milliseconds)) => {
                    sleep(Duration::from_millis(milliseconds)).await;
                    self.write(room, batch).await
                }
                Some(Fault::UnclearButDone) => {
                    self.write(room, batch).await?;
                    Err(StoreError::Unclear("no answer".to_owned()))
                }
                Some(Fault::UnclearAndNotDone) => Err(StoreError::Unclear("no answer".to_owned())),
                Some(Fault::Unavailable) => Err(StoreError::Unavailable("away".to_owned())),
                Some(Fault::Full) => Err(StoreError::Full("no space".to_owned())),
                Some(Fault::Corrupt) => Err(StoreError::Corrupt("line 7".to_owned())),
            }
        })
    }

    fn listen(&self, room: RoomId) -> Pending<'_, Listener> {
        Box::pin(async move {
            self.reach()?;
            let (signals, receiver) = mpsc::channel(64);
            let mut subscribers = self.world.0.subscribers.lock().unwrap();
            subscribers.retain(|subscriber| !subscriber.signals.is_closed());
            subscribers.push(Subscriber { store: self.number, room, signals });
            Ok(Listener { signals: receiver, guard: None })
        })
    }

    fn publish(&self, room: RoomId, payload: Arc<[u8]>) {
        if self.reach().is_ok() {
            self.world.signal(self.number, room, &Signal::Transient(payload));
        }
    }

    fn heartbeat<'a>(&'a self, relay: RelayId, rooms: &'a [RoomId]) -> Pending<'a, Heartbeat> {
        Box::pin(async move {
            self.reach()?;
            let now = self.now();
            let mut heartbeats = self.world.0.heartbeats.lock().unwrap();
            heartbeats.insert(relay, (now, rooms.iter().copied().collect()));
            heartbeats.retain(|_, (at, _)| now.since(*at) < DEAD);
            let open = self.world.0.open.lock().unwrap();
            let is_orphan = |room: &&RoomId| !heartbeats.values().any(|(_, rooms)| rooms.contains(room));
            let orphans: Vec<RoomId> = open.iter().filter(is_orphan).copied().collect();
            if let Some((_, rooms)) = heartbeats.get_mut(&relay) {
                rooms.extend(&orphans);
            }
            Ok(Heartbeat { relays: heartbeats.keys().copied().collect(), orphans })
        })
    }

    fn deregister(&self, relay: RelayId) -> Pending<'_, ()> {
        Box::pin(async move {
            self.reach()?;
            self.world.0.heartbeats.lock().unwrap().remove(&relay);
            Ok(())
        })
    }

    fn read<'a>(&'a self, collection: Collection, name: &'a str) -> Pending<'a, Option<Record>> {
        self.world.0.memory.read(collection, name)
    }

    fn write<'a>(
        &'a self,
        collection: Collection,
        name: &'a str,
        version: u64,
        bytes: &'a [u8],
    ) -> Pending<'a, Option<u64>> {
        self.world.0.memory.write(collection, name, version, bytes)
    }

    fn remove<'a>(&'a self, collection: Collection, name: &'a str) -> Pending<'a, bool> {
        self.world.0.memory.remove(collection, name)
    }

    fn list(&self, collection: Collection) -> Pending<'_, Vec<(String, Record)>> {
        self.world.0.memory.list(collection)
    }

    fn size(&self) -> Pending<'_, u64> {
        self.world.0.memory.size()
    }

    fn used(&self) -> Pending<'_, u64> {
        self.world.0.memory.used()
    }

    fn check(&self) -> Pending<'_, ()> {
        self.world.0.memory.check()
    }
}

pub(super) fn code() -> Code {
    "ROOM".parse().unwrap()
}

pub(super) fn participant(name: &str) -> Participant {
    Participant::new(name.parse().unwrap())
}

/// Enters as a player, or as a spectator if both seats are taken.
pub(super) async fn plays(relay: &Relay, name: &str) -> RoomHandle {
    let claim = Claim::Play(SeatRequest::new(SideChoice::First));
    relay.enter(&code(), participant(name), claim, Some(&Terms::default())).await.unwrap()
}

pub(super) async fn watches(relay: &Relay, name: &str) -> RoomHandle {
    relay.enter(&code(), participant(name), Claim::Watch, None).await.unwrap()
}

/// Enters White and then Black.
pub(super) async fn pair(white: &Relay, black: &Relay) -> (RoomHandle, RoomHandle) {
    let ann = plays(white, "ann").await;
    let bob = plays(black, "bob").await;
    (ann, bob)
}

pub(super) fn mv(uci: &str) -> Act {
    Act::Move { ply: uci.parse().unwrap(), number: None }
}

/// Lets paused time pass; all tasks run meanwhile.
pub(super) async fn advance(milliseconds: u64) {
    sleep(Duration::from_millis(milliseconds)).await;
}

/// The updates that arrive within a millisecond of each other.
pub(super) async fn received_updates(handle: &mut RoomHandle) -> Result<Vec<Arc<RoomUpdate>>, UpdatesEnded> {
    let mut updates = Vec::new();
    while let Ok(next) = timeout(Duration::from_millis(1), handle.next()).await {
        updates.push(next?);
    }
    Ok(updates)
}

/// The facts among [`received_updates`].
pub(super) async fn received_facts(handle: &mut RoomHandle) -> Vec<Fact> {
    let updates = received_updates(handle).await.unwrap();
    let facts = updates.iter().filter_map(|update| match &update.update {
        Update::Entry(entry) => Some(entry.fact.clone()),
        Update::Transient(_) => None,
    });
    facts.collect()
}
