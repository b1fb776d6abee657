//! Challenges of a board: shows them, and stores the answers of the player.

use chess::Color;
use wire::link::{Challenge, clipped_name};

use super::super::parting::Parting;
use super::BoardConnection;
use crate::boards::Invitation;
use crate::room::{Name, SideChoice};

impl BoardConnection {
    /// Offers an open challenge to the player, and stores the answer before the event with it is acknowledged.
    pub(super) async fn settle_challenge(&mut self) -> Result<(), Parting> {
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
