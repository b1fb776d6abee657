//! Lines for logs, and rooms with nothing special about them.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, bail};
use host_server::room::{Code, Entry, Fact, RoomId, Terms, Time};
use host_server::store::{Appended, Batch, Created, Store};

/// A number that is not used twice in this process.
pub(crate) fn fresh() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

pub(crate) fn fresh_code() -> Code {
    format!("code_{}", fresh()).parse().expect("letters and digits are a code")
}

pub(crate) fn opening(room: RoomId, code: &Code) -> Entry {
    let fact = Fact::Opened { room, code: code.clone(), terms: Terms::default(), on: 0 };
    Entry { at: Time(0), pen: 0, from: None, fact }
}

/// A line that can be told from all others by its pen.
pub(crate) fn line(pen: u64) -> Entry {
    Entry { at: Time(pen), pen, from: None, fact: Fact::Halted }
}

pub(crate) fn batch(after: u64, entries: Vec<Entry>) -> Batch {
    Batch { after, entries, state: Some(vec![0, 1, 2, 0xff]), frees: None }
}

/// A room that is open.
pub(crate) async fn open_room(store: &dyn Store) -> Result<(RoomId, Code)> {
    let (room, code) = (RoomId(fresh()), fresh_code());
    assert_eq!(store.create(room, &code, &[opening(room, &code)]).await?, Created::Done);
    Ok((room, code))
}

/// Closes a room that has so many lines.
pub(crate) async fn close_room(store: &dyn Store, room: RoomId, code: &Code, after: u64) -> Result<()> {
    let closing = Entry { at: Time(0), pen: 0, from: None, fact: Fact::Closed };
    let batch = Batch { frees: Some(code.clone()), ..batch(after, vec![closing]) };
    assert_eq!(store.append(room, batch).await?, Appended::Done);
    Ok(())
}

/// Adds a line as a relay does, catching up as often as it takes. Returns how many lines there are after it.
pub(crate) async fn add(store: &dyn Store, room: RoomId, known: u64, pen: u64) -> Result<u64> {
    let mut known = known;
    for _ in 0..1000 {
        match store.append(room, batch(known, vec![line(pen)])).await? {
            Appended::Done => return Ok(known + 1),
            Appended::Behind(missing) => {
                assert!(!missing.is_empty(), "whoever is behind misses something");
                known += missing.len() as u64;
            }
        }
    }
    bail!("others are always quicker")
}

pub(crate) fn pens(log: &[Entry]) -> Vec<u64> {
    log.iter().map(|entry| entry.pen).collect()
}
