//! The seat of a board: takes, keeps and leaves it, as its session plans.

use std::time::Duration;

use tokio::time::Instant;

use super::super::board_seat::BoardSeat;
use super::super::close_cause::CloseCause;
use super::super::relay_session::Plan;
use super::BoardConnection;
use crate::relay::{ActError, Claim, EnterError, SeatRequest};
use crate::room::{Ability, Act, Entry, Fact, GameId, Participant, Room, RoomId, SideChoice};
use crate::server::ClientContext;

/// Delay before a board that found no free seat tries again.
const SEEK_AGAIN: Duration = Duration::from_secs(5);

impl BoardConnection {
    /// Takes a seat, leaves it, or offers a rematch, as the session plans.
    pub(super) async fn find_seat(&mut self, client: Option<&ClientContext>) -> Result<(), CloseCause> {
        // One step may lead to the next; bounded, so that the loop ends.
        for _ in 0..4 {
            if self.handle.is_none()
                && let Some(seat) = self.relay_session.seat().cloned()
            {
                self.enter(seat, client).await?;
                self.settle();
            }
            if let (Some(room), Some(seat)) = (&self.room, self.relay_session.seat())
                && room.seat_of(&seat.user).is_none()
            {
                let room = room.id();
                self.lose_seat(room).await?;
            }
            let invitation = self.accepted_invitation();
            match self.relay_session.plan(self.room.as_deref(), invitation) {
                Plan::Stay => return Ok(()),
                Plan::PlayAgain => {
                    if let (Some(room), Some(handle)) = (&self.room, &self.handle) {
                        self.relay_session.asked_again(room);
                        // The opponent may have left.
                        match handle.act(Act::OfferRematch).await {
                            Ok(()) | Err(ActError::Refused(_) | ActError::Script(_)) => {}
                            Err(error) => return Err(error.into()),
                        }
                        self.look().await?;
                        self.settle();
                    }
                }
                Plan::Leave => self.leave().await?,
                Plan::Follow | Plan::SitDown if Instant::now() < self.seek_at => return Ok(()),
                Plan::Follow => {
                    if let Some(invitation) = &self.invitation {
                        let seat = BoardSeat::new(invitation.code.clone(), invitation.side, invitation.terms());
                        self.relay_session.seek(seat, Some(invitation.number));
                        self.keep().await?;
                    }
                }
                Plan::SitDown => {
                    let seat = BoardSeat::new(self.board.code.clone(), SideChoice::First, crate::boards::terms(None));
                    self.relay_session.seek(seat, None);
                    self.keep().await?;
                }
            }
        }
        Ok(())
    }

    /// Enters the room of the stored seat. A room that is opened for it is charged.
    async fn enter(&mut self, seat: BoardSeat, client: Option<&ClientContext>) -> Result<(), CloseCause> {
        let relay = self.server.relay().clone();
        let participant = Participant { id: seat.user.clone(), name: self.board.name.clone() };
        let resume = Claim::Resume { token: seat.token.clone() };
        let entered = match seat.room {
            Some(room) => relay.enter_room(room, participant.clone(), resume).await,
            None => relay.enter(&seat.code, participant.clone(), resume, None).await,
        };
        let handle = match (entered, seat.room) {
            (Ok(handle), _) => handle,
            (Err(EnterError::NoRoom | EnterError::Closed | EnterError::WrongToken), Some(room)) => {
                return self.lose_seat(room).await;
            }
            // The seat was stored, but never taken.
            (Err(EnterError::NoRoom | EnterError::Closed | EnterError::WrongToken), None) => {
                if let Some(terms) = relay.terms(&seat.code).await?
                    && !self.relay_session.can_play(terms.start())
                {
                    let rules = terms.start().name();
                    tracing::info!(board = %self.board.name, code = %seat.code, rules, "board cannot play by the rules of the room, not entering");
                    self.give_up_seat();
                    return Ok(());
                }
                let may_open = self.server.registry().may_open(&seat.code, Some(&self.board)).await?;
                let terms = may_open.then_some(&seat.terms);
                // The hand has no gesture for a claim.
                let request = SeatRequest { side: seat.side, token: seat.token, ability: Ability::Returns };
                let charge = || client.map_or(Ok(()), |client| client.try_open_room().map_err(|wait| wait.0));
                match relay.enter_charged(&seat.code, participant, Claim::Sit(request), terms, charge).await {
                    Ok(handle) => handle,
                    Err(EnterError::Store(error)) => return Err(error.into()),
                    Err(EnterError::Stopping) => return Err(CloseCause::Stopping),
                    Err(error) => {
                        tracing::debug!(board = %self.board.name, %error, "no free seat for the board, will retry");
                        self.give_up_seat();
                        return Ok(());
                    }
                }
            }
            (Err(error), _) => return Err(error.into()),
        };
        let room = handle.look().await?;
        self.relay_session.sat_down(room.id());
        self.room = Some(room);
        self.handle = Some(handle);
        Ok(())
    }

    /// Forgets a seat that was never taken. The board looks for one again after a while.
    fn give_up_seat(&mut self) {
        self.relay_session.lost_seat(None);
        self.seek_at = Instant::now() + SEEK_AGAIN;
    }

    /// Handles the loss of the seat. The log says how the shared game ended.
    async fn lose_seat(&mut self, room: RoomId) -> Result<(), CloseCause> {
        let end = match self.relay_session.shared_game() {
            Some(game) => {
                let relay = self.server.relay();
                relay.replay_log(room, move |log| end_of(&log, game)).await?.flatten()
            }
            None => None,
        };
        self.relay_session.lost_seat(end.as_ref());
        self.handle = None;
        self.room = None;
        Ok(())
    }

    /// Gives up the seat.
    pub(super) async fn leave(&mut self) -> Result<(), CloseCause> {
        if let Some(handle) = self.handle.take() {
            match handle.act(Act::Leave).await {
                Ok(()) | Err(ActError::Refused(_) | ActError::Script(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.relay_session.lost_seat(None);
        self.room = None;
        Ok(())
    }
}

/// The room after one of its games, before the next one began.
fn end_of(log: &[Entry], game: u64) -> Option<Room> {
    let began =
        log.iter().position(|entry| matches!(entry.fact, Fact::Began { game: GameId(id), .. } if id == game))?;
    let next = log.iter().skip(began + 1).position(|entry| matches!(entry.fact, Fact::Began { .. }));
    let end = next.map_or(log.len(), |next| began + 1 + next);
    Room::from_log(log.get(..end)?)
}
