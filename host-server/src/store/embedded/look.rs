//! What is read from the file.

use redb::{ReadTransaction, ReadableTable};

use super::file::Trouble;
use super::tables::{self, CODES, COMMITS, LOG, NUMBERS};
use crate::room::{Code, Entry, RoomId};
use crate::store::{Drawer, Record};

pub(super) fn find(file: &ReadTransaction, code: &Code) -> Result<Option<RoomId>, Trouble> {
    let codes = file.open_table(CODES)?;
    Ok(codes.get(code.as_str())?.map(|room| RoomId(room.value())))
}

pub(super) fn load(file: &ReadTransaction, room: RoomId, after: u64) -> Result<Vec<Entry>, Trouble> {
    lines(&file.open_table(LOG)?, room, after)
}

/// How many lines a log has.
pub(super) fn length(log: &impl ReadableTable<(u64, u64), &'static [u8]>, room: RoomId) -> Result<u64, Trouble> {
    let last = log.range((room.0, 0)..=(room.0, u64::MAX))?.next_back().transpose()?;
    Ok(last.map_or(0, |(key, _)| key.value().1))
}

/// The lines of a log after the first so many.
pub(super) fn lines(
    log: &impl ReadableTable<(u64, u64), &'static [u8]>,
    room: RoomId,
    after: u64,
) -> Result<Vec<Entry>, Trouble> {
    let Some(first) = after.checked_add(1) else { return Ok(Vec::new()) };
    let mut entries = Vec::new();
    for line in log.range((room.0, first)..=(room.0, u64::MAX))? {
        let (key, value) = line?;
        let entry = serde_json::from_slice(value.value())
            .map_err(|error| Trouble::Corrupt(format!("line {} of room {room}: {error}", key.value().1)))?;
        entries.push(entry);
    }
    Ok(entries)
}

pub(super) fn read(file: &ReadTransaction, drawer: Drawer, name: &str) -> Result<Option<Record>, Trouble> {
    let records = file.open_table(tables::drawer(drawer))?;
    Ok(records.get(name)?.map(|record| {
        let (version, bytes) = record.value();
        Record { version, bytes: bytes.to_vec() }
    }))
}

pub(super) fn list(file: &ReadTransaction, drawer: Drawer) -> Result<Vec<(String, Record)>, Trouble> {
    let records = file.open_table(tables::drawer(drawer))?;
    let mut list = Vec::new();
    for record in records.iter()? {
        let (name, record) = record?;
        let (version, bytes) = record.value();
        list.push((name.value().to_owned(), Record { version, bytes: bytes.to_vec() }));
    }
    Ok(list)
}

/// How many commits the file has seen.
pub(super) fn commits(file: &ReadTransaction) -> Result<u64, Trouble> {
    let commits = file.open_table(NUMBERS)?.get(COMMITS)?.map(|commits| commits.value());
    commits.ok_or_else(|| Trouble::Corrupt("the file does not say how many commits it has seen".to_owned()))
}
