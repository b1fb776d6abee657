use chess::{DrawClaim, DrawReason, Game, Outcome, WinReason};
use wire::journal::{Found, Record, Session};

use super::bank::{Bank, Banks};
use super::preferences;
use super::recovered::Recovered;
use super::walk::{Place, Walk};
use crate::session::Memory;

/// A batch has a record that does not fit what comes before it, though all is just as it was written. So many batches
/// before it do.
pub(super) struct Misfit(pub(super) u32);

/// Brings a game, and what is beside it, to what the first so many batches of a bank say. They are known to be complete,
/// and all their records can be read.
pub(super) fn fold(
    banks: &mut impl Banks,
    bank: Bank,
    first: Place,
    batches: u32,
    game: &mut Game,
    recovered: &mut Recovered,
) -> Result<Place, Misfit> {
    let mut walk = Walk::new(banks, bank, first);
    let mut done = 0_u32;
    let mut batch = first;
    while done < batches {
        let Found::Frame(frame) = walk.step() else {
            return Err(Misfit(done));
        };
        for record in frame.records() {
            let record = record.map_err(|_| Misfit(done))?;
            apply(&record, batch, game, recovered).ok_or(Misfit(done))?;
        }
        if frame.last {
            done = done.saturating_add(1);
            batch = walk.place();
        }
    }
    Ok(batch)
}

/// Does what a record says, if it can be done. The batch that it is in begins at this place.
fn apply(record: &Record<'_>, batch: Place, game: &mut Game, recovered: &mut Recovered) -> Option<()> {
    match *record {
        Record::Preferences(kept) => recovered.settings = preferences::to_settings(&kept),
        // A later firmware may have more of them; this one has no use for those.
        Record::Value { id, bytes } => drop(recovered.values.set(id, bytes)),
        Record::Table(table) => {
            recovered.set_table(&table);
            recovered.clocks = None;
        }
        Record::Start(position) => game.restart(position),
        Record::Moves { ply, moves } => {
            take_back(game, ply)?;
            for mv in moves.iter() {
                game.play(mv).ok()?;
            }
        }
        Record::Ended(outcome) => end(game, outcome)?,
        Record::Clocks(clocks) => recovered.clocks = Some(clocks),
        Record::Session(Session { stream, acknowledged, floor, said, renewed, seen }) => {
            recovered.memory = Some(Memory { stream, acknowledged, floor, said, renewed, seen });
            recovered.stream = batch;
        }
        Record::Said(said) => {
            // A session is kept together with its earlier events, and may have said more since, though no event.
            let memory = recovered.memory.as_mut()?;
            memory.said = memory.said.max(said.number);
        }
        Record::Heard(number) => recovered.memory.as_mut()?.seen.last = number,
        Record::Acknowledged(number) => recovered.memory.as_mut()?.acknowledged = number,
    }
    Some(())
}

/// Goes back to so many plies, if there were so many.
fn take_back(game: &mut Game, ply: u16) -> Option<()> {
    let ply = usize::from(ply);
    if ply == 0 && !game.moves().is_empty() {
        // At once, since taking a move back takes longer the longer the game is.
        let start = *game.start();
        game.restart(start);
    }
    while game.moves().len() > ply {
        game.take_back();
    }
    (game.moves().len() == ply).then_some(())
}

/// Ends a game as it had ended, if it can end so.
fn end(game: &mut Game, outcome: Outcome) -> Option<()> {
    match outcome {
        Outcome::Win { winner, by: WinReason::Resignation } => game.resign(!winner).ok()?,
        Outcome::Win { winner, by: WinReason::Time } => game.flag(!winner).ok()?,
        Outcome::Draw(DrawReason::Agreement) => game.agree_draw().ok()?,
        Outcome::Draw(DrawReason::TimeAgainstBareKing) => {
            let position = game.position();
            let fallen = if position.can_mate(position.turn()) { position.turn() } else { !position.turn() };
            game.flag(fallen).ok()?;
        }
        Outcome::Draw(DrawReason::ThreefoldRepetition) => claim(game, DrawClaim::ThreefoldRepetition)?,
        Outcome::Draw(DrawReason::FiftyMoves) => claim(game, DrawClaim::FiftyMoves)?,
        // These follow from the moves.
        Outcome::Win { by: WinReason::Checkmate, .. } | Outcome::Draw(_) => {}
    }
    (game.outcome() == Some(outcome)).then_some(())
}

/// Claims a draw that was granted. It may have been for a position after a move that was announced and not played; which
/// one it was makes no difference to the game.
fn claim(game: &mut Game, claim: DrawClaim) -> Option<()> {
    if game.claim_draw(claim).is_ok() {
        return Some(());
    }
    let moves = game.position().legal_moves();
    moves.iter().find_map(|&mv| game.claim_draw_with(mv, claim).ok())
}
