//! Reads from the tables.

use redb::{ReadTransaction, ReadableTable};
use serde::Deserialize;

use super::file::Trouble;
use super::tables::{self, CODES, COMMITS, LOG, NUMBERS};
use crate::room::{Code, Entry, RoomId};
use crate::store::{Collection, Head, Record};

pub(super) fn find(file: &ReadTransaction, code: &Code) -> Result<Option<RoomId>, Trouble> {
    let codes = file.open_table(CODES)?;
    Ok(codes.get(code.as_str())?.map(|room| RoomId(room.value())))
}

pub(super) fn load(file: &ReadTransaction, room: RoomId, after: u64, most: usize) -> Result<Vec<Entry>, Trouble> {
    lines(&file.open_table(LOG)?, room, after, most)
}

/// The entries of a log as JSON.
pub(super) fn encoded(file: &ReadTransaction, room: RoomId) -> Result<Vec<Vec<u8>>, Trouble> {
    let log = file.open_table(LOG)?;
    log.range((room.0, 0)..=(room.0, u64::MAX))?.map(|line| Ok(line?.1.value().to_vec())).collect()
}

/// The number of entries of a log, with those of a chat that was deleted.
pub(super) fn length(log: &impl ReadableTable<(u64, u64), &'static [u8]>, room: RoomId) -> Result<u64, Trouble> {
    let last = log.range((room.0, 0)..=(room.0, u64::MAX))?.next_back().transpose()?;
    Ok(last.map_or(0, |(key, _)| key.value().1))
}

/// The last entry of a log. `None` if there is no log.
pub(super) fn last(log: &impl ReadableTable<(u64, u64), &'static [u8]>, room: RoomId) -> Result<Option<Head>, Trouble> {
    let Some(last) = log.range((room.0, 0)..=(room.0, u64::MAX))?.next_back() else { return Ok(None) };
    let (key, line) = last?;
    let version = key.value().1;
    Ok(Some(Head { version, write_id: write_id_in(line.value(), room, version)? }))
}

/// The write id of an entry, by its number from 1.
pub(super) fn write_id(
    log: &impl ReadableTable<(u64, u64), &'static [u8]>,
    room: RoomId,
    number: u64,
) -> Result<Option<u64>, Trouble> {
    let Some(line) = log.get((room.0, number))? else { return Ok(None) };
    write_id_in(line.value(), room, number).map(Some)
}

fn write_id_in(line: &[u8], room: RoomId, number: u64) -> Result<u64, Trouble> {
    #[derive(Deserialize)]
    struct Written {
        write_id: u64,
    }
    if let Some(write_id) = first_write_id(line) {
        return Ok(write_id);
    }
    let written: Written = serde_json::from_slice(line)
        .map_err(|error| Trouble::Corrupt(format!("line {number} of room {room}: {error}")))?;
    Ok(written.write_id)
}

/// The write id of an entry as this program writes it, for the one line that every append reads. Quotes within JSON strings are escaped
/// and the fact comes last, so this matches the field of the entry itself.
fn first_write_id(line: &[u8]) -> Option<u64> {
    const FIELD: &[u8] = br#","write_id":"#;
    let start = line.windows(FIELD.len()).position(|window| window == FIELD)? + FIELD.len();
    let number = line.get(start..)?;
    let digits = number.iter().position(|byte| !byte.is_ascii_digit())?;
    std::str::from_utf8(number.get(..digits)?).ok()?.parse().ok()
}

/// At most `most` entries of a log after the first `after`.
pub(super) fn lines(
    log: &impl ReadableTable<(u64, u64), &'static [u8]>,
    room: RoomId,
    after: u64,
    most: usize,
) -> Result<Vec<Entry>, Trouble> {
    let Some(first) = after.checked_add(1) else { return Ok(Vec::new()) };
    let mut entries = Vec::new();
    for line in log.range((room.0, first)..=(room.0, u64::MAX))?.take(most) {
        let (key, value) = line?;
        let entry = serde_json::from_slice(value.value())
            .map_err(|error| Trouble::Corrupt(format!("line {} of room {room}: {error}", key.value().1)))?;
        entries.push(entry);
    }
    Ok(entries)
}

pub(super) fn read(file: &ReadTransaction, collection: Collection, name: &str) -> Result<Option<Record>, Trouble> {
    let records = file.open_table(tables::collection(collection))?;
    Ok(records.get(name)?.map(|record| {
        let (version, bytes) = record.value();
        Record { version, bytes: bytes.to_vec() }
    }))
}

pub(super) fn list(file: &ReadTransaction, collection: Collection) -> Result<Vec<(String, Record)>, Trouble> {
    let records = file.open_table(tables::collection(collection))?;
    let mut list = Vec::new();
    for record in records.iter()? {
        let (name, record) = record?;
        let (version, bytes) = record.value();
        list.push((name.value().to_owned(), Record { version, bytes: bytes.to_vec() }));
    }
    Ok(list)
}

/// The number of commits.
pub(super) fn commits(file: &ReadTransaction) -> Result<u64, Trouble> {
    let commits = file.open_table(NUMBERS)?.get(COMMITS)?.map(|commits| commits.value());
    commits.ok_or_else(|| Trouble::Corrupt("the number of commits is missing".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::{Fact, Participant, Speaker, Time};

    #[test]
    fn the_write_id_is_that_of_the_entry_itself() {
        let speaker = Participant::new("ann".parse().unwrap());
        let speaker = Speaker { id: speaker.id, name: speaker.name, color: None };
        let fact = Fact::Said { speaker, text: r#"{"at":1,"write_id":2,"#.to_owned() };
        let line = serde_json::to_vec(&Entry { at: Time(3), write_id: u64::MAX, from: None, fact }).unwrap();
        assert_eq!(first_write_id(&line), Some(u64::MAX));
        // Entries of other programs are decoded as JSON.
        for (line, found) in [(&br#"{"write_id": 7, "at": 1}"#[..], 7), (br#"{"at":1, "write_id" : 8}"#, 8)] {
            assert_eq!((first_write_id(line), write_id_in(line, RoomId(1), 1).unwrap()), (None, found));
        }
        assert!(write_id_in(b"{", RoomId(1), 1).is_err());
    }
}
