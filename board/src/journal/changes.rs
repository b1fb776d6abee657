//! Computes which records have to be written, and writes them as frames.

use rules::{Start, Verdict};
use wire::journal::{BankHeader, FrameWriter, MAX_FRAME, Moves, Record, RecordWriteError, SessionMemory};
use wire::setup::write_setup;
use wire::turn::write_turn;

use super::fingerprint::{Fingerprint, GameDiff};
use super::persistent_state::{PersistentState, to_record};
use super::scan::Cursor;
use super::values::VALUES;

/// The records that have to be written, or are left to be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one independent flag for each kind of record")]
pub(super) struct Changes {
    settings: bool,
    /// One bit for the id of each value.
    values: u16,
    info: bool,
    start: bool,
    /// The setup or the turn of the start, from this byte on.
    parts: Option<u16>,
    /// The moves from this ply on. A takeback is a record without moves.
    moves: Option<u16>,
    verdict: bool,
    clocks: bool,
    session: bool,
    /// The events after this number.
    events: Option<u32>,
    received: bool,
    acknowledged: bool,
}

/// An acknowledgement of the relay need not be written at once, because the relay repeats it. It is written with another
/// change once it is this many events ahead, so that the unacknowledged events in the journal never outgrow the queue of
/// the session.
const ACKNOWLEDGED_LAG: u32 = 32;

const _: () = assert!(VALUES <= u16::BITS as usize, "each value has a bit");

impl Changes {
    /// All records, for a snapshot of the whole state.
    pub(super) fn everything<const N: usize>(state: &PersistentState<'_, N>) -> Self {
        let values = state.values.iter().filter(|(_, bytes)| !bytes.is_empty());
        Self {
            settings: true,
            values: values.fold(0, |bits, (id, _)| bits | bit(id)),
            info: true,
            start: !is_in_parts(&state.play.start()),
            parts: is_in_parts(&state.play.start()).then_some(0),
            moves: (!state.play.sheet().is_empty()).then_some(0),
            verdict: needs_record(state.play.verdict()),
            clocks: state.clocks.is_some(),
            session: true,
            events: Some(state.session.memory().acknowledged),
            received: false,
            acknowledged: false,
        }
    }

    /// The records that bring the journal from `stored` to the current state.
    pub(super) fn between<const N: usize>(
        stored: &Fingerprint,
        current: &Fingerprint,
        state: &PersistentState<'_, N>,
    ) -> Self {
        let mut changes = Self {
            settings: stored.settings != current.settings,
            info: stored.info != current.info,
            ..Self::default()
        };
        for (id, (before, after)) in (0..).zip(stored.values.iter().zip(&current.values)) {
            if before != after {
                changes.values |= bit(id);
            }
        }
        changes.compare_games(stored, state);
        changes.compare_sessions(&stored.session, state);
        changes
    }

    fn compare_games<const N: usize>(&mut self, stored: &Fingerprint, state: &PersistentState<'_, N>) {
        let verdict = state.play.verdict();
        let changed = match stored.diff(state.play) {
            GameDiff::Same if stored.verdict == verdict => false,
            // The game has ended without another move.
            GameDiff::Same if stored.verdict.is_none() => true,
            diff => {
                let start = state.play.start();
                let ply = match diff {
                    GameDiff::Same => stored.plies(),
                    GameDiff::AfterPly(ply) | GameDiff::OtherTurn(ply) => ply,
                    GameDiff::OtherStart => 0,
                };
                // A replay reopens a finished game only by a takeback, a new start, or a turn.
                let reopened = stored.verdict.is_some() && ply == stored.plies();
                let is_turn = matches!(diff, GameDiff::OtherTurn(_)) || (reopened && start.told().is_some());
                let restarts = diff == GameDiff::OtherStart || is_turn || (reopened && ply == 0);
                self.start = restarts && !is_in_parts(&start);
                self.parts = (restarts && !self.start).then_some(0);
                let ply = match start.told() {
                    // A turn keeps the plies before it, and no others.
                    Some(turn) if is_turn => ply.min(turn.number()),
                    _ if reopened => ply.saturating_sub(1),
                    _ => ply,
                };
                if usize::from(ply) < state.play.sheet().len() || (ply < stored.plies() && !restarts) {
                    self.moves = Some(ply);
                }
                true
            }
        };
        self.verdict = changed && needs_record(verdict);
        // A info record deletes the clocks.
        self.clocks = (changed || self.info) && state.clocks.is_some();
    }

    fn compare_sessions<const N: usize>(&mut self, stored: &SessionMemory, state: &PersistentState<'_, N>) {
        let memory = state.session.memory();
        let new_events = state.session.pending().filter(|event| event.number > stored.last).count();
        let continues = stored.stream == memory.stream
            && stored.compacted == memory.compacted
            && stored.renewed == memory.renewed
            && stored.seen.stream == memory.seen.stream
            // Every new number is an event that is still pending.
            && memory.last.checked_sub(stored.last).is_some_and(|count| count as usize == new_events);
        if continues {
            self.events = (memory.last > stored.last).then_some(stored.last);
            self.received = memory.seen.last != stored.seen.last;
            self.acknowledged =
                !self.is_empty() && memory.acknowledged.saturating_sub(stored.acknowledged) >= ACKNOWLEDGED_LAG;
        } else {
            self.session = true;
            self.events = Some(memory.acknowledged);
        }
    }

    /// Whether the acknowledged number is among the records.
    pub(super) const fn includes_acknowledged(&self) -> bool {
        self.session || self.acknowledged
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Writes as many records as fit into one frame, and removes them. Returns the length of the frame in bytes and the
    /// cursor after it.
    pub(super) fn write_frame<const N: usize>(
        &mut self,
        state: &PersistentState<'_, N>,
        cursor: Cursor,
        buffer: &mut [u8; MAX_FRAME],
    ) -> (usize, Cursor) {
        let mut frame = FrameWriter::new(buffer);
        // The only possible error is a full frame: names and values are short enough.
        let _ = self.write_records(state, &mut frame);
        let (len, checksum) = frame.finish(self.is_empty(), cursor.checksum);
        (len, Cursor { offset: cursor.offset.saturating_add(len), checksum })
    }

    /// The offset after the last frame, if the first one is written at `offset`.
    pub(super) fn end_offset<const N: usize>(
        mut self,
        state: &PersistentState<'_, N>,
        offset: usize,
        buffer: &mut [u8; MAX_FRAME],
    ) -> usize {
        // The lengths do not depend on the checksum, so any checksum will do.
        let (_, checksum) = BankHeader { sequence: 0 }.write();
        let mut cursor = Cursor { offset, checksum };
        while !self.is_empty() {
            (_, cursor) = self.write_frame(state, cursor, buffer);
        }
        cursor.offset
    }

    fn write_records<const N: usize>(
        &mut self,
        state: &PersistentState<'_, N>,
        frame: &mut FrameWriter<'_>,
    ) -> Result<(), RecordWriteError> {
        if self.settings {
            frame.push(&Record::Settings(to_record(state.settings)))?;
            self.settings = false;
        }
        for (id, bytes) in state.values.iter() {
            if self.values & bit(id) != 0 {
                frame.push(&Record::Value { id, bytes })?;
                self.values &= !bit(id);
            }
        }
        if self.info {
            frame.push(&Record::GameInfo(state.info()))?;
            self.info = false;
        }
        if self.start {
            frame.push(&Record::Start(state.play.start()))?;
            self.start = false;
        }
        self.write_parts(state, frame)?;
        self.write_moves(state, frame)?;
        if let (true, Some(verdict)) = (self.verdict, state.play.verdict()) {
            frame.push(&Record::Ended(verdict))?;
        }
        self.verdict = false;
        if let (true, Some(clocks)) = (self.clocks, state.clocks) {
            frame.push(&Record::Clocks(clocks))?;
        }
        self.clocks = false;
        self.write_session(state, frame)
    }

    fn write_parts<const N: usize>(
        &mut self,
        state: &PersistentState<'_, N>,
        frame: &mut FrameWriter<'_>,
    ) -> Result<(), RecordWriteError> {
        while let Some(at) = self.parts {
            // A setup has at most 802 bytes, and a turn 1,041.
            let start = state.play.start();
            let (written, is_last) = match (start.setup(), start.told()) {
                (Some(setup), _) => push_part(&write_setup(setup), at, Record::Setup, frame)?,
                (None, Some(turn)) => push_part(&write_turn(turn), at, Record::Turn, frame)?,
                (None, None) => (0, true),
            };
            self.parts = (!is_last).then_some(at.saturating_add(written));
        }
        Ok(())
    }

    fn write_moves<const N: usize>(
        &mut self,
        state: &PersistentState<'_, N>,
        frame: &mut FrameWriter<'_>,
    ) -> Result<(), RecordWriteError> {
        while let Some(ply) = self.moves {
            let rest = state.play.sheet().get(usize::from(ply)..).unwrap_or_default();
            let room = frame.room().saturating_sub(Record::MOVES_OVERHEAD) / Moves::MOVE_LEN;
            let (part, rest) = rest.split_at_checked(room).unwrap_or((rest, &[]));
            if part.is_empty() && !rest.is_empty() {
                return Err(RecordWriteError::Room);
            }
            frame.push(&Record::Moves { ply, moves: Moves::of(part) })?;
            // The plies of a game fit into 16 bits.
            let next = ply.saturating_add(u16::try_from(part.len()).unwrap_or(u16::MAX));
            self.moves = (!rest.is_empty()).then_some(next);
        }
        Ok(())
    }

    fn write_session<const N: usize>(
        &mut self,
        state: &PersistentState<'_, N>,
        frame: &mut FrameWriter<'_>,
    ) -> Result<(), RecordWriteError> {
        let memory = state.session.memory();
        if self.session {
            frame.push(&Record::Session(memory))?;
            self.session = false;
        }
        while let Some(after) = self.events {
            let next = state.session.pending().find(|event| event.number > after);
            if let Some(event) = next {
                frame.push(&Record::NumberedEvent(event))?;
            }
            self.events = next.map(|event| event.number);
        }
        if self.received {
            frame.push(&Record::Received(memory.seen.last))?;
            self.received = false;
        }
        if self.acknowledged {
            frame.push(&Record::Acknowledged(memory.acknowledged))?;
            self.acknowledged = false;
        }
        Ok(())
    }
}

/// Whether a start is too large for one record.
const fn is_in_parts(start: &Start) -> bool {
    start.setup().is_some() || start.told().is_some()
}

/// Writes the bytes from this one on, as many as fit. Returns how many there were, and whether they were the last ones.
fn push_part<'a>(
    bytes: &'a [u8],
    at: u16,
    record: fn(&'a [u8]) -> Record<'a>,
    frame: &mut FrameWriter<'_>,
) -> Result<(u16, bool), RecordWriteError> {
    let rest = bytes.get(usize::from(at)..).unwrap_or_default();
    let room = frame.room().saturating_sub(Record::PART_OVERHEAD);
    let (part, rest) = rest.split_at_checked(room).unwrap_or((rest, &[]));
    if part.is_empty() && !rest.is_empty() {
        return Err(RecordWriteError::Room);
    }
    frame.push(&record(part))?;
    // A part fits into a frame of 256 bytes.
    Ok((part.len() as u16, rest.is_empty()))
}

const fn bit(id: u8) -> u16 {
    1_u16.wrapping_shl(id as u32)
}

/// Whether the verdict does not follow from the moves.
fn needs_record(verdict: Option<Verdict>) -> bool {
    verdict.is_some_and(|verdict| !verdict.is_automatic())
}
