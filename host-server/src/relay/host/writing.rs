use std::sync::Arc;
use std::time::Duration;

use tokio::task::yield_now;
use tokio::time::{Instant, sleep};

use super::super::attendance::CommandError;
use super::super::happening::News;
use super::super::visitor::Visitor;
use super::{BACKLOG, Host};
use crate::room::{Command, Draft, Entry, Fact, Origin, Phase, Refusal, Room, Time, UserId};
use crate::server::metrics;
use crate::store::{Appended, Batch, StoreError};

/// How often a store that cannot be reached is tried, and how long is waited in between at first and at last.
const TRIES: u32 = 10;
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LAST_PAUSE: Duration = Duration::from_secs(1);

/// How often it is tried by a relay that stops. The others will notice that it is gone.
const LAST_TRIES: u32 = 3;

impl Host {
    /// Lets something happen: in the store, and only then here. `who` is the player who wants it, if it is one.
    pub(super) async fn attempt(
        &mut self,
        who: Option<&UserId>,
        mut command: Command,
        mut from: Option<Origin>,
        received: Time,
    ) -> Result<(), CommandError> {
        let mut side = who.and_then(|who| self.room.seat_of(who));
        let pen = crate::dice::roll();
        let mut pause = FIRST_PAUSE;
        let mut failures = 0;
        if self.is_uncertain {
            // If it fails, so does what follows, or the store is back by then.
            let _ = self.catch_up().await;
        }
        loop {
            if let Some(who) = who {
                // Those who were quicker may have begun another game, in which this player has changed sides.
                let now = self.room.seat_of(who).ok_or(Refusal::NoSeat)?;
                if side.replace(now) != Some(now) {
                    command = command.at_side(now).ok_or(Refusal::Stale)?;
                    from = from.map(|origin| Origin { color: now, ..origin });
                }
            }
            let draft = self.room.attempt(&command, from, received, self.relay.store.now(), pen);
            let Draft { entries, after, refused } = draft;
            let done = refused.map_or(Ok(()), |refusal| Err(refusal.into()));
            if entries.is_empty() {
                return done;
            }
            let batch = Batch {
                after: self.room.version(),
                entries: entries.clone(),
                state: self.relay.store.shows_state().then(|| state_of(&after)),
                frees: (after.phase() == Phase::Closed).then(|| after.code().clone()),
            };
            match self.relay.store.append(self.room.id(), batch).await {
                Ok(Appended::Done) => {
                    if let (None, Some(ending)) = (self.room.ending(), after.ending()) {
                        metrics::game_ended(ending.reason);
                    }
                    self.add(entries, Some(after)).await;
                    return done;
                }
                Ok(Appended::Behind(entries)) if entries.is_empty() => {
                    tracing::warn!(room = %self.room.id(), "a log is no longer kept");
                    self.is_lost = true;
                    return Err(CommandError::Ended);
                }
                Ok(Appended::Behind(entries)) => {
                    // If the answer of the store was lost, it may be this.
                    let got_through = entries.iter().any(|entry| entry.pen == pen);
                    self.add(entries, None).await;
                    if got_through {
                        return done;
                    }
                }
                Err(StoreError::Unavailable(_) | StoreError::Unclear(_)) if failures < self.tries() => {
                    metrics::store_failed("append");
                    failures += 1;
                    sleep(pause).await;
                    pause = (pause * 2).min(LAST_PAUSE);
                }
                Err(error) => {
                    metrics::store_failed("append");
                    tracing::warn!(room = %self.room.id(), %error, "a log could not be written");
                    self.failed(&error);
                    return Err(CommandError::Store(error));
                }
            }
        }
    }

    fn tries(&self) -> u32 {
        if self.relay.stop.is_cancelled() { LAST_TRIES } else { TRIES }
    }

    /// Reads what others have added to the log.
    pub(super) async fn catch_up(&mut self) -> Result<(), StoreError> {
        let known_at = Instant::now();
        match self.relay.store.load(self.room.id(), self.room.version()).await {
            Ok(entries) => {
                self.is_uncertain = false;
                self.known_at = known_at;
                self.add(entries, None).await;
                Ok(())
            }
            Err(error) => {
                metrics::store_failed("load");
                tracing::warn!(room = %self.room.id(), %error, "a log could not be read");
                self.failed(&error);
                Err(error)
            }
        }
    }

    /// These lines are in the log now: it is so, and everybody is told. The room after them is known, if they are our own.
    async fn add(&mut self, entries: Vec<Entry>, mut after: Option<Arc<Room>>) {
        let last = entries.len().saturating_sub(1);
        for (index, entry) in entries.into_iter().enumerate() {
            let leaver = self.notice(&entry.fact);
            match after.take_if(|_| index == last) {
                Some(after) => self.room = after,
                None => Arc::make_mut(&mut self.room).apply(&entry),
            }
            self.tell(News::Entry(Arc::new(entry)));
            if let Some(leaver) = leaver {
                self.gather(&leaver, true);
            }
            if index % (BACKLOG / 2) == BACKLOG / 2 - 1 {
                // A relay that was cut off learns a lot at once. Nobody should be behind only because of that.
                yield_now().await;
            }
        }
    }

    /// What is about to be so may concern those who are here. Returns a player who only watches from now on.
    fn notice(&mut self, fact: &Fact) -> Option<Visitor> {
        match *fact {
            Fact::Came { relay, .. } | Fact::Went { relay, .. } => {
                self.is_unsettled |= relay == self.relay.id;
                None
            }
            Fact::Left { color } => {
                let player = &self.room.seat(color)?.player;
                let leaver = Visitor { id: player.id.clone(), name: player.name.clone() };
                Some(leaver).filter(|leaver| self.is_present(&leaver.id))
            }
            _ => None,
        }
    }
}

/// The documented state of the game, if it has one: a game that began from elsewhere may not.
fn state_of(room: &Room) -> Vec<u8> {
    let mut buffer = vec![0; wire::layout::MAX_LEN];
    let len = wire::layout::encode(room.game(), &mut buffer).unwrap_or(0);
    buffer.truncate(len);
    buffer
}
