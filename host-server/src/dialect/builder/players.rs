//! Players who poll over HTTP. For a room they are connected as long as they ask from time to time.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::{Instant, sleep_until};

use super::message::Failure;
use crate::relay::{Claim, Relay, RoomHandle, SeatRequest};
use crate::room::{Ability, Code, Name, Participant, Room, SideChoice};
use crate::server::ClientContext;

/// How long a player counts as connected after a request. Clients of the original ask every second.
const CONNECTED: Duration = Duration::from_mins(1);

/// The players who are connected to this relay.
#[derive(Clone, Debug)]
pub(super) struct Players {
    relay: Relay,
    held: Arc<Mutex<HashMap<Key, Held>>>,
}

type Key = (Code, u64);

#[derive(Debug)]
struct Held {
    handle: Arc<RoomHandle>,
    asked_at: Instant,
}

impl Players {
    pub(super) fn new(relay: Relay) -> Self {
        Self { relay, held: Arc::default() }
    }

    /// The handle of a player who has asked before.
    pub(super) fn known(&self, code: &Code, user: u64) -> Option<Arc<RoomHandle>> {
        let mut held = self.held.lock();
        let found = held.get_mut(&(code.clone(), user)).filter(|found| !found.handle.is_ended())?;
        found.asked_at = Instant::now();
        Some(found.handle.clone())
    }

    /// Takes a seat.
    pub(super) async fn sit(
        &self,
        code: &Code,
        user: u64,
        side: SideChoice,
        client: &ClientContext,
    ) -> Result<Arc<RoomHandle>, Failure> {
        self.enter(code, user, Claim::Sit(SeatRequest { side, token: token(user), ability: Ability::Returns }), client)
            .await
    }

    /// Comes back to a seat.
    pub(super) async fn resume(
        &self,
        code: &Code,
        user: u64,
        client: &ClientContext,
    ) -> Result<Arc<RoomHandle>, Failure> {
        self.enter(code, user, Claim::Resume { token: token(user) }, client).await
    }

    async fn enter(
        &self,
        code: &Code,
        user: u64,
        claim: Claim,
        client: &ClientContext,
    ) -> Result<Arc<RoomHandle>, Failure> {
        client.try_seat()?;
        let handle = Arc::new(self.relay.enter(code, Participant::new(name()), claim, None).await?);
        let key = (code.clone(), user);
        self.held.lock().insert(key.clone(), Held { handle: handle.clone(), asked_at: Instant::now() });
        let (held, stopping) = (self.held.clone(), client.stopping().clone());
        tokio::spawn(async move {
            tokio::select! {
                () = until_silent(&held, &key) => {}
                () = stopping.cancelled() => {}
            }
            held.lock().remove(&key);
        });
        Ok(handle)
    }
}

/// Waits until a player has not asked for a while.
async fn until_silent(held: &Mutex<HashMap<Key, Held>>, key: &Key) {
    loop {
        let ends_at = match held.lock().get(key) {
            Some(found) if !found.handle.is_ended() => found.asked_at + CONNECTED,
            _ => return,
        };
        if Instant::now() >= ends_at {
            return;
        }
        sleep_until(ends_at).await;
    }
}

/// Whether a player has a seat in a room.
pub(super) fn has_seat(room: &Room, user: u64) -> bool {
    room.seat_by_token(&token(user)).is_some()
}

/// The token of a seat. The number of a player is a secret of 63 random bits.
fn token(user: u64) -> String {
    format!("builder {user}")
}

/// The original has no names.
fn name() -> Name {
    "Player".parse().expect("it is a valid name")
}
