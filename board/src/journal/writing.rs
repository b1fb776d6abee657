//! What is planned becomes frames.

use wire::journal::{Draft, Head, MAX_FRAME, Moves, Record, Session, WriteError};

use super::holdings::Holdings;
use super::plan::{Plan, bit};
use super::preferences;
use super::walk::Place;
use crate::session::Memory;

impl Plan {
    /// Puts as much of it into a frame as fits, and crosses that out. Returns how long the frame is, and the place behind
    /// it.
    pub(super) fn write_frame<const N: usize>(
        &mut self,
        now: &Holdings<'_, N>,
        place: Place,
        buffer: &mut [u8; MAX_FRAME],
    ) -> (usize, Place) {
        let mut draft = Draft::new(buffer);
        // There is no other reason to stop than that the frame is full: names and values are short enough.
        let _ = self.write(now, &mut draft);
        let (len, check) = draft.seal(self.is_empty(), place.check);
        (len, Place { offset: place.offset.saturating_add(len), check })
    }

    /// Where it will end, if it is written from this offset on. Where that is, and what comes before it, makes no
    /// difference to its length.
    pub(super) fn end<const N: usize>(
        mut self,
        now: &Holdings<'_, N>,
        offset: usize,
        buffer: &mut [u8; MAX_FRAME],
    ) -> usize {
        let (_, check) = Head { sequence: 0 }.write();
        let mut place = Place { offset, check };
        while !self.is_empty() {
            (_, place) = self.write_frame(now, place, buffer);
        }
        place.offset
    }

    fn write<const N: usize>(&mut self, now: &Holdings<'_, N>, draft: &mut Draft<'_>) -> Result<(), WriteError> {
        if self.preferences {
            draft.push(&Record::Preferences(preferences::of_settings(now.settings)))?;
            self.preferences = false;
        }
        for (id, bytes) in now.values.iter() {
            if self.values & bit(id) != 0 {
                draft.push(&Record::Value { id, bytes })?;
                self.values &= !bit(id);
            }
        }
        if self.table {
            draft.push(&Record::Table(now.table()))?;
            self.table = false;
        }
        if self.start {
            draft.push(&Record::Start(*now.game.start()))?;
            self.start = false;
        }
        self.write_moves(now, draft)?;
        if let (true, Some(outcome)) = (self.outcome, now.game.outcome()) {
            draft.push(&Record::Ended(outcome))?;
        }
        self.outcome = false;
        if let (true, Some(clocks)) = (self.clocks, now.clocks) {
            draft.push(&Record::Clocks(clocks))?;
        }
        self.clocks = false;
        self.write_session(now, draft)
    }

    fn write_moves<const N: usize>(&mut self, now: &Holdings<'_, N>, draft: &mut Draft<'_>) -> Result<(), WriteError> {
        while let Some(ply) = self.moves {
            let rest = now.game.moves().get(usize::from(ply)..).unwrap_or_default();
            let room = draft.room().saturating_sub(Record::MOVES_OVERHEAD) / Moves::MOVE_LEN;
            let (part, rest) = rest.split_at_checked(room).unwrap_or((rest, &[]));
            if part.is_empty() && !rest.is_empty() {
                return Err(WriteError::Room);
            }
            draft.push(&Record::Moves { ply, moves: Moves::of(part) })?;
            // A game has fewer plies than this can count.
            let next = ply.saturating_add(u16::try_from(part.len()).unwrap_or(u16::MAX));
            self.moves = (!rest.is_empty()).then_some(next);
        }
        Ok(())
    }

    fn write_session<const N: usize>(
        &mut self,
        now: &Holdings<'_, N>,
        draft: &mut Draft<'_>,
    ) -> Result<(), WriteError> {
        let memory = now.conversation.memory();
        if self.session {
            draft.push(&Record::Session(of_memory(&memory)))?;
            self.session = false;
        }
        while let Some(after) = self.said {
            let next = now.conversation.pending().find(|said| said.number > after);
            if let Some(said) = next {
                draft.push(&Record::Said(said))?;
            }
            self.said = next.map(|said| said.number);
        }
        if self.heard {
            draft.push(&Record::Heard(memory.seen.last))?;
            self.heard = false;
        }
        if self.acknowledged {
            draft.push(&Record::Acknowledged(memory.acknowledged))?;
            self.acknowledged = false;
        }
        Ok(())
    }
}

const fn of_memory(memory: &Memory) -> Session {
    let Memory { stream, acknowledged, floor, said, renewed, seen } = *memory;
    Session { stream, acknowledged, floor, said, renewed, seen }
}
