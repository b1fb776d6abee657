//! The tables of the file.

use redb::{
    Key, ReadTransaction, ReadableTable, ReadableTableMetadata, Table, TableDefinition, TableError, Value,
    WriteTransaction,
};

use super::file::Trouble;
use crate::room::Time;
use crate::store::Collection;

/// The entries of all logs, as JSON, by room and number from 1.
pub(super) const LOG: TableDefinition<'_, (u64, u64), &[u8]> = TableDefinition::new("log");
/// The code of every stored room. The length of its log is not here, since every move would have to update it.
pub(super) const ROOMS: TableDefinition<'_, u64, &str> = TableDefinition::new("codes of rooms");
/// The rooms that are not closed.
pub(super) const OPEN: TableDefinition<'_, u64, ()> = TableDefinition::new("open");
/// The closed rooms, by closing time.
pub(super) const CLOSED: TableDefinition<'_, (u64, u64), ()> = TableDefinition::new("closed");
/// The room with a code, or the last one that had it.
pub(super) const CODES: TableDefinition<'_, &str, u64> = TableDefinition::new("codes");
/// Records, with their versions.
const BOARDS: TableDefinition<'_, &str, (u64, &[u8])> = TableDefinition::new("boards");
const SESSIONS: TableDefinition<'_, &str, (u64, &[u8])> = TableDefinition::new("sessions");
const GENOMES: TableDefinition<'_, &str, (u64, &[u8])> = TableDefinition::new("genomes");
const PRESETS: TableDefinition<'_, &str, (u64, &[u8])> = TableDefinition::new("presets");
/// Set-up positions of LiveChess clients.
const LIVECHESS: TableDefinition<'_, &str, (u64, &[u8])> = TableDefinition::new("livechess");
/// Rule scripts.
const SCRIPTS: TableDefinition<'_, &str, (u64, &[u8])> = TableDefinition::new("scripts");
/// The games of each board.
const BOARD_GAMES: TableDefinition<'_, &str, (u64, &[u8])> = TableDefinition::new("games of boards");
/// Codes of tables that wait.
const SHORT_CODES: TableDefinition<'_, &str, (u64, &[u8])> = TableDefinition::new("short codes");
/// A value that the health check writes after a failure, to find out whether there is room again.
const PROBE: TableDefinition<'_, (), &[u8]> = TableDefinition::new("probe");
/// Single numbers of the whole store, under the names below.
pub(super) const NUMBERS: TableDefinition<'_, &str, u64> = TableDefinition::new("numbers");

/// The format version.
pub(super) const FORMAT: &str = "format";
/// The time of the last commit.
pub(super) const TIME: &str = "time";
/// The number of commits. After a failure it shows whether the last one succeeded.
pub(super) const COMMITS: &str = "commits";
/// The last version of any record. One counter for all, so that a record that is removed and written again has a new version.
const VERSION: &str = "version";

/// All collections.
const COLLECTIONS: [Collection; 8] = [
    Collection::Boards,
    Collection::Sessions,
    Collection::Genomes,
    Collection::Presets,
    Collection::LiveChess,
    Collection::Scripts,
    Collection::BoardGames,
    Collection::ShortCodes,
];

/// The size of all tables that grow with use, in bytes of their pages.
pub(super) fn used(file: &ReadTransaction) -> Result<u64, Trouble> {
    let mut bytes = bytes_of(&file.open_table(LOG)?)? + bytes_of(&file.open_table(ROOMS)?)?;
    bytes += bytes_of(&file.open_table(CODES)?)? + bytes_of(&file.open_table(CLOSED)?)?;
    for records in COLLECTIONS {
        bytes += bytes_of(&file.open_table(collection(records))?)?;
    }
    Ok(bytes)
}

fn bytes_of(table: &impl ReadableTableMetadata) -> Result<u64, Trouble> {
    let stats = table.stats()?;
    Ok(stats.stored_bytes() + stats.metadata_bytes() + stats.fragmented_bytes())
}

/// The table of a collection.
pub(super) const fn collection(collection: Collection) -> TableDefinition<'static, &'static str, (u64, &'static [u8])> {
    match collection {
        Collection::Boards => BOARDS,
        Collection::Sessions => SESSIONS,
        Collection::Genomes => GENOMES,
        Collection::Presets => PRESETS,
        Collection::LiveChess => LIVECHESS,
        Collection::Scripts => SCRIPTS,
        Collection::BoardGames => BOARD_GAMES,
        Collection::ShortCodes => SHORT_CODES,
    }
}

/// A table of a write transaction, opened when it is first used: every open table costs time in the commit.
pub(super) struct LazyTable<'a, K: Key + 'static, V: Value + 'static> {
    transaction: &'a WriteTransaction,
    definition: TableDefinition<'static, K, V>,
    table: Option<Table<'a, K, V>>,
}

impl<'a, K: Key + 'static, V: Value + 'static> LazyTable<'a, K, V> {
    const fn new(transaction: &'a WriteTransaction, definition: TableDefinition<'static, K, V>) -> Self {
        Self { transaction, definition, table: None }
    }

    /// The open table. It is created if the file does not have it.
    pub(super) fn open(&mut self) -> Result<&mut Table<'a, K, V>, TableError> {
        let table = match self.table.take() {
            Some(table) => table,
            None => self.transaction.open_table(self.definition)?,
        };
        Ok(self.table.insert(table))
    }
}

/// Records, with their versions, by name.
type Records<'a> = LazyTable<'a, &'static str, (u64, &'static [u8])>;

/// All tables of a write transaction.
pub(super) struct Tables<'a> {
    pub(super) log: LazyTable<'a, (u64, u64), &'static [u8]>,
    pub(super) rooms: LazyTable<'a, u64, &'static str>,
    pub(super) open: LazyTable<'a, u64, ()>,
    pub(super) closed: LazyTable<'a, (u64, u64), ()>,
    pub(super) codes: LazyTable<'a, &'static str, u64>,
    boards: Records<'a>,
    sessions: Records<'a>,
    genomes: Records<'a>,
    presets: Records<'a>,
    livechess: Records<'a>,
    scripts: Records<'a>,
    board_games: Records<'a>,
    short_codes: Records<'a>,
    pub(super) numbers: LazyTable<'a, &'static str, u64>,
    pub(super) probe: LazyTable<'a, (), &'static [u8]>,
}

impl<'a> Tables<'a> {
    pub(super) const fn of(transaction: &'a WriteTransaction) -> Self {
        Self {
            log: LazyTable::new(transaction, LOG),
            rooms: LazyTable::new(transaction, ROOMS),
            open: LazyTable::new(transaction, OPEN),
            closed: LazyTable::new(transaction, CLOSED),
            codes: LazyTable::new(transaction, CODES),
            boards: LazyTable::new(transaction, BOARDS),
            sessions: LazyTable::new(transaction, SESSIONS),
            genomes: LazyTable::new(transaction, GENOMES),
            presets: LazyTable::new(transaction, PRESETS),
            livechess: LazyTable::new(transaction, LIVECHESS),
            scripts: LazyTable::new(transaction, SCRIPTS),
            board_games: LazyTable::new(transaction, BOARD_GAMES),
            short_codes: LazyTable::new(transaction, SHORT_CODES),
            numbers: LazyTable::new(transaction, NUMBERS),
            probe: LazyTable::new(transaction, PROBE),
        }
    }

    /// Creates the tables that the file does not have: reads need all of them.
    pub(super) fn create_all(&mut self) -> Result<(), TableError> {
        self.log.open()?;
        self.rooms.open()?;
        self.open.open()?;
        self.closed.open()?;
        self.codes.open()?;
        for records in [
            &mut self.boards,
            &mut self.sessions,
            &mut self.genomes,
            &mut self.presets,
            &mut self.livechess,
            &mut self.scripts,
            &mut self.board_games,
            &mut self.short_codes,
        ] {
            records.open()?;
        }
        self.numbers.open()?;
        self.probe.open()?;
        Ok(())
    }

    pub(super) fn collection(
        &mut self,
        collection: Collection,
    ) -> Result<&mut Table<'a, &'static str, (u64, &'static [u8])>, TableError> {
        match collection {
            Collection::Boards => self.boards.open(),
            Collection::Sessions => self.sessions.open(),
            Collection::Genomes => self.genomes.open(),
            Collection::Presets => self.presets.open(),
            Collection::LiveChess => self.livechess.open(),
            Collection::Scripts => self.scripts.open(),
            Collection::BoardGames => self.board_games.open(),
            Collection::ShortCodes => self.short_codes.open(),
        }
    }

    /// A version that no record ever had.
    pub(super) fn new_version(&mut self) -> Result<u64, Trouble> {
        let numbers = self.numbers.open()?;
        let version = numbers.get(VERSION)?.map_or(0, |last| last.value()) + 1;
        numbers.insert(VERSION, version)?;
        Ok(version)
    }

    /// Updates the metadata that every commit contains.
    pub(super) fn finish(&mut self, time: Time, commits: u64) -> Result<(), Trouble> {
        let numbers = self.numbers.open()?;
        numbers.insert(TIME, time.0)?;
        numbers.insert(COMMITS, commits)?;
        Ok(())
    }
}
