//! Integrity check of the file, for `tabiya store check`.

use std::path::Path;

use redb::{Database, ReadableDatabase, ReadableTable, ReadableTableMetadata, TableError};

use super::file::{self, OpenError, Trouble};
use super::tables::{self, CLOSED, CODES, LOG, OPEN, ROOMS};
use crate::room::{Entry, Fact};
use crate::store::Collection;

/// The content of a file without damage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Checked {
    pub rooms: u64,
    pub open_rooms: u64,
    pub entries: u64,
    pub boards: u64,
    /// The file was not closed properly, and its list of free pages was rebuilt. No data is lost.
    pub is_repaired: bool,
}

/// Checks the checksums and the structure of the file, and reads everything in it. No relay may have it open.
pub fn check(path: &Path) -> Result<Checked, OpenError> {
    file::guard(path, || {
        let mut database = file::open_existing(path)?;
        let is_clean = database.check_integrity().map_err(|error| file::sort(path, error))?;
        let checked = contents(&database).map_err(|trouble| match trouble {
            Trouble::Corrupt(why) => OpenError::Damaged(path.to_owned(), why),
            Trouble::Storage(error) => OpenError::Damaged(path.to_owned(), error.to_string()),
        })?;
        Ok(Checked { is_repaired: !is_clean, ..checked })
    })
}

/// Reads all tables. Every room has a log without gaps that begins with its opening, and is either open or closed.
fn contents(database: &Database) -> Result<Checked, Trouble> {
    let transaction = database.begin_read()?;
    let rooms = transaction.open_table(ROOMS)?;
    let open = transaction.open_table(OPEN)?;
    let mut checked = Checked { rooms: rooms.len()?, open_rooms: open.len()?, ..Checked::default() };
    let (mut room, mut next) = (0, 1);
    for line in transaction.open_table(LOG)?.iter()? {
        let (key, value) = line?;
        let (of, number) = key.value();
        if of != room {
            (room, next) = (of, 1);
        }
        let corrupt = |why: &str| Trouble::Corrupt(format!("entry {number} of room {of:016x}: {why}"));
        if number != next {
            return Err(corrupt("the entry before it is missing"));
        }
        let entry: Entry = serde_json::from_slice(value.value()).map_err(|error| corrupt(&error.to_string()))?;
        if (number == 1) != matches!(entry.fact, Fact::Opened { .. }) {
            return Err(corrupt("a log must begin with the opening of its room"));
        }
        if number == 1 && rooms.get(of)?.is_none() {
            return Err(corrupt("the room is not in the list of rooms"));
        }
        next += 1;
        checked.entries += 1;
    }
    for room in open.iter()? {
        let room = room?.0.value();
        if rooms.get(room)?.is_none() {
            return Err(Trouble::Corrupt(format!("the open room {room:016x} is not in the list of rooms")));
        }
    }
    for closed in transaction.open_table(CLOSED)?.iter()? {
        let (_, room) = closed?.0.value();
        if rooms.get(room)?.is_none() {
            return Err(Trouble::Corrupt(format!("the closed room {room:016x} is not in the list of rooms")));
        }
    }
    for code in transaction.open_table(CODES)?.iter()? {
        let (code, room) = code?;
        if rooms.get(room.value())?.is_none() {
            return Err(Trouble::Corrupt(format!("the code {} leads to no room", code.value())));
        }
    }
    for collection in [Collection::Boards, Collection::Sessions, Collection::BoardGames] {
        let records = match transaction.open_table(tables::collection(collection)) {
            // No relay of this version has written to the file yet.
            Err(TableError::TableDoesNotExist(_)) if collection == Collection::BoardGames => continue,
            records => records?,
        };
        if collection == Collection::Boards {
            checked.boards = records.len()?;
        }
        for record in records.iter()? {
            let (name, record) = record?;
            serde_json::from_slice::<serde::de::IgnoredAny>(record.value().1)
                .map_err(|error| Trouble::Corrupt(format!("the record {:?}: {error}", name.value())))?;
        }
    }
    Ok(checked)
}
