//! The compare-and-append loop: decide, append to the store, then apply and broadcast.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::yield_now;
use tokio::time::{Instant, sleep};

use super::super::room_handle::ActError;
use super::super::update::Update;
use super::asking::{Attempted, ReplyTo};
use super::{BACKLOG, RoomTask};
use crate::metrics;
use crate::room::{
    Answered, Command, Draft, Entry, Fact, Participant, Phase, Room, ScriptQuestion, Stamp, Time, reason_of,
};
use crate::store::{Appended, Batch, StoreError};

/// Maximum number of retries of an append, and the bounds of the exponential backoff between them.
const RETRIES: u32 = 10;
const FIRST_BACKOFF: Duration = Duration::from_millis(20);
const LONGEST_BACKOFF: Duration = Duration::from_secs(1);

/// Maximum number of retries while the relay stops. Other relays detect its end by its heartbeat.
const RETRIES_WHILE_STOPPING: u32 = 3;

impl RoomTask {
    /// Executes a command of the relay itself. If a script has to be asked first, the command is executed later, which counts as accepted.
    pub(super) async fn attempt(&mut self, command: &Command, received: Time) -> Result<(), ActError> {
        match self.attempt_with(command, received, None).await {
            Attempted::Done(result) => result,
            asks @ Attempted::Asks(_) => {
                self.go_on(asks, command.clone(), received, ReplyTo::NoClient);
                Ok(())
            }
        }
    }

    /// Executes a command: appends its entries to the log if the log has not grown meanwhile, otherwise decides again on the
    /// newer state. Only what the store has confirmed is applied and broadcast. `answered` is what a script has answered to the question of an
    /// earlier attempt.
    pub(super) async fn attempt_with(
        &mut self,
        command: &Command,
        received: Time,
        answered: Option<&Answered>,
    ) -> Attempted {
        match self.write(command, self.before_asked(received), answered).await {
            Ok(None) => Attempted::Done(Ok(())),
            Ok(Some(question)) => Attempted::Asks(question),
            Err(error) => Attempted::Done(Err(error)),
        }
    }

    /// Returns the question if a script has to be asked first.
    async fn write(
        &mut self,
        command: &Command,
        received: Time,
        answered: Option<&Answered>,
    ) -> Result<Option<Box<ScriptQuestion>>, ActError> {
        let write_id = crate::random::roll();
        let mut backoff = FIRST_BACKOFF;
        let mut failures = 0;
        if self.is_uncertain {
            // If this fails, the append below fails as well, or the store is back by then.
            let _ = self.catch_up().await;
        }
        loop {
            if self.is_lost {
                return Err(ActError::Ended);
            }
            let stamp = Stamp { received, now: self.relay.store.now(), write_id };
            let Draft { entries, after, refused, question } = self.room.attempt_with(command, stamp, answered);
            if question.is_some() {
                return Ok(question);
            }
            let result = refused.map_or(Ok(None), |refusal| Err(refusal.into()));
            if entries.is_empty() {
                return result;
            }
            let batch = Batch {
                after: self.known_log.head(),
                entries: entries.clone(),
                // It is larger than most entries, and most of them do not change it.
                state: (self.relay.store.shows_state() && !self.room.has_game_of(&after)).then(|| state_of(&after)),
                frees: (after.phase() == Phase::Closed).then(|| after.code().clone()),
            };
            match self.relay.store.append(self.room.id(), batch).await {
                Ok(Appended::Done) => {
                    if let (None, Some(verdict)) = (self.room.verdict(), after.verdict()) {
                        metrics::game_ended(reason_of(verdict));
                    }
                    self.add(entries, Some(after)).await;
                    return result;
                }
                Ok(Appended::Diverged) => {
                    // Another relay may have closed the room, and deleted the last known entry with the chat.
                    let _ = self.catch_up().await;
                    if !self.is_lost && self.room.phase() != Phase::Closed {
                        self.diverged();
                    }
                    return Err(ActError::Ended);
                }
                Ok(Appended::Conflict(entries)) if entries.is_empty() => {
                    tracing::warn!(room = %self.room.id(), "log deleted from the store, closing the room's task");
                    self.is_lost = true;
                    return Err(ActError::Ended);
                }
                Ok(Appended::Conflict(entries)) => {
                    // An earlier try may have succeeded although its answer was lost.
                    let is_own = entries.iter().any(|entry| entry.write_id == write_id);
                    self.add(entries, None).await;
                    if is_own {
                        return result;
                    }
                }
                Err(StoreError::Unavailable(_) | StoreError::Unclear(_)) if failures < self.retries() => {
                    metrics::store_failed("append");
                    failures += 1;
                    sleep(backoff).await;
                    backoff = (backoff * 2).min(LONGEST_BACKOFF);
                }
                Err(error) => {
                    metrics::store_failed("append");
                    tracing::warn!(room = %self.room.id(), %error, "appending to the log failed, will retry");
                    self.failed(&error);
                    return Err(ActError::Store(error));
                }
            }
        }
    }

    fn retries(&self) -> u32 {
        if self.relay.stop.is_cancelled() { RETRIES_WHILE_STOPPING } else { RETRIES }
    }

    /// Loads and applies entries that other relays have appended.
    pub(super) async fn catch_up(&mut self) -> Result<(), StoreError> {
        let known_at = Instant::now();
        // The last known entry is loaded again, to find out whether the store still has it.
        let last = self.known_log.head().version.saturating_sub(1);
        match self.relay.store.load(self.room.id(), last).await {
            Ok(loaded) => {
                self.is_uncertain = false;
                self.known_at = known_at;
                let is_closed = matches!(loaded.last(), Some(Entry { fact: Fact::Closed, .. }));
                match self.known_log.new_entries(loaded) {
                    Ok(entries) => self.add(entries, None).await,
                    // The relay that has closed the room has deleted its chat, and with it the last known entry.
                    Err(entries) if is_closed => self.add(entries, None).await,
                    Err(_) => self.diverged(),
                }
                Ok(())
            }
            Err(error) => {
                metrics::store_failed("load");
                tracing::warn!(room = %self.room.id(), %error, "loading the log failed, will retry");
                self.failed(&error);
                Err(error)
            }
        }
    }

    /// Applies entries that the store has confirmed, and broadcasts them. `after` is the room after the last of them.
    async fn add(&mut self, entries: Vec<Entry>, mut after: Option<Arc<Room>>) {
        self.known_log.add(&entries);
        let last = entries.len().saturating_sub(1);
        for (index, entry) in entries.into_iter().enumerate() {
            let leaver = self.before_applying(&entry.fact);
            match after.take_if(|_| index == last) {
                Some(after) => self.room = after,
                None => Arc::make_mut(&mut self.room).apply(&entry),
            }
            self.broadcast(Update::Entry(Arc::new(entry)));
            if let Some(leaver) = leaver {
                self.spectator_entered(&leaver);
            }
            if index % (BACKLOG / 2) == BACKLOG / 2 - 1 {
                // Many entries at once, after a network partition, would overflow the broadcast: let receivers run.
                yield_now().await;
            }
        }
    }

    /// Notes what a fact means for the participants of this relay. Returns a player who becomes a spectator.
    fn before_applying(&mut self, fact: &Fact) -> Option<Participant> {
        match *fact {
            Fact::Connected { relay, .. } | Fact::Disconnected { relay, .. } => {
                self.is_unsettled |= relay == self.relay.id;
                None
            }
            Fact::Left { color } => {
                let player = &self.room.seat(color)?.player;
                let leaver = Participant { id: player.id.clone(), name: player.name.clone() };
                Some(leaver).filter(|leaver| self.is_present(&leaver.id))
            }
            _ => None,
        }
    }
}

/// The documented state of a game of chess. It is empty for a game that the format cannot express.
fn state_of(room: &Room) -> Vec<u8> {
    let Some(game) = room.game().chess() else { return Vec::new() };
    // A move has at most three bytes, and a captured piece one.
    let bound = wire::layout::MAX_LEN.min(128 + 4 * game.moves().len());
    let mut buffer = vec![0; bound];
    let len = wire::layout::encode(game, &mut buffer).unwrap_or(0);
    buffer.truncate(len);
    buffer
}
