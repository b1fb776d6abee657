//! The limit of the size of the store, on a file.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::relay::Relay;
use crate::room::{Code, Entry, Fact, RoomId, Speaker, Terms, Time};
use crate::store::embedded::Embedded;
use crate::store::{Appended, Batch, Created, Head, Store, StoreError};

/// More than the file has when it is new.
const LIMIT: u64 = 4 << 20;

const fn entry(fact: Fact) -> Entry {
    Entry { at: Time(0), write_id: 7, from: None, fact }
}

fn code(room: u64) -> Code {
    format!("code{room}").parse().unwrap()
}

/// Stores a room with a long log. Returns its end.
async fn fill(store: &Embedded, room: u64) -> Head {
    let opened = Fact::Opened { room: RoomId(room), code: code(room), terms: Terms::default(), on: 0 };
    let speaker =
        Speaker { id: crate::random::user_id(), name: "a long name for one player".parse().unwrap(), color: None };
    let mut log = vec![entry(opened)];
    log.extend((0..1_000).map(|_| entry(Fact::CountdownStopped)));
    log.extend((0..100).map(|_| entry(Fact::Said { speaker: speaker.clone(), text: "x".repeat(2_000) })));
    assert_eq!(store.create(RoomId(room), &code(room), &log).await, Ok(Created::Done));
    Head { version: log.len() as u64, write_id: 7 }
}

async fn close(store: &Embedded, room: u64, after: Head) {
    let batch = Batch { after, entries: vec![entry(Fact::Closed)], state: None, frees: Some(code(room)) };
    assert_eq!(store.append(RoomId(room), batch).await, Ok(Appended::Done));
}

#[tokio::test]
async fn rooms_are_opened_again_when_games_have_expired() {
    let folder = std::env::temp_dir().join(format!("tabiya-full-{:x}", crate::random::roll()));
    std::fs::create_dir(&folder).unwrap();
    // Games expire as soon as they are closed.
    let store = Arc::new(Embedded::open(folder.join("store"), Duration::from_millis(1)).unwrap());
    let relay = Relay::new(store.clone());
    relay.limit_store(LIMIT);
    let mut ends = Vec::new();
    while store.used().await.unwrap() <= LIMIT {
        ends.push(fill(&store, ends.len() as u64).await);
    }
    relay.measure_store().await.unwrap();
    let refused = relay.open(&"new".parse().unwrap(), Terms::default()).await;
    assert!(matches!(refused, Err(StoreError::Full(_))), "{refused:?}");
    // The last game goes on, and holds pages at the end of the file, which cannot shrink then.
    ends.pop();
    for (room, end) in (0..).zip(&ends) {
        close(&store, room, *end).await;
    }
    for room in 0..ends.len() as u64 {
        while store.length(RoomId(room)).await.unwrap() > 0 {
            store.check().await.unwrap();
        }
    }
    // A measurement of the pages is used for a while.
    let mut measurements = 0;
    while relay.shared.is_store_full.load(Ordering::Relaxed) && measurements < 50_000 {
        relay.measure_store().await.unwrap();
        measurements += 1;
    }
    assert!(store.size().await.unwrap() > LIMIT, "the file has not shrunk");
    assert_eq!(relay.open(&"new".parse().unwrap(), Terms::default()).await, Ok(Created::Done));
    drop((relay, store));
    std::fs::remove_dir_all(folder).unwrap();
}
