use chess::{Game, Position};
use wire::journal::{HEAD_LEN, Head};

use super::active::{Active, Spare};
use super::bank::{Bank, Banks};
use super::fold::fold;
use super::keeper::Journal;
use super::mark::Mark;
use super::preferences;
use super::recovered::{Condition, Recovered};
use super::survey::Survey;
use super::walk::Place;
use crate::session::Memory;

impl Journal {
    /// Reads both banks, brings a game to what it was when it was last kept, and returns the journal that goes on from
    /// there with what else was kept. If there is nothing in the banks that can be trusted, the game is a new one.
    ///
    /// Nothing is written, so it can be done again at any time at which no action is under way.
    pub fn recover(banks: &mut impl Banks, game: &mut Game) -> (Self, Recovered) {
        let surveys = Bank::BOTH.map(|bank| Survey::of(banks, bank));
        let next_sequence = surveys.iter().flatten().map(|survey| survey.sequence).max();
        let next_sequence = next_sequence.map_or(1, |last| last.saturating_add(1));
        let [a, b] = surveys;
        let newest_first = if sequence(a) >= sequence(b) { [(a, b), (b, a)] } else { [(b, a), (a, b)] };
        for (candidate, other) in newest_first {
            if let Some(survey) = candidate
                && let Some((recovered, whole)) = believe(banks, &survey, game)
            {
                let mark = mark(game, &recovered);
                let active = Active { bank: survey.bank, end: survey.end, open: whole && survey.clean, mark };
                let spare = other.map_or(Spare::Dirty, |other| readiness(&other, Some(survey.sequence)));
                let mut journal = Self::new(banks.bank_len(), spare, next_sequence);
                journal.active = Some(active);
                return (journal, recovered);
            }
        }
        game.restart(Position::start());
        let spare = a.map_or(Spare::Dirty, |a| readiness(&a, None));
        let journal = Self::new(banks.bank_len(), spare, next_sequence);
        let (_, check) = Head { sequence: 0 }.write();
        (journal, Recovered::new(Bank::A, Place { offset: HEAD_LEN, check }))
    }
}

fn sequence(survey: Option<Survey>) -> Option<u32> {
    survey.map(|survey| survey.sequence)
}

/// Reads as many batches of a bank as make sense, if that is at least one: the first one has everything in it. Says also
/// whether these were all.
fn believe(banks: &mut impl Banks, survey: &Survey, game: &mut Game) -> Option<(Recovered, bool)> {
    let mut batches = survey.batches;
    while batches > 0 {
        game.restart(Position::start());
        let mut recovered = Recovered::new(survey.bank, survey.first);
        match fold(banks, survey.bank, survey.first, batches, game, &mut recovered) {
            Ok(end) => {
                let whole = batches == survey.batches;
                recovered.end = end;
                recovered.condition = if whole && survey.clean { Condition::Whole } else { Condition::Torn };
                return Some((recovered, whole));
            }
            // Fewer than before, so this comes to an end.
            Err(misfit) => batches = misfit.0.min(batches.saturating_sub(1)),
        }
    }
    None
}

/// Whether a bank that does not count can be written to as it is.
fn readiness(spare: &Survey, active: Option<u32>) -> Spare {
    let is_newer = active.is_none_or(|active| spare.sequence > active);
    if is_newer && spare.clean && spare.batches == 0 { Spare::Ready(spare.first) } else { Spare::Dirty }
}

fn mark(game: &Game, recovered: &Recovered) -> Mark {
    let preferences = preferences::of_settings(&recovered.settings);
    // A conversation never has this stream.
    let none = Memory { stream: 0, ..Memory::blank(0) };
    let memory = recovered.memory.unwrap_or(none);
    Mark::of(game, &recovered.table(game), preferences, &recovered.values, memory)
}
