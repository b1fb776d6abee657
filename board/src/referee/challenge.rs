//! A game that a remote player offers. While the pieces are set up for a game, the player answers with a king: lifting and putting back the king of
//! the offered side accepts, the other king declines, and so does a move.

use chess::{Bitboard, Position, Role, Square};
use wire::link::{Challenge, Event, Seat};

use super::{Effects, Referee};
use crate::hand::START;
use crate::time::Instant;

/// A king must be in the air for this long to answer, in milliseconds. A piece that is only straightened is back sooner.
const DELIBERATE: u64 = 1_000;

/// A challenge, and the king with which it is being answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Challenged {
    challenge: Challenge,
    /// The square of the only lifted piece, a king, and since when it is in the air.
    lifted: Option<(Square, Instant)>,
}

impl Referee {
    pub(crate) fn set_challenge(&mut self, challenge: Option<Challenge>) {
        self.challenge = challenge.map(|challenge| Challenged { challenge, lifted: None });
    }

    /// The challenge that the player can answer now: while the pieces are set up for a local game.
    #[must_use]
    pub fn challenge(&self) -> Option<&Challenge> {
        let is_set_up = self.seat == Seat::Both
            && self.arranged
            && self.play.is_empty()
            && self.play.verdict().is_none()
            && self.play.turn().occupied() == START;
        self.challenge.as_ref().map(|challenged| &challenged.challenge).filter(|_| is_set_up)
    }

    /// The king that answers when it is put back, and whether that accepts.
    #[must_use]
    pub fn answering_king(&self, now: Instant) -> Option<(Square, bool)> {
        let challenge = self.challenge()?;
        let (king, _) = self.challenge.as_ref()?.lifted.filter(|&(_, since)| now.since(since) >= DELIBERATE)?;
        Some((king, Position::start().king(challenge.color) == king))
    }

    /// When a king in the air begins to answer.
    pub(super) fn answers_at(&self) -> Option<Instant> {
        self.challenge.as_ref()?.lifted.map(|(_, since)| since.after(DELIBERATE))
    }

    /// Reads the answer from what is occupied.
    pub(super) fn answer_challenge(&mut self, now: Instant, effects: &mut Effects) {
        if self.challenge.is_none() || self.challenge().is_none() {
            return;
        }
        let missing = START.without(self.hand.occupied());
        let extra = self.hand.occupied().without(START);
        let Some(challenged) = &mut self.challenge else { return };
        let kings = Position::start().of_role(Role::King);
        match missing.first() {
            Some(king) if missing == Bitboard::of(king) && extra.is_empty() && kings.has(king) => {
                // Another king in the hand begins anew.
                if challenged.lifted.is_none_or(|(square, _)| square != king) {
                    challenged.lifted = Some((king, now));
                }
            }
            None if extra.is_empty() => {
                let answer = challenged.lifted.take().filter(|&(_, since)| now.since(since) >= DELIBERATE);
                if let Some((king, _)) = answer {
                    let Challenge { number, color, .. } = challenged.challenge;
                    let accepted = Position::start().king(color) == king;
                    effects.send(Event::ChallengeAnswered { number, accepted });
                    self.challenge = None;
                }
            }
            // Other pieces are touched, too: that is no answer.
            _ => challenged.lifted = None,
        }
    }

    /// A move at the board declines.
    pub(super) fn decline_challenge(&mut self, effects: &mut Effects) {
        if let Some(Challenged { challenge: Challenge { number, .. }, .. }) = self.challenge.take() {
            effects.send(Event::ChallengeAnswered { number, accepted: false });
        }
    }
}
