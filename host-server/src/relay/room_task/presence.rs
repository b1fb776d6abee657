//! Which participants are connected through this relay, and what the log says about it.

use std::time::Duration;

use chess::Color;
use tokio::time::Instant;

use super::super::EnterError;
use super::super::participant::{Claim, SeatRequest};
use super::super::room_handle::ActError;
use super::present::Present;
use super::{Entered, RoomTask};
use crate::room::{Command, Participant, Phase, Player, Refusal, SideChoice, TokenHash, UserId};
use crate::store::StoreError;

impl RoomTask {
    pub(super) async fn enter(
        &mut self,
        participant: Participant,
        claim: Claim,
        since: Instant,
    ) -> Result<Entered, EnterError> {
        self.catch_up_since(since).await?;
        if self.room.phase() == Phase::Closed {
            return Err(EnterError::Closed);
        }
        let (participant, token) = match claim {
            Claim::Watch => (self.spectator(participant), None),
            Claim::Resume { token } => (self.authenticate(&token).ok_or(EnterError::WrongToken)?, None),
            Claim::Play(request) => match self.sit_anywhere(&participant, &request).await {
                Ok(()) => (participant, Some(request.token)),
                Err(EnterError::Taken) => (self.spectator(participant), None),
                Err(error) => return Err(error),
            },
            Claim::Sit(request) => {
                self.sit(&participant, &request).await?;
                (participant, Some(request.token))
            }
        };
        self.entered += 1;
        let number = self.entered;
        // Subscribes before the entry is written, so that the participant receives its own arrival like the others.
        let entered = Entered {
            number,
            participant: participant.clone(),
            token,
            updates: self.updates.subscribe(),
            room: self.room.clone(),
            spectators: self.spectators,
        };
        if self.room.seat_of(&participant.id).is_some() {
            let command = Command::Connect { user: participant.id.clone(), relay: self.relay.id };
            self.attempt(&command, self.judged_at()).await.map_err(enter_error)?;
        } else {
            self.spectator_entered(&participant);
        }
        self.disconnect_at.remove(&participant.id);
        self.present.insert(number, participant);
        self.repeat_promotion();
        Ok(entered)
    }

    /// Loads new entries unless this copy is newer than `since`. A participant may have received them from another relay,
    /// and must not be shown an older state. One load serves all who have been waiting.
    async fn catch_up_since(&mut self, since: Instant) -> Result<(), StoreError> {
        let may_be_behind = self.listener.is_some() && self.known_at <= since;
        if self.is_uncertain || may_be_behind { self.catch_up().await } else { Ok(()) }
    }

    /// The participant as a spectator. Names and ids are public, so they never authenticate: an id of a player is replaced.
    fn spectator(&self, participant: Participant) -> Participant {
        if self.room.seat_of(&participant.id).is_some() { Participant::new(participant.name) } else { participant }
    }

    /// The player who has this token.
    fn authenticate(&self, token: &str) -> Option<Participant> {
        let players = Color::ALL.into_iter().filter_map(|color| self.room.seat(color)).map(|seated| &seated.player);
        let mut owners = players.filter(|player| player.token.opens_with(token));
        owners.next().map(|player| Participant { id: player.id.clone(), name: player.name.clone() })
    }

    /// Takes the preferred seat, or else the other one.
    async fn sit_anywhere(&mut self, participant: &Participant, request: &SeatRequest) -> Result<(), EnterError> {
        match self.sit(participant, request).await {
            Err(EnterError::Taken) if request.side != SideChoice::First => {
                self.sit(participant, &SeatRequest { side: SideChoice::First, ..request.clone() }).await
            }
            result => result,
        }
    }

    async fn sit(&mut self, participant: &Participant, request: &SeatRequest) -> Result<(), EnterError> {
        let token = TokenHash::of(&request.token);
        let player =
            Player { id: participant.id.clone(), name: participant.name.clone(), token, ability: request.ability };
        let command = Command::Sit { player, side: request.side };
        self.attempt(&command, self.judged_at()).await.map_err(enter_error)
    }

    pub(super) fn exit(&mut self, number: u64) {
        let Some(participant) = self.present.remove(number) else { return };
        if self.room.seat_of(&participant.id).is_some() {
            let wait = self.room.disconnection_wait();
            if wait > 0 && !self.is_present(&participant.id) {
                self.disconnect_at.insert(participant.id, Instant::now() + Duration::from_millis(wait));
            }
            // The player may still be connected by another handle: `settle` finds out.
            self.is_unsettled = true;
        } else {
            self.spectator_left(&participant);
        }
    }

    pub(super) fn is_present(&self, id: &UserId) -> bool {
        self.present.all().any(|participant| participant.id == *id)
    }

    /// Writes which players are connected through this relay where the log disagrees: after a player has entered or exited,
    /// or after other relays took this one for dead.
    pub(super) async fn settle(&mut self) {
        self.is_unsettled = false;
        let relay = self.relay.id;
        for color in Color::ALL {
            let Some(seated) = self.room.seat(color) else { continue };
            let user = seated.player.id.clone();
            let is_present = self.is_present(&user);
            if is_present == seated.is_here_through(relay) || self.disconnect_at.contains_key(&user) {
                continue;
            }
            let command =
                if is_present { Command::Connect { user, relay } } else { Command::Disconnect { user, relay } };
            if let Err(ActError::Store(_)) = self.attempt(&command, self.judged_at()).await {
                // Retried later.
                self.is_unsettled = true;
                return;
            }
        }
    }

    /// Lets [`settle`](Self::settle) write that players are disconnected who have not come back for long enough.
    pub(super) fn stop_waiting(&mut self) {
        let (now, waiting) = (Instant::now(), self.disconnect_at.len());
        self.disconnect_at.retain(|_, at| *at > now);
        self.is_unsettled |= self.disconnect_at.len() < waiting;
    }

    /// Removes connections through relays that are no longer alive.
    pub(super) async fn disconnect_dead_relays(&mut self) {
        let Some(live_relays) = &self.live_relays else { return };
        let command = Command::LiveRelays(live_relays.to_vec());
        if self.attempt(&command, self.judged_at()).await.is_ok() {
            self.live_relays = None;
        }
    }

    /// Writes that all players have disconnected, because the relay stops.
    pub(super) async fn disconnect_all(&mut self) {
        self.present = Present::default();
        self.disconnect_at.clear();
        self.settle().await;
    }
}

fn enter_error(error: ActError) -> EnterError {
    match error {
        ActError::Refused(Refusal::Taken) => EnterError::Taken,
        // The seat was lost between authentication and the write, because the grace period ended.
        ActError::Refused(Refusal::NoSeat) => EnterError::WrongToken,
        ActError::Refused(_) | ActError::Script(_) | ActError::Ended => EnterError::Closed,
        ActError::Store(error) => EnterError::Store(error),
    }
}
