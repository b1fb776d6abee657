//! The heartbeat of a relay: reports to the store that it is alive, and takes over the rooms of dead relays.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use super::room_task::RoomMessage;
use super::{Notified, Relay, Shared};
use crate::metrics;
use crate::room::{RelayId, RoomId};
use crate::store::{Heartbeat, StoreError};

/// Interval between two heartbeats.
const INTERVAL: Duration = Duration::from_secs(2);

/// Number of heartbeats after which the size of the store is measured.
const MEASURE_EVERY: u32 = 5;

/// Number of heartbeats after which all rooms receive which relays are alive, even if none has died: one may have started and died
/// between two heartbeats.
const NOTIFY_ALL_EVERY: u32 = 15;

impl Relay {
    /// Sends the first heartbeat, and starts the task that sends the others until the relay stops.
    pub async fn live(&self) -> Result<(), StoreError> {
        self.heartbeat(false).await?;
        self.measure_store().await?;
        let relay = self.clone();
        self.shared.tasks.spawn(async move {
            let mut ticks = interval(INTERVAL);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let mut count: u32 = 0;
            loop {
                tokio::select! {
                    () = relay.shared.stop.cancelled() => return,
                    _ = ticks.tick() => {}
                }
                count = (count + 1) % NOTIFY_ALL_EVERY;
                if count.is_multiple_of(MEASURE_EVERY)
                    && let Err(error) = relay.measure_store().await
                {
                    tracing::debug!(%error, "measuring the store failed, will retry");
                }
                if let Err(error) = relay.heartbeat(count == 0).await {
                    metrics::store_failed("heartbeat");
                    tracing::warn!(%error, "heartbeat to the store failed, will retry");
                }
            }
        });
        Ok(())
    }

    /// Whether a relay is alive, as of the last heartbeat.
    #[must_use]
    pub fn is_alive(&self, relay: RelayId) -> bool {
        relay == self.shared.id || self.shared.live_relays.lock().contains(&relay)
    }

    async fn heartbeat(&self, notify_all: bool) -> Result<(), StoreError> {
        let rooms = self.shared.begin_notifying();
        let Heartbeat { relays, orphans } = self.shared.store.heartbeat(self.shared.id, &rooms).await?;
        let live_relays: Arc<[RelayId]> = relays.into();
        let has_death = self.shared.replace_live_relays(&live_relays);
        self.shared.notify(&live_relays, notify_all || has_death);
        let woken = {
            let rooms = self.shared.rooms();
            // A player may have been connected to a parked room through the dead relay.
            if has_death { rooms.parked.rooms().collect() } else { rooms.parked.due(self.shared.store.now()) }
        };
        for room in orphans.into_iter().chain(woken) {
            match self.room_task(room) {
                Ok(messages) => {
                    // Players connected through the dead relay are disconnected. The mailbox of a new task has room.
                    let _ = messages.try_send(Box::new(RoomMessage::LiveRelays(live_relays.clone())));
                }
                Err(error) => tracing::warn!(%room, %error, "starting the task of a room failed"),
            }
        }
        Ok(())
    }
}

impl Shared {
    /// All rooms of this relay. Tasks that have never been notified will be, by the answer to this heartbeat: an earlier
    /// answer may lack a relay through which a player has just connected.
    fn begin_notifying(&self) -> Vec<RoomId> {
        let mut rooms = self.rooms();
        for entry in rooms.tasks.values_mut().filter(|entry| entry.notified == Notified::Never) {
            entry.notified = Notified::Pending;
        }
        rooms.tasks.keys().copied().chain(rooms.parked.rooms()).collect()
    }

    fn notify(&self, live_relays: &Arc<[RelayId]>, all: bool) {
        for entry in self.rooms().tasks.values_mut() {
            let was_notified = match entry.notified {
                Notified::Never => continue,
                Notified::Pending => false,
                Notified::Once => true,
            };
            if all || !was_notified {
                let sent = entry.messages.try_send(Box::new(RoomMessage::LiveRelays(live_relays.clone())));
                // A full mailbox is notified by the next heartbeat instead. A task that has just ended needs no notice.
                entry.notified = if sent.is_ok() { Notified::Once } else { Notified::Pending };
            }
        }
    }

    /// Returns whether a relay has died.
    fn replace_live_relays(&self, live_relays: &Arc<[RelayId]>) -> bool {
        let mut known = self.live_relays.lock();
        let has_death = known.iter().any(|relay| !live_relays.contains(relay));
        *known = live_relays.clone();
        has_death
    }
}
