//! What each change does to the tables. Whatever it might refuse, it refuses before it changes anything: other changes are
//! in the same transaction.

use redb::ReadableTable;

use super::file::Trouble;
use super::look;
use super::tables::Tables;
use crate::room::{Code, RoomId, Time};
use crate::store::{Appended, Created, Drawer};

pub(super) fn create(
    tables: &mut Tables<'_>,
    room: RoomId,
    code: &Code,
    lines: &[Vec<u8>],
) -> Result<Created, Trouble> {
    let holder = tables.codes.get(code.as_str())?.map(|holder| holder.value());
    if let Some(holder) = holder {
        if holder == room.0 {
            // Somebody who did not hear the answer asks again.
            return Ok(Created::Done);
        }
        if tables.open.get(holder)?.is_some() {
            return Ok(Created::Taken(RoomId(holder)));
        }
    }
    tables.codes.insert(code.as_str(), room.0)?;
    tables.open.insert(room.0, ())?;
    tables.rooms.insert(room.0, code.as_str())?;
    add(tables, room, 0, lines).map(|()| Created::Done)
}

pub(super) fn append(
    tables: &mut Tables<'_>,
    room: RoomId,
    after: u64,
    lines: &[Vec<u8>],
    closed_at: Option<Time>,
) -> Result<Appended, Trouble> {
    let length = look::length(&tables.log, room)?;
    if length == 0 {
        return Err(Trouble::Corrupt(format!("there is no room {room}")));
    }
    if length < after {
        return Err(Trouble::Corrupt(format!("the log of room {room} has {length} lines, and should have {after}")));
    }
    if length > after {
        return Ok(Appended::Behind(look::lines(&tables.log, room, after)?));
    }
    add(tables, room, length, lines)?;
    if let Some(at) = closed_at
        && tables.open.remove(room.0)?.is_some()
    {
        tables.closed.insert((at.0, room.0), ())?;
    }
    Ok(Appended::Done)
}

fn add(tables: &mut Tables<'_>, room: RoomId, length: u64, lines: &[Vec<u8>]) -> Result<(), Trouble> {
    for (line, number) in lines.iter().zip(length + 1..) {
        tables.log.insert((room.0, number), line.as_slice())?;
    }
    Ok(())
}

pub(super) fn write(
    tables: &mut Tables<'_>,
    drawer: Drawer,
    name: &str,
    version: u64,
    bytes: &[u8],
) -> Result<Option<u64>, Trouble> {
    let current = tables.drawer(drawer).get(name)?.map_or(0, |record| record.value().0);
    if current != version {
        return Ok(None);
    }
    let version = tables.new_version()?;
    tables.drawer(drawer).insert(name, (version, bytes))?;
    Ok(Some(version))
}

pub(super) fn remove(tables: &mut Tables<'_>, drawer: Drawer, name: &str) -> Result<bool, Trouble> {
    Ok(tables.drawer(drawer).remove(name)?.is_some())
}

/// Removes rooms that were closed before a moment, but only so many. Returns whether it removed as many.
pub(super) fn sweep(tables: &mut Tables<'_>, before: Time, at_most: usize) -> Result<bool, Trouble> {
    let mut rooms = Vec::new();
    for closed in tables.closed.range(..(before.0, 0))?.take(at_most) {
        rooms.push(closed?.0.value());
    }
    for &(at, room) in &rooms {
        tables.closed.remove((at, room))?;
        tables.log.retain_in((room, 0)..=(room, u64::MAX), |_, _| false)?;
        let code = tables.rooms.remove(room)?.map(|code| code.value().to_owned());
        // By now another room may have the code.
        if let Some(code) = code
            && tables.codes.get(code.as_str())?.is_some_and(|holder| holder.value() == room)
        {
            tables.codes.remove(code.as_str())?;
        }
    }
    Ok(rooms.len() == at_most)
}
