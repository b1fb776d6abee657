use chess::{DrawReason, Outcome, WinReason};

use super::holdings::Holdings;
use super::mark::{Fork, Mark};
use super::values::VALUES;
use crate::session::Memory;

/// What of the holdings is to be written, or is left to be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one thing to write, and they have nothing to do with each other"
)]
pub(super) struct Plan {
    pub(super) preferences: bool,
    /// The values of these numbers, one bit each.
    pub(super) values: u16,
    pub(super) table: bool,
    pub(super) start: bool,
    /// The moves from this ply on, also if there are none.
    pub(super) moves: Option<u16>,
    pub(super) outcome: bool,
    pub(super) clocks: bool,
    pub(super) session: bool,
    /// The events after this number.
    pub(super) said: Option<u32>,
    pub(super) heard: bool,
    pub(super) acknowledged: bool,
}

/// What the relay has acknowledged need not be kept at once: if it is forgotten, the relay says it again. But it is kept
/// after so many events, and with something else, so that never more wait after a restart than there is room for.
const LAG: u32 = 32;

const _: () = assert!(VALUES <= u16::BITS as usize, "each value has a bit");

impl Plan {
    /// Everything.
    pub(super) fn everything<const N: usize>(now: &Holdings<'_, N>) -> Self {
        let values = now.values.iter().filter(|(_, bytes)| !bytes.is_empty());
        Self {
            preferences: true,
            values: values.fold(0, |bits, (id, _)| bits | bit(id)),
            table: true,
            start: true,
            moves: (!now.game.moves().is_empty()).then_some(0),
            outcome: needs_word(now.game.outcome()),
            clocks: now.clocks.is_some(),
            session: true,
            said: Some(now.conversation.memory().acknowledged),
            heard: false,
            acknowledged: false,
        }
    }

    /// What has changed since `kept`.
    pub(super) fn difference<const N: usize>(kept: &Mark, mark: &Mark, now: &Holdings<'_, N>) -> Self {
        let mut plan = Self {
            preferences: kept.preferences != mark.preferences,
            table: kept.table != mark.table,
            ..Self::default()
        };
        for (id, (before, after)) in (0..).zip(kept.values.iter().zip(&mark.values)) {
            if before != after {
                plan.values |= bit(id);
            }
        }
        plan.compare_games(kept, now);
        plan.compare_sessions(&kept.memory, now);
        plan
    }

    fn compare_games<const N: usize>(&mut self, kept: &Mark, now: &Holdings<'_, N>) {
        let outcome = now.game.outcome();
        let fork = match kept.fork(now.game) {
            Fork::Same if kept.outcome == outcome => None,
            // It has ended where it stood.
            Fork::Same if kept.outcome.is_none() => Some(kept.plies()),
            fork => {
                let ply = match fork {
                    Fork::Same => kept.plies(),
                    Fork::At(ply) => ply,
                    Fork::Elsewhere => 0,
                };
                // Only a move that is taken back, or another start, opens a game again that was over.
                let reopened = kept.outcome.is_some() && ply == kept.plies();
                self.start = fork == Fork::Elsewhere || (reopened && ply == 0);
                let ply = if reopened { ply.saturating_sub(1) } else { ply };
                if usize::from(ply) < now.game.moves().len() || (ply < kept.plies() && !self.start) {
                    self.moves = Some(ply);
                }
                Some(ply)
            }
        };
        let changed = fork.is_some();
        self.outcome = changed && needs_word(outcome);
        // With another table the clocks before are forgotten.
        self.clocks = (changed || self.table) && now.clocks.is_some();
    }

    fn compare_sessions<const N: usize>(&mut self, kept: &Memory, now: &Holdings<'_, N>) {
        let memory = now.conversation.memory();
        let fresh = now.conversation.pending().filter(|said| said.number > kept.said).count();
        let goes_on = kept.stream == memory.stream
            && kept.floor == memory.floor
            && kept.renewed == memory.renewed
            && kept.seen.stream == memory.seen.stream
            // All that was said since are events that are still there.
            && memory.said.checked_sub(kept.said).is_some_and(|count| count as usize == fresh);
        if goes_on {
            self.said = (memory.said > kept.said).then_some(kept.said);
            self.heard = memory.seen.last != kept.seen.last;
            self.acknowledged = !self.is_empty() && memory.acknowledged.saturating_sub(kept.acknowledged) >= LAG;
        } else {
            self.session = true;
            self.said = Some(memory.acknowledged);
        }
    }

    /// Whether what the relay has acknowledged will be kept.
    pub(super) const fn has_acknowledged(&self) -> bool {
        self.session || self.acknowledged
    }

    /// Whether there is nothing to write, or nothing left.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

pub(super) const fn bit(id: u8) -> u16 {
    1_u16.wrapping_shl(id as u32)
}

/// Whether a game ended for a reason that does not follow from its moves.
const fn needs_word(outcome: Option<Outcome>) -> bool {
    match outcome {
        None
        | Some(
            Outcome::Win { by: WinReason::Checkmate, .. }
            | Outcome::Draw(
                DrawReason::Stalemate
                | DrawReason::InsufficientMaterial
                | DrawReason::FivefoldRepetition
                | DrawReason::SeventyFiveMoves,
            ),
        ) => false,
        Some(
            Outcome::Win { by: WinReason::Resignation | WinReason::Time, .. }
            | Outcome::Draw(
                DrawReason::ThreefoldRepetition
                | DrawReason::FiftyMoves
                | DrawReason::Agreement
                | DrawReason::TimeAgainstBareKing,
            ),
        ) => true,
    }
}
