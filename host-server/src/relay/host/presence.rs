use chess::Color;
use tokio::time::Instant;

use super::super::EnterError;
use super::super::attendance::CommandError;
use super::super::visitor::{Claim, Invitation, Visitor};
use super::{Entered, Host};
use crate::room::{Command, Phase, Player, Refusal, TokenHash, UserId, Wish};
use crate::store::StoreError;

impl Host {
    pub(super) async fn enter(
        &mut self,
        visitor: Visitor,
        claim: Claim,
        since: Instant,
    ) -> Result<Entered, EnterError> {
        self.know_all_before(since).await?;
        if self.room.phase() == Phase::Closed {
            return Err(EnterError::Closed);
        }
        let (visitor, token) = match claim {
            Claim::Watch => (self.stranger(visitor), None),
            Claim::Resume { token } => (self.owner(&token).ok_or(EnterError::WrongToken)?, None),
            Claim::Play(invitation) => match self.sit_anywhere(&visitor, &invitation).await {
                Ok(()) => (visitor, Some(invitation.token)),
                Err(EnterError::Taken) => (self.stranger(visitor), None),
                Err(error) => return Err(error),
            },
            Claim::Sit(invitation) => {
                self.sit(&visitor, &invitation).await?;
                (visitor, Some(invitation.token))
            }
        };
        self.entered += 1;
        let number = self.entered;
        // Whoever comes in hears of it like everybody else.
        let entered = Entered {
            number,
            visitor: visitor.clone(),
            token,
            news: self.news.subscribe(),
            room: self.room.clone(),
            watching: self.watching,
        };
        match self.room.seat_of(&visitor.id) {
            Some(color) => {
                let command = Command::Come { color, relay: self.relay.id };
                self.attempt(Some(&visitor.id), command, None, self.judged()).await.map_err(enter_error)?;
            }
            None => self.gather(&visitor, true),
        }
        self.present.insert(number, visitor);
        Ok(entered)
    }

    /// Whoever comes may have been told something by another relay that this one has not heard of yet, and must not be shown
    /// less. The store knows; and it is asked once for all who have come in the meantime.
    async fn know_all_before(&mut self, since: Instant) -> Result<(), StoreError> {
        let may_be_behind = self.listener.is_some() && self.known_at <= since;
        if self.is_uncertain || may_be_behind { self.catch_up().await } else { Ok(()) }
    }

    /// Everybody knows what the players are called and by which id they go, so neither makes anybody one of them.
    fn stranger(&self, visitor: Visitor) -> Visitor {
        if self.room.seat_of(&visitor.id).is_some() { Visitor::new(visitor.name) } else { visitor }
    }

    /// Whose secret this is.
    fn owner(&self, token: &str) -> Option<Visitor> {
        let players = Color::ALL.into_iter().filter_map(|color| self.room.seat(color)).map(|seated| &seated.player);
        let mut owners = players.filter(|player| player.token.opens_with(token));
        owners.next().map(|player| Visitor { id: player.id.clone(), name: player.name.clone() })
    }

    /// Better the other seat than none.
    async fn sit_anywhere(&mut self, visitor: &Visitor, invitation: &Invitation) -> Result<(), EnterError> {
        match self.sit(visitor, invitation).await {
            Err(EnterError::Taken) if invitation.wish != Wish::First => {
                self.sit(visitor, &Invitation { wish: Wish::First, token: invitation.token.clone() }).await
            }
            sat => sat,
        }
    }

    async fn sit(&mut self, visitor: &Visitor, invitation: &Invitation) -> Result<(), EnterError> {
        let token = TokenHash::of(&invitation.token);
        let player = Player { id: visitor.id.clone(), name: visitor.name.clone(), token };
        let command = Command::Sit { player, wish: invitation.wish, dice: crate::dice::roll() };
        self.attempt(None, command, None, self.judged()).await.map_err(enter_error)
    }

    pub(super) fn exit(&mut self, number: u64) {
        let Some(visitor) = self.present.remove(&number) else { return };
        if self.room.seat_of(&visitor.id).is_some() {
            // Unless they are still here in another window.
            self.is_unsettled = true;
        } else {
            self.gather(&visitor, false);
        }
    }

    pub(super) fn is_present(&self, id: &UserId) -> bool {
        self.present.values().any(|visitor| visitor.id == *id)
    }

    /// Writes down which players are here and which are not, where the log says something else: because they have come or
    /// gone, or because others took this relay for dead while it was cut off.
    pub(super) async fn settle(&mut self) {
        self.is_unsettled = false;
        let relay = self.relay.id;
        for color in Color::ALL {
            let Some(seated) = self.room.seat(color) else { continue };
            let id = seated.player.id.clone();
            let is_present = self.is_present(&id);
            if is_present == seated.is_here_through(relay) {
                continue;
            }
            let command = if is_present { Command::Come { color, relay } } else { Command::Go { color, relay } };
            if let Err(CommandError::Store(_)) = self.attempt(Some(&id), command, None, self.judged()).await {
                // Until it is written down, it is not settled.
                self.is_unsettled = true;
                return;
            }
        }
    }

    /// Whoever was here through a relay that is no more is not.
    pub(super) async fn look_for_the_lost(&mut self) {
        let Some(living) = &self.living else { return };
        let command = Command::Relays(living.to_vec());
        if self.attempt(None, command, None, self.judged()).await.is_ok() {
            self.living = None;
        }
    }

    /// The relay stops, and with it everybody goes from here.
    pub(super) async fn leave(mut self) {
        self.present.clear();
        self.settle().await;
    }
}

fn enter_error(error: CommandError) -> EnterError {
    match error {
        CommandError::Refused(Refusal::Taken) => EnterError::Taken,
        // It was there a moment ago, and its player was away for too long.
        CommandError::Refused(Refusal::NoSeat) => EnterError::WrongToken,
        CommandError::Refused(_) | CommandError::Ended => EnterError::Closed,
        CommandError::Store(error) => EnterError::Store(error),
    }
}
