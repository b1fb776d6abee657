//! The actor that owns this relay's copy of one room.
//!
//! - `asking.rs`: commands that wait for the answer of a script.
//! - `computer_seat.rs`: acts for the computer of a room.
//! - `known_log.rs`: detects that the store has lost entries which this relay has applied.
//! - `present.rs`: the participants who are connected here; `presence.rs`: what the log says about it.
//! - `promotion.rs`: sends to participants who enter that a player is choosing the piece of a promotion.
//! - `spectators.rs`: announces spectators who enter and leave.
//! - `writing.rs`: the compare-and-append loop: decide, append to the store, apply, broadcast.

mod asking;
mod computer_seat;
mod known_log;
mod presence;
mod present;
mod promotion;
mod spectators;
mod writing;

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use chess::Color;
use rules::Ply;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::Instant;
use wire::link::Occupancy;

use super::parked::PARK_FOR;
use super::participant::Claim;
use super::room_handle::{ActError, Reply};
use super::update::{RoomUpdate, Transient, Update};
use super::{EnterError, Shared};
use crate::metrics;
use crate::room::{Act, Command, EventId, Participant, Phase, RelayId, Room, RoomId, Seated, Time, UserId};
use crate::store::{Listener, Signal, StoreError};
use crate::timer::Timer;
use asking::{ReplyTo, Waiting};
use computer_seat::{ComputerSeat, next_thought};
use known_log::KnownLog;
use present::Present;
use promotion::Choosing;
use spectators::Announcement;

/// Capacity of the update broadcast. A participant who is further behind misses updates and has to enter again.
pub(super) const BACKLOG: usize = 32;

/// Capacity of a room's mailbox. A connection has one act under way at most, so a full mailbox means that the store is slower
/// than this many participants together: then acts wait at their senders, and the memory of a room stays bounded.
pub(super) const MAILBOX: usize = 256;

/// Delay before a failed store operation is retried.
const RETRY_AFTER: Duration = Duration::from_millis(500);

/// Upper bound of a sleep, in milliseconds: the clock of the store may have been adjusted meanwhile.
const LONGEST_WAIT: u64 = 3_600_000;

/// A message to the task of a room.
pub(super) enum RoomMessage {
    Enter {
        participant: Participant,
        claim: Claim,
        since: Instant,
        reply: oneshot::Sender<Result<Entered, EnterError>>,
    },
    Exit {
        number: u64,
        /// Whether the participant gives up the seat.
        leaves: bool,
    },
    Act {
        number: u64,
        act: Act,
        event: Option<EventId>,
        received: Time,
        reply: Reply,
    },
    /// A board has played on, in a room that follows it.
    Follow {
        command: Command,
        /// Receives the room after the command.
        reply: oneshot::Sender<Result<Arc<Room>, ActError>>,
    },
    Look {
        reply: oneshot::Sender<Arc<Room>>,
    },
    Occupancy {
        number: u64,
        occupancy: Occupancy,
    },
    /// A player is choosing the piece of a promotion.
    Promoting {
        number: u64,
        ply: Ply,
    },
    LiveRelays(Arc<[RelayId]>),
}

/// The sending end of a mailbox. Messages are boxed because a mailbox allocates blocks of dozens of slots and is mostly empty.
pub(super) type RoomSender = mpsc::Sender<Box<RoomMessage>>;
pub(super) type Mailbox = mpsc::Receiver<Box<RoomMessage>>;

/// What a participant who has entered gets.
pub(super) struct Entered {
    pub(super) number: u64,
    pub(super) participant: Participant,
    pub(super) token: Option<String>,
    pub(super) updates: broadcast::Receiver<Arc<RoomUpdate>>,
    pub(super) room: Arc<Room>,
    /// Number of spectators, as last announced.
    pub(super) spectators: usize,
}

struct RoomTask {
    relay: Arc<Shared>,
    room: Arc<Room>,
    known_log: KnownLog,
    messages: Mailbox,
    /// `None` if the store has no other relays.
    listener: Option<Listener>,
    updates: broadcast::Sender<Arc<RoomUpdate>>,
    /// The participants who are connected through this relay.
    present: Present,
    entered: u64,
    announcement: Announcement,
    /// Number of spectators, as last announced.
    spectators: usize,
    /// When the last message was received. Messages in the mailbox were received later.
    last_received: Time,
    /// The live relays, if connections through dead relays have not been removed yet.
    live_relays: Option<Arc<[RelayId]>>,
    /// This copy is at least as new as the log was at this time.
    known_at: Instant,
    /// Whether an append may have succeeded whose answer was lost.
    is_uncertain: bool,
    /// Whether the log may disagree with `present`.
    is_unsettled: bool,
    /// When it is to be written that players are disconnected who have exited a while ago.
    disconnect_at: BTreeMap<UserId, Instant>,
    /// Whether this relay cannot serve the room any more.
    is_lost: bool,
    /// When to retry a failed store operation.
    retry_at: Option<Instant>,
    /// If the computer has a seat.
    computer: Option<Box<ComputerSeat>>,
    /// If a player is choosing the piece of a promotion.
    choosing: Option<Box<Choosing>>,
    /// Commands that wait for a script.
    asked: Waiting,
    timer: Timer,
}

/// Runs the task of a room until the relay does not need it any more.
pub(super) async fn run(relay: Arc<Shared>, id: RoomId, mut messages: Mailbox) {
    // Futures that wait for the store are boxed, so that idle tasks stay small: a relay has thousands of them.
    match Box::pin(open(&relay, id)).await {
        // Boxed because a future has a second copy of the arguments that are moved into it.
        Ok(opened) => Box::new(RoomTask::new(relay, messages, opened)).run().await,
        Err(error) => {
            let is_retried = matches!(&error, EnterError::Store(cause) if !matches!(cause, StoreError::Corrupt(_)));
            if is_retried {
                // Otherwise its timeouts would be forgotten.
                relay.rooms().park(id, relay.store.now());
            } else {
                relay.rooms().deregister(id);
            }
            messages.close();
            while let Ok(message) = messages.try_recv() {
                // The caller may have gone.
                match *message {
                    RoomMessage::Enter { reply, .. } => drop(reply.send(Err(error.clone()))),
                    RoomMessage::Follow { reply, .. } => drop(reply.send(Err(error.clone().into()))),
                    _ => {}
                }
            }
        }
    }
}

/// What a task starts with.
struct Opened {
    room: Arc<Room>,
    known_log: KnownLog,
    listener: Listener,
    known_at: Instant,
}

async fn open(relay: &Shared, id: RoomId) -> Result<Opened, EnterError> {
    // Limits how many logs are loaded at once when a relay takes over all rooms of a dead one. It is never closed.
    let _permit = relay.opening.acquire().await;
    // Listening starts before loading, so that no entry is missed in between.
    let listener = relay.store.listen(id).await.inspect_err(|_| metrics::store_failed("listen"))?;
    let known_at = Instant::now();
    let log = relay.store.read_log(id).await.inspect_err(|_| metrics::store_failed("load"))?;
    let replayed = relay.replays.run(move || {
        let log = log.decode()?;
        Ok(Room::from_log(&log).map(|room| (room, KnownLog::new(&log))))
    });
    match replayed.await.inspect_err(|_: &StoreError| metrics::store_failed("load"))? {
        None => Err(EnterError::NoRoom),
        Some((room, _)) if room.phase() == Phase::Closed => Err(EnterError::Closed),
        Some((room, known_log)) => Ok(Opened { room: Arc::new(room), known_log, listener, known_at }),
    }
}

/// The next signal of another relay. `None` if there will never be one.
async fn next_signal(listener: &mut Option<Listener>) -> Option<Signal> {
    match listener {
        Some(listener) => listener.signals.recv().await,
        None => std::future::pending().await,
    }
}

impl RoomTask {
    fn new(relay: Arc<Shared>, messages: Mailbox, Opened { room, known_log, listener, known_at }: Opened) -> Self {
        Self {
            relay,
            room,
            known_log,
            messages,
            listener: Some(listener).filter(|listener| !listener.signals.is_closed()),
            updates: broadcast::Sender::new(BACKLOG),
            present: Present::default(),
            entered: 0,
            announcement: Announcement::default(),
            spectators: 0,
            last_received: Time(0),
            live_relays: None,
            known_at,
            is_uncertain: false,
            // An earlier task of this relay may have left connections in the log.
            is_unsettled: true,
            disconnect_at: BTreeMap::new(),
            is_lost: false,
            retry_at: None,
            computer: None,
            choosing: None,
            asked: Waiting::default(),
            timer: Timer::default(),
        }
    }

    async fn run(mut self: Box<Self>) {
        let stop = self.relay.stop.clone();
        // Kept between waits, because a new one takes a lock that all tasks share.
        let mut stopped = pin!(stop.cancelled());
        loop {
            // What the first call has written may differ from what it meant to: the second one finds out.
            for _ in 0..2 {
                if self.is_unsettled && self.retry_at.is_none() {
                    Box::pin(self.settle()).await;
                }
            }
            while self.has_computer() && Box::pin(self.serve_computer()).await {}
            if self.is_done() {
                return;
            }
            let (tick_at, announce_at) = (self.tick_at(), self.announcement.at);
            let wake_at = tick_at.into_iter().chain(announce_at).min();
            if wake_at.is_none() {
                self.timer.release();
            }
            tokio::select! {
                () = &mut stopped => break,
                message = self.messages.recv() => match message {
                    Some(message) => Box::pin(self.execute(*message)).await,
                    None => break,
                },
                signal = next_signal(&mut self.listener) => match signal {
                    Some(signal) => Box::pin(self.handle(signal)).await,
                    None => self.listener = None,
                },
                ruled = self.asked.next() => Box::pin(self.attempt_ruled(ruled)).await,
                thought = next_thought(&mut self.computer) => Box::pin(self.play_thought(thought)).await,
                () = self.timer.wait_until(wake_at.unwrap_or_else(Instant::now)), if wake_at.is_some() => {
                    let is_due = |at: Option<Instant>| at.is_some_and(|at| at <= Instant::now());
                    if is_due(announce_at) {
                        self.announce_spectators();
                    }
                    if is_due(tick_at) {
                        Box::pin(self.tick()).await;
                    }
                }
            }
        }
        self.relay.rooms().deregister(self.room.id());
        Box::pin(self.disconnect_all()).await;
    }

    /// Whether the task is not needed any more, or not for a while. If so, it is deregistered and accepts no more messages.
    fn is_done(&mut self) -> bool {
        let is_settled = !self.is_unsettled && self.disconnect_at.is_empty() && self.asked.is_empty();
        let is_quiet = self.present.is_empty() && is_settled && self.live_relays.is_none();
        // A relay with a connected player handles the timeouts.
        let is_elsewhere =
            Color::ALL.into_iter().any(|color| self.room.seat(color).is_some_and(Seated::is_person_here));
        let is_over = self.room.phase() == Phase::Closed || (is_quiet && is_elsewhere);
        let parked_until = if is_quiet && !is_over { self.far_timeout() } else { None };
        if !self.is_lost && !is_over && parked_until.is_none() {
            return false;
        }
        let mut rooms = self.relay.rooms();
        if !self.is_lost && self.has_messages() {
            return false;
        }
        match parked_until.filter(|_| !self.is_lost) {
            Some(due) => rooms.park(self.room.id(), due),
            None => rooms.deregister(self.room.id()),
        }
        self.messages.close();
        true
    }

    /// When the next timeout is due, if nothing is to be done until then for long enough that the room can be parked.
    fn far_timeout(&self) -> Option<Time> {
        let is_busy = self.retry_at.is_some() || self.is_uncertain || self.room.expects_of_computer().is_some();
        let due = self.room.due().filter(|_| !is_busy)?;
        (due.since(self.relay.store.now()) > PARK_FOR).then_some(due)
    }

    /// Whether a message is in the mailbox, or waits for a place in it.
    fn has_messages(&self) -> bool {
        self.messages.capacity() < self.messages.max_capacity()
    }

    /// When the next timeout, disconnection or retry is due.
    fn tick_at(&self) -> Option<Instant> {
        self.retry_at.or_else(|| {
            // Timeouts are judged by the time when the commands that wait for a script were received, and evaluated again after each of them.
            let timeout = self.room.due().filter(|_| self.asked.is_empty()).map(|due| {
                let wait = due.since(self.relay.store.now()).min(LONGEST_WAIT);
                Instant::now() + Duration::from_millis(wait)
            });
            timeout.into_iter().chain(self.disconnect_at.values().copied()).min()
        })
    }

    async fn tick(&mut self) {
        if self.has_messages() {
            // They were received earlier and may make the timeout needless.
            return;
        }
        self.retry_at = None;
        self.stop_waiting();
        self.disconnect_dead_relays().await;
        // `failed` has scheduled a retry if this fails.
        let _ = self.attempt(&Command::Tick, self.judged_at()).await;
    }

    /// The time by which timeouts are judged when no message is executed: now, but not later than the messages that wait. So a
    /// player does not lose on time whose move was received before, however slow the store is.
    fn judged_at(&self) -> Time {
        if self.has_messages() { self.last_received } else { self.relay.store.now() }
    }

    async fn execute(&mut self, message: RoomMessage) {
        match message {
            RoomMessage::Enter { participant, claim, since, reply } => {
                let entered = self.enter(participant, claim, since).await;
                if self.is_lost {
                    // Without a reply the caller enters again, through the next task of the room.
                    return;
                }
                let number = entered.as_ref().ok().map(|entered| entered.number);
                if reply.send(entered).is_err()
                    && let Some(number) = number
                {
                    self.exit(number);
                }
            }
            RoomMessage::Exit { number, leaves } => {
                if leaves && let Some(by) = self.present.get(number).cloned() {
                    // If the store fails, the seat is free when the grace period ends.
                    let _ = self.attempt(&self.command(by, Act::Leave, None), self.judged_at()).await;
                }
                self.exit(number);
            }
            RoomMessage::Act { number, act, event, received, reply } => {
                self.last_received = received;
                // Without a reply the caller learns that it is not in the room any more.
                if let Some(by) = self.present.get(number).cloned() {
                    self.attempt_or_ask(self.command(by, act, event), received, ReplyTo::Act(reply)).await;
                }
            }
            RoomMessage::Follow { command, reply } => {
                self.attempt_or_ask(command, self.judged_at(), ReplyTo::Follow(reply)).await;
            }
            RoomMessage::Look { reply } => {
                let _ = reply.send(self.room.clone());
            }
            RoomMessage::Occupancy { number, occupancy } => {
                if let Some(participant) = self.present.get(number)
                    && self.room.seat_of(&participant.id).is_some()
                {
                    self.broadcast_transient(Transient::Occupancy { id: participant.id.clone(), occupancy });
                }
            }
            RoomMessage::Promoting { number, ply } => {
                if let Some(participant) = self.present.get(number)
                    && self.room.seat_of(&participant.id).is_some()
                {
                    self.broadcast_transient(Transient::Promoting { id: participant.id.clone(), ply });
                }
            }
            RoomMessage::LiveRelays(live_relays) => {
                self.live_relays = Some(live_relays);
                self.disconnect_dead_relays().await;
            }
        }
    }

    fn command(&self, by: Participant, act: Act, event: Option<EventId>) -> Command {
        Command::Act { by, act, game: self.room.current_game(), event }
    }

    async fn handle(&mut self, signal: Signal) {
        match signal {
            Signal::Grown(head) if self.known_log.contains(head) => {}
            Signal::Grown(_) | Signal::Lost => {
                // `failed` has scheduled a retry if this fails.
                let _ = self.catch_up().await;
            }
            Signal::Transient(bytes) => {
                // A relay of another version may send transients that this one does not know.
                if let Ok(transient) = serde_json::from_slice(&bytes) {
                    if let Transient::Spectators { count, .. } = transient {
                        self.spectators = count;
                    }
                    self.broadcast(Update::Transient(transient));
                }
            }
        }
    }

    fn broadcast(&mut self, update: Update) {
        self.note_promotion(&update);
        // There may be no receiver.
        let _ = self.updates.send(Arc::new(RoomUpdate::new(update, self.room.clone())));
    }

    /// Broadcasts an update that is not persisted, on this relay and on all others.
    fn broadcast_transient(&mut self, transient: Transient) {
        self.publish(&transient);
        self.broadcast(Update::Transient(transient));
    }

    fn publish(&self, transient: &Transient) {
        if let Ok(bytes) = serde_json::to_vec(transient) {
            self.relay.store.publish(self.room.id(), bytes.into());
        }
    }

    /// The store has another history of the room. The participants have to enter again, and see that one.
    fn diverged(&mut self) {
        metrics::log_diverged();
        tracing::warn!(room = %self.room.id(), version = self.room.version(), "store has lost entries of the log, reloading the room");
        self.is_lost = true;
    }

    /// Schedules a retry after a store failure, unless the log cannot be read.
    fn failed(&mut self, error: &StoreError) {
        self.is_uncertain = true;
        self.retry_at = Some(Instant::now() + RETRY_AFTER);
        // A newer relay may be able to read the log. This one does not know the state of the room any more.
        self.is_lost |= matches!(error, StoreError::Corrupt(_));
    }
}
