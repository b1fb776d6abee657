//! What was acknowledged is there, once, whoever dies.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use anyhow::{Context, Result};
use host_server::room::{RelayId, RoomId};
use host_server::store::embedded::{Embedded, OpenError};
use host_server::store::redis::Redis as RedisStore;
use host_server::store::{Appended, Signal, Store, StoreError};
use tests::parts;
use tests::redis::{Cluster, Folder, Redis};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::lines::{add, batch, close_room, fresh_code, line, open_room, opening, pens};
use crate::{DAY, settings, two_stores};

/// Says to a child process where its store is.
const CHILD_STORE: &str = "TABIYA_TEST_STORE";

fn lock<T>(part: &Mutex<T>) -> MutexGuard<'_, T> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes lines into a room until told to stop, as a relay does: what is unclear it looks up. Returns the pens of all that
/// was acknowledged.
async fn write_on(store: Arc<dyn Store>, room: RoomId, first_pen: u64, stop: Arc<AtomicBool>) -> Result<Vec<u64>> {
    let mut acknowledged = Vec::new();
    let (mut known, mut pen) = (1, first_pen);
    while !stop.load(Ordering::Relaxed) {
        match store.append(room, batch(known, vec![line(pen)])).await {
            Ok(Appended::Done) => known += 1,
            Ok(Appended::Behind(missing)) => {
                known += missing.len() as u64;
                if !missing.iter().any(|entry| entry.pen == pen) {
                    continue;
                }
            }
            Err(StoreError::Unavailable(_) | StoreError::Unclear(_)) => {
                sleep(Duration::from_millis(20)).await;
                continue;
            }
            Err(error) => return Err(error.into()),
        }
        acknowledged.push(pen);
        pen += 1;
    }
    Ok(acknowledged)
}

/// Two writers in each of a few rooms, with something terrible in the middle.
async fn survives(
    stores: &[Arc<dyn Store>; 2],
    mut terrible: impl FnMut(usize) -> Result<()> + Send + 'static,
) -> Result<()> {
    const ROOMS: u64 = 4;
    let stop = Arc::new(AtomicBool::new(false));
    let mut writers = JoinSet::new();
    for _ in 0..ROOMS {
        let (room, _) = open_room(&*stores[0]).await?;
        for (store, first_pen) in stores.iter().zip([1_000_000, 2_000_000]) {
            let (store, stop) = (store.clone(), stop.clone());
            writers.spawn(async move { Ok::<_, anyhow::Error>((room, write_on(store, room, first_pen, stop).await?)) });
        }
    }
    tokio::task::spawn_blocking(move || {
        for round in 0..3 {
            thread::sleep(Duration::from_millis(400));
            terrible(round)?;
        }
        thread::sleep(Duration::from_millis(1500));
        Ok::<_, anyhow::Error>(())
    })
    .await??;
    stop.store(true, Ordering::Relaxed);
    let mut total = 0;
    while let Some(done) = writers.join_next().await {
        let (room, acknowledged) = done??;
        let log = pens(&stores[1].load(room, 0).await?);
        for pen in &acknowledged {
            let count = log.iter().filter(|found| *found == pen).count();
            assert_eq!(count, 1, "line {pen} of room {room} was acknowledged once");
        }
        let own: Vec<u64> = log.into_iter().filter(|pen| acknowledged.contains(pen)).collect();
        assert_eq!(own, acknowledged, "and they are in order");
        total += acknowledged.len();
    }
    assert!(total > 50, "only {total} lines were written, which proves little");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_is_killed_while_everybody_writes() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let redis = Arc::new(Mutex::new(Redis::start()?));
    let settings = settings(lock(&redis).port(), false);
    let stores = two_stores(&settings).await?;
    let (room, _) = open_room(&*stores[0]).await?;
    let mut listener = stores[1].listen(room).await?;
    // Whatever the first connection brings.
    while listener.signals.try_recv().is_ok() {}
    let before = stores[0].now();

    let victim = redis.clone();
    survives(&stores, move |_| {
        let mut redis = lock(&victim);
        redis.kill9()?;
        thread::sleep(Duration::from_millis(300));
        redis.restart()
    })
    .await?;

    let signal = tokio::time::timeout(Duration::from_secs(10), listener.signals.recv()).await?;
    assert_eq!(signal, Some(Signal::Lost), "something may have been missed");
    assert!(stores[0].now() > before);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_of_a_cluster_is_killed_while_everybody_writes() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let cluster = Arc::new(Mutex::new(Cluster::start()?));
    let settings = settings(lock(&cluster).port(), true);
    let stores = two_stores(&settings).await?;
    let victim = cluster.clone();
    survives(&stores, move |round| {
        let mut cluster = lock(&victim);
        let node = &mut cluster.nodes()[round % 3];
        node.kill9()?;
        thread::sleep(Duration::from_millis(300));
        node.restart()?;
        cluster.wait_until_it_works()
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_reached_says_so_in_time() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let mut redis = Redis::start()?;
    let store = RedisStore::connect(&settings(redis.port(), false)).await?;
    let (room, _) = open_room(&store).await?;
    redis.kill9()?;
    let began = Instant::now();
    sleep(Duration::from_millis(200)).await;
    // Nothing was sent, and that is certain.
    for _ in 0..20 {
        let answer = store.append(room, batch(1, vec![line(1)])).await;
        assert!(matches!(answer, Err(StoreError::Unavailable(_))), "{answer:?}");
    }
    assert!(store.check().await.is_err());
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());

    redis.restart()?;
    let mut tries = 0;
    while let Err(error) = store.check().await {
        tries += 1;
        assert!(tries < 100, "{error}");
        sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(add(&store, room, 1, 1).await?, 2);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_is_stuck_leaves_it_unclear() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let redis = Redis::start()?;
    let store = RedisStore::connect(&settings(redis.port(), false)).await?;
    let (room, _) = open_room(&store).await?;
    // From now on it knows by heart what is asked of it, and needs no second question.
    add(&store, room, 1, 1).await?;
    redis.cli(&["client", "pause", "3500", "all"])?;
    let began = Instant::now();
    let answer = store.append(room, batch(2, vec![line(2)])).await;
    assert!(matches!(answer, Err(StoreError::Unclear(_))), "{answer:?}");
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    // It did get it, and does it when it wakes. Whoever looks finds that.
    sleep(Duration::from_secs(2)).await;
    assert_eq!(pens(&store.load(room, 2).await?), [2]);
    Ok(())
}

/// The child of the test below: it writes, and says what was acknowledged, until it is killed.
#[test]
#[ignore = "it is started by another test"]
fn child_that_writes_until_it_is_killed() -> Result<()> {
    let path = env::var_os(CHILD_STORE).context("nobody says where the store is")?;
    let store: Arc<dyn Store> = Arc::new(Embedded::open(Path::new(&path), DAY)?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut writers = JoinSet::new();
        for writer in 0..16_u64 {
            let store = store.clone();
            let room = RoomId(1000 + writer);
            writers.spawn(async move {
                let mut known = store.load(room, 0).await?.len() as u64;
                if known == 0 {
                    let code = fresh_code();
                    store.create(room, &code, &[opening(room, &code)]).await?;
                    known = 1;
                }
                loop {
                    add(&*store, room, known, known + 1).await?;
                    known += 1;
                    let mut out = io::stdout().lock();
                    writeln!(out, "done {room} {known}")?;
                    out.flush()?;
                }
                #[expect(unreachable_code, reason = "it says which errors there may be")]
                Ok::<(), anyhow::Error>(())
            });
        }
        writers.join_next().await.context("nobody writes")??
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relay_with_the_embedded_store_is_killed() -> Result<()> {
    let folder = Folder::new()?;
    let path = folder.path().join("store");
    let mut acknowledged = std::collections::HashMap::<RoomId, u64>::new();
    let mut last_time = 0;
    for round in 0..6_u64 {
        let mut child = Command::new(env::current_exe()?)
            .args(["--exact", "killed::child_that_writes_until_it_is_killed", "--ignored", "--nocapture"])
            .env(CHILD_STORE, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let out = child.stdout.take().context("the child says nothing")?;
        let reader = thread::spawn(move || BufReader::new(out).lines().map_while(Result::ok).collect::<Vec<_>>());
        thread::sleep(Duration::from_millis(400 + 37 * round));
        child.kill()?;
        child.wait()?;
        for said in reader.join().expect("reading does not panic") {
            // The last one may be cut off.
            let mut words = said.split(' ').skip_while(|word| !word.ends_with("done")).skip(1);
            if let (Some(Ok(room)), Some(Ok(known)), None) =
                (words.next().map(str::parse), words.next().map(str::parse::<u64>), words.next())
            {
                let most = acknowledged.entry(room).or_default();
                *most = known.max(*most);
            }
        }
        let store = Embedded::open(&path, DAY)?;
        let mut orphans = store.beat(RelayId(1), &[]).await?.orphans;
        orphans.sort_unstable();
        for (room, known) in &acknowledged {
            let log = pens(&store.load(*room, 1).await?);
            assert!(log.len() as u64 + 1 >= *known, "room {room} has {} lines of {known}", log.len() + 1);
            let expected: Vec<u64> = (2..).take(log.len()).collect();
            assert_eq!(log, expected, "all of them, once, and in order");
            assert!(orphans.binary_search(room).is_ok(), "somebody has to look after room {room}");
        }
        assert!(store.now().0 >= last_time, "time does not go back");
        last_time = store.now().0;
    }
    let total: u64 = acknowledged.values().sum();
    assert!(total > 200, "only {total} lines were written, which proves little");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_store_goes_on_where_it_was() -> Result<()> {
    let folder = Folder::new()?;
    let path = folder.path().join("store");
    let store = Embedded::open(&path, DAY)?;
    let relay = RelayId(1);
    let (open, _) = open_room(&store).await?;
    let (closed, code) = open_room(&store).await?;
    close_room(&store, closed, &code, 1).await?;
    assert!(store.beat(relay, &[]).await?.orphans.is_empty(), "these rooms are new");
    sleep(Duration::from_millis(300)).await;
    let stopped = store.now();
    drop(store);
    sleep(Duration::from_millis(1500)).await;

    let store = Embedded::open(&path, DAY)?;
    let started = store.now();
    assert!(started >= stopped, "time does not go back");
    assert!(started.since(stopped) < 1000, "and it stood still while nobody was there");
    let pulse = store.beat(relay, &[]).await?;
    assert_eq!((pulse.relays, pulse.orphans), (vec![relay], vec![open]));
    assert!(store.beat(relay, &[open]).await?.orphans.is_empty(), "they are left behind once");
    assert_eq!(store.load(closed, 0).await?.len(), 2);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_store_removes_what_need_not_be_kept() -> Result<()> {
    let folder = Folder::new()?;
    let store = Embedded::open(folder.path().join("store"), Duration::from_millis(500))?;
    let (open, _) = open_room(&store).await?;
    let mut finished = Vec::new();
    // More than are removed at once.
    for _ in 0..40 {
        let (room, code) = open_room(&store).await?;
        close_room(&store, room, &code, 1).await?;
        finished.push((room, code));
    }
    assert_eq!(store.load(finished[39].0, 0).await?.len(), 2, "it is kept for a while");
    let deadline = Instant::now() + Duration::from_secs(30);
    for (room, code) in finished {
        while !store.load(room, 0).await?.is_empty() {
            assert!(Instant::now() < deadline, "room {room} is still there");
            sleep(Duration::from_millis(100)).await;
        }
        assert_eq!(store.find(&code).await?, None);
    }
    assert_eq!(store.load(open, 0).await?.len(), 1);
    Ok(())
}

#[test]
fn a_file_that_cannot_be_the_store_is_named() -> Result<()> {
    let folder = Folder::new()?;
    let path = folder.path().join("store");
    let held = Embedded::open(&path, DAY)?;
    let refused = Embedded::open(&path, DAY).expect_err("it is in use");
    assert_eq!(refused, OpenError::InUse(path.clone()));
    assert!(refused.to_string().contains(&*path.to_string_lossy()), "{refused}");
    drop(held);
    drop(Embedded::open(&path, DAY)?);

    let letter = folder.path().join("letter.txt");
    fs::write(&letter, "Dear reader, ".repeat(1000))?;
    let refused = Embedded::open(&letter, DAY).expect_err("it is a letter");
    assert!(matches!(&refused, OpenError::NotAStore(path, _) if *path == letter), "{refused}");
    assert_eq!(fs::read_to_string(&letter)?, "Dear reader, ".repeat(1000), "and it is left alone");

    let nowhere = folder.path().join("no such folder").join("store");
    let refused = Embedded::open(&nowhere, DAY).expect_err("there is no such folder");
    assert!(matches!(&refused, OpenError::Unreadable(path, _) if *path == nowhere), "{refused}");
    Ok(())
}
