//! Integrity check of the file, for `tabiya store check`.

use std::collections::HashSet;
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

/// Reads all tables. Every room has a log that begins with its opening, and is either open or closed. The log of an open room has no gaps;
/// that of a closed one has no chat any more.
fn contents(database: &Database) -> Result<Checked, Trouble> {
    let transaction = database.begin_read()?;
    let rooms = transaction.open_table(ROOMS)?;
    let open = transaction.open_table(OPEN)?;
    let mut checked = Checked { rooms: rooms.len()?, open_rooms: open.len()?, ..Checked::default() };
    let closed: HashSet<u64> = transaction
        .open_table(CLOSED)?
        .iter()?
        .map(|closed| Ok(closed?.0.value().1))
        .collect::<Result<_, Trouble>>()?;
    let (mut room, mut next, mut may_have_gaps) = (0, 1, false);
    for line in transaction.open_table(LOG)?.iter()? {
        let (key, value) = line?;
        let (of, number) = key.value();
        if of != room {
            (room, next, may_have_gaps) = (of, 1, closed.contains(&of));
        }
        let corrupt = |why: &str| Trouble::Corrupt(format!("entry {number} of room {of:016x}: {why}"));
        if number != next && (next == 1 || !may_have_gaps) {
            return Err(corrupt("the entry before it is missing"));
        }
        let entry: Entry = serde_json::from_slice(value.value()).map_err(|error| corrupt(&error.to_string()))?;
        if (number == 1) != matches!(entry.fact, Fact::Opened { .. }) {
            return Err(corrupt("a log must begin with the opening of its room"));
        }
        if number == 1 && rooms.get(of)?.is_none() {
            return Err(corrupt("the room is not in the list of rooms"));
        }
        next = number + 1;
        checked.entries += 1;
    }
    for room in open.iter()? {
        let room = room?.0.value();
        if rooms.get(room)?.is_none() {
            return Err(Trouble::Corrupt(format!("the open room {room:016x} is not in the list of rooms")));
        }
    }
    for room in closed {
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

#[cfg(test)]
mod tests {
    use redb::backends::InMemoryBackend;

    use super::super::tables::Tables;
    use super::*;
    use crate::room::{Code, RoomId, Terms, Time};

    /// A file with one room, of whose log it has only the entries with these numbers.
    fn checked(numbers: &[u64], is_closed: bool) -> Result<Checked, Trouble> {
        let (room, code): (_, Code) = (RoomId(7), "code".parse().unwrap());
        let database = Database::builder().create_with_backend(InMemoryBackend::new())?;
        let transaction = database.begin_write()?;
        let mut tables = Tables::of(&transaction);
        tables.create_all()?;
        for &number in numbers {
            let fact = match number {
                1 => Fact::Opened { room, code: code.clone(), terms: Terms::default(), on: 0 },
                _ => Fact::CountdownStopped,
            };
            let line = serde_json::to_vec(&Entry { at: Time(0), write_id: number, from: None, fact }).unwrap();
            tables.log.open()?.insert((room.0, number), line.as_slice())?;
        }
        tables.rooms.open()?.insert(room.0, "code")?;
        if is_closed {
            tables.closed.open()?.insert((0, room.0), ())?;
        } else {
            tables.open.open()?.insert(room.0, ())?;
        }
        drop(tables);
        transaction.commit()?;
        contents(&database)
    }

    #[test]
    fn only_a_closed_room_may_lack_entries_and_never_its_opening() {
        assert!(checked(&[1, 2, 3], false).is_ok());
        assert!(checked(&[1, 3], true).is_ok(), "the chat of a closed room is deleted");
        for (numbers, is_closed) in [(&[1, 3][..], false), (&[2, 3], false), (&[2, 3], true)] {
            assert!(matches!(checked(numbers, is_closed), Err(Trouble::Corrupt(_))), "{numbers:?} {is_closed}");
        }
    }
}
