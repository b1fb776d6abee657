//! The life of a relay among others.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use super::host::Order;
use super::{Relay, Shared, Told};
use crate::room::{RelayId, RoomId};
use crate::server::metrics;
use crate::store::{Pulse, StoreError};

/// How often a relay says that it is alive.
const BEAT: Duration = Duration::from_secs(2);

/// Every so many beats all rooms are told which relays are left, even if nobody has gone: one may have come and gone
/// between two beats.
const TELL_ALL: u32 = 15;

impl Relay {
    /// Begins to live: says that it is there, takes over what was left behind, and goes on doing so until it stops.
    pub async fn live(&self) -> Result<(), StoreError> {
        self.beat(false).await?;
        let relay = self.clone();
        self.shared.tasks.spawn(async move {
            let mut beats = interval(BEAT);
            beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let mut count: u32 = 0;
            loop {
                tokio::select! {
                    () = relay.shared.stop.cancelled() => return,
                    _ = beats.tick() => {}
                }
                count = (count + 1) % TELL_ALL;
                if let Err(error) = relay.beat(count == 0).await {
                    metrics::store_failed("beat");
                    tracing::warn!(%error, "the store does not hear that this relay is alive");
                }
            }
        });
        Ok(())
    }

    /// Whether a relay is alive, as far as this one knows.
    #[must_use]
    pub fn is_alive(&self, relay: RelayId) -> bool {
        let known = self.shared.living.lock().unwrap_or_else(PoisonError::into_inner);
        relay == self.shared.id || known.contains(&relay)
    }

    async fn beat(&self, tell_all: bool) -> Result<(), StoreError> {
        let rooms = self.shared.begin_telling();
        let Pulse { relays, orphans } = self.shared.store.beat(self.shared.id, &rooms).await?;
        let living: Arc<[RelayId]> = relays.into();
        let somebody_died = self.shared.replace_living(&living);
        self.shared.tell(&living, tell_all || somebody_died);
        for room in orphans {
            match self.host(room) {
                Ok(orders) => {
                    // Whoever was there through the relay that has left it is not. A task that has just ended needs no news.
                    let _ = orders.send(Box::new(Order::Relays(living.clone())));
                }
                Err(error) => tracing::warn!(%room, %error, "a room that was left behind could not be taken over"),
            }
        }
        Ok(())
    }
}

impl Shared {
    /// All rooms that are looked after. Those who have not been told yet which relays are alive will be, by an answer that is
    /// newer than what they know: an older one may not know the relay yet through which somebody has just come.
    fn begin_telling(&self) -> Vec<RoomId> {
        let mut hosts = self.hosts();
        for way in hosts.values_mut().filter(|way| way.told == Told::Nothing) {
            way.told = Told::Soon;
        }
        hosts.keys().copied().collect()
    }

    fn tell(&self, living: &Arc<[RelayId]>, all: bool) {
        for way in self.hosts().values_mut() {
            let was_told = match way.told {
                Told::Nothing => continue,
                Told::Soon => false,
                Told::Once => true,
            };
            way.told = Told::Once;
            if all || !was_told {
                // A task that has just ended needs no news.
                let _ = way.orders.send(Box::new(Order::Relays(living.clone())));
            }
        }
    }

    /// Returns whether somebody is no longer alive.
    fn replace_living(&self, living: &Arc<[RelayId]>) -> bool {
        let mut known = self.living.lock().unwrap_or_else(PoisonError::into_inner);
        let somebody_died = known.iter().any(|relay| !living.contains(relay));
        *known = living.clone();
        somebody_died
    }
}
