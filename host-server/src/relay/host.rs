//! The task that looks after one room.
//!
//! - `presence.rs`: who is here, and what the log says about it.
//! - `watching.rs`: those who only watch.
//! - `writing.rs`: how something happens: in the store, and only then here.

mod presence;
mod watching;
mod writing;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chess::Color;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::{Instant, sleep_until};
use wire::link::Wood;

use super::attendance::{self, CommandError, Reply, Want};
use super::happening::{Happening, News, Whisper};
use super::visitor::{Claim, Visitor};
use super::{EnterError, Shared, give_up};
use crate::room::{Command, Phase, Refusal, RelayId, Room, RoomId, Seated, Speaker, Time};
use crate::server::metrics;
use crate::store::{Listener, Signal, StoreError};
use watching::Gathering;

/// So many things may happen before somebody takes in the first of them. Who is further behind has to come again.
pub(super) const BACKLOG: usize = 32;

/// After so long something that the store did not do is tried again.
const AGAIN: Duration = Duration::from_millis(500);

/// Nothing is waited for longer than this without looking at the store's clock again.
const LONGEST_WAIT: u64 = 3_600_000;

/// What a task can be told to do.
pub(super) enum Order {
    Enter { visitor: Visitor, claim: Claim, since: Instant, reply: oneshot::Sender<Result<Entered, EnterError>> },
    Exit { number: u64 },
    Play { number: u64, want: Want, from: Option<attendance::Said>, received: Time, reply: Reply },
    Say { number: u64, text: String, received: Time, reply: Reply },
    Look { reply: oneshot::Sender<Arc<Room>> },
    Wood { number: u64, wood: Wood },
    Relays(Arc<[RelayId]>),
}

/// Where orders go in. They are in boxes, since a mailbox is made for dozens of them at once, and mostly has none.
pub(super) type Orders = mpsc::UnboundedSender<Box<Order>>;
pub(super) type Mailbox = mpsc::UnboundedReceiver<Box<Order>>;

/// What somebody who came in gets.
pub(super) struct Entered {
    pub(super) number: u64,
    pub(super) visitor: Visitor,
    pub(super) token: Option<String>,
    pub(super) news: broadcast::Receiver<Arc<Happening>>,
    pub(super) room: Arc<Room>,
    /// How many watch, as everybody was last told.
    pub(super) watching: usize,
}

struct Host {
    relay: Arc<Shared>,
    room: Arc<Room>,
    orders: Mailbox,
    /// There is none where there are no other relays.
    listener: Option<Listener>,
    news: broadcast::Sender<Arc<Happening>>,
    /// Who is in the room through this relay.
    present: BTreeMap<u64, Visitor>,
    entered: u64,
    gathering: Gathering,
    /// How many watch, as everybody was last told.
    watching: usize,
    /// When the last order was received. Those that wait were received later.
    heard_at: Time,
    /// The relays that are left, if those who were here through others have not been looked for yet.
    living: Option<Arc<[RelayId]>>,
    /// All that was in the log at this time is known.
    known_at: Instant,
    /// Whether the store may have something that this copy has not.
    is_uncertain: bool,
    /// Whether the log may say something else about who is here.
    is_unsettled: bool,
    /// Whether this relay can no longer look after the room.
    is_lost: bool,
    /// When to try again what the store did not do.
    again_at: Option<Instant>,
}

/// Looks after a room until nobody needs it any more.
pub(super) async fn look_after(relay: Arc<Shared>, id: RoomId, mut orders: Mailbox) {
    // All that can wait for the store for long is in boxes, which are there only while it does. A relay has thousands of
    // these tasks, and nearly all of them are waiting for somebody to think.
    match Box::pin(open(&relay, id)).await {
        Ok(opened) => Host::new(relay, orders, opened).run().await,
        Err(error) => {
            give_up(&mut relay.hosts(), id);
            orders.close();
            while let Ok(order) = orders.try_recv() {
                if let Order::Enter { reply, .. } = *order {
                    // Who asked may have gone.
                    let _ = reply.send(Err(error.clone()));
                }
            }
        }
    }
}

/// What a task begins with.
struct Opened {
    room: Arc<Room>,
    listener: Listener,
    known_at: Instant,
}

async fn open(relay: &Shared, id: RoomId) -> Result<Opened, EnterError> {
    // It is never closed. Without it, all rooms of a relay that has died would be asked for at the same time.
    let _turn = relay.opening.acquire().await;
    // The listener comes before the log, so that nothing falls between them.
    let listener = relay.store.listen(id).await.inspect_err(|_| metrics::store_failed("listen"))?;
    let known_at = Instant::now();
    let log = relay.store.load(id, 0).await.inspect_err(|_| metrics::store_failed("load"))?;
    match Room::from_log(&log) {
        None => Err(EnterError::NoRoom),
        Some(room) if room.phase() == Phase::Closed => Err(EnterError::Closed),
        Some(room) => Ok(Opened { room: Arc::new(room), listener, known_at }),
    }
}

/// Nothing, if there will never be another one.
async fn next_signal(listener: &mut Option<Listener>) -> Option<Signal> {
    match listener {
        Some(listener) => listener.signals.recv().await,
        None => std::future::pending().await,
    }
}

impl Host {
    fn new(relay: Arc<Shared>, orders: Mailbox, Opened { room, listener, known_at }: Opened) -> Self {
        Self {
            relay,
            room,
            orders,
            listener: Some(listener).filter(|listener| !listener.signals.is_closed()),
            news: broadcast::Sender::new(BACKLOG),
            present: BTreeMap::new(),
            entered: 0,
            gathering: Gathering::default(),
            watching: 0,
            heard_at: Time(0),
            living: None,
            known_at,
            is_uncertain: false,
            // A task before this one may have left something behind.
            is_unsettled: true,
            is_lost: false,
            again_at: None,
        }
    }

    async fn run(mut self) {
        let stop = self.relay.stop.clone();
        loop {
            if self.is_unsettled && self.again_at.is_none() {
                Box::pin(self.settle()).await;
            }
            if self.is_done() {
                return;
            }
            let wake_at = self.wake_at();
            let tell_at = self.gathering.tell_at;
            tokio::select! {
                () = stop.cancelled() => break,
                order = self.orders.recv() => match order {
                    Some(order) => Box::pin(self.obey(*order)).await,
                    None => break,
                },
                signal = next_signal(&mut self.listener) => match signal {
                    Some(signal) => Box::pin(self.heed(signal)).await,
                    None => self.listener = None,
                },
                () = sleep_until(tell_at.unwrap_or_else(Instant::now)), if tell_at.is_some() => self.tell_of_watchers(),
                () = sleep_until(wake_at.unwrap_or_else(Instant::now)), if wake_at.is_some() => {
                    Box::pin(self.tick()).await;
                }
            }
        }
        give_up(&mut self.relay.hosts(), self.room.id());
        Box::pin(self.leave()).await;
    }

    /// Whether nobody needs this task any more; then nobody finds the way to it either.
    fn is_done(&mut self) -> bool {
        let is_here = |color| self.room.seat(color).is_some_and(Seated::is_here);
        // Where players are, a relay waits with them. Where nobody is, somebody has to wait for what time brings.
        let is_elsewhere = || Color::ALL.into_iter().any(is_here);
        let is_idle = || self.present.is_empty() && !self.is_unsettled && self.living.is_none() && is_elsewhere();
        let is_over = self.room.phase() == Phase::Closed || is_idle();
        if !self.is_lost && !is_over {
            return false;
        }
        let mut hosts = self.relay.hosts();
        if !self.is_lost && !self.orders.is_empty() {
            return false;
        }
        give_up(&mut hosts, self.room.id());
        self.orders.close();
        true
    }

    /// When something may have to happen by itself.
    fn wake_at(&self) -> Option<Instant> {
        self.again_at.or_else(|| {
            let wait = self.room.due()?.since(self.relay.store.now()).min(LONGEST_WAIT);
            Some(Instant::now() + Duration::from_millis(wait))
        })
    }

    async fn tick(&mut self) {
        if !self.orders.is_empty() {
            // They were received before, and may be just what makes this needless.
            return;
        }
        self.again_at = None;
        self.look_for_the_lost().await;
        let dice = crate::dice::roll();
        // If it fails, it is tried again.
        let _ = self.attempt(None, Command::Tick { dice }, None, self.judged()).await;
    }

    /// When that which is done of one's own accord is judged: now, but before whatever waits in the mailbox. Nobody loses on
    /// time with a move in there that was received before, however long the store has kept everybody waiting.
    fn judged(&self) -> Time {
        if self.orders.is_empty() { self.relay.store.now() } else { self.heard_at }
    }

    async fn obey(&mut self, order: Order) {
        match order {
            Order::Enter { visitor, claim, since, reply } => {
                let entered = self.enter(visitor, claim, since).await;
                let number = entered.as_ref().ok().map(|entered| entered.number);
                if reply.send(entered).is_err()
                    && let Some(number) = number
                {
                    self.exit(number);
                }
            }
            Order::Exit { number } => self.exit(number),
            Order::Play { number, want, from, received, reply } => {
                self.heard_at = received;
                let id = self.present.get(&number).map(|visitor| visitor.id.clone());
                let color = id.as_ref().and_then(|id| self.room.seat_of(id));
                let done = match color {
                    Some(color) => {
                        let from = from.map(|said| attendance::origin(color, said));
                        self.attempt(id.as_ref(), want(color), from, received).await
                    }
                    None => Err(Refusal::NoSeat.into()),
                };
                // Who asked may have gone.
                let _ = reply.send(done);
            }
            Order::Say { number, text, received, reply } => {
                self.heard_at = received;
                let done = match self.present.get(&number).cloned() {
                    Some(Visitor { id, name }) => {
                        let color = self.room.seat_of(&id);
                        let command = Command::Say { speaker: Speaker { id, name, color }, text };
                        self.attempt(None, command, None, received).await
                    }
                    None => Err(CommandError::Ended),
                };
                let _ = reply.send(done);
            }
            Order::Look { reply } => {
                let _ = reply.send(self.room.clone());
            }
            Order::Wood { number, wood } => {
                if let Some(visitor) = self.present.get(&number)
                    && self.room.seat_of(&visitor.id).is_some()
                {
                    self.whisper(Whisper::Wood { id: visitor.id.clone(), wood });
                }
            }
            Order::Relays(living) => {
                self.living = Some(living);
                self.look_for_the_lost().await;
            }
        }
    }

    async fn heed(&mut self, signal: Signal) {
        match signal {
            Signal::Grown(version) if version <= self.room.version() => {}
            Signal::Grown(_) | Signal::Lost => {
                // If it fails, it is tried again.
                let _ = self.catch_up().await;
            }
            Signal::Whisper(words) => {
                // A relay of another version may have other words.
                if let Ok(whisper) = serde_json::from_slice(&words) {
                    if let Whisper::Watching { count, .. } = whisper {
                        self.watching = count;
                    }
                    self.tell(News::Whisper(whisper));
                }
            }
        }
    }

    fn tell(&self, news: News) {
        // Nobody may be listening.
        let _ = self.news.send(Arc::new(Happening::new(news, self.room.clone())));
    }

    /// Tells everybody in the room, here and elsewhere, something that nobody needs to remember.
    fn whisper(&self, whisper: Whisper) {
        if let Ok(words) = serde_json::to_vec(&whisper) {
            self.relay.store.whisper(self.room.id(), words.into());
        }
        self.tell(News::Whisper(whisper));
    }

    /// The store did not do something: it is tried again, unless there is no use in it.
    fn failed(&mut self, error: &StoreError) {
        self.is_uncertain = true;
        self.again_at = Some(Instant::now() + AGAIN);
        // Perhaps a newer relay can read what is in there. This one does not know any longer how things are.
        self.is_lost |= matches!(error, StoreError::Corrupt(_));
    }
}
