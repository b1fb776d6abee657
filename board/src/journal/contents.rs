use wire::journal::{FrameRead, Record, SessionMemory};
use wire::link::{Clocks, GameInfo, NumberedEvent};

use super::bank::{Bank, Banks};
use super::scan::{Cursor, FrameReader};
use super::values::Values;
use crate::settings::Settings;

/// What was recovered from a journal, except the game.
#[derive(Clone, Debug)]
pub struct JournalContents {
    /// Whether the journal was intact.
    pub condition: Condition,
    /// The settings of the board.
    pub settings: Settings,
    /// The values of the firmware.
    pub values: Values,
    /// The clocks at the last change of the game.
    pub clocks: Option<Clocks>,
    /// The state of the session with the relay.
    pub memory: Option<SessionMemory>,
    /// Metadata of the game. The verdict is that of the game itself.
    pub info: GameInfo,
    /// The bank that the events are in.
    bank: Bank,
    /// Where the batch with the last session record begins: events before it belong to an older session.
    pub(super) session_start: Cursor,
    /// After the last batch.
    pub(super) end: Cursor,
}

/// The condition in which a journal was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// There is no valid batch in either bank.
    Blank,
    /// No damage was found. A bank with a damaged header looks like a bank whose erase was interrupted, and is ignored.
    Whole,
    /// The last write was torn, or later data is damaged. Everything before it was recovered.
    Torn,
}

impl JournalContents {
    pub(super) fn new(bank: Bank, cursor: Cursor) -> Self {
        Self {
            condition: Condition::Blank,
            settings: Settings::default(),
            values: Values::new(),
            clocks: None,
            memory: None,
            info: GameInfo::LOCAL,
            bank,
            session_start: cursor,
            end: cursor,
        }
    }

    /// The events that the relay may not have received, the oldest first, for
    /// [`Session::new`](crate::session::Session::new). They are read from the banks while iterating, so the caller must
    /// take them before the next write.
    pub fn events<'b, B: Banks>(&self, banks: &'b mut B) -> Events<'b, B> {
        Events {
            frames: FrameReader::new(banks, self.bank, self.session_start),
            end: self.end,
            frame: self.session_start,
            taken: 0,
        }
    }
}

/// Iterator over the events in a journal.
pub struct Events<'b, B> {
    frames: FrameReader<'b, B>,
    end: Cursor,
    /// The frame of the next event. It is read again for each event, because the iterator cannot borrow from its own
    /// buffer.
    frame: Cursor,
    /// Number of records of this frame that were already visited.
    taken: usize,
}

impl<B: Banks> Iterator for Events<'_, B> {
    type Item = NumberedEvent;

    fn next(&mut self) -> Option<NumberedEvent> {
        while self.frame != self.end {
            self.frames.seek(self.frame);
            let FrameRead::Frame(frame) = self.frames.next() else { return None };
            for record in frame.records().flatten().skip(self.taken) {
                self.taken = self.taken.saturating_add(1);
                if let Record::NumberedEvent(event) = record {
                    return Some(event);
                }
            }
            self.taken = 0;
            self.frame = self.frames.cursor();
        }
        None
    }
}
