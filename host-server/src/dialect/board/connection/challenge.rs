//! Challenges of a board: shows them, and stores the answers of the player.

use chess::Color;
use wire::link::{Challenge, clipped_name};

use super::super::close_cause::CloseCause;
use super::BoardConnection;
use crate::boards::{ChallengeStatus, Invitation};
use crate::relay::ActError;
use crate::room::{Command, Name, Phase, SideChoice, Time};

impl BoardConnection {
    /// Offers an open challenge to the player, and stores the answer before the event with it is acknowledged.
    pub(super) async fn settle_challenge(&mut self) -> Result<(), CloseCause> {
        let answer = self.relay_session.challenge_answer();
        let Some(invitation) = self.invitation.clone().filter(Invitation::is_open) else {
            self.relay_session.offer(None);
            return Ok(());
        };
        let accepted = match answer {
            Some((number, accepted)) if number == invitation.challenge_number() => Some(accepted),
            // An older board cannot ask its player.
            _ => (!self.relay_session.can_be_challenged()).then_some(true),
        };
        if let Some(accepted) = accepted {
            self.server.registry().answer_challenge(&self.board.name, invitation.number, accepted).await?;
            tracing::info!(board = %self.board.name, code = %invitation.code, accepted, "challenge answered");
            self.relay_session.offer(None);
            self.look_up().await?;
        } else {
            self.relay_session.offer(Some(offer(&invitation)));
        }
        Ok(())
    }

    /// Withdraws a challenge whose challenger has gone, and closes the room of one that was declined or has timed out: its challenger
    /// would wait there for nothing.
    pub(super) async fn end_challenge(&mut self, now: Time) -> Result<(), CloseCause> {
        let Some(invitation) = self.board.invitation.clone().filter(|invitation| invitation.challenger.is_some())
        else {
            return Ok(());
        };
        match invitation.status(now) {
            ChallengeStatus::Pending if invitation.is_open() && !self.is_waiting(&invitation).await? => {
                self.server.registry().answer_challenge(&self.board.name, invitation.number, false).await?;
                tracing::info!(board = %self.board.name, code = %invitation.code, "challenger has left, challenge withdrawn");
                self.invitation = None;
            }
            ChallengeStatus::Declined | ChallengeStatus::Timeout if self.ended_challenge != Some(invitation.number) => {
                self.ended_challenge = Some(invitation.number);
                if let Some(room) = self.server.relay().find(&invitation.code).await? {
                    match self.server.relay().follow_board(room, Command::CloseInvitation).await {
                        Ok(_) | Err(ActError::Refused(_)) => {}
                        Err(error) => {
                            tracing::debug!(board = %self.board.name, code = %invitation.code, %error, "room of a challenge was not closed");
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether the room of a challenge still waits for this board.
    async fn is_waiting(&self, invitation: &Invitation) -> Result<bool, CloseCause> {
        let room = self.server.relay().look(&invitation.code).await?;
        Ok(room.is_some_and(|room| room.phase() == Phase::Waiting))
    }

    /// The number of the invitation that the board follows: not of one that the player has still to accept.
    pub(super) fn accepted_invitation(&self) -> Option<u64> {
        self.invitation.as_ref().filter(|invitation| !invitation.is_open()).map(|invitation| invitation.number)
    }
}

fn offer(invitation: &Invitation) -> Challenge {
    Challenge {
        number: invitation.challenge_number(),
        color: if invitation.side == SideChoice::Black { Color::Black } else { Color::White },
        clock: invitation.clock,
        name: clipped_name(invitation.challenger.as_ref().map_or("", Name::as_str)),
    }
}
