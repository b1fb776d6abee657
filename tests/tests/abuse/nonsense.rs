//! Thousands of messages and frames that mean nothing, or nearly something, while two others play in the same room.
//!
//! They are the same ones each time. That nothing breaks on any input at all is for the fuzzers; this is about sockets, and
//! about those who are not concerned.

use std::net::SocketAddr;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;
use tests::parts;
use tests::redis::Folder;
use tests::relay::{Heard, Line, Relay};
use tests::stroll::next_number;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use wire::link::{Call, Channel, Ephemeral, MAX_FRAME, PairingKey};

use crate::pair::Pair;

/// So many messages are said on each line in all, however often it breaks.
const MESSAGES: usize = 1_500;

/// So many are said before it is asked whether anybody still listens.
const BATCH: usize = 25;

/// What takes longer than this will never come.
const PATIENCE: Duration = Duration::from_mins(1);

/// So much more memory is no sign that something is kept that should not be.
const MEMORY: u64 = 96 << 20;

/// What can be said, to begin with.
const SENSE: [&str; 16] = [
    r#"{"type":"move","start":"e2","end":"e4"}"#,
    r#"{"type":"move","start":"e7","end":"e8","promotion":"queen","ply":12}"#,
    r#"{"type":"move","san":"Nxf3+","ply":0}"#,
    r#"{"type":"chat","message":"hi \u00e4\ud83d\ude00"}"#,
    r#"{"type":"draw","action":"offer"}"#,
    r#"{"type":"draw","action":"claim_threefold","move":"g1f3"}"#,
    r#"{"type":"takeback","action":"ask","plies":2}"#,
    r#"{"type":"takeback","action":"accept"}"#,
    r#"{"type":"rematch","action":"offer"}"#,
    r#"{"type":"hints","on":true}"#,
    r#"{"type":"abort"}"#,
    r#"{"type":"resign"}"#,
    r#"{"type":"ping"}"#,
    r#"["move",{"type":1e999}]"#,
    r#"{"type":"move","type":"move","start":["e2"],"end":{"e4":null}}"#,
    "\u{feff}{}",
];

/// Something that is nearly sense, or is not at all.
fn nonsense(seed: &mut u64) -> Message {
    let mut bytes = SENSE[(next_number(seed) % SENSE.len() as u64) as usize].as_bytes().to_vec();
    for _ in 0..next_number(seed) % 4 {
        let place = (next_number(seed) % bytes.len().max(1) as u64) as usize;
        let byte = next_number(seed).to_le_bytes()[0];
        match next_number(seed) % 6 {
            0 => bytes.truncate(place),
            1 => bytes.insert(place, byte),
            2 if !bytes.is_empty() => bytes[place] = byte,
            3 if !bytes.is_empty() => drop(bytes.remove(place)),
            4 => bytes.extend_from_within(..place),
            _ => bytes.splice(place..place, b"[[{\"\\u0000".iter().copied()).for_each(drop),
        }
    }
    match next_number(seed) % 20 {
        0 => Message::binary(bytes),
        1 => Message::binary(
            (0..next_number(seed) % 300).map(|_| next_number(seed).to_le_bytes()[0]).collect::<Vec<_>>(),
        ),
        2 => Message::text("[".repeat((next_number(seed) % 9_000) as usize)),
        _ => Message::text(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// Says nonsense on a line, and on another one when it is closed. Returns how often that was.
async fn babble(relay: SocketAddr, path: String, mut seed: u64) -> Result<u32> {
    let mut closed = 0;
    let mut said = 0;
    while said < MESSAGES {
        let mut line = Line::connect(relay, &path).await?;
        'line: while said < MESSAGES {
            for _ in 0..BATCH {
                said += 1;
                if line.send(nonsense(&mut seed)).await.is_err() {
                    break 'line;
                }
            }
            if line.say(&json!({"type": "ping"})).await.is_err() {
                break;
            }
            // All of it is answered, or the line is closed in order. Of the pings, some are among the nonsense.
            let mut pongs = 0;
            loop {
                match line.hear_within(Duration::from_millis(if pongs == 0 { 60_000 } else { 20 })).await {
                    Some(Heard::Message(message)) => pongs += u32::from(message["type"] == "pong"),
                    Some(Heard::End(_)) => break 'line,
                    None if pongs == 0 => bail!("nobody answers"),
                    None => break,
                }
            }
        }
        closed += 1;
    }
    Ok(closed)
}

/// Others play on for as long as there are some who talk nonsense, and are not disturbed.
async fn play_on<T: 'static>(relay: &mut Relay, pair: &mut Pair, mut talkers: JoinSet<Result<T>>) -> Result<()> {
    // What is needed once is not what is kept.
    let before = relay.memory();
    let mut moves = 0;
    loop {
        if moves < 400 {
            pair.play(1).await?;
            moves += 1;
        }
        match timeout(Duration::from_millis(5), talkers.join_next()).await {
            Ok(Some(ended)) => drop(ended??),
            Ok(None) => break,
            Err(_) => {}
        }
    }
    ensure!(moves > 20, "only {moves} moves were made meanwhile, which proves little");
    pair.play(4).await?;
    pair.check().await?;
    relay.check()?;
    if let (Some(before), Some(after)) = (before, relay.memory()) {
        ensure!(after < before + MEMORY, "the relay has grown from {before} to {after} bytes");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_in_json_disturbs_nobody() -> Result<()> {
    let folder = Folder::new()?;
    let Some(mut relay) = crate::relay(&folder, &[])? else { return Ok(()) };
    let mut pair = Pair::sit(relay.address(), "hall").await?;
    let mut talkers = JoinSet::new();
    // Two watch the others, and two have a game of their own.
    for (number, path) in
        ["eve/hall/?watch=1", "mallory/hall/?extras=1", "eve/own/", "mallory/own/?extras=1"].iter().enumerate()
    {
        talkers.spawn(timeout_of(babble(relay.address(), format!("/ws/api/{path}"), number as u64)));
    }
    play_on(&mut relay, &mut pair, talkers).await
}

/// Knocks and frames that no board would send, and one board that has lost its mind.
#[tokio::test(flavor = "multi_thread")]
async fn nonsense_on_the_link_disturbs_nobody() -> Result<()> {
    let folder = Folder::new()?;
    let Some(mut relay) = crate::relay(&folder, &[])? else { return Ok(()) };
    let key = add_board(&relay, "Kitchen")?;
    let mut pair = Pair::sit(relay.address(), "hall").await?;
    let mut talkers = JoinSet::new();
    for seed in 0..3 {
        talkers.spawn(timeout_of(knock(relay.address(), key, seed)));
    }
    play_on(&mut relay, &mut pair, talkers).await
}

async fn timeout_of<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    timeout(PATIENCE * 2, work).await.context("somebody who talks nonsense hangs")?
}

/// Pairs a board with a relay while it runs.
fn add_board(relay: &Relay, name: &str) -> Result<[u8; 32]> {
    let program = parts::tabiya().context("there is no tabiya")?;
    let data = relay.data().context("the relay has a folder")?;
    let output =
        Command::new(program).args(["boards", "add", name, "--json", "--data"]).arg(data).env_clear().output()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let answer: serde_json::Value =
        serde_json::from_str(&said).with_context(|| format!("{said}{}", String::from_utf8_lossy(&output.stderr)))?;
    let digits = find_key(&answer).context("there is no key in the answer")?;
    let bytes: Vec<u8> =
        (0..32).filter_map(|place| u8::from_str_radix(digits.get(2 * place..2 * place + 2)?, 16).ok()).collect();
    bytes.try_into().ok().context("a key has 32 bytes")
}

fn find_key(answer: &serde_json::Value) -> Option<&str> {
    match answer {
        serde_json::Value::Object(fields) => {
            fields.get("key").and_then(|key| key.as_str()).or_else(|| fields.values().find_map(find_key))
        }
        _ => None,
    }
}

/// Knocks in many wrong ways, and in the right one to go on wrongly.
async fn knock(relay: SocketAddr, key: [u8; 32], mut seed: u64) -> Result<()> {
    for _ in 0..120 {
        let mut line = Line::connect(relay, "/ws/board").await?;
        let random: [u8; 32] = std::array::from_fn(|_| next_number(&mut seed).to_le_bytes()[0]);
        let (call, mut frame) = Call::new(&PairingKey::new(key), Ephemeral::new(random));
        match next_number(&mut seed) % 4 {
            0 => {
                let place = (next_number(&mut seed) % frame.len() as u64) as usize;
                frame[place] ^= 1 << (next_number(&mut seed) % 8);
                line.send(Message::binary(frame.to_vec())).await?;
            }
            1 => {
                let length = next_number(&mut seed) % 600;
                let bytes: Vec<u8> = (0..length).map(|_| next_number(&mut seed).to_le_bytes()[0]).collect();
                line.send(Message::binary(bytes)).await?;
                // It may be gone by now.
                let _ = line.send(Message::text("hello?")).await;
            }
            _ => {
                line.send(Message::binary(frame.to_vec())).await?;
                if let Some(answer) = line.hear_bytes_within(PATIENCE).await
                    && let Ok(channel) = call.answered(&answer)
                {
                    rave(&mut line, channel, &mut seed).await;
                }
            }
        }
        // It is let go, or it goes.
        let _ = line.hear_text_within(Duration::from_millis(30)).await;
    }
    Ok(())
}

/// What a board says after it was let in: sealed, and otherwise whatever comes to its mind; in the end not even sealed.
async fn rave(line: &mut Line, mut channel: Channel, seed: &mut u64) {
    let mut buffer = [0; MAX_FRAME];
    for _ in 0..40 {
        let length = next_number(seed) % 80;
        let mut bytes: Vec<u8> = (0..length).map(|_| next_number(seed).to_le_bytes()[0]).collect();
        if let Some(kind) = bytes.first_mut() {
            // Most kinds of messages have small numbers.
            *kind %= 16;
        }
        let Ok(message) = wire::link::Message::read(&bytes) else { continue };
        let Ok(len) = channel.send(&message, &mut buffer) else { return };
        if line.send(Message::binary(buffer[..len].to_vec())).await.is_err() {
            return;
        }
    }
    let _ = line.send(Message::binary(vec![0xff; (next_number(seed) % 400) as usize])).await;
}
