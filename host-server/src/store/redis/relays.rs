//! Who is alive, and who looks after what.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;

use super::{Redis, script};
use crate::room::{Fact, RelayId, RoomId};
use crate::store::{Pulse, StoreError};

/// How long a relay, or its care for a room, is believed in after it was last heard of. Relays should be heard of several
/// times in that time.
pub(super) const LEASE: Duration = Duration::from_secs(10);

/// So many rooms are taken over at a time, so that the relays that are left share those of one that died.
const ADOPTED_AT_ONCE: usize = 200;

/// So many rooms fit in one call.
const ROOMS_AT_ONCE: usize = 4000;

/// What the relays on this store look after, to be left to others when they retire.
#[derive(Debug, Default)]
pub(super) struct Relays {
    rooms: Mutex<HashMap<RelayId, Vec<RoomId>>>,
}

impl Redis {
    pub(super) async fn feel_pulse(&self, relay: RelayId, rooms: &[RoomId]) -> Result<Pulse, StoreError> {
        let keys = [self.keys.beats(), self.keys.leases()];
        let beat = |rooms: &[RoomId], adopts: usize| {
            let mut call = script::BEAT.on(&[&keys[0], &keys[1]]).with(relay.to_string()).with(milliseconds(LEASE));
            call = call.with(adopts);
            for room in rooms {
                call = call.with(room.to_string());
            }
            call
        };
        // The last call takes over, when all rooms of our own have been named.
        let mut chunks = rooms.chunks(ROOMS_AT_ONCE);
        let last = chunks.next_back().unwrap_or_default();
        for chunk in chunks {
            let _: (Vec<String>, Vec<String>) = beat(chunk, 0).run(&self.connection).await?;
        }
        let (relays, lapsed): (Vec<String>, Vec<String>) = beat(last, ADOPTED_AT_ONCE).run(&self.connection).await?;

        self.relays.rooms.lock().unwrap_or_else(PoisonError::into_inner).insert(relay, rooms.to_vec());
        let lapsed: Vec<RoomId> = lapsed.iter().filter_map(|room| room.parse().ok()).collect();
        let are_open = join_all(lapsed.iter().map(|&room| self.is_open(room))).await;
        let mut orphans = Vec::new();
        for (room, is_open) in lapsed.into_iter().zip(are_open) {
            if is_open? {
                orphans.push(room);
            } else {
                self.finish_closing(room).await?;
            }
        }
        let relays = relays.iter().filter_map(|relay| relay.parse().ok()).collect();
        Ok(Pulse { relays, orphans })
    }

    /// Does what a relay that died while it closed a room has left undone.
    async fn finish_closing(&self, room: RoomId) -> Result<(), StoreError> {
        let log = self.page(room, 0, 1).await?;
        if let Some(Fact::Opened { code, .. }) = log.first().map(|entry| &entry.fact) {
            self.free_code(room, code).await?;
        }
        self.drop_lease(room).await
    }

    /// Lets the others know that a room is looked after, for a while. It is there before the room itself is, so that whoever
    /// opens a room and dies leaves it to somebody.
    pub(super) async fn take_lease(&self, room: RoomId) -> Result<(), StoreError> {
        let keys = [self.keys.beats(), self.keys.leases()];
        let until = self.clock.now().after(milliseconds(LEASE));
        self.connection.ask(redis::cmd("ZADD").arg(&keys[1]).arg(until.0).arg(room.to_string())).await
    }

    pub(super) async fn drop_lease(&self, room: RoomId) -> Result<(), StoreError> {
        self.connection.ask(redis::cmd("ZREM").arg(self.keys.leases()).arg(room.to_string())).await
    }

    pub(super) async fn say_goodbye(&self, relay: RelayId) -> Result<(), StoreError> {
        let rooms = self.relays.rooms.lock().unwrap_or_else(PoisonError::into_inner).remove(&relay);
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
