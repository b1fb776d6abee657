//! Heartbeats of relays, and their leases on rooms.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::future::join_all;
use parking_lot::Mutex;

use super::{Redis, script};
use crate::room::{Fact, RelayId, RoomId};
use crate::store::{Heartbeat, StoreError};

/// Expiry of heartbeats and leases. A relay renews them several times in that time.
pub(super) const LEASE: Duration = Duration::from_secs(10);

/// Maximum number of orphaned rooms per heartbeat, so that the live relays share those of a dead one.
const ADOPTED_AT_ONCE: usize = 200;

/// Maximum number of rooms in one script call.
const ROOMS_AT_ONCE: usize = 4000;

/// The leases of the relays in this process, to be released when they stop.
#[derive(Debug, Default)]
pub(super) struct Relays {
    rooms: Mutex<HashMap<RelayId, Vec<RoomId>>>,
}

impl Redis {
    pub(super) async fn heartbeat(&self, relay: RelayId, rooms: &[RoomId]) -> Result<Heartbeat, StoreError> {
        let keys = [self.keys.beats(), self.keys.leases()];
        let beat = |rooms: &[RoomId], adopts: usize| {
            let mut call = script::BEAT.on(&[&keys[0], &keys[1]]).with(relay.to_string()).with(milliseconds(LEASE));
            call = call.with(adopts);
            for room in rooms {
                call = call.with(room.to_string());
            }
            call
        };
        // Only the last call adopts orphans, after all own leases are renewed.
        let mut chunks = rooms.chunks(ROOMS_AT_ONCE);
        let last = chunks.next_back().unwrap_or_default();
        for chunk in chunks {
            let _: (Vec<String>, Vec<String>) = beat(chunk, 0).run(&self.connection).await?;
        }
        let (relays, lapsed): (Vec<String>, Vec<String>) = beat(last, ADOPTED_AT_ONCE).run(&self.connection).await?;

        self.relays.rooms.lock().insert(relay, rooms.to_vec());
        let lapsed: Vec<RoomId> = lapsed.iter().filter_map(|room| room.parse().ok()).collect();
        let are_open = join_all(lapsed.iter().map(|&room| self.is_open(room))).await;
        let mut orphans = Vec::new();
        for (room, is_open) in lapsed.into_iter().zip(are_open) {
            if is_open? {
                orphans.push(room);
            } else {
                self.finish_closing_of(room).await?;
            }
        }
        let relays = relays.iter().filter_map(|relay| relay.parse().ok()).collect();
        Ok(Heartbeat { relays, orphans })
    }

    /// Completes the closing of a room whose relay died meanwhile.
    async fn finish_closing_of(&self, room: RoomId) -> Result<(), StoreError> {
        let log = self.load_page(room, 0, 1).await?;
        let code = match log.first().map(|entry| &entry.fact) {
            Some(Fact::Opened { code, .. }) => Some(code),
            _ => None,
        };
        self.finish_closing(room, code).await
    }

    /// Takes the lease on a room before the room is created, so that another relay adopts the room if this one dies.
    pub(super) async fn take_lease(&self, room: RoomId) -> Result<(), StoreError> {
        // Leases are measured by the clock of Redis, which also runs while the time of the games stands still.
        let (seconds, _): (u64, u64) = self.connection.ask(&redis::cmd("TIME")).await?;
        let until = seconds.saturating_mul(1_000).saturating_add(milliseconds(LEASE));
        self.connection.ask(redis::cmd("ZADD").arg(self.keys.leases()).arg(until).arg(room.to_string())).await
    }

    pub(super) async fn drop_lease(&self, room: RoomId) -> Result<(), StoreError> {
        self.connection.ask(redis::cmd("ZREM").arg(self.keys.leases()).arg(room.to_string())).await
    }

    pub(super) async fn sign_off(&self, relay: RelayId) -> Result<(), StoreError> {
        let rooms = self.relays.rooms.lock().remove(&relay);
        let rooms = rooms.unwrap_or_default();
        let mut chunks = rooms.chunks(ROOMS_AT_ONCE);
        let first = chunks.next().unwrap_or_default();
        for chunk in std::iter::once(first).chain(chunks) {
            let mut call = script::RETIRE.on(&[&self.keys.beats(), &self.keys.leases()]).with(relay.to_string());
            for room in chunk {
                call = call.with(room.to_string());
            }
            call.run::<()>(&self.connection).await?;
        }
        Ok(())
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
