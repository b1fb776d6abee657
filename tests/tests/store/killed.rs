//! Durability: every acknowledged entry is there once, whichever process is killed.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use anyhow::{Context, Result, bail};
use host_server::room::{RelayId, RoomId};
use host_server::store::embedded::{Embedded, OpenError};
use host_server::store::redis::Redis as RedisStore;
use host_server::store::{Appended, Head, Signal, Store, StoreError};
use tests::parts;
use tests::redis::{Cluster, Redis};
use tests::temp_dir::TempDir;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::entries::{add, batch, close_room, fresh_code, head, line, open_room, opening, write_ids};
use crate::{DAY, settings, two_stores};

/// The environment variable with the path of the store, for child processes.
const CHILD_STORE: &str = "TABIYA_TEST_STORE";

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

const POLL: Duration = Duration::from_millis(20);

fn lock<T>(part: &Mutex<T>) -> MutexGuard<'_, T> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a writer has done so far.
#[derive(Debug, Default)]
struct Progress {
    acknowledged: AtomicUsize,
    failed: AtomicUsize,
}

/// Appends entries to a room until `stop`, as a relay does: after an unclear result it looks for its entry. Returns the write
/// ids of all acknowledged entries.
async fn write_until_stopped(
    store: Arc<dyn Store>,
    room: RoomId,
    first_write_id: u64,
    progress: Arc<Progress>,
    stop: Arc<AtomicBool>,
) -> Result<Vec<u64>> {
    let mut acknowledged = Vec::new();
    let (mut known, mut write_id) = (head(1, 0), first_write_id);
    while !stop.load(Ordering::Relaxed) {
        let entries = vec![line(write_id)];
        match store.append(room, batch(known, entries.clone())).await {
            Ok(Appended::Done) => known = known.after(&entries),
            Ok(Appended::Diverged) => bail!("the log has lost the entry {known:?}"),
            Ok(Appended::Conflict(missing)) => {
                known = known.after(&missing);
                if !missing.iter().any(|entry| entry.write_id == write_id) {
                    continue;
                }
            }
            Err(StoreError::Unavailable(_) | StoreError::Unclear(_)) => {
                progress.failed.fetch_add(1, Ordering::Relaxed);
                sleep(POLL).await;
                continue;
            }
            Err(error) => return Err(error.into()),
        }
        acknowledged.push(write_id);
        progress.acknowledged.fetch_add(1, Ordering::Relaxed);
        write_id += 1;
    }
    Ok(acknowledged)
}

/// Waits until a condition holds.
async fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let waiting = async {
        while !is_so() {
            sleep(POLL).await;
        }
    };
    timeout(TIMEOUT, waiting).await.unwrap_or_else(|_| panic!("waiting timed out: {what}"));
}

/// Kills the store three times while two writers append to each of four rooms. Every writer appends entries before, between
/// and after the failures, and every failure is noticed; then every acknowledged entry must be there once, in order.
async fn loses_nothing(
    stores: &[Arc<dyn Store>; 2],
    kill: impl Fn(usize) -> Result<()> + Send + Sync + 'static,
    restart: impl Fn(usize) -> Result<()> + Send + Sync + 'static,
) -> Result<()> {
    const ROOMS: u64 = 4;
    /// Entries that each writer appends before the next failure.
    const ENTRIES: usize = 5;
    let stop = Arc::new(AtomicBool::new(false));
    let mut writers = JoinSet::new();
    let mut progresses: Vec<Arc<Progress>> = Vec::new();
    for _ in 0..ROOMS {
        let (room, _) = open_room(&*stores[0]).await?;
        for (store, first_write_id) in stores.iter().zip([1_000_000, 2_000_000]) {
            let (store, stop, progress) = (store.clone(), stop.clone(), Arc::<Progress>::default());
            progresses.push(progress.clone());
            writers.spawn(async move {
                let written = write_until_stopped(store, room, first_write_id, progress, stop).await?;
                anyhow::Ok((room, written))
            });
        }
    }
    let (kill, restart) = (Arc::new(kill), Arc::new(restart));
    let acknowledged = || progresses.iter().map(|one| one.acknowledged.load(Ordering::Relaxed)).collect::<Vec<_>>();
    let failed = || progresses.iter().map(|one| one.failed.load(Ordering::Relaxed)).sum::<usize>();
    for round in 0..=3 {
        let before = acknowledged();
        wait_until("every writer goes on", || {
            acknowledged().iter().zip(&before).all(|(now, before)| *now >= before + ENTRIES)
        })
        .await;
        if round < 3 {
            let before = failed();
            let (kill, restart) = (kill.clone(), restart.clone());
            tokio::task::spawn_blocking(move || kill(round)).await??;
            wait_until("a writer notices the failure", || failed() > before).await;
            tokio::task::spawn_blocking(move || restart(round)).await??;
        }
    }
    stop.store(true, Ordering::Relaxed);
    while let Some(done) = writers.join_next().await {
        let (room, acknowledged) = done??;
        let log = write_ids(&stores[1].load(room, 0).await?);
        for write_id in &acknowledged {
            let count = log.iter().filter(|found| *found == write_id).count();
            assert_eq!(count, 1, "entry {write_id} of room {room} was acknowledged once");
        }
        let own: Vec<u64> = log.into_iter().filter(|write_id| acknowledged.contains(write_id)).collect();
        assert_eq!(own, acknowledged, "entries of room {room} are in order");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_loses_nothing_when_killed_during_writes() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let redis = Arc::new(Mutex::new(Redis::start()?));
    let settings = settings(lock(&redis).port(), false);
    let stores = two_stores(&settings).await?;
    let (room, _) = open_room(&*stores[0]).await?;
    let mut listener = stores[1].listen(room).await?;
    // The first connection may have signalled already.
    while listener.signals.try_recv().is_ok() {}
    let before = stores[0].now();

    let (killed, restarted) = (redis.clone(), redis.clone());
    loses_nothing(&stores, move |_| lock(&killed).kill9(), move |_| lock(&restarted).restart()).await?;

    let signal = timeout(TIMEOUT, listener.signals.recv()).await?;
    assert_eq!(signal, Some(Signal::Lost), "signals may have been missed");
    assert!(stores[0].now() > before);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_loses_nothing_when_a_node_is_killed_during_writes() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let cluster = Arc::new(Mutex::new(Cluster::start()?));
    let settings = settings(lock(&cluster).port(), true);
    let stores = two_stores(&settings).await?;
    let (killed, restarted) = (cluster.clone(), cluster.clone());
    let kill = move |round: usize| lock(&killed).nodes()[round % 3].kill9();
    let restart = move |round: usize| {
        let mut cluster = lock(&restarted);
        cluster.nodes()[round % 3].restart()?;
        cluster.wait_until_ok()
    };
    loses_nothing(&stores, kill, restart).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreachable_redis_is_reported_and_recovers() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let mut redis = Redis::start()?;
    let store = RedisStore::connect(&settings(redis.port(), false)).await?;
    let (room, _) = open_room(&store).await?;
    redis.kill9()?;
    // Commands on the broken connection have an unclear result, until the first attempt to connect has been refused.
    let append = || timeout(TIMEOUT, store.append(room, batch(head(1, 0), vec![line(1)])));
    let refused = async {
        while !matches!(append().await?, Err(StoreError::Unavailable(_))) {}
        anyhow::Ok(())
    };
    timeout(TIMEOUT, refused).await??;
    for _ in 0..20 {
        let answer = append().await?;
        assert!(matches!(answer, Err(StoreError::Unavailable(_))), "nothing was sent: {answer:?}");
    }
    assert!(timeout(TIMEOUT, store.check()).await?.is_err());

    redis.restart()?;
    let recovered = async {
        while store.check().await.is_err() {
            sleep(POLL).await;
        }
    };
    timeout(TIMEOUT, recovered).await?;
    assert_eq!(add(&store, room, head(1, 0), 1).await?, head(2, 1));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_redis_makes_the_result_unclear() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let redis = Redis::start()?;
    let store = RedisStore::connect(&settings(redis.port(), false)).await?;
    let (room, _) = open_room(&store).await?;
    // Redis has the script now, so that the next append is one command.
    add(&store, room, head(1, 0), 1).await?;
    redis.suspend()?;
    let answer = timeout(TIMEOUT, store.append(room, batch(head(2, 1), vec![line(2)]))).await?;
    assert!(matches!(answer, Err(StoreError::Unclear(_))), "{answer:?}");
    redis.resume()?;
    // Redis has the command, and executes it now.
    let found = async {
        while !matches!(store.load(room, 2).await, Ok(log) if write_ids(&log) == [2]) {
            sleep(POLL).await;
        }
    };
    timeout(TIMEOUT, found).await?;
    Ok(())
}

/// The child process of the next test: it appends entries and prints each acknowledged one until it is killed.
#[test]
fn child_that_writes_until_it_is_killed() -> Result<()> {
    // Only as a child process.
    let Some(path) = env::var_os(CHILD_STORE) else { return Ok(()) };
    let store: Arc<dyn Store> = Arc::new(Embedded::open(Path::new(&path), DAY)?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut writers = JoinSet::new();
        for writer in 0..16_u64 {
            let store = store.clone();
            let room = RoomId(1000 + writer);
            writers.spawn(async move {
                let mut known = Head::default().after(&store.load(room, 0).await?);
                if known.version == 0 {
                    let code = fresh_code();
                    store.create(room, &code, &[opening(room, &code)]).await?;
                    known = head(1, 0);
                }
                loop {
                    known = add(&*store, room, known, known.version + 1).await?;
                    let mut out = io::stdout().lock();
                    writeln!(out, "done {room} {}", known.version)?;
                    out.flush()?;
                }
                #[expect(unreachable_code, reason = "it states the error type")]
                Ok::<(), anyhow::Error>(())
            });
        }
        writers.join_next().await.context("no writer")??
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_store_loses_nothing_when_killed_during_writes() -> Result<()> {
    let folder = TempDir::new()?;
    let path = folder.path().join("store");
    let mut acknowledged = std::collections::HashMap::<RoomId, u64>::new();
    let mut last_time = 0;
    for round in 0..6 {
        let mut child = Command::new(env::current_exe()?)
            .args(["--exact", "killed::child_that_writes_until_it_is_killed", "--nocapture"])
            .env(CHILD_STORE, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let out = child.stdout.take().context("the child has no output")?;
        let lines = Arc::new(Mutex::new(Vec::new()));
        let written = lines.clone();
        let reader = thread::spawn(move || {
            BufReader::new(out).lines().map_while(Result::ok).for_each(|line| lock(&written).push(line));
        });
        // Different numbers, so that the kill hits different moments.
        let enough = 40 + 17 * round;
        wait_until("the child has written", || lock(&lines).len() >= enough).await;
        child.kill()?;
        child.wait()?;
        reader.join().expect("reading does not panic");
        for printed in lock(&lines).drain(..) {
            // The last line may be cut off.
            let mut words = printed.split(' ').skip_while(|word| !word.ends_with("done")).skip(1);
            if let (Some(Ok(room)), Some(Ok(known)), None) =
                (words.next().map(str::parse), words.next().map(str::parse::<u64>), words.next())
            {
                let most = acknowledged.entry(room).or_default();
                *most = known.max(*most);
            }
        }
        let store = Embedded::open(&path, DAY)?;
        let mut orphans = store.heartbeat(RelayId(1), &[]).await?.orphans;
        orphans.sort_unstable();
        for (room, known) in &acknowledged {
            let log = write_ids(&store.load(*room, 1).await?);
            assert!(log.len() as u64 + 1 >= *known, "room {room} has {} lines of {known}", log.len() + 1);
            let expected: Vec<u64> = (2..).take(log.len()).collect();
            assert_eq!(log, expected, "all entries once, in order");
            assert!(orphans.binary_search(room).is_ok(), "room {room} is orphaned");
        }
        assert!(store.now().0 >= last_time, "time does not go back");
        last_time = store.now().0;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_store_resumes_rooms_and_time_after_a_restart() -> Result<()> {
    let folder = TempDir::new()?;
    let path = folder.path().join("store");
    let store = Embedded::open(&path, DAY)?;
    let relay = RelayId(1);
    let (open, _) = open_room(&store).await?;
    let (closed, code) = open_room(&store).await?;
    close_room(&store, closed, &code, head(1, 0)).await?;
    assert!(store.heartbeat(relay, &[]).await?.orphans.is_empty(), "new rooms are not orphaned");
    // So that the clock runs on after the last write.
    sleep(Duration::from_millis(50)).await;
    let running = Instant::now();
    let stopped = store.now();
    drop(store);
    let down = Instant::now();
    sleep(Duration::from_millis(200)).await;
    let down = down.elapsed();

    let store = Embedded::open(&path, DAY)?;
    let started = store.now();
    assert!(started >= stopped, "time does not go back");
    let up = Duration::from_millis(started.since(stopped));
    // Times are rounded to milliseconds.
    assert!(
        up <= running.elapsed().saturating_sub(down) + Duration::from_millis(2),
        "the clock ran while the store was closed"
    );
    let heartbeat = store.heartbeat(relay, &[]).await?;
    assert_eq!((heartbeat.relays, heartbeat.orphans), (vec![relay], vec![open]));
    assert!(store.heartbeat(relay, &[open]).await?.orphans.is_empty(), "rooms are orphaned once");
    assert_eq!(store.load(closed, 0).await?.len(), 2);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_store_removes_expired_games() -> Result<()> {
    let folder = TempDir::new()?;
    let store = Embedded::open(folder.path().join("store"), Duration::from_secs(2))?;
    let (open, _) = open_room(&store).await?;
    let mut finished = Vec::new();
    // More than one cleanup removes.
    for _ in 0..40 {
        let (room, code) = open_room(&store).await?;
        close_room(&store, room, &code, head(1, 0)).await?;
        finished.push((room, code));
    }
    assert_eq!(store.load(finished[39].0, 0).await?.len(), 2, "a finished game is kept for a while");
    let deadline = Instant::now() + TIMEOUT;
    for (room, code) in finished {
        while !store.load(room, 0).await?.is_empty() {
            assert!(Instant::now() < deadline, "room {room} is never removed");
            sleep(Duration::from_millis(100)).await;
        }
        assert_eq!(store.find(&code).await?, None);
    }
    assert_eq!(store.load(open, 0).await?.len(), 1);
    Ok(())
}

#[test]
fn open_errors_name_the_file() -> Result<()> {
    let folder = TempDir::new()?;
    let path = folder.path().join("store");
    let held = Embedded::open(&path, DAY)?;
    let refused = Embedded::open(&path, DAY).expect_err("in use");
    assert_eq!(refused, OpenError::InUse(path.clone()));
    assert!(refused.to_string().contains(&*path.to_string_lossy()), "{refused}");
    drop(held);
    drop(Embedded::open(&path, DAY)?);

    let letter = folder.path().join("letter.txt");
    fs::write(&letter, "Dear reader, ".repeat(1000))?;
    let refused = Embedded::open(&letter, DAY).expect_err("not a store");
    assert!(matches!(&refused, OpenError::NotAStore(path, _) if *path == letter), "{refused}");
    assert_eq!(fs::read_to_string(&letter)?, "Dear reader, ".repeat(1000), "the file is unchanged");

    let nowhere = folder.path().join("no such folder").join("store");
    let refused = Embedded::open(&nowhere, DAY).expect_err("no such folder");
    assert!(matches!(&refused, OpenError::Unreadable(path, _) if *path == nowhere), "{refused}");
    Ok(())
}
