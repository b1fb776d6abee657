//! Reads from the tables.

use redb::{ReadTransaction, ReadableTable};
use serde::Deserialize;

use super::file::Trouble;
use super::tables::{self, CODES, COMMITS, LOG, NUMBERS};
use crate::room::{Code, Entry, RoomId};
use crate::store::{Collection, Record};

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

/// The write id of an entry, by its number from 1.
pub(super) fn write_id(
    log: &impl ReadableTable<(u64, u64), &'static [u8]>,
    room: RoomId,
    number: u64,
) -> Result<Option<u64>, Trouble> {
    #[derive(Deserialize)]
    struct Written {
        write_id: u64,
    }
    let Some(line) = log.get((room.0, number))? else { return Ok(None) };
    let written: Written = serde_json::from_slice(line.value())
        .map_err(|error| Trouble::Corrupt(format!("line {number} of room {room}: {error}")))?;
    Ok(Some(written.write_id))
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
