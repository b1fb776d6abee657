//! Log entries and rooms for the store tests.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, bail};
use host_server::room::{Code, Entry, Fact, RoomId, Terms, Time};
use host_server::store::{Appended, Batch, Created, Head, Store};

/// A number that is unique in this process.
pub(crate) fn fresh() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

pub(crate) fn fresh_code() -> Code {
    format!("code_{}", fresh()).parse().expect("letters and digits are a code")
}

pub(crate) fn opening(room: RoomId, code: &Code) -> Entry {
    let fact = Fact::Opened { room, code: code.clone(), terms: Terms::default(), on: 0 };
    Entry { at: Time(0), write_id: 0, from: None, fact }
}

/// An entry with this write id.
pub(crate) fn line(write_id: u64) -> Entry {
    Entry { at: Time(write_id), write_id, from: None, fact: Fact::CountdownStopped }
}

/// The end of a log whose last entry has this write id.
pub(crate) fn head(version: u64, write_id: u64) -> Head {
    Head { version, write_id }
}

pub(crate) fn batch(after: Head, entries: Vec<Entry>) -> Batch {
    Batch { after, entries, state: Some(vec![0, 1, 2, 0xff]), frees: None }
}

/// Creates a room.
pub(crate) async fn open_room(store: &dyn Store) -> Result<(RoomId, Code)> {
    let (room, code) = (RoomId(fresh()), fresh_code());
    assert_eq!(store.create(room, &code, &[opening(room, &code)]).await?, Created::Done);
    Ok((room, code))
}

/// Closes a room whose log ends with `after`.
pub(crate) async fn close_room(store: &dyn Store, room: RoomId, code: &Code, after: Head) -> Result<()> {
    let closing = Entry { at: Time(0), write_id: 0, from: None, fact: Fact::Closed };
    let batch = Batch { frees: Some(code.clone()), ..batch(after, vec![closing]) };
    assert_eq!(store.append(room, batch).await?, Appended::Done);
    Ok(())
}

/// Appends an entry as a relay does, retrying after version conflicts. Returns the end of the log after it.
pub(crate) async fn add(store: &dyn Store, room: RoomId, known: Head, write_id: u64) -> Result<Head> {
    let mut known = known;
    for _ in 0..1000 {
        let entries = vec![line(write_id)];
        match store.append(room, batch(known, entries.clone())).await? {
            Appended::Done => return Ok(known.after(&entries)),
            Appended::Conflict(missing) => {
                assert!(!missing.is_empty(), "a version conflict returns the missing entries");
                known = known.after(&missing);
            }
            Appended::Diverged => bail!("the log has lost the entry {known:?}"),
        }
    }
    bail!("a version conflict at every attempt")
}

pub(crate) fn write_ids(log: &[Entry]) -> Vec<u64> {
    log.iter().map(|entry| entry.write_id).collect()
}
