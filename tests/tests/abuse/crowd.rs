//! One bad spectator must not hold up a single move.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use tests::proxy::{Proxy, Weather};
use tests::redis::Folder;
use tests::relay::{Line, Relay};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;

use crate::pair::{Pair, median};

const GOOD: usize = 450;
const BAD: usize = 50;
const MOVES: usize = 40;

/// What takes longer than this will never come.
const PATIENCE: Duration = Duration::from_mins(1);

fn path(number: usize) -> String {
    format!("/ws/api/watcher{number}/hall/?extras=1&watch=1")
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_of_five_hundred_misbehave() -> Result<()> {
    let folder = Folder::new()?;
    let Some(mut relay) = crate::relay(&folder, &["--messages-per-second=30"])? else { return Ok(()) };
    let mut pair = Pair::sit(relay.address(), "hall").await?;
    let mut good = JoinSet::new();
    for number in 0..GOOD {
        let mut line = Line::connect(relay.address(), &path(number)).await?;
        line.hear_until("game_state").await?;
        good.spawn(watch(line, 3 * MOVES));
    }
    // The first moves warm everything up.
    pair.play(MOVES).await?;
    let before = median(pair.play(MOVES).await?);

    let proxy = Proxy::start(relay.address()).await?;
    let mut bad = JoinSet::new();
    for number in 0..BAD {
        let kind = Misdeed::ALL[number % Misdeed::ALL.len()];
        let to = if kind == Misdeed::Vanish { proxy.address() } else { relay.address() };
        bad.spawn(misbehave(kind, to, GOOD + number));
    }
    await_arrival(&relay).await?;
    proxy.set(Weather::SILENT);
    let after = median(pair.play(MOVES).await?);
    ensure!(pair.plies() == 3 * MOVES);
    while let Some(watched) = timeout(PATIENCE, good.join_next()).await.context("a spectator hangs")? {
        watched??;
    }
    pair.check().await?;
    relay.check()?;
    // In one run, on one machine: what others do to the machine is done to both. The rest is for a very busy one.
    ensure!(after < before * 3 + Duration::from_millis(50), "a move took {before:?}, and then {after:?}");
    println!("a move took {before:?}, and with {BAD} of {} misbehaving {after:?}", GOOD + BAD);
    ensure!(relay.figure("tabiya_drops_total", "size").await? > 0.0, "giant frames were taken");
    ensure!(relay.figure("tabiya_drops_total", "rate").await? > 0.0, "floods were taken");
    ensure!(relay.figure("tabiya_drops_total", "protocol").await? > 0.0, "garbage was taken");
    Ok(())
}

/// The bad ones have begun.
async fn await_arrival(relay: &Relay) -> Result<()> {
    for _ in 0..600 {
        if relay.figure("tabiya_joins_total", "spectator").await? >= f64::from(u32::try_from(GOOD + BAD)?) {
            return Ok(());
        }
        sleep(Duration::from_millis(50)).await;
    }
    bail!("the bad ones do not come")
}

/// Watches a game until so many moves were made. Every move must be told, once and in order.
async fn watch(mut line: Line, moves: usize) -> Result<()> {
    let mut known = 0;
    while known < moves {
        let heard = line.hear_text_within(PATIENCE).await.context("nothing is told any more")?;
        let text = heard.map_err(|code| anyhow::anyhow!("let go with {code:?} after {known} moves"))?;
        // Hundreds read thousands of these, and all that matters is one number.
        let Some((_, rest)) = text.split_once(r#""ply":"#) else { continue };
        let ply: usize = rest.split(',').next().unwrap_or_default().parse()?;
        ensure!(ply == known + 1, "after {known} moves comes the {ply}th");
        known = ply;
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Misdeed {
    /// It never reads.
    Deaf,
    /// It reads a byte a second.
    Trickle,
    /// It resets the connection in the middle of a frame, and comes again.
    Reset,
    /// It sends what is no WebSocket.
    Garbage,
    /// It asks all the time whether somebody is there.
    Pings,
    /// It sends frames that are larger than allowed, or say that they are larger than anything.
    Giant,
    /// Its cable is pulled.
    Vanish,
    /// It talks all the time, and does not listen.
    Flood,
}

impl Misdeed {
    const ALL: [Self; 8] =
        [Self::Deaf, Self::Trickle, Self::Reset, Self::Garbage, Self::Pings, Self::Giant, Self::Vanish, Self::Flood];
}

/// Goes on and on, until nobody needs it any more.
async fn misbehave(kind: Misdeed, relay: SocketAddr, number: usize) {
    loop {
        // Whatever comes of it, it comes again. How often is for the limits of connections, which are not tested here.
        let _ = misbehave_once(kind, relay, number).await;
        sleep(Duration::from_secs(1)).await;
    }
}

async fn misbehave_once(kind: Misdeed, relay: SocketAddr, number: usize) -> Result<()> {
    let mut line = Line::connect(relay, &path(number)).await?;
    match kind {
        Misdeed::Deaf | Misdeed::Vanish => {
            let stream = line.into_stream();
            sleep(PATIENCE * 2).await;
            drop(stream);
        }
        Misdeed::Trickle => {
            let mut stream = line.into_stream();
            while stream.read_u8().await.is_ok() {
                sleep(Duration::from_secs(1)).await;
            }
        }
        Misdeed::Reset => {
            let mut stream = line.into_stream();
            stream.set_zero_linger()?;
            // A text of a hundred bytes, of which three come.
            stream.write_all(&[0x81, 0x80 | 0x64, 1, 2, 3, 4, b'a', b'b', b'c']).await?;
        }
        Misdeed::Garbage => {
            let mut stream = line.into_stream();
            stream.write_all(&[0xff; 64]).await?;
            stream.read_to_end(&mut Vec::new()).await?;
        }
        Misdeed::Pings => while line.send(Message::Ping(vec![b'x'; 100].into())).await.is_ok() {},
        Misdeed::Giant if number.is_multiple_of(2) => {
            line.send(Message::text("x".repeat(70_000))).await?;
            line.hear_end().await?;
        }
        Misdeed::Giant => {
            let mut stream = line.into_stream();
            stream.write_all(&[0x82, 0x80 | 0x7f, 0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4]).await?;
            stream.read_to_end(&mut Vec::new()).await?;
        }
        Misdeed::Flood => while line.send(Message::text(r#"{"type":"resign"}"#)).await.is_ok() {},
    }
    Ok(())
}
