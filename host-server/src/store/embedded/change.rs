//! What each change does to the tables. A change that fails does so before it writes, because other changes share its
//! transaction.

use redb::ReadableTable;

use super::file::Trouble;
use super::look;
use super::tables::Tables;
use crate::room::{Code, RoomId, Time};
use crate::store::{Appended, Collection, Created, Head, is_chat};

pub(super) fn create(
    tables: &mut Tables<'_>,
    room: RoomId,
    code: &Code,
    lines: &[Vec<u8>],
) -> Result<Created, Trouble> {
    let holder = tables.codes.open()?.get(code.as_str())?.map(|holder| holder.value());
    if let Some(holder) = holder {
        if holder == room.0 {
            // A retry of a create whose answer was lost.
            return Ok(Created::Done);
        }
        if tables.open.open()?.get(holder)?.is_some() {
            return Ok(Created::Taken(RoomId(holder)));
        }
    }
    tables.codes.open()?.insert(code.as_str(), room.0)?;
    tables.open.open()?.insert(room.0, ())?;
    tables.rooms.open()?.insert(room.0, code.as_str())?;
    add(tables, room, 0, lines).map(|()| Created::Done)
}

pub(super) fn append(
    tables: &mut Tables<'_>,
    room: RoomId,
    after: Head,
    lines: &[Vec<u8>],
    closed_at: Option<Time>,
) -> Result<Appended, Trouble> {
    let last = look::last(tables.log.open()?, room)?;
    let Head { version: length, write_id } =
        last.ok_or_else(|| Trouble::Corrupt(format!("there is no room {room}")))?;
    let is_known = match after.version {
        0 => true,
        version if version == length => write_id == after.write_id,
        version => look::write_id(tables.log.open()?, room, version)? == Some(after.write_id),
    };
    if !is_known {
        return Ok(Appended::Diverged);
    }
    if length > after.version {
        return Ok(Appended::Conflict(look::lines(tables.log.open()?, room, after.version, usize::MAX)?));
    }
    add(tables, room, length, lines)?;
    if let Some(at) = closed_at
        && tables.open.open()?.remove(room.0)?.is_some()
    {
        tables.closed.open()?.insert((at.0, room.0), ())?;
        // The chat of a closed room is not kept.
        tables.log.open()?.retain_in((room.0, 0)..=(room.0, u64::MAX), |_, line| !is_chat(line))?;
    }
    Ok(Appended::Done)
}

fn add(tables: &mut Tables<'_>, room: RoomId, length: u64, lines: &[Vec<u8>]) -> Result<(), Trouble> {
    for (line, number) in lines.iter().zip(length + 1..) {
        tables.log.open()?.insert((room.0, number), line.as_slice())?;
    }
    Ok(())
}

pub(super) fn write(
    tables: &mut Tables<'_>,
    collection: Collection,
    name: &str,
    version: u64,
    bytes: &[u8],
) -> Result<Option<u64>, Trouble> {
    let current = tables.collection(collection)?.get(name)?.map_or(0, |record| record.value().0);
    if current != version {
        return Ok(None);
    }
    let version = tables.new_version()?;
    tables.collection(collection)?.insert(name, (version, bytes))?;
    Ok(Some(version))
}

pub(super) fn remove(tables: &mut Tables<'_>, collection: Collection, name: &str) -> Result<bool, Trouble> {
    Ok(tables.collection(collection)?.remove(name)?.is_some())
}

/// Removes rooms that were closed before a time, up to a limit. Returns whether the limit was reached.
pub(super) fn sweep(tables: &mut Tables<'_>, before: Time, at_most: usize) -> Result<bool, Trouble> {
    let mut rooms = Vec::new();
    for closed in tables.closed.open()?.range(..(before.0, 0))?.take(at_most) {
        rooms.push(closed?.0.value());
    }
    for &(at, room) in &rooms {
        tables.closed.open()?.remove((at, room))?;
        tables.log.open()?.retain_in((room, 0)..=(room, u64::MAX), |_, _| false)?;
        let code = tables.rooms.open()?.remove(room)?.map(|code| code.value().to_owned());
        // Another room may have the code by now.
        if let Some(code) = code
            && tables.codes.open()?.get(code.as_str())?.is_some_and(|holder| holder.value() == room)
        {
            tables.codes.open()?.remove(code.as_str())?;
        }
    }
    Ok(rooms.len() == at_most)
}
