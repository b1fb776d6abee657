use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chess::Color;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use crate::relay::{Attendance, Claim, Gone, Happening, Invitation, News, Relay, Visitor};
use crate::room::{Code, Command, Entry, Fact, RelayId, Room, RoomId, Terms, Time, Wish};
use crate::store::memory::Memory;
use crate::store::{Appended, Batch, Created, Drawer, Listener, Pending, Pulse, Record, Signal, Store, StoreError};

/// Who has not been heard of for so long is dead.
const DEAD: u64 = 5_000;

/// What any number of relays have in common.
#[derive(Clone, Debug, Default)]
pub(super) struct World(Arc<Common>);

#[derive(Debug, Default)]
struct Common {
    memory: Memory,
    ears: Mutex<Vec<Ear>>,
    beats: Mutex<HashMap<RelayId, (Time, HashSet<RoomId>)>>,
    open: Mutex<HashSet<RoomId>>,
    sides: AtomicUsize,
}

#[derive(Debug)]
struct Ear {
    side: usize,
    room: RoomId,
    signals: mpsc::Sender<Signal>,
}

/// The store as one relay sees it.
pub(super) struct Side {
    number: usize,
    world: World,
    is_cut_off: AtomicBool,
    faults: Mutex<VecDeque<Fault>>,
    appends: AtomicUsize,
}

/// What may happen when a log is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    Unavailable,
    UnclearButDone,
    UnclearAndNotDone,
    Full,
    Corrupt,
    /// It takes so many milliseconds.
    Slow(u64),
}

impl fmt::Debug for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Side({})", self.number)
    }
}

impl World {
    /// A relay that lives in it.
    pub(super) async fn relay(&self) -> (Relay, Arc<Side>) {
        let (relay, side) = self.silent_relay();
        relay.live().await.unwrap();
        (relay, side)
    }

    /// One that does not say that it is alive.
    pub(super) fn silent_relay(&self) -> (Relay, Arc<Side>) {
        let side = Side {
            number: self.0.sides.fetch_add(1, Ordering::Relaxed),
            world: self.clone(),
            is_cut_off: AtomicBool::new(false),
            faults: Mutex::default(),
            appends: AtomicUsize::new(0),
        };
        let side = Arc::new(side);
        (Relay::new(side.clone()), side)
    }

    /// The log of the only room there is.
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
        for ear in self.0.ears.lock().unwrap().iter().filter(|ear| ear.side != from && ear.room == room) {
            let _ = ear.signals.try_send(signal.clone());
        }
    }
}

impl Side {
    /// These happen to what is written next.
    pub(super) fn suffers(&self, faults: impl IntoIterator<Item = Fault>) {
        self.faults.lock().unwrap().extend(faults);
    }

    pub(super) fn heals(&self) {
        self.faults.lock().unwrap().clear();
    }

    /// The relay reaches nobody, or does so again.
    pub(super) fn cut_off(&self, is_cut_off: bool) {
        self.is_cut_off.store(is_cut_off, Ordering::Relaxed);
        if is_cut_off {
            self.deafen();
            return;
        }
        for ear in self.world.0.ears.lock().unwrap().iter().filter(|ear| ear.side == self.number) {
            let _ = ear.signals.try_send(Signal::Lost);
        }
    }

    /// It is no longer cut off, and nobody tells the relay that it was.
    pub(super) fn reconnect_silently(&self) {
        self.is_cut_off.store(false, Ordering::Relaxed);
    }

    /// Signals of others get lost, and nobody notices.
    pub(super) fn deafen(&self) {
        for ear in self.world.0.ears.lock().unwrap().iter_mut().filter(|ear| ear.side == self.number) {
            ear.room = RoomId(0);
        }
    }

    /// How often it was asked to write into a log.
    pub(super) fn appends(&self) -> usize {
        self.appends.load(Ordering::Relaxed)
    }

    fn reach(&self) -> Result<(), StoreError> {
        let is_cut_off = self.is_cut_off.load(Ordering::Relaxed);
        if is_cut_off { Err(StoreError::Unavailable("cut off".to_owned())) } else { Ok(()) }
    }

    async fn write(&self, room: RoomId, batch: Batch) -> Result<Appended, StoreError> {
        let grown = batch.after + batch.entries.len() as u64;
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

impl Store for Side {
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

    fn append(&self, room: RoomId, batch: Batch) -> Pending<'_, Appended> {
        Box::pin(async move {
            self.appends.fetch_add(1, Ordering::Relaxed);
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
            let mut ears = self.world.0.ears.lock().unwrap();
            ears.retain(|ear| !ear.signals.is_closed());
            ears.push(Ear { side: self.number, room, signals });
            Ok(Listener { signals: receiver, guard: None })
        })
    }

    fn whisper(&self, room: RoomId, words: Arc<[u8]>) {
        if self.reach().is_ok() {
            self.world.signal(self.number, room, &Signal::Whisper(words));
        }
    }

    fn beat<'a>(&'a self, relay: RelayId, rooms: &'a [RoomId]) -> Pending<'a, Pulse> {
        Box::pin(async move {
            self.reach()?;
            let now = self.now();
            let mut beats = self.world.0.beats.lock().unwrap();
            beats.insert(relay, (now, rooms.iter().copied().collect()));
            beats.retain(|_, (at, _)| now.since(*at) < DEAD);
            let open = self.world.0.open.lock().unwrap();
            let is_orphan = |room: &&RoomId| !beats.values().any(|(_, rooms)| rooms.contains(room));
            let orphans: Vec<RoomId> = open.iter().filter(is_orphan).copied().collect();
            if let Some((_, rooms)) = beats.get_mut(&relay) {
                rooms.extend(&orphans);
            }
            Ok(Pulse { relays: beats.keys().copied().collect(), orphans })
        })
    }

    fn retire(&self, relay: RelayId) -> Pending<'_, ()> {
        Box::pin(async move {
            self.reach()?;
            self.world.0.beats.lock().unwrap().remove(&relay);
            Ok(())
        })
    }

    fn read<'a>(&'a self, drawer: Drawer, name: &'a str) -> Pending<'a, Option<Record>> {
        self.world.0.memory.read(drawer, name)
    }

    fn write<'a>(&'a self, drawer: Drawer, name: &'a str, version: u64, bytes: &'a [u8]) -> Pending<'a, Option<u64>> {
        self.world.0.memory.write(drawer, name, version, bytes)
    }

    fn remove<'a>(&'a self, drawer: Drawer, name: &'a str) -> Pending<'a, bool> {
        self.world.0.memory.remove(drawer, name)
    }

    fn list(&self, drawer: Drawer) -> Pending<'_, Vec<(String, Record)>> {
        self.world.0.memory.list(drawer)
    }

    fn check(&self) -> Pending<'_, ()> {
        self.world.0.memory.check()
    }
}

pub(super) fn code() -> Code {
    "ROOM".parse().unwrap()
}

pub(super) fn visitor(name: &str) -> Visitor {
    Visitor::new(name.parse().unwrap())
}

/// Somebody who plays, if there is a seat.
pub(super) async fn plays(relay: &Relay, name: &str) -> Attendance {
    let claim = Claim::Play(Invitation::new(Wish::First));
    relay.enter(&code(), visitor(name), claim, Some(&Terms::default())).await.unwrap()
}

pub(super) async fn watches(relay: &Relay, name: &str) -> Attendance {
    relay.enter(&code(), visitor(name), Claim::Watch, None).await.unwrap()
}

/// Two who play, White first.
pub(super) async fn pair(white: &Relay, black: &Relay) -> (Attendance, Attendance) {
    let ann = plays(white, "ann").await;
    let bob = plays(black, "bob").await;
    (ann, bob)
}

pub(super) fn mv(uci: &str) -> impl FnOnce(Color) -> Command + Send + use<> {
    let mv = uci.parse().unwrap();
    move |color| Command::Move { color, mv, ply: None }
}

/// So many milliseconds pass, and everybody does what they have to.
pub(super) async fn passes(milliseconds: u64) {
    sleep(Duration::from_millis(milliseconds)).await;
}

/// Everything that can be heard without waiting for long.
pub(super) async fn hears(attendance: &mut Attendance) -> Result<Vec<Arc<Happening>>, Gone> {
    let mut heard = Vec::new();
    while let Ok(next) = timeout(Duration::from_millis(1), attendance.next()).await {
        heard.push(next?);
    }
    Ok(heard)
}

/// The lines of the log that can be heard so.
pub(super) async fn hears_facts(attendance: &mut Attendance) -> Vec<Fact> {
    let heard = hears(attendance).await.unwrap();
    let facts = heard.iter().filter_map(|happening| match &happening.news {
        News::Entry(entry) => Some(entry.fact.clone()),
        News::Whisper(_) => None,
    });
    facts.collect()
}
