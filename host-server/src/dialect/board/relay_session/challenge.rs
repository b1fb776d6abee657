//! A game that is offered to the player at the board.

use wire::link::{Challenge, features};

use super::RelaySession;

impl RelaySession {
    /// Whether the player can be asked. An older board follows every invitation.
    #[must_use]
    pub const fn can_be_challenged(&self) -> bool {
        self.features & features::CHALLENGES != 0
    }

    /// Offers a game while the pieces are set up for one, or withdraws the offer.
    pub fn offer(&mut self, challenge: Option<Challenge>) {
        if self.can_be_challenged() {
            self.session.report_challenge(challenge.filter(|_| self.replica.is_set_up()));
        }
    }

    /// The number of the challenge that the player has answered, and whether it is accepted.
    pub const fn challenge_answer(&mut self) -> Option<(u32, bool)> {
        self.challenge_answer.take()
    }
}
