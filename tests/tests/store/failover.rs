//! Replicas of Redis that take over, with and without the last entries.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use host_server::store::redis::{Redis as RedisStore, RedisSettings, SentinelSettings};
use host_server::store::{Appended, Signal, Store, StoreError};
use serde_json::json;
use tests::json_player::JsonPlayer;
use tests::parts;
use tests::proxy::{NetworkFaults, Proxy};
use tests::redis::{Redis, Sentinel};
use tests::relay::{RelayProcess, StoreLocation};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::entries::{add, batch, head, line, open_room, write_ids};
use crate::settings;

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

const POLL: Duration = Duration::from_millis(20);

fn local(port: u16) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, port).into()
}

/// A primary and a replica, whose connection can be held, behind an address that moves from one to the other.
struct Replicated {
    primary: Redis,
    replica: Redis,
    replication: Proxy,
    address: Proxy,
}

async fn replicated() -> Result<Replicated> {
    let primary = Redis::start()?;
    let replication = Proxy::start(local(primary.port())).await?;
    let port = replication.address().port();
    let replica = tokio::task::spawn_blocking(move || Redis::start_replica(port)).await??;
    let address = Proxy::start(local(primary.port())).await?;
    Ok(Replicated { primary, replica, replication, address })
}

impl Replicated {
    /// The primary dies, and the replica takes over with what it has.
    fn fail_over(&mut self) -> Result<()> {
        self.primary.kill9()?;
        self.replica.promote()?;
        self.address.redirect(local(self.replica.port()));
        Ok(())
    }
}

#[test]
fn two_relays_agree_after_a_failover_that_lost_a_move() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let runtime = Runtime::new()?;
    let mut redis = runtime.block_on(replicated())?;
    let store = StoreLocation::Redis(redis.address.address().port());
    let Some(first) = RelayProcess::start(store.clone(), &[])? else { return Ok(()) };
    let second = RelayProcess::start(store, &[])?.context("the program was there a moment ago")?;
    let mut white = JsonPlayer::join(first.address(), "ann", "failover", "color=white")?;
    let mut black = JsonPlayer::join(second.address(), "bob", "failover", "color=black")?;
    for player in [&mut white, &mut black] {
        player.receive_type("start")?;
    }
    for (ply, mv) in ["e2e4", "e7e5"].into_iter().enumerate() {
        white.wait_for_ply(ply)?;
        black.wait_for_ply(ply)?;
        if ply % 2 == 0 { &mut white } else { &mut black }.play(mv, ply)?;
    }
    for player in [&mut white, &mut black] {
        player.wait_for_ply(2)?;
    }
    runtime.block_on(async { timeout(TIMEOUT, replica_has_all(&redis)).await? })?;
    redis.replication.set(NetworkFaults::HELD);
    white.play("g1f3", 2)?;
    for player in [&mut white, &mut black] {
        player.wait_for_ply(3)?;
    }
    redis.fail_over()?;

    // Both relays have shown a move that no longer exists. Both notice, and their players see the same position again.
    for player in [&mut white, &mut black] {
        player.wait_for_close()?;
        player.rejoin()?;
        player.wait_for_ply(2)?;
    }
    white.play("b1c3", 2)?;
    for player in [&mut white, &mut black] {
        let state = player.wait_for_ply(3)?;
        assert_eq!(state["turn"], "black", "{state}");
    }
    black.send(&json!({"type": "chat", "message": "where is your knight?"}))?;
    for (player, relay) in [(&mut white, &first), (&mut black, &second)] {
        player.receive_type("chat")?;
        let reloaded = runtime.block_on(relay.figure("tabiya_diverged_logs_total", ""))?;
        assert!(reloaded >= 1.0, "{reloaded}");
    }
    Ok(())
}

/// Waits until the replica has confirmed everything that the primary has written.
async fn replica_has_all(redis: &Replicated) -> Result<()> {
    let offset = |server: &Redis, name: &str| -> Result<String> {
        let info = server.cli(&["info", "replication"])?;
        let line = info.lines().find_map(|line| line.strip_prefix(name)).context("no offset")?;
        Ok(line.trim().to_owned())
    };
    while offset(&redis.primary, "master_repl_offset:")? != offset(&redis.replica, "slave_repl_offset:")? {
        sleep(POLL).await;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_append_waits_for_replicas_if_that_is_configured() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let redis = replicated().await?;
    let settings = RedisSettings { wait_replicas: 1, ..settings(redis.primary.port(), false) };
    let store = RedisStore::connect(&settings).await?;
    let (room, _) = open_room(&store).await?;
    assert_eq!(add(&store, room, head(1, 0), 1).await?, head(2, 1));
    redis.primary.cli(&["script", "flush", "sync"])?;
    assert_eq!(add(&store, room, head(2, 1), 2).await?, head(3, 2));
    // Without a replica in time the write is not confirmed, although the primary has it.
    let other = RedisStore::connect(&settings).await?;
    let mut listener = other.listen(room).await?;
    redis.replication.set(NetworkFaults::HELD);
    // Also not if it is repeated, and finds the entry in the log.
    for _ in 0..2 {
        let held = store.append(room, batch(head(3, 2), vec![line(3)])).await;
        assert!(matches!(held, Err(StoreError::Unclear(_))), "{held:?}");
    }
    // No other relay is signalled or can load it, because its clients would see what a failover may lose.
    let loaded = other.load(room, 3).await;
    assert!(matches!(loaded, Err(StoreError::Unclear(_))), "{loaded:?}");
    let mut signals = std::iter::from_fn(|| listener.signals.try_recv().ok());
    assert!(!signals.any(|signal| signal == Signal::Grown(head(4, 3))));
    // The relay tries again, and finds its entry when a replica has it.
    redis.replication.set(NetworkFaults::NONE);
    let confirmed = async {
        loop {
            match store.append(room, batch(head(3, 2), vec![line(3)])).await {
                Err(StoreError::Unclear(_)) => {}
                answer => return answer,
            }
        }
    };
    assert_eq!(timeout(TIMEOUT, confirmed).await??, Appended::Conflict(vec![line(3)]));
    let told = async { while listener.signals.recv().await != Some(Signal::Grown(head(4, 3))) {} };
    timeout(TIMEOUT, told).await?;
    assert_eq!(write_ids(&other.load(room, 3).await?), [3]);
    Ok(())
}

/// Without the replica no move is confirmed, so that time is not taken off a clock.
#[tokio::test(flavor = "multi_thread")]
async fn the_clock_stands_still_without_the_replicas_that_an_append_waits_for() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let redis = replicated().await?;
    let settings = RedisSettings { wait_replicas: 1, ..settings(redis.primary.port(), false) };
    let store = RedisStore::connect(&settings).await?;
    let (room, _) = open_room(&store).await?;
    redis.replication.set(NetworkFaults::HELD);
    let stands_still = async {
        loop {
            let before = store.now();
            // Each attempt takes as long as Redis waits for the replica, a second.
            let held = store.append(room, batch(head(1, 0), vec![line(1)])).await;
            if store.now() == before {
                return held;
            }
        }
    };
    let held = timeout(TIMEOUT, stands_still).await.context("the clock runs on")?;
    assert!(matches!(held, Err(StoreError::Unclear(_))), "{held:?}");
    // For longer than the gap between two samples that counts.
    let (stopped, since) = (store.now(), Instant::now());
    for _ in 0..3 {
        assert!(store.append(room, batch(head(1, 0), vec![line(1)])).await.is_err());
        // A monitor asks for the health at shorter intervals than the gap. That tells of the outage, and does not move the time on.
        let health = store.check().await;
        assert!(matches!(health, Err(StoreError::Unavailable(_))), "{health:?}");
    }
    assert_eq!(store.now(), stopped);
    let outage = since.elapsed();
    redis.replication.set(NetworkFaults::NONE);
    let goes_on = async {
        while store.now() == stopped {
            sleep(POLL).await;
        }
    };
    timeout(TIMEOUT, goes_on).await.context("the clock stands still")?;
    let counted = u128::from(store.now().since(stopped));
    assert!(counted + outage.as_millis() / 2 <= since.elapsed().as_millis(), "{counted} ms of {outage:?} count");
    Ok(())
}

/// Answers the command of Sentinels that names the primary, with this port, and every other one with OK.
async fn name_primary(listener: TcpListener, primary: watch::Receiver<u16>) -> Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        let primary = primary.clone();
        tokio::spawn(async move {
            let (from, mut to) = stream.into_split();
            let mut lines = BufReader::new(from).lines();
            // A command is `*<parts>`, and for each part a line with its length before the part itself.
            while let Some(count) = lines.next_line().await? {
                let parts: usize = count.trim_start_matches('*').parse()?;
                let mut command = Vec::new();
                for _ in 0..parts {
                    lines.next_line().await?;
                    command.push(lines.next_line().await?.context("the command ends early")?);
                }
                let answer = if command.first().is_some_and(|name| name.eq_ignore_ascii_case("sentinel")) {
                    let port = primary.borrow().to_string();
                    format!("*2\r\n$9\r\n127.0.0.1\r\n${}\r\n{port}\r\n", port.len())
                } else {
                    "+OK\r\n".to_owned()
                };
                to.write_all(answer.as_bytes()).await?;
            }
            anyhow::Ok(())
        });
    }
}

/// The old primary has executed the commands and its answers are late, when the store moves to the new one. The new one has a replica too, which
/// has everything of the new one.
#[tokio::test(flavor = "multi_thread")]
async fn the_replicas_of_a_new_primary_do_not_confirm_entries_of_the_old_one() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let redis = replicated().await?;
    let below = redis.replica.port();
    let _replica_of_new = tokio::task::spawn_blocking(move || Redis::start_replica(below)).await??;
    let sentinel = TcpListener::bind(local(0)).await?;
    let sentinels = SentinelSettings { addresses: sentinel.local_addr()?.to_string(), master: "chess".to_owned() };
    let (named, primary) = watch::channel(redis.address.address().port());
    let sentinel = tokio::spawn(name_primary(sentinel, primary));
    let settings = RedisSettings { sentinels: Some(sentinels), wait_replicas: 1, ..settings(1, false) };
    let store = RedisStore::connect(&settings).await?;
    let (room, _) = open_room(&store).await?;
    assert_eq!(add(&store, room, head(1, 0), 1).await?, head(2, 1));

    redis.replication.set(NetworkFaults::HELD);
    redis.address.set(NetworkFaults::REPLIES_HELD);
    let log = format!("{}{{{room}}}:log", settings.prefix);
    let has_entry = async {
        while redis.primary.cli(&["xlen", &log])? != "3" {
            sleep(POLL).await;
        }
        anyhow::Ok(())
    };
    let reads = || -> Result<u64> {
        let statistics = redis.primary.cli(&["info", "commandstats"])?;
        let calls = statistics.split_once("cmdstat_xrange:calls=").and_then(|(_, rest)| rest.split(',').next());
        Ok(calls.unwrap_or("0").parse()?)
    };
    let append = store.append(room, batch(head(2, 1), vec![line(2)]));
    let rest = async {
        has_entry.await?;
        let before = reads()?;
        let failover = async {
            while reads()? < before + 2 {
                sleep(POLL).await;
            }
            redis.replica.cli(&["replicaof", "no", "one"])?;
            named.send_replace(redis.replica.port());
            // The connections of the store, which speak the third version of the protocol.
            while redis.replica.cli(&["client", "list"])?.matches("resp=3").count() < 8 {
                sleep(POLL).await;
            }
            redis.address.set(NetworkFaults::NONE);
            anyhow::Ok(())
        };
        let (loaded, read, moved) = tokio::join!(store.load(room, 0), store.read_log(room), failover);
        moved.map(|()| (loaded, read.map(drop)))
    };
    let (appended, rest) = timeout(TIMEOUT, async { tokio::join!(append, rest) }).await?;
    let (loaded, read) = rest?;
    assert!(matches!(appended, Err(StoreError::Unclear(_))), "{appended:?}");
    assert!(matches!(loaded, Err(StoreError::Unclear(_))), "{loaded:?}");
    assert!(matches!(read, Err(StoreError::Unclear(_))), "{read:?}");
    assert_eq!(write_ids(&store.load(room, 0).await?), [0, 1], "the entry is lost, and nobody was told of it");
    sentinel.abort();
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_store_follows_the_primary_that_sentinels_name() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let mut primary = Redis::start()?;
    let replica = Redis::start_replica(primary.port())?;
    let sentinel = Sentinel::start(primary.port())?;
    let sentinels = |port: u16| {
        // The first one does not exist.
        let addresses = format!("127.0.0.1:1,127.0.0.1:{port}");
        Some(SentinelSettings { addresses, master: Sentinel::MASTER.to_owned() })
    };
    // The port is not used: the Sentinel knows it.
    let settings = RedisSettings { sentinels: sentinels(sentinel.port()), wait_replicas: 1, ..settings(1, false) };
    let one = RedisStore::connect(&settings).await?;
    // There is no second replica after the failover.
    let settings = RedisSettings { wait_replicas: 0, ..settings };
    let other = RedisStore::connect(&settings).await?;
    let (room, _) = open_room(&one).await?;
    let mut listener = other.listen(room).await?;
    assert_eq!(add(&one, room, head(1, 0), 1).await?, head(2, 1));
    primary.kill9()?;

    let follows = async {
        loop {
            match RedisStore::connect(&settings).await {
                Ok(store) => break store,
                Err(_) => sleep(POLL).await,
            }
        }
    };
    let third = timeout(TIMEOUT, follows).await?;
    assert_eq!(write_ids(&third.load(room, 0).await?), [0, 1], "the replica had the confirmed entry");
    let received = async {
        let mut known = head(2, 1);
        loop {
            // The listener's store connects to the new primary as well.
            known = add(&third, room, known, known.version + 1).await?;
            while let Ok(signal) = timeout(POLL * 10, listener.signals.recv()).await {
                if matches!(signal, Some(Signal::Grown(head)) if head == known) {
                    return anyhow::Ok(known);
                }
            }
        }
    };
    let known = timeout(TIMEOUT, received).await??;
    let loaded = async {
        while other.load(room, 0).await.map_or(0, |log| log.len() as u64) < known.version {
            sleep(POLL).await;
        }
    };
    timeout(TIMEOUT, loaded).await?;
    assert!(replica.cli(&["role"])?.starts_with("master"));
    Ok(())
}
