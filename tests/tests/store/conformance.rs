//! Tests of every store. They get two stores, as two relays have them; both may be the same.

use std::sync::Arc;

use anyhow::Result;
use host_server::room::{Entry, Fact, RoomId, Speaker};
use host_server::store::{Appended, Batch, Collection, Created, Record, Store, StoreError};
use tokio::task::JoinSet;

use crate::entries::{add, batch, close_room, fresh, fresh_code, head, line, open_room, opening, write_ids};

type Stores = [Arc<dyn Store>; 2];

pub(crate) async fn all(stores: &Stores) -> Result<()> {
    for store in stores {
        a_code_belongs_to_one_open_room(&**store).await?;
        append_detects_version_conflicts(&**store).await?;
        append_detects_another_history(&**store).await?;
        unknown_rooms_are_not_created(&**store).await?;
        a_batch_is_atomic(&**store).await?;
        drops_the_chat_of_a_closed_room(&**store).await?;
        reads_a_long_log(&**store).await?;
        time_does_not_go_back(&**store);
        store.check().await?;
    }
    concurrent_creates_of_a_code_make_one_room(stores).await?;
    concurrent_appends_lose_nothing(stores).await?;
    record_writes_compare_versions(stores).await?;
    concurrent_record_writes_lose_nothing(stores).await
}

async fn a_code_belongs_to_one_open_room(store: &dyn Store) -> Result<()> {
    let code = fresh_code();
    let [first, second, third] = [(); 3].map(|()| RoomId(fresh()));
    assert_eq!(store.find(&code).await?, None);

    assert_eq!(store.create(first, &code, &[opening(first, &code)]).await?, Created::Done);
    assert_eq!(store.find(&code).await?, Some(first));
    assert_eq!(store.create(second, &code, &[opening(second, &code)]).await?, Created::Taken(first));
    assert_eq!(store.load(second, 0).await?, []);
    assert_eq!(store.find(&code).await?, Some(first));
    // A create whose answer was lost may be repeated.
    assert_eq!(store.create(first, &code, &[opening(first, &code)]).await?, Created::Done);
    assert_eq!(store.load(first, 0).await?, [opening(first, &code)]);

    close_room(store, first, &code, head(1, 0)).await?;
    assert_eq!(store.find(&code).await?, Some(first), "it has opened this room last");
    assert_eq!(store.load(first, 0).await?.len(), 2, "a finished game can still be read");

    assert_eq!(store.create(second, &code, &[opening(second, &code)]).await?, Created::Done);
    assert_eq!(store.find(&code).await?, Some(second));
    assert_eq!(store.create(third, &code, &[opening(third, &code)]).await?, Created::Taken(second));
    // The code no longer belongs to the first room.
    let late = Batch { frees: Some(code.clone()), ..batch(head(2, 0), vec![line(1)]) };
    assert_eq!(store.append(first, late).await?, Appended::Done);
    assert_eq!(store.create(third, &code, &[opening(third, &code)]).await?, Created::Taken(second));
    Ok(())
}

async fn append_detects_version_conflicts(store: &dyn Store) -> Result<()> {
    let (room, code) = open_room(store).await?;
    assert_eq!(store.append(room, batch(head(1, 0), vec![line(2), line(3)])).await?, Appended::Done);

    assert_eq!(store.append(room, batch(head(1, 0), vec![line(4)])).await?, Appended::Conflict(vec![line(2), line(3)]));
    assert_eq!(store.append(room, batch(head(2, 2), vec![line(4)])).await?, Appended::Conflict(vec![line(3)]));
    let whole = vec![opening(room, &code), line(2), line(3)];
    assert_eq!(store.append(room, batch(head(0, 0), vec![line(4)])).await?, Appended::Conflict(whole.clone()));
    assert_eq!(store.load(room, 0).await?, whole, "nothing was added");

    assert_eq!(store.append(room, batch(head(3, 3), vec![line(4)])).await?, Appended::Done);
    assert_eq!(store.load(room, 0).await?, [whole, vec![line(4)]].concat());
    assert_eq!(store.load(room, 3).await?, [line(4)]);
    assert_eq!(store.read_log(room).await?.decode()?, store.load(room, 0).await?);
    assert_eq!((store.length(room).await?, store.length(RoomId(fresh())).await?), (4, 0));
    assert_eq!(store.load(room, 4).await?, []);
    assert_eq!(store.load(room, u64::MAX).await?, []);

    assert_eq!(store.load(room, 0).await?.len(), 4);
    Ok(())
}

/// After a failover that lost entries, a writer may know entries that the log does not have, of any length.
async fn append_detects_another_history(store: &dyn Store) -> Result<()> {
    let (room, code) = open_room(store).await?;
    assert_eq!(store.append(room, batch(head(1, 0), vec![line(2), line(3)])).await?, Appended::Done);
    for unknown in [head(3, 7), head(2, 7), head(1, 7), head(2, 3), head(4, 3), head(9, 9)] {
        assert_eq!(store.append(room, batch(unknown, vec![line(4)])).await?, Appended::Diverged, "{unknown:?}");
    }
    assert_eq!(store.load(room, 0).await?, [opening(room, &code), line(2), line(3)], "nothing was added");
    Ok(())
}

async fn unknown_rooms_are_not_created(store: &dyn Store) -> Result<()> {
    let room = RoomId(fresh());
    assert_eq!(store.load(room, 0).await?, []);
    for after in [0, 1] {
        let error = store.append(room, batch(head(after, 0), vec![line(1)])).await.expect_err("there is no such room");
        assert!(matches!(error, StoreError::Corrupt(_)), "{error}");
    }
    assert_eq!(store.load(room, 0).await?, []);
    Ok(())
}

async fn drops_the_chat_of_a_closed_room(store: &dyn Store) -> Result<()> {
    let (room, code) = open_room(store).await?;
    let speaker = Speaker { id: "u".repeat(12).parse()?, name: "Ann".parse()?, color: None };
    let said = |write_id| {
        let text = "a text with \"fact\":{\"said\": in it".to_owned();
        Entry { fact: Fact::Said { speaker: speaker.clone(), text }, ..line(write_id) }
    };
    let entries = vec![said(2), line(3), said(4), said(5)];
    assert_eq!(store.append(room, batch(head(1, 0), entries.clone())).await?, Appended::Done);
    assert_eq!(store.load(room, 1).await?, entries, "an open room has its chat");
    close_room(store, room, &code, head(5, 5)).await?;
    let log = store.load(room, 0).await?;
    assert_eq!(write_ids(&log), [0, 3, 0], "the opening, the entry that is no chat, and the end");
    assert_eq!(log.last().map(|entry| &entry.fact), Some(&Fact::Closed));
    // A writer that has missed the end is not taken for the owner of a shorter log.
    for late in [head(3, 3), head(5, 5)] {
        assert_ne!(store.append(room, batch(late, vec![line(9)])).await?, Appended::Done, "{late:?}");
    }
    assert_eq!(store.load(room, 0).await?, log);
    assert!(store.size().await.is_ok());
    Ok(())
}

async fn a_batch_is_atomic(store: &dyn Store) -> Result<()> {
    let (room, _) = open_room(store).await?;
    let lines: Vec<_> = (0..50).map(line).collect();
    assert_eq!(store.append(room, batch(head(1, 0), lines.clone())).await?, Appended::Done);
    assert_eq!(store.load(room, 1).await?, lines);
    Ok(())
}

async fn reads_a_long_log(store: &dyn Store) -> Result<()> {
    let (room, _) = open_room(store).await?;
    let lines: Vec<_> = (0..3000).map(line).collect();
    for (number, lines) in lines.chunks(1000).enumerate() {
        let number = number as u64;
        let after = head(1 + 1000 * number, (1000 * number).saturating_sub(1));
        assert_eq!(store.append(room, batch(after, lines.to_vec())).await?, Appended::Done);
    }
    assert_eq!(store.load(room, 1).await?, lines);
    assert_eq!(store.load(room, 2001).await?, lines[2000..]);
    Ok(())
}

fn time_does_not_go_back(store: &dyn Store) {
    let mut last = store.now();
    for _ in 0..100_000 {
        let now = store.now();
        assert!(now >= last);
        last = now;
    }
}

async fn concurrent_creates_of_a_code_make_one_room(stores: &Stores) -> Result<()> {
    for _ in 0..20 {
        let code = fresh_code();
        let mut tasks = JoinSet::new();
        for number in 0..8 {
            let (store, code) = (stores[number % 2].clone(), code.clone());
            tasks.spawn(async move {
                let room = RoomId(fresh());
                Ok::<_, StoreError>((room, store.create(room, &code, &[opening(room, &code)]).await?))
            });
        }
        let mut answers = Vec::new();
        while let Some(answer) = tasks.join_next().await {
            answers.push(answer??);
        }
        let winners: Vec<RoomId> =
            answers.iter().filter(|(_, created)| *created == Created::Done).map(|&(room, _)| room).collect();
        assert_eq!(winners.len(), 1, "{answers:?}");
        for (room, created) in answers {
            assert!(room == winners[0] || created == Created::Taken(winners[0]), "{created:?}");
            let lines = stores[0].load(room, 0).await?.len();
            assert_eq!(lines, usize::from(room == winners[0]));
        }
        assert_eq!(stores[1].find(&code).await?, Some(winners[0]));
    }
    Ok(())
}

async fn concurrent_appends_lose_nothing(stores: &Stores) -> Result<()> {
    const WRITERS: u64 = 8;
    const LINES: u64 = 25;
    let (room, _) = open_room(&*stores[0]).await?;
    let mut tasks = JoinSet::new();
    for writer in 0..WRITERS {
        let store = stores[writer as usize % 2].clone();
        tasks.spawn(async move {
            let mut known = head(1, 0);
            for number in 0..LINES {
                known = add(&*store, room, known, writer * 1000 + number).await?;
            }
            Ok::<_, anyhow::Error>(())
        });
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    let log = stores[1].load(room, 1).await?;
    assert_eq!(log, stores[0].load(room, 1).await?, "all stores have the same log");
    for writer in 0..WRITERS {
        let own: Vec<u64> = write_ids(&log).into_iter().filter(|write_id| write_id / 1000 == writer).collect();
        let expected: Vec<u64> = (0..LINES).map(|number| writer * 1000 + number).collect();
        assert_eq!(own, expected, "all lines of a writer are there, once, and in order");
    }
    assert_eq!(log.len() as u64, WRITERS * LINES);
    Ok(())
}

async fn record_writes_compare_versions([one, other]: &Stores) -> Result<()> {
    for collection in [Collection::Boards, Collection::Sessions, Collection::Genomes, Collection::Presets] {
        let name = format!("a name: with {{everything}} {}", fresh());
        assert_eq!(one.read(collection, &name).await?, None);
        assert_eq!(one.write(collection, &name, 7, b"x").await?, None, "there is none with this version");

        let first = one.write(collection, &name, 0, b"a:b\0\xff\r\n").await?.expect("there was none");
        assert!(first >= 1);
        let record = Record { version: first, bytes: b"a:b\0\xff\r\n".to_vec() };
        assert_eq!(other.read(collection, &name).await?, Some(record));
        assert_eq!(other.write(collection, &name, 0, b"x").await?, None, "now there is one");

        let second = other.write(collection, &name, first, b"").await?.expect("it was not changed");
        assert!(second > first);
        assert_eq!(one.write(collection, &name, first, b"x").await?, None, "it has changed");
        let record = Record { version: second, bytes: Vec::new() };
        assert!(one.list(collection).await?.contains(&(name.clone(), record)));

        assert!(other.remove(collection, &name).await?);
        assert!(!one.remove(collection, &name).await?);
        assert_eq!(one.read(collection, &name).await?, None);
        let third = one.write(collection, &name, 0, b"new").await?.expect("it is gone");
        assert!(third > second, "the versions differ");
        assert!(one.remove(collection, &name).await?);
    }

    let names: Vec<String> = (0..600).map(|number| format!("many {number:05}")).collect();
    for name in &names {
        one.write(Collection::Boards, name, 0, name.as_bytes()).await?.expect("there was none");
    }
    let list = other.list(Collection::Boards).await?;
    let listed: Vec<String> = list.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(listed, names, "by name, all of them, once");
    assert!(list.iter().all(|(name, record)| record.bytes == name.as_bytes()));
    for name in &names {
        assert!(one.remove(Collection::Boards, name).await?);
    }
    Ok(())
}

async fn concurrent_record_writes_lose_nothing(stores: &Stores) -> Result<()> {
    let name = format!("counter {}", fresh());
    let mut tasks = JoinSet::new();
    for number in 0..8 {
        let (store, name) = (stores[number % 2].clone(), name.clone());
        tasks.spawn(async move {
            let mut counted = 0;
            while counted < 10 {
                let record = store.read(Collection::Sessions, &name).await?;
                let (version, count) = record.map_or((0, 0), |record| (record.version, record.bytes.len()));
                let more = vec![b'.'; count + 1];
                counted += usize::from(store.write(Collection::Sessions, &name, version, &more).await?.is_some());
            }
            Ok::<_, StoreError>(())
        });
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    let record = stores[0].read(Collection::Sessions, &name).await?.expect("it was written");
    assert_eq!(record.bytes.len(), 80);
    Ok(())
}
