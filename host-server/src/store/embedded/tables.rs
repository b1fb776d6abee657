//! What is in the file.

use redb::{ReadableTable, StorageError, Table, TableDefinition, TableError, WriteTransaction};

use crate::room::Time;
use crate::store::Drawer;

/// The lines of all logs, as JSON, by room and by number from 1.
pub(super) const LOG: TableDefinition<'_, (u64, u64), &[u8]> = TableDefinition::new("log");
/// The code of every room that is kept. How many lines its log has is not here, where it would have to be written again with
/// every move: the log says so itself.
pub(super) const ROOMS: TableDefinition<'_, u64, &str> = TableDefinition::new("codes of rooms");
/// The rooms that are not closed.
pub(super) const OPEN: TableDefinition<'_, u64, ()> = TableDefinition::new("open");
/// The rooms that are closed, in the order in which they were.
pub(super) const CLOSED: TableDefinition<'_, (u64, u64), ()> = TableDefinition::new("closed");
/// The room that a code opens, or has opened last.
pub(super) const CODES: TableDefinition<'_, &str, u64> = TableDefinition::new("codes");
/// Records, with their versions.
const BOARDS: TableDefinition<'_, &str, (u64, &[u8])> = TableDefinition::new("boards");
const SESSIONS: TableDefinition<'_, &str, (u64, &[u8])> = TableDefinition::new("sessions");
/// A few numbers about all of it.
pub(super) const NUMBERS: TableDefinition<'_, &str, u64> = TableDefinition::new("numbers");

/// In which version of this the file was written.
pub(super) const FORMAT: &str = "format";
/// What time it was at the last commit.
pub(super) const TIME: &str = "time";
/// How many commits there were. After a failure it says whether the last one got through.
pub(super) const COMMITS: &str = "commits";
/// The last version that a record got. One count for all of them, so that a record that is removed and comes back does not
/// have a version that somebody remembers.
const VERSION: &str = "version";

/// Where the records of a drawer are.
pub(super) const fn drawer(drawer: Drawer) -> TableDefinition<'static, &'static str, (u64, &'static [u8])> {
    match drawer {
        Drawer::Boards => BOARDS,
        Drawer::Sessions => SESSIONS,
    }
}

/// All tables, open for writing.
pub(super) struct Tables<'a> {
    pub(super) log: Table<'a, (u64, u64), &'static [u8]>,
    pub(super) rooms: Table<'a, u64, &'static str>,
    pub(super) open: Table<'a, u64, ()>,
    pub(super) closed: Table<'a, (u64, u64), ()>,
    pub(super) codes: Table<'a, &'static str, u64>,
    boards: Table<'a, &'static str, (u64, &'static [u8])>,
    sessions: Table<'a, &'static str, (u64, &'static [u8])>,
    pub(super) numbers: Table<'a, &'static str, u64>,
}

impl<'a> Tables<'a> {
    pub(super) fn open(transaction: &'a WriteTransaction) -> Result<Self, TableError> {
        Ok(Self {
            log: transaction.open_table(LOG)?,
            rooms: transaction.open_table(ROOMS)?,
            open: transaction.open_table(OPEN)?,
            closed: transaction.open_table(CLOSED)?,
            codes: transaction.open_table(CODES)?,
            boards: transaction.open_table(BOARDS)?,
            sessions: transaction.open_table(SESSIONS)?,
            numbers: transaction.open_table(NUMBERS)?,
        })
    }

    pub(super) fn drawer(&mut self, drawer: Drawer) -> &mut Table<'a, &'static str, (u64, &'static [u8])> {
        match drawer {
            Drawer::Boards => &mut self.boards,
            Drawer::Sessions => &mut self.sessions,
        }
    }

    /// A version that no record ever had.
    pub(super) fn new_version(&mut self) -> Result<u64, StorageError> {
        let version = self.numbers.get(VERSION)?.map_or(0, |last| last.value()) + 1;
        self.numbers.insert(VERSION, version)?;
        Ok(version)
    }

    /// Writes down what every commit does.
    pub(super) fn finish(&mut self, time: Time, commits: u64) -> Result<(), StorageError> {
        self.numbers.insert(TIME, time.0)?;
        self.numbers.insert(COMMITS, commits)?;
        Ok(())
    }
}
