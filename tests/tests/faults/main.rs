//! Fault injection: relays, Redis and connections fail during games. After each fault, every move that any client received is
//! there once, in order, on every client and in the store; and nothing hangs.
//!
//! Relays, Redis and connections are real. Players reconnect by themselves, as boards and pages do. At the end, their observations
//! are compared with each other and with the store (`tests::checked_games`).

#![cfg(unix)]

mod clocks;
mod soak;

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use tests::checked_games::{CheckedGames, TIMEOUT, compare_streams, wait_until};
use tests::json_client::JsonClient;
use tests::parts;
use tests::proxy::{Flow, NetworkFaults, Proxy};
use tests::redis::{Cluster, Redis};
use tests::relay::{RelayProcess, StoreLocation, get};
use tests::temp_dir::TempDir;
use tokio::time::sleep;

/// Number of games in parallel.
const GAMES: usize = 10;

/// Number of further moves of each game after each fault.
const MOVES: usize = 6;

/// A grace period longer than any test, so that no game ends because a player is disconnected.
const LONG_GRACE: &str = "--grace=600";

/// An outage of the store that is shorter than the relay retries a move.
const SHORT_OUTAGE: Duration = Duration::from_millis(700);

fn embedded(folder: &TempDir) -> Result<Option<RelayProcess>> {
    RelayProcess::start(StoreLocation::Folder(folder.path().join("data")), &[LONG_GRACE])
}

/// A Redis with this many relays.
fn redis_with_relays(relays: usize) -> Result<Option<(Redis, Vec<RelayProcess>)>> {
    if !parts::redis_server() {
        return Ok(None);
    }
    let redis = Redis::start()?;
    let start = |_| RelayProcess::start(StoreLocation::Redis(redis.port()), &[LONG_GRACE]);
    let relays = (0..relays).map(start).collect::<Result<Option<Vec<_>>>>()?;
    Ok(relays.map(|relays| (redis, relays)))
}

/// Waits until `/healthz` has this status. The relay checks its store periodically.
async fn wait_for_health(relay: &RelayProcess, status: u16) -> Result<()> {
    let deadline = Instant::now() + TIMEOUT;
    while get(relay.address(), "/healthz").await?.status != status {
        ensure!(Instant::now() < deadline, "/healthz never has the status {status}");
        sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn games_go_on_when_one_of_two_relays_is_killed() -> Result<()> {
    let Some((redis, mut relays)) = redis_with_relays(2)? else { return Ok(()) };
    let addresses = [relays[0].address(), relays[1].address()];
    let games = CheckedGames::start(&addresses, GAMES).await?;
    games.play_on(MOVES).await?;
    for victim in [0, 1] {
        relays[victim].kill9()?;
        games.play_on(MOVES).await?;
        relays[victim].restart()?;
        games.play_on(MOVES).await?;
    }
    for relay in &mut relays {
        let records = games.finish(relay.address()).await?;
        compare_streams(|words| redis.cli(words), &records)?;
        relay.check()?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn games_go_on_when_redis_is_killed_and_restarted() -> Result<()> {
    let Some((mut redis, mut relays)) = redis_with_relays(2)? else { return Ok(()) };
    let addresses = [relays[0].address(), relays[1].address()];
    let games = CheckedGames::start(&addresses, GAMES).await?;
    games.play_on(MOVES).await?;
    for is_short in [true, false, true] {
        let before = games.store_errors();
        redis.kill9()?;
        if is_short {
            sleep(SHORT_OUTAGE).await;
        } else {
            games.wait_for_store_errors(before + 1).await?;
        }
        redis.restart()?;
        games.play_on(MOVES).await?;
    }
    for relay in &mut relays {
        let records = games.finish(relay.address()).await?;
        compare_streams(|words| redis.cli(words), &records)?;
        relay.check()?;
        wait_for_health(relay, 200).await?;
    }
    Ok(())
}

/// A third of the slots is on the killed node, without a replica. The other nodes refuse writes meanwhile, which is the
/// default of Redis Cluster.
#[tokio::test(flavor = "multi_thread")]
async fn games_go_on_when_a_cluster_node_is_killed_and_restarted() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let mut cluster = Cluster::start()?;
    let port = cluster.port();
    let start = || RelayProcess::start(StoreLocation::Redis(port), &[LONG_GRACE, "--redis-cluster"]);
    let (Some(one), Some(other)) = (start()?, start()?) else { return Ok(()) };
    let mut relays = [one, other];
    let games = CheckedGames::start(&relays.each_ref().map(RelayProcess::address), GAMES).await?;
    games.play_on(MOVES).await?;
    let before = games.store_errors();
    cluster.nodes()[1].kill9()?;
    games.wait_for_store_errors(before + 1).await?;
    cluster.nodes()[1].restart()?;
    cluster.wait_until_ok()?;
    games.play_on(MOVES).await?;
    for relay in &mut relays {
        let records = games.finish(relay.address()).await?;
        compare_streams(|words| cluster.cli(words), &records)?;
        relay.check()?;
        wait_for_health(relay, 200).await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn games_go_on_when_the_connection_to_redis_is_cut_and_held() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let redis = Redis::start()?;
    let proxy = Proxy::start(([127, 0, 0, 1], redis.port()).into()).await?;
    let start = |port| RelayProcess::start(StoreLocation::Redis(port), &[LONG_GRACE]);
    // One relay reaches Redis through the proxy, the other directly.
    let (Some(mut bad), Some(mut good)) = (start(proxy.address().port())?, start(redis.port())?) else { return Ok(()) };
    let games = CheckedGames::start(&[bad.address(), good.address()], GAMES).await?;
    games.play_on(MOVES).await?;
    for _ in 0..3 {
        proxy.cut();
        games.play_on(2).await?;
    }
    // Longer than the relay waits for Redis: moves may be written without the relay knowing.
    for faults in [NetworkFaults::REPLIES_HELD, NetworkFaults::HELD] {
        for is_cut in [true, false] {
            proxy.set(faults);
            wait_for_health(&bad, 503).await?;
            // Without a cut, all held bytes arrive late.
            if is_cut {
                proxy.cut();
            }
            proxy.set(NetworkFaults::NONE);
            games.play_on(MOVES).await?;
            wait_for_health(&bad, 200).await?;
        }
    }
    for relay in [&mut bad, &mut good] {
        let records = games.finish(relay.address()).await?;
        compare_streams(|words| redis.cli(words), &records)?;
        relay.check()?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn games_go_on_when_player_connections_are_cut_slow_and_held() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = embedded(&folder)? else { return Ok(()) };
    let proxy = Proxy::start(relay.address()).await?;
    // One player of each game is connected through the proxy, the other directly.
    let games = CheckedGames::start(&[proxy.address(), relay.address()], GAMES).await?;
    games.play_on(MOVES).await?;
    let before = games.joins();
    for _ in 0..4 {
        proxy.cut();
        games.play_on(2).await?;
    }
    ensure!(games.joins() > before, "no player reconnected");
    let slow = Flow::Slow(512, Duration::from_millis(20));
    proxy.set(NetworkFaults { to_server: slow, to_client: slow });
    games.play_on(2).await?;
    for faults in [NetworkFaults::HELD, NetworkFaults::REPLIES_HELD] {
        proxy.set(faults);
        // Players behind the proxy reconnect directly.
        games.play_on(2).await?;
        proxy.set(NetworkFaults::NONE);
        games.play_on(2).await?;
    }
    games.finish(relay.address()).await?;
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn games_go_on_when_the_only_relay_is_killed() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = embedded(&folder)? else { return Ok(()) };
    let games = CheckedGames::start(&[relay.address()], GAMES).await?;
    for _ in 0..3 {
        games.play_on(MOVES).await?;
        relay.kill9()?;
        relay.restart()?;
    }
    games.play_on(MOVES).await?;
    games.finish(relay.address()).await?;
    relay.check()
}

/// A limit on the file size simulates a full disk. The tests of the store have a disk that is really full.
#[tokio::test(flavor = "multi_thread")]
async fn games_go_on_after_the_disk_was_full() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = embedded(&folder)? else { return Ok(()) };
    let games = CheckedGames::start(&[relay.address()], GAMES).await?;
    games.play_on(MOVES).await?;
    let pid = Pid::from_raw(relay.process_id()?.try_into()?);
    let unlimited = Rlimit { current: None, maximum: None };
    prlimit(pid, Resource::Fsize, Rlimit { current: Some(4096), ..unlimited })?;
    let before = games.store_errors();
    games.wait_for_store_errors(before + 1).await?;
    wait_for_health(&relay, 503).await?;
    let health = get(relay.address(), "/healthz").await?;
    ensure!(health.json()?["store"] != "ok", "{}", health.text());
    prlimit(pid, Resource::Fsize, unlimited)?;
    games.play_on(MOVES).await?;
    wait_for_health(&relay, 200).await?;
    let records = games.finish(relay.address()).await?;
    relay.check()?;
    // The games are on the disk, not only in the memory of the relay.
    relay.kill9()?;
    relay.restart()?;
    ensure!(games.finish(relay.address()).await? == records);
    Ok(())
}

/// A relay that waits for a store that does not answer ends at the second signal, and not when it has waited long enough.
#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_ends_a_relay_whose_redis_hangs() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let redis = Redis::start()?;
    let location = StoreLocation::Redis(redis.port());
    // Longer than the test waits.
    let Some(mut relay) = RelayProcess::start(location, &["--stop-within=600"])? else { return Ok(()) };
    let mut player = JsonClient::connect(relay.address(), "/ws/api/anna/hall/?extras=1").await?;
    player.receive_type("game_state").await?;
    redis.suspend()?;
    relay.terminate()?;
    wait_until("the relay stops", || Ok(relay.log().iter().any(|line| line.contains("shutting down")))).await?;
    drop(player);
    relay.terminate()?;
    let status = relay.wait()?;
    redis.resume()?;
    ensure!(status.success(), "{status}");
    Ok(())
}
