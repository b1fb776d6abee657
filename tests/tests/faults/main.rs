//! Things break while people play. After each: every move that anybody was told of is there once, in order, on every client
//! and in the store; and nothing hangs.
//!
//! Relays, Redis and lines are real. Those who play come back by themselves, as boards and pages do (`witness.rs`), and are
//! held against each other and against the store at the end (`hall.rs`).

#![cfg(unix)]

mod hall;
mod witness;

use std::time::Duration;

use anyhow::{Result, bail, ensure};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use tests::parts;
use tests::proxy::{Flow, Proxy, Weather};
use tests::redis::{Cluster, Folder, Redis};
use tests::relay::{Keeping, Relay, get};
use tokio::time::sleep;

use hall::{Hall, compare_streams};

/// So many games are played at once.
const TABLES: usize = 10;

/// So many moves of each show that it goes on.
const MOVES: usize = 6;

/// Nobody loses a game here only because somebody was away.
const PATIENT: &str = "--grace=600";

/// How long a store may be away for a move to be tried again by the relay, and not to be given up.
const SHORTLY: Duration = Duration::from_millis(700);

/// How long a store has to be away for moves to be given up.
const FOR_LONG: Duration = Duration::from_secs(8);

fn embedded(folder: &Folder) -> Result<Option<Relay>> {
    Relay::start(Keeping::Folder(folder.path().join("data")), &[PATIENT])
}

/// A Redis with its relays.
fn shared(relays: usize) -> Result<Option<(Redis, Vec<Relay>)>> {
    if !parts::redis_server() {
        return Ok(None);
    }
    let redis = Redis::start()?;
    let start = |_| Relay::start(Keeping::Redis(redis.port()), &[PATIENT]);
    let relays = (0..relays).map(start).collect::<Result<Option<Vec<_>>>>()?;
    Ok(relays.map(|relays| (redis, relays)))
}

/// Waits until a relay says that all is well. It asks its store only once in a while.
async fn well(relay: &Relay) -> Result<()> {
    for _ in 0..300 {
        if get(relay.address(), "/healthz").await?.status == 200 {
            return Ok(());
        }
        sleep(Duration::from_millis(100)).await;
    }
    bail!("the relay is never well again")
}

#[tokio::test(flavor = "multi_thread")]
async fn one_relay_of_two_is_killed() -> Result<()> {
    let Some((redis, mut relays)) = shared(2)? else { return Ok(()) };
    let addresses = [relays[0].address(), relays[1].address()];
    let hall = Hall::open(&addresses, TABLES).await?;
    hall.go_on(MOVES).await?;
    for victim in [0, 1] {
        relays[victim].kill9()?;
        hall.go_on(MOVES).await?;
        relays[victim].restart()?;
        hall.go_on(MOVES).await?;
    }
    for relay in &mut relays {
        let games = hall.finish(relay.address()).await?;
        compare_streams(|words| redis.cli(words), &games)?;
        relay.check()?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_is_killed_and_comes_back() -> Result<()> {
    let Some((mut redis, mut relays)) = shared(2)? else { return Ok(()) };
    let addresses = [relays[0].address(), relays[1].address()];
    let hall = Hall::open(&addresses, TABLES).await?;
    hall.go_on(MOVES).await?;
    for away in [SHORTLY, FOR_LONG, SHORTLY] {
        redis.kill9()?;
        sleep(away).await;
        redis.restart()?;
        hall.go_on(MOVES).await?;
    }
    ensure!(hall.unwritten() > 0, "nobody noticed that there was no store for {FOR_LONG:?}");
    for relay in &mut relays {
        let games = hall.finish(relay.address()).await?;
        compare_streams(|words| redis.cli(words), &games)?;
        relay.check()?;
        well(relay).await?;
    }
    Ok(())
}

/// A third of the games is on the node that dies, and no other node has them. The rest of the Cluster refuses to go on without
/// it, which is how Clusters are unless they are told otherwise.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_of_a_cluster_is_killed_and_comes_back() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let mut cluster = Cluster::start()?;
    let port = cluster.port();
    let start = || Relay::start(Keeping::Redis(port), &[PATIENT, "--redis-cluster"]);
    let (Some(one), Some(other)) = (start()?, start()?) else { return Ok(()) };
    let mut relays = [one, other];
    let hall = Hall::open(&relays.each_ref().map(Relay::address), TABLES).await?;
    hall.go_on(MOVES).await?;
    let before = hall.unwritten();
    cluster.nodes()[1].kill9()?;
    sleep(FOR_LONG).await;
    ensure!(hall.unwritten() > before, "nobody noticed that a third of the store was away for {FOR_LONG:?}");
    cluster.nodes()[1].restart()?;
    cluster.wait_until_it_works()?;
    hall.go_on(MOVES).await?;
    for relay in &mut relays {
        let games = hall.finish(relay.address()).await?;
        compare_streams(|words| cluster.cli(words), &games)?;
        relay.check()?;
        well(relay).await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_line_to_redis_is_cut_and_held() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let redis = Redis::start()?;
    let proxy = Proxy::start(([127, 0, 0, 1], redis.port()).into()).await?;
    let start = |port| Relay::start(Keeping::Redis(port), &[PATIENT]);
    // One of them has a bad line, and the other a good one.
    let (Some(mut bad), Some(mut good)) = (start(proxy.address().port())?, start(redis.port())?) else { return Ok(()) };
    let hall = Hall::open(&[bad.address(), good.address()], TABLES).await?;
    hall.go_on(MOVES).await?;
    for _ in 0..3 {
        proxy.cut();
        hall.go_on(2).await?;
    }
    // Longer than an answer is waited for: moves are written, and the relay does not know it.
    for weather in [Weather::UNANSWERED, Weather::SILENT] {
        proxy.set(weather);
        sleep(Duration::from_secs(4)).await;
        proxy.cut();
        proxy.set(Weather::FINE);
        hall.go_on(MOVES).await?;
        proxy.set(weather);
        sleep(Duration::from_millis(2500)).await;
        // This time everything arrives in the end.
        proxy.set(Weather::FINE);
        hall.go_on(MOVES).await?;
    }
    for relay in [&mut bad, &mut good] {
        let games = hall.finish(relay.address()).await?;
        compare_streams(|words| redis.cli(words), &games)?;
        relay.check()?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lines_of_players_are_cut_slow_and_held() -> Result<()> {
    let folder = Folder::new()?;
    let Some(mut relay) = embedded(&folder)? else { return Ok(()) };
    let proxy = Proxy::start(relay.address()).await?;
    // A player of each table has a good line.
    let hall = Hall::open(&[proxy.address(), relay.address()], TABLES).await?;
    hall.go_on(MOVES).await?;
    let before = hall.arrivals();
    for _ in 0..4 {
        proxy.cut();
        hall.go_on(2).await?;
    }
    ensure!(hall.arrivals() > before, "nobody came back");
    let slow = Flow::Slow(512, Duration::from_millis(20));
    proxy.set(Weather { forth: slow, back: slow });
    hall.go_on(2).await?;
    for weather in [Weather::SILENT, Weather::UNANSWERED] {
        proxy.set(weather);
        // Those on the good line go on with those who come back by it.
        hall.go_on(2).await?;
        proxy.set(Weather::FINE);
        hall.go_on(2).await?;
    }
    hall.finish(relay.address()).await?;
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_only_relay_is_killed() -> Result<()> {
    let folder = Folder::new()?;
    let Some(mut relay) = embedded(&folder)? else { return Ok(()) };
    let hall = Hall::open(&[relay.address()], TABLES).await?;
    for _ in 0..3 {
        hall.go_on(MOVES).await?;
        relay.kill9()?;
        relay.restart()?;
    }
    hall.go_on(MOVES).await?;
    hall.finish(relay.address()).await?;
    relay.check()
}

/// A file that may not grow is a disk that is full. The store's own tests have a disk that really is.
#[tokio::test(flavor = "multi_thread")]
async fn the_disk_is_full() -> Result<()> {
    let folder = Folder::new()?;
    let Some(mut relay) = embedded(&folder)? else { return Ok(()) };
    let hall = Hall::open(&[relay.address()], TABLES).await?;
    hall.go_on(MOVES).await?;
    let pid = Pid::from_raw(relay.process_id()?.try_into()?);
    let unlimited = Rlimit { current: None, maximum: None };
    // Nothing at all can be written.
    prlimit(pid, Resource::Fsize, Rlimit { current: Some(4096), ..unlimited })?;
    let before = hall.unwritten();
    for _ in 0..600 {
        if hall.unwritten() > before + 5 {
            break;
        }
        sleep(Duration::from_millis(100)).await;
    }
    ensure!(hall.unwritten() > before + 5, "nobody is told that the disk is full");
    let health = get(relay.address(), "/healthz").await?;
    ensure!(health.status == 503 && health.json()?["store"] != "ok", "{}", health.text());
    prlimit(pid, Resource::Fsize, unlimited)?;
    hall.go_on(MOVES).await?;
    well(&relay).await?;
    let games = hall.finish(relay.address()).await?;
    relay.check()?;
    // It is on the disk, and not only in the memory of the relay.
    relay.kill9()?;
    relay.restart()?;
    ensure!(hall.finish(relay.address()).await? == games);
    Ok(())
}
