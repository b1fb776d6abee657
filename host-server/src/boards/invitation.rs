use serde::{Deserialize, Serialize};
use wire::link::ClockRule;

use super::registry::{BoardError, Registry};
use crate::room::{Code, Name, SideChoice, Terms, Time};
use crate::store::StoreError;

/// Grace period of games with a board, in milliseconds. It is long because a board cannot be reconnected as fast as a page.
pub(crate) const GRACE_WITH_BOARD: u64 = 300_000;

/// Expiry of an invitation, in milliseconds.
const EXPIRES_AFTER: u64 = 600_000;

/// How long the player at a board may take to answer a challenge, in milliseconds.
const ANSWER_WITHIN: u64 = 60_000;

/// A request to a board to play in a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// A random id. A board follows each invitation once.
    pub number: u64,
    /// The code of the room.
    pub code: Code,
    /// The preferred side.
    pub side: SideChoice,
    /// The time control, if the room has to be opened first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockRule>,
    /// When the invitation was made.
    pub at: Time,
    /// The challenger, if the player at the board is asked. A board without a challenger follows at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenger: Option<Name>,
    /// Whether the player has accepted, once that is answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChallengeStatus {
    Pending,
    Accepted,
    Declined,
    Timeout,
}

impl Invitation {
    /// Whether it has not expired.
    #[must_use]
    pub fn is_fresh(&self, now: Time) -> bool {
        match self.status(now) {
            ChallengeStatus::Accepted => now.since(self.at) < EXPIRES_AFTER,
            ChallengeStatus::Pending => true,
            ChallengeStatus::Declined | ChallengeStatus::Timeout => false,
        }
    }

    /// Whether the player at the board has still to answer it.
    pub(crate) const fn is_open(&self) -> bool {
        self.challenger.is_some() && self.accepted.is_none()
    }

    /// State of the challenge. Without a question it counts as accepted.
    pub(crate) const fn status(&self, now: Time) -> ChallengeStatus {
        match (self.is_open(), self.accepted) {
            (false, Some(false)) => ChallengeStatus::Declined,
            (false, _) => ChallengeStatus::Accepted,
            (true, _) if now.since(self.at) < ANSWER_WITHIN => ChallengeStatus::Pending,
            (true, _) => ChallengeStatus::Timeout,
        }
    }

    /// The number of the challenge on the link.
    pub(crate) const fn challenge_number(&self) -> u32 {
        self.number as u32
    }

    /// The terms, if the room has to be opened first.
    #[must_use]
    pub fn terms(&self) -> Terms {
        terms(self.clock)
    }
}

/// The terms of a room that a board opens.
pub(crate) fn terms(clock: Option<ClockRule>) -> Terms {
    Terms { clock, grace: GRACE_WITH_BOARD, ..Terms::default() }
}

impl Registry {
    /// Challenges a board, unless its player has still to answer another challenge.
    pub(crate) async fn challenge(&self, name: &Name, invitation: &Invitation) -> Result<(), BoardError> {
        let (board, _) = self.read(name.as_str()).await?.ok_or_else(|| BoardError::Unknown(name.to_string()))?;
        if board.invitation.is_some_and(|other| other.is_open() && other.is_fresh(invitation.at)) {
            return Err(BoardError::Busy(name.clone()));
        }
        self.invite(name, invitation).await
    }

    /// Stores the answer to a challenge. Nothing changes if there is a newer one.
    pub(crate) async fn answer_challenge(&self, name: &Name, number: u64, accepted: bool) -> Result<(), StoreError> {
        loop {
            let Some((mut board, version)) = self.read(name.as_str()).await? else { return Ok(()) };
            match &mut board.invitation {
                Some(invitation) if invitation.number == number && invitation.is_open() => {
                    invitation.accepted = Some(accepted);
                }
                _ => return Ok(()),
            }
            if self.write(&board, version).await?.is_some() {
                return Ok(());
            }
        }
    }

    /// State of the challenge to play in the room with this code.
    pub(crate) async fn challenge_status(
        &self,
        name: &str,
        code: &Code,
    ) -> Result<Option<ChallengeStatus>, StoreError> {
        let Some((board, _)) = self.read(name).await? else { return Ok(None) };
        let now = self.store().now();
        let invitation = board.invitation.filter(|invitation| invitation.code == *code);
        Ok(invitation.map(|invitation| invitation.status(now)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_without_an_answer_times_out() {
        let open = Invitation {
            number: 1,
            code: "CODE".parse().unwrap(),
            side: SideChoice::White,
            clock: None,
            at: Time(5_000),
            challenger: Some("Vera".parse().unwrap()),
            accepted: None,
        };
        assert_eq!((open.status(Time(64_000)), open.is_fresh(Time(64_000))), (ChallengeStatus::Pending, true));
        assert_eq!((open.status(Time(65_000)), open.is_fresh(Time(65_000))), (ChallengeStatus::Timeout, false));
        let accepted = Invitation { accepted: Some(true), ..open.clone() };
        assert_eq!((accepted.status(Time(65_000)), accepted.is_fresh(Time(65_000))), (ChallengeStatus::Accepted, true));
        let declined = Invitation { accepted: Some(false), ..open.clone() };
        assert_eq!((declined.status(Time(6_000)), declined.is_fresh(Time(6_000))), (ChallengeStatus::Declined, false));
        let unasked = Invitation { challenger: None, ..open };
        assert!(unasked.is_fresh(Time(600_000)) && !unasked.is_fresh(Time(605_000)) && !unasked.is_open());
    }
}
