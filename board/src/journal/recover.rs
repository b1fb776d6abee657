//! Recovers the persistent state after a start by replaying the records of the newest valid bank.

use rules::{Play, Start};
use wire::journal::{BankHeader, FrameRead, HEADER_LEN, Record, SessionMemory};
use wire::setup::SetupReader;
use wire::turn::TurnReader;

use super::bank::{Bank, Banks};
use super::contents::{Condition, JournalContents};
use super::fingerprint::Fingerprint;
use super::persistent_state::{from_record, to_record};
use super::scan::{BankScan, Cursor, FrameReader};
use super::writer::{ActiveBank, Journal, SpareBank};

impl Journal {
    /// Reads both banks, replays the last stored game into `play`, and returns the journal with the other contents.
    /// Without a valid batch in either bank, `play` is a new game of chess.
    ///
    /// It writes nothing, so it can be repeated whenever no action is in progress.
    pub fn recover(banks: &mut impl Banks, play: &mut Play) -> (Self, JournalContents) {
        let scans = Bank::BOTH.map(|bank| BankScan::of(banks, bank));
        let next_sequence = scans.iter().flatten().map(|scan| scan.sequence).max();
        let next_sequence = next_sequence.map_or(1, |last| last.saturating_add(1));
        let [a, b] = scans;
        let newest_first = if sequence(a) >= sequence(b) { [(a, b), (b, a)] } else { [(b, a), (a, b)] };
        for (candidate, other) in newest_first {
            if let Some(scan) = candidate
                && let Some((contents, complete)) = replay_valid(banks, &scan, play)
            {
                let fingerprint = fingerprint(play, &contents);
                let active = ActiveBank { bank: scan.bank, end: scan.end, open: complete && scan.clean, fingerprint };
                let spare = other.map_or(SpareBank::Dirty, |other| spare_state(&other, Some(scan.sequence)));
                let mut journal = Self::new(banks.bank_len(), spare, next_sequence);
                journal.active = Some(active);
                return (journal, contents);
            }
        }
        play.restart(&Start::CHESS);
        let spare = a.map_or(SpareBank::Dirty, |a| spare_state(&a, None));
        let journal = Self::new(banks.bank_len(), spare, next_sequence);
        let (_, checksum) = BankHeader { sequence: 0 }.write();
        (journal, JournalContents::new(Bank::A, Cursor { offset: HEADER_LEN, checksum }))
    }
}

fn sequence(scan: Option<BankScan>) -> Option<u32> {
    scan.map(|scan| scan.sequence)
}

/// Replays the batches of a bank up to the first that cannot be applied. Returns `None` if the first batch, which is a
/// snapshot of the whole state, cannot be applied; otherwise the contents and whether all batches were applied.
fn replay_valid(banks: &mut impl Banks, scan: &BankScan, play: &mut Play) -> Option<(JournalContents, bool)> {
    let mut batches = scan.batches;
    while batches > 0 {
        play.restart(&Start::CHESS);
        let mut contents = JournalContents::new(scan.bank, scan.first);
        match replay(banks, scan, batches, play, &mut contents) {
            Ok(end) => {
                let complete = batches == scan.batches;
                contents.end = end;
                contents.condition = if complete && scan.clean { Condition::Whole } else { Condition::Torn };
                return Some((contents, complete));
            }
            // Fewer batches than before, so the loop terminates.
            Err(error) => batches = error.valid_batches.min(batches.saturating_sub(1)),
        }
    }
    None
}

/// A record cannot be applied, although its checksum is valid.
struct ReplayError {
    /// Number of batches before the one with this record.
    valid_batches: u32,
}

/// Applies the records of the first `batches` batches of a bank, and returns the cursor after them. The scan has found
/// these batches complete and readable.
fn replay(
    banks: &mut impl Banks,
    scan: &BankScan,
    batches: u32,
    play: &mut Play,
    contents: &mut JournalContents,
) -> Result<Cursor, ReplayError> {
    let mut frames = FrameReader::new(banks, scan.bank, scan.first);
    let mut valid_batches = 0_u32;
    let mut batch_start = scan.first;
    let mut parts = PartsReader::None;
    while valid_batches < batches {
        let error = || ReplayError { valid_batches };
        let FrameRead::Frame(frame) = frames.next() else {
            return Err(error());
        };
        for record in frame.records() {
            let record = record.map_err(|_| error())?;
            match record {
                Record::Setup(part) => parts.apply_setup(part, play).ok_or_else(error)?,
                Record::Turn(part) => parts.apply_turn(part, play).ok_or_else(error)?,
                // Nothing stands between the parts of a setup or a turn.
                _ if !matches!(parts, PartsReader::None) => return Err(error()),
                record => apply(&record, batch_start, play, contents).ok_or_else(error)?,
            }
        }
        if frame.last {
            if !matches!(parts, PartsReader::None) {
                return Err(error());
            }
            valid_batches = valid_batches.saturating_add(1);
            batch_start = frames.cursor();
        }
    }
    Ok(batch_start)
}

/// Reads a setup or a turn, whose parts are records one after the other.
#[allow(clippy::large_enum_variant, reason = "there is one, on the stack, while a journal is read")]
enum PartsReader {
    None,
    Setup(SetupReader),
    Turn(TurnReader),
}

impl PartsReader {
    /// Applies a part of a setup, and starts the game with the last one. Returns `None` if the setup is invalid.
    fn apply_setup(&mut self, part: &[u8], play: &mut Play) -> Option<()> {
        for &byte in part {
            if matches!(self, Self::None) {
                *self = Self::Setup(SetupReader::default());
            }
            let Self::Setup(reader) = self else { return None };
            if let Some(setup) = reader.push(byte).ok()? {
                play.restart(&Start::Genome(setup));
                *self = Self::None;
            }
        }
        Some(())
    }

    /// Applies a part of a turn, and loads the turn with the last one. Returns `None` if the turn is invalid.
    fn apply_turn(&mut self, part: &[u8], play: &mut Play) -> Option<()> {
        for &byte in part {
            if matches!(self, Self::None) {
                *self = Self::Turn(TurnReader::default());
            }
            let Self::Turn(reader) = self else { return None };
            if let Some(turn) = reader.push(byte).ok()? {
                play.load_turn(&turn, play.len());
                *self = Self::None;
            }
        }
        Some(())
    }
}

/// Applies a record of the batch that begins at `batch_start`. Returns `None` if it does not fit the state before it.
fn apply(record: &Record<'_>, batch_start: Cursor, play: &mut Play, contents: &mut JournalContents) -> Option<()> {
    match *record {
        Record::Settings(settings) => contents.settings = from_record(&settings),
        // A later firmware may have more values; this one ignores them.
        Record::Value { id, bytes } => drop(contents.values.set(id, bytes)),
        Record::GameInfo(info) => {
            contents.info = info;
            contents.clocks = None;
        }
        Record::Start(start) => play.restart(&start),
        // They are read by `PartsReader`.
        Record::Setup(_) | Record::Turn(_) => return None,
        Record::Moves { ply, moves } => {
            truncate(play, ply)?;
            for ply in moves.iter() {
                play.play(ply).ok()?;
            }
        }
        Record::Ended(verdict) => play.end(verdict).ok()?,
        Record::Clocks(clocks) => contents.clocks = Some(clocks),
        Record::Session(memory) => {
            contents.memory = Some(memory);
            contents.session_start = batch_start;
        }
        Record::NumberedEvent(event) => {
            // A snapshot has the session before its pending events, and the last number may be higher than theirs.
            let memory = contents.memory.as_mut()?;
            memory.last = memory.last.max(event.number);
        }
        Record::Received(number) => contents.memory.as_mut()?.seen.last = number,
        Record::Acknowledged(number) => contents.memory.as_mut()?.acknowledged = number,
    }
    Some(())
}

/// Takes back the moves after the first `ply` plies. Returns `None` if the game is shorter.
fn truncate(play: &mut Play, plies: u16) -> Option<()> {
    let plies = usize::from(plies);
    if let Some(turn) = play.start().told()
        && plies <= usize::from(turn.number())
    {
        play.load_turn(turn, plies);
    }
    play.take_back_to(plies);
    (play.len() == plies).then_some(())
}

/// Whether an inactive bank can be written without an erase. `active` is the sequence of the active bank.
fn spare_state(spare: &BankScan, active: Option<u32>) -> SpareBank {
    let is_newer = active.is_none_or(|active| spare.sequence > active);
    if is_newer && spare.clean && spare.batches == 0 { SpareBank::Ready(spare.first) } else { SpareBank::Dirty }
}

fn fingerprint(play: &Play, contents: &JournalContents) -> Fingerprint {
    // No session has stream 0, so a state without a stored session differs from every session.
    let none = SessionMemory { stream: 0, ..SessionMemory::new(0) };
    let memory = contents.memory.unwrap_or(none);
    Fingerprint::new(play, &contents.info, to_record(&contents.settings), &contents.values, memory)
}
