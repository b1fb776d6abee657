//! Explanations of the board that take longer than a scan may: they are searched for in several scans, and the reading comes a few
//! milliseconds later. A touch begins the evaluation anew.

use super::budget::Budget;
use super::evaluate::Evaluation;
use super::pairs::PairSearch;
use super::reading::{Moves, Reading, Stance};
use super::sequence::{Explanation, SequenceSearch};
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
    /// A touch that came before all plies were listed.
    AtOnce,
    Single,
    Pair(PairSearch),
    EarlyAnswer,
    Correction,
    Sequence(SequenceSearch),
    /// A sequence in place of the last move. If there is none, the last move stays, also where it seemed to be corrected.
    CorrectedSequence(SequenceSearch, bool),
}

/// The result of a part of a search.
pub(super) enum Progress<T> {
    /// The work of this scan is done, and the search is not.
    Suspended,
    Done(T),
}

/// The longest DNA, in codons, with which sequences of several moves are searched for: five pieces with it take less than a scan.
const SEQUENCE_DNA: usize = 33;

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

    /// Something was touched before all plies were listed: it is evaluated when they are.
    pub(super) fn evaluate_touch_later(&mut self, now: Instant) {
        self.lose_support(now);
        self.pending = Some(Pending { at: now, cause: Cause::Touch, stage: Stage::AtOnce });
    }

    /// The game has come to another position, and the board does not match it: the next move may be complete already.
    pub(super) fn evaluate_next_move(&mut self, now: Instant) {
        self.pending = Some(Pending { at: now, cause: Cause::Settled, stage: Stage::Single });
    }

    /// The board has rested, and a single move does not explain it: several may.
    pub(super) fn evaluate_at_rest(&mut self, view: &View<'_>, now: Instant) {
        let is_explained = matches!(
            self.stance,
            Stance::Settled | Stance::Asking(_) | Stance::Choosing { .. } | Stance::Chosen { .. }
        );
        let looks = matches!(self.looking, Looking::ForMoves | Looking::ForThis(_));
        if is_explained || self.choosing.is_some() || !looks {
            return;
        }
        if let Some(search) = self.recent_sequence(view) {
            // A search that goes on generates the plies of a piece again for every move of its path.
            let is_quick = view.here.here.longest_dna() <= SEQUENCE_DNA;
            let stage = if is_quick { Stage::Sequence(search) } else { Stage::EarlyAnswer };
            self.pending = Some(Pending { at: now, cause: Cause::Rest, stage });
        }
    }

    /// Goes on with the evaluation until it is complete or the budget is spent.
    pub(super) fn work(&mut self, view: &View<'_>, budget: &mut Budget) {
        // Under other rules than those of chess a stage can take most of a scan.
        let may_begin = |budget: &Budget| !budget.is_spent() && (budget.is_whole() || view.here.here.chess().is_some());
        while may_begin(budget)
            && let Some(Pending { at, cause, stage }) = self.pending.take()
        {
            let goes_on = |stage: Stage| Some(Pending { at, cause, stage });
            let (found, next) = match stage {
                Stage::AtOnce => {
                    budget.look_at(view.here.plies.len());
                    (self.evaluate_at_once(view, at), Some(Stage::Pair(PairSearch::NEW)))
                }
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
                    let is_last = cause == Cause::Rest;
                    let found = self.evaluate_early_answer(view, is_last, budget);
                    let found = if is_last { found.or_else(|| self.evaluate_single_at_last(view, at)) } else { found };
                    (found, (cause == Cause::Touch).then_some(Stage::Correction))
                }
                Stage::Correction => (Some(self.evaluate_past(view, at, budget)), None),
                Stage::Sequence(mut search) => match self.search_sequence(&mut search, view.here, budget) {
                    Progress::Suspended => {
                        self.pending = goes_on(Stage::Sequence(search));
                        return;
                    }
                    Progress::Done(found) => {
                        let found = found.map(|found| self.explained(&found, Reading::MovedSeveral));
                        let next = match self.corrected_sequence(view) {
                            _ if search.is_ambiguous() => None,
                            Some(corrected) => Some(Stage::CorrectedSequence(corrected, search.seems_corrected())),
                            None => Some(Stage::EarlyAnswer),
                        };
                        (found, next)
                    }
                },
                Stage::CorrectedSequence(mut search, seemed_corrected) => {
                    match self.search_corrected(&mut search, view, budget) {
                        Progress::Suspended => {
                            self.pending = goes_on(Stage::CorrectedSequence(search, seemed_corrected));
                            return;
                        }
                        Progress::Done(found) => {
                            let found = found.map(|found| self.explained(&found, Reading::CorrectedTo));
                            let next = match self.further_sequence(view) {
                                _ if search.is_ambiguous() => None,
                                Some(further) if seemed_corrected => Some(Stage::Sequence(further)),
                                _ => Some(Stage::EarlyAnswer),
                            };
                            (found, next)
                        }
                    }
                }
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
            (Evaluation::Not(stance @ Stance::Asking(squares)), Cause::Settled | Cause::Rest) => {
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

    /// A sequence is read, unless the players have to say first whether it captures.
    fn explained(&mut self, found: &Explanation, reading: fn(Moves) -> Reading) -> Evaluation {
        self.sequence_stood = found.stood;
        if found.doubtful.any() {
            return Evaluation::Not(Stance::Asking(found.doubtful));
        }
        Evaluation::Read(reading(Moves::of(&found.sequence)), SEQUENCE_REST)
    }
}
