//! What is true of every store. Two are given, as two relays have them; they may be the same.

use std::sync::Arc;

use anyhow::Result;
use host_server::room::RoomId;
use host_server::store::{Appended, Batch, Created, Drawer, Record, Store, StoreError};
use tokio::task::JoinSet;

use crate::lines::{add, batch, close_room, fresh, fresh_code, line, open_room, opening, pens};

type Stores = [Arc<dyn Store>; 2];

pub(crate) async fn all(stores: &Stores) -> Result<()> {
    for store in stores {
        a_code_opens_one_room_at_a_time(&**store).await?;
        a_log_grows_only_by_those_who_know_all_of_it(&**store).await?;
        what_is_not_there_is_not_made_up(&**store).await?;
        a_batch_is_added_as_a_whole(&**store).await?;
        a_long_log_is_read_whole(&**store).await?;
        time_does_not_go_back(&**store);
        store.check().await?;
    }
    many_who_want_one_code_get_one_room(stores).await?;
    many_who_write_one_log_lose_nothing(stores).await?;
    records_have_versions(stores).await?;
    many_who_write_one_record_lose_nothing(stores).await
}

async fn a_code_opens_one_room_at_a_time(store: &dyn Store) -> Result<()> {
    let code = fresh_code();
    let [first, second, third] = [(); 3].map(|()| RoomId(fresh()));
    assert_eq!(store.find(&code).await?, None);

    assert_eq!(store.create(first, &code, &[opening(first, &code)]).await?, Created::Done);
    assert_eq!(store.find(&code).await?, Some(first));
    assert_eq!(store.create(second, &code, &[opening(second, &code)]).await?, Created::Taken(first));
    assert_eq!(store.load(second, 0).await?, []);
    assert_eq!(store.find(&code).await?, Some(first));
    // Whoever did not hear the answer may ask again.
    assert_eq!(store.create(first, &code, &[opening(first, &code)]).await?, Created::Done);
    assert_eq!(store.load(first, 0).await?, [opening(first, &code)]);

    close_room(store, first, &code, 1).await?;
    assert_eq!(store.find(&code).await?, Some(first), "it has opened this room last");
    assert_eq!(store.load(first, 0).await?.len(), 2, "a finished game can still be read");

    assert_eq!(store.create(second, &code, &[opening(second, &code)]).await?, Created::Done);
    assert_eq!(store.find(&code).await?, Some(second));
    assert_eq!(store.create(third, &code, &[opening(third, &code)]).await?, Created::Taken(second));
    // The first room has nothing to do with the code any more.
    let late = Batch { frees: Some(code.clone()), ..batch(2, vec![line(1)]) };
    assert_eq!(store.append(first, late).await?, Appended::Done);
    assert_eq!(store.create(third, &code, &[opening(third, &code)]).await?, Created::Taken(second));
    Ok(())
}

async fn a_log_grows_only_by_those_who_know_all_of_it(store: &dyn Store) -> Result<()> {
    let (room, code) = open_room(store).await?;
    assert_eq!(store.append(room, batch(1, vec![line(2), line(3)])).await?, Appended::Done);

    assert_eq!(store.append(room, batch(1, vec![line(4)])).await?, Appended::Behind(vec![line(2), line(3)]));
    assert_eq!(store.append(room, batch(2, vec![line(4)])).await?, Appended::Behind(vec![line(3)]));
    let whole = vec![opening(room, &code), line(2), line(3)];
    assert_eq!(store.append(room, batch(0, vec![line(4)])).await?, Appended::Behind(whole.clone()));
    assert_eq!(store.load(room, 0).await?, whole, "nothing was added");

    assert_eq!(store.append(room, batch(3, vec![line(4)])).await?, Appended::Done);
    assert_eq!(store.load(room, 0).await?, [whole, vec![line(4)]].concat());
    assert_eq!(store.load(room, 3).await?, [line(4)]);
    assert_eq!(store.load(room, 4).await?, []);
    assert_eq!(store.load(room, u64::MAX).await?, []);

    // Nobody can know more than there is.
    let error = store.append(room, batch(9, vec![line(5)])).await.expect_err("there are four lines");
    assert!(matches!(error, StoreError::Corrupt(_)), "{error}");
    assert_eq!(store.load(room, 0).await?.len(), 4);
    Ok(())
}

async fn what_is_not_there_is_not_made_up(store: &dyn Store) -> Result<()> {
    let room = RoomId(fresh());
    assert_eq!(store.load(room, 0).await?, []);
    for after in [0, 1] {
        let error = store.append(room, batch(after, vec![line(1)])).await.expect_err("there is no such room");
        assert!(matches!(error, StoreError::Corrupt(_)), "{error}");
    }
    assert_eq!(store.load(room, 0).await?, []);
    Ok(())
}

async fn a_batch_is_added_as_a_whole(store: &dyn Store) -> Result<()> {
    let (room, _) = open_room(store).await?;
    let lines: Vec<_> = (0..50).map(line).collect();
    assert_eq!(store.append(room, batch(1, lines.clone())).await?, Appended::Done);
    assert_eq!(store.load(room, 1).await?, lines);
    Ok(())
}

async fn a_long_log_is_read_whole(store: &dyn Store) -> Result<()> {
    let (room, _) = open_room(store).await?;
    let lines: Vec<_> = (0..3000).map(line).collect();
    for (number, lines) in lines.chunks(1000).enumerate() {
        let after = 1 + 1000 * number as u64;
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

async fn many_who_want_one_code_get_one_room(stores: &Stores) -> Result<()> {
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

async fn many_who_write_one_log_lose_nothing(stores: &Stores) -> Result<()> {
    const WRITERS: u64 = 8;
    const LINES: u64 = 25;
    let (room, _) = open_room(&*stores[0]).await?;
    let mut tasks = JoinSet::new();
    for writer in 0..WRITERS {
        let store = stores[writer as usize % 2].clone();
        tasks.spawn(async move {
            let mut known = 1;
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
    assert_eq!(log, stores[0].load(room, 1).await?, "it is the same for everybody");
    for writer in 0..WRITERS {
        let own: Vec<u64> = pens(&log).into_iter().filter(|pen| pen / 1000 == writer).collect();
        let expected: Vec<u64> = (0..LINES).map(|number| writer * 1000 + number).collect();
        assert_eq!(own, expected, "all lines of a writer are there, once, and in order");
    }
    assert_eq!(log.len() as u64, WRITERS * LINES);
    Ok(())
}

async fn records_have_versions([one, other]: &Stores) -> Result<()> {
    for drawer in [Drawer::Boards, Drawer::Sessions] {
        let name = format!("a name: with {{everything}} {}", fresh());
        assert_eq!(one.read(drawer, &name).await?, None);
        assert_eq!(one.write(drawer, &name, 7, b"x").await?, None, "there is none with this version");

        let first = one.write(drawer, &name, 0, b"a:b\0\xff\r\n").await?.expect("there was none");
        assert!(first >= 1);
        let record = Record { version: first, bytes: b"a:b\0\xff\r\n".to_vec() };
        assert_eq!(other.read(drawer, &name).await?, Some(record));
        assert_eq!(other.write(drawer, &name, 0, b"x").await?, None, "now there is one");

        let second = other.write(drawer, &name, first, b"").await?.expect("nobody has changed it");
        assert!(second > first);
        assert_eq!(one.write(drawer, &name, first, b"x").await?, None, "it has changed");
        let record = Record { version: second, bytes: Vec::new() };
        assert!(one.list(drawer).await?.contains(&(name.clone(), record)));

        assert!(other.remove(drawer, &name).await?);
        assert!(!one.remove(drawer, &name).await?);
        assert_eq!(one.read(drawer, &name).await?, None);
        let third = one.write(drawer, &name, 0, b"new").await?.expect("it is gone");
        assert!(third > second, "whoever remembers the old one cannot take this for it");
        assert!(one.remove(drawer, &name).await?);
    }

    let names: Vec<String> = (0..600).map(|number| format!("many {number:05}")).collect();
    for name in &names {
        one.write(Drawer::Boards, name, 0, name.as_bytes()).await?.expect("there was none");
    }
    let list = other.list(Drawer::Boards).await?;
    let listed: Vec<String> = list.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(listed, names, "by name, all of them, once");
    assert!(list.iter().all(|(name, record)| record.bytes == name.as_bytes()));
    for name in &names {
        assert!(one.remove(Drawer::Boards, name).await?);
    }
    Ok(())
}

async fn many_who_write_one_record_lose_nothing(stores: &Stores) -> Result<()> {
    let name = format!("counter {}", fresh());
    let mut tasks = JoinSet::new();
    for number in 0..8 {
        let (store, name) = (stores[number % 2].clone(), name.clone());
        tasks.spawn(async move {
            let mut counted = 0;
            while counted < 10 {
                let record = store.read(Drawer::Sessions, &name).await?;
                let (version, count) = record.map_or((0, 0), |record| (record.version, record.bytes.len()));
                let more = vec![b'.'; count + 1];
                counted += usize::from(store.write(Drawer::Sessions, &name, version, &more).await?.is_some());
            }
            Ok::<_, StoreError>(())
        });
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    let record = stores[0].read(Drawer::Sessions, &name).await?.expect("it was written");
    assert_eq!(record.bytes.len(), 80);
    Ok(())
}
