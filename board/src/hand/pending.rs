//! Explanations of the board that take longer than a scan may: they are searched for in several scans, and the reading comes a few
//! milliseconds later. A touch begins the evaluation anew.

use super::budget::Budget;
use super::evaluate::Evaluation;
use super::pairs::PairSearch;
use super::reading::{Moves, Reading, Stance};
use super::sequence::SequenceSearch;
use super::timing::SEQUENCE_REST;
use super::{Hand, Looking, View};
use crate::time::Instant;

/// An evaluation that is not complete.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// Since when the board has looked as it is evaluated.
    at: Instant,
    cause: Cause,
    stage: Stage,
}

/// Why the board is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    /// A touch.
    Touch,
    /// The game has come to another position, in which the board may show the next move already.
    Settled,
    /// The board has rested, and nothing explains it.
    Rest,
}

/// What is tried next.
#[derive(Clone, Debug)]
enum Stage {
    Single,
    Pair(PairSearch),
    EarlyAnswer,
    Correction,
    Sequence(SequenceSearch),
    /// A sequence in place of the last move.
    CorrectedSequence(SequenceSearch),
}

/// The result of a part of a search.
pub(super) enum Progress<T> {
    /// The work of this scan is done, and the search is not.
    Suspended,
    Done(T),
}

impl Hand {
    /// Something was touched: tries every explanation of the board, the likeliest first.
    pub(super) fn touched(&mut self, view: &View<'_>, now: Instant, budget: &mut Budget) {
        budget.look_at(view.here.plies.len());
        if let Some(evaluation) = self.evaluate_at_once(view, now) {
            return self.conclude(evaluation, Cause::Touch, view, now);
        }
        self.lose_support(now);
        self.pending = Some(Pending { at: now, cause: Cause::Touch, stage: Stage::Pair(PairSearch::NEW) });
    }

    /// The game has come to another position, and the board does not match it: the next move may be complete already.
    pub(super) fn evaluate_next_move(&mut self, now: Instant) {
        self.pending = Some(Pending { at: now, cause: Cause::Settled, stage: Stage::Single });
    }

    /// The board has rested, and a single move does not explain it: several may.
    pub(super) fn evaluate_at_rest(&mut self, now: Instant) {
        let is_explained = matches!(
            self.stance,
            Stance::Settled | Stance::Asking(_) | Stance::Choosing { .. } | Stance::Chosen { .. }
        );
        let looks = matches!(self.looking, Looking::ForMoves | Looking::ForThis(_));
        if is_explained || self.choosing.is_some() || !looks {
            return;
        }
        if let Some(search) = self.recent_sequence() {
            self.pending = Some(Pending { at: now, cause: Cause::Rest, stage: Stage::Sequence(search) });
        }
    }

    /// Goes on with the evaluation until it is complete or the budget is spent.
    pub(super) fn work(&mut self, view: &View<'_>, budget: &mut Budget) {
        while !budget.is_spent()
            && let Some(Pending { at, cause, stage }) = self.pending.take()
        {
            let goes_on = |stage: Stage| Some(Pending { at, cause, stage });
            let (found, next) = match stage {
                Stage::Single => {
                    budget.look_at(view.here.plies.len());
                    (self.evaluate_single_move(view, at), Some(Stage::Pair(PairSearch::NEW)))
                }
                Stage::Pair(mut search) => match self.evaluate_pair(&mut search, view, at, budget) {
                    Progress::Suspended => {
                        self.pending = goes_on(Stage::Pair(search));
                        return;
                    }
                    Progress::Done(found) => (found, Some(Stage::EarlyAnswer)),
                },
                Stage::EarlyAnswer => {
                    budget.look_at(view.here.plies.len());
                    let found = self.evaluate_early_answer(view, cause == Cause::Rest);
                    (found, (cause == Cause::Touch).then_some(Stage::Correction))
                }
                Stage::Correction => (Some(self.evaluate_past(view, at, budget)), None),
                Stage::Sequence(mut search) => match self.search_sequence(&mut search, view.here, budget) {
                    Progress::Suspended => {
                        self.pending = goes_on(Stage::Sequence(search));
                        return;
                    }
                    Progress::Done(found) => {
                        let read = |found| Evaluation::Read(Reading::MovedSeveral(Moves::of(&found)), SEQUENCE_REST);
                        let next = match self.corrected_sequence(view) {
                            _ if search.is_ambiguous() => None,
                            Some(search) => Some(Stage::CorrectedSequence(search)),
                            None => Some(Stage::EarlyAnswer),
                        };
                        (found.map(read), next)
                    }
                },
                Stage::CorrectedSequence(mut search) => match self.search_corrected(&mut search, view, budget) {
                    Progress::Suspended => {
                        self.pending = goes_on(Stage::CorrectedSequence(search));
                        return;
                    }
                    Progress::Done(found) => {
                        let read = |found| Evaluation::Read(Reading::CorrectedTo(Moves::of(&found)), SEQUENCE_REST);
                        (found.map(read), (!search.is_ambiguous()).then_some(Stage::EarlyAnswer))
                    }
                },
            };
            // A move that is read as the last resort has rested since the last touch.
            let at = if matches!(found, Some(Evaluation::Read(Reading::Moved(_), _))) && cause == Cause::Rest {
                self.touched_at
            } else {
                at
            };
            match found {
                Some(evaluation) => return self.conclude(evaluation, cause, view, at),
                None => self.pending = next.and_then(goes_on),
            }
        }
    }

    /// The board has looked like this since a moment, and this is what it amounts to.
    fn conclude(&mut self, evaluation: Evaluation, cause: Cause, view: &View<'_>, at: Instant) {
        match (evaluation, cause) {
            (Evaluation::Read(reading, rest), _) => self.wait_for(reading, rest, view, at),
            (Evaluation::Not(stance), Cause::Touch) => {
                self.lose_support(at);
                if let Stance::Asking(squares) = stance
                    && self.asked.is_none_or(|(asked, _)| asked != squares)
                {
                    self.asked = Some((squares, at));
                }
                self.stance = match stance {
                    Stance::Asking(_) => stance,
                    _ => self.still_choosing().or_else(|| self.still_asking()).unwrap_or(stance),
                };
            }
            (Evaluation::Not(stance @ Stance::Asking(squares)), Cause::Settled) => {
                self.asked = Some((squares, at));
                self.stance = stance;
            }
            // The next move is a promotion that was made already.
            (Evaluation::Not(stance @ Stance::Choosing { .. }), Cause::Settled) => self.stance = stance,
            (Evaluation::Not(_), Cause::Settled | Cause::Rest) => {}
        }
    }

    /// The board no longer supports the reading that waits, or it is not known yet whether it does.
    fn lose_support(&mut self, now: Instant) {
        if let Some(waiting) = &mut self.waiting {
            waiting.unsupported_since.get_or_insert(now);
            waiting.inexact_since.get_or_insert(now);
        }
    }
}
