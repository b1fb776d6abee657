//! Misbehaving spectators delay no move.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use tests::json_client::JsonClient;
use tests::proxy::{NetworkFaults, Proxy};
use tests::relay::RelayProcess;
use tests::temp_dir::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;

use crate::two_players::{TwoPlayers, median};

const GOOD: usize = 450;
const BAD: usize = 50;
const MOVES: usize = 40;

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

fn path(number: usize) -> String {
    format!("/ws/api/watcher{number}/hall/?extras=1&watch=1")
}

#[tokio::test(flavor = "multi_thread")]
async fn misbehaving_spectators_delay_no_move() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = crate::relay(&folder, &["--messages-per-second=30"])? else { return Ok(()) };
    let mut pair = TwoPlayers::sit(relay.address(), "hall").await?;
    let mut good = JoinSet::new();
    // How many moves there are is known at the end.
    let moves = Arc::new(AtomicUsize::new(usize::MAX));
    for number in 0..GOOD {
        let mut line = JsonClient::connect(relay.address(), &path(number)).await?;
        line.receive_type("game_state").await?;
        good.spawn(watch(line, moves.clone()));
    }
    // Warm-up.
    pair.play(MOVES).await?;
    // They misbehave until the end of the test.
    let (before, after, _misbehaving) = play_without_delay(&mut pair, &relay).await?;
    moves.store(pair.plies() + 1, Ordering::Relaxed);
    pair.play(1).await?;
    while let Some(watched) = timeout(TIMEOUT, good.join_next()).await.context("a spectator hangs")? {
        watched??;
    }
    pair.check().await?;
    relay.check()?;
    println!("a move took {before:?}, and with {BAD} of {} misbehaving {after:?}", GOOD + BAD);
    ensure!(relay.figure("tabiya_drops_total", "size").await? > 0.0, "giant frames were accepted");
    ensure!(relay.figure("tabiya_drops_total", "rate").await? > 0.0, "floods were accepted");
    ensure!(relay.figure("tabiya_drops_total", "protocol").await? > 0.0, "garbage was taken");
    Ok(())
}

/// The misbehaving clients, and the proxy of some of them.
type Misbehaving = (JoinSet<()>, Proxy);

/// Plays without and with misbehaving clients, until moves take about as long with them as without: a delay that they cause is in every
/// round, and a machine that becomes busy with something else is so in the next round from the start.
async fn play_without_delay(pair: &mut TwoPlayers, relay: &RelayProcess) -> Result<(Duration, Duration, Misbehaving)> {
    let begin = Instant::now();
    loop {
        let before = median(pair.play(MOVES).await?);
        let joined = relay.figure("tabiya_joins_total", "spectator").await?;
        let proxy = Proxy::start(relay.address()).await?;
        let mut bad = JoinSet::new();
        for number in 0..BAD {
            let kind = Misbehaviour::ALL[number % Misbehaviour::ALL.len()];
            let to = if kind == Misbehaviour::StopsWithoutClose { proxy.address() } else { relay.address() };
            bad.spawn(misbehave(kind, to, GOOD + number));
        }
        wait_for_misbehaving_clients(relay, joined).await?;
        proxy.set(NetworkFaults::HELD);
        let after = median(pair.play(MOVES).await?);
        if after < before * 3 + Duration::from_millis(50) {
            return Ok((before, after, (bad, proxy)));
        }
        eprintln!("a move took {before:?}, and with misbehaving clients {after:?}");
        ensure!(begin.elapsed() < 3 * TIMEOUT, "moves were slower in every round: {before:?}, and then {after:?}");
        bad.shutdown().await;
    }
}

/// Waits until the misbehaving clients are connected, besides those that have connected before.
async fn wait_for_misbehaving_clients(relay: &RelayProcess, joined: f64) -> Result<()> {
    for _ in 0..600 {
        if relay.figure("tabiya_joins_total", "spectator").await? >= joined + f64::from(u32::try_from(BAD)?) {
            return Ok(());
        }
        sleep(Duration::from_millis(50)).await;
    }
    bail!("the misbehaving clients did not connect in time")
}

/// Receives a game up to this number of moves, which is set before the last one. Every move must come once, in order.
async fn watch(mut line: JsonClient, moves: Arc<AtomicUsize>) -> Result<()> {
    let mut known = 0;
    while known < moves.load(Ordering::Relaxed) {
        let received = line.receive_text_within(TIMEOUT).await.context("the spectator received nothing more")?;
        let text = received.map_err(|code| anyhow::anyhow!("closed with {code:?} after {known} moves"))?;
        // Parsing the whole JSON of all spectators would take too long; only `ply` matters.
        let Some((_, rest)) = text.split_once(r#""ply":"#) else { continue };
        let ply: usize = rest.split(',').next().unwrap_or_default().parse()?;
        ensure!(ply == known + 1, "after {known} moves comes the {ply}th");
        known = ply;
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Misbehaviour {
    NeverReads,
    /// Reads a byte a second.
    ReadsSlowly,
    /// Resets the connection in the middle of a frame, and reconnects.
    Reset,
    /// Sends bytes that are no WebSocket frames.
    Garbage,
    /// Floods with pings.
    Pings,
    /// Sends frames that are, or claim to be, larger than allowed.
    Giant,
    /// Stops without closing the connection.
    StopsWithoutClose,
    /// Floods with messages, and never reads.
    Flood,
}

impl Misbehaviour {
    const ALL: [Self; 8] = [
        Self::NeverReads,
        Self::ReadsSlowly,
        Self::Reset,
        Self::Garbage,
        Self::Pings,
        Self::Giant,
        Self::StopsWithoutClose,
        Self::Flood,
    ];
}

/// Misbehaves again and again until the task is dropped.
async fn misbehave(kind: Misbehaviour, relay: SocketAddr, number: usize) {
    loop {
        // Errors are expected. Connection limits are tested elsewhere.
        let _ = misbehave_once(kind, relay, number).await;
        sleep(Duration::from_secs(1)).await;
    }
}

async fn misbehave_once(kind: Misbehaviour, relay: SocketAddr, number: usize) -> Result<()> {
    let mut line = JsonClient::connect(relay, &path(number)).await?;
    match kind {
        Misbehaviour::NeverReads | Misbehaviour::StopsWithoutClose => {
            let stream = line.into_stream();
            sleep(TIMEOUT * 2).await;
            drop(stream);
        }
        Misbehaviour::ReadsSlowly => {
            let mut stream = line.into_stream();
            while stream.read_u8().await.is_ok() {
                sleep(Duration::from_secs(1)).await;
            }
        }
        Misbehaviour::Reset => {
            let mut stream = line.into_stream();
            stream.set_zero_linger()?;
            // A text frame of 100 bytes, of which three are sent.
            stream.write_all(&[0x81, 0x80 | 0x64, 1, 2, 3, 4, b'a', b'b', b'c']).await?;
        }
        Misbehaviour::Garbage => {
            let mut stream = line.into_stream();
            stream.write_all(&[0xff; 64]).await?;
            stream.read_to_end(&mut Vec::new()).await?;
        }
        Misbehaviour::Pings => while line.send(Message::Ping(vec![b'x'; 100].into())).await.is_ok() {},
        Misbehaviour::Giant if number.is_multiple_of(2) => {
            line.send(Message::text("x".repeat(70_000))).await?;
            line.receive_close().await?;
        }
        Misbehaviour::Giant => {
            let mut stream = line.into_stream();
            stream.write_all(&[0x82, 0x80 | 0x7f, 0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4]).await?;
            stream.read_to_end(&mut Vec::new()).await?;
        }
        Misbehaviour::Flood => while line.send(Message::text(r#"{"type":"resign"}"#)).await.is_ok() {},
    }
    Ok(())
}
