//! Thousands of invalid and nearly valid messages and frames, while two other clients play in the same room.
//!
//! The input is pseudo-random with fixed seeds. The fuzzers test decoding; these tests are about sockets, and about clients
//! that are not involved.

use std::net::SocketAddr;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;
use tests::json_client::{JsonClient, Received};
use tests::parts;
use tests::random::Random;
use tests::relay::RelayProcess;
use tests::temp_dir::TempDir;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use wire::link::{Channel, Ephemeral, Initiator, MAX_FRAME, PairingKey};

use crate::two_players::TwoPlayers;

/// Number of messages for each client in all, over several connections.
const MESSAGES: usize = 1_500;

/// Number of messages before each ping.
const BATCH: usize = 25;

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Growth of the relay's memory that does not count as a leak, in bytes.
const MEMORY: u64 = 96 << 20;

/// Valid messages, which are mutated.
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

/// A mutated, random or oversized message.
fn invalid_message(random: &mut Random) -> Message {
    let mut bytes = SENSE[(random.number() % SENSE.len() as u64) as usize].as_bytes().to_vec();
    for _ in 0..random.number() % 4 {
        let place = (random.number() % bytes.len().max(1) as u64) as usize;
        let byte = random.number().to_le_bytes()[0];
        match random.number() % 6 {
            0 => bytes.truncate(place),
            1 => bytes.insert(place, byte),
            2 if !bytes.is_empty() => bytes[place] = byte,
            3 if !bytes.is_empty() => drop(bytes.remove(place)),
            4 => bytes.extend_from_within(..place),
            _ => bytes.splice(place..place, b"[[{\"\\u0000".iter().copied()).for_each(drop),
        }
    }
    match random.number() % 20 {
        0 => Message::binary(bytes),
        1 => Message::binary((0..random.number() % 300).map(|_| random.number().to_le_bytes()[0]).collect::<Vec<_>>()),
        2 => Message::text("[".repeat((random.number() % 9_000) as usize)),
        _ => Message::text(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// Sends invalid messages, reconnecting when the connection is closed. Returns the number of connections.
async fn send_invalid_messages(relay: SocketAddr, path: String, mut random: Random) -> Result<u32> {
    let mut closed = 0;
    let mut said = 0;
    while said < MESSAGES {
        let mut line = JsonClient::connect(relay, &path).await?;
        'line: while said < MESSAGES {
            for _ in 0..BATCH {
                said += 1;
                if line.send(invalid_message(&mut random)).await.is_err() {
                    break 'line;
                }
            }
            if line.send_json(&json!({"type": "ping"})).await.is_err() {
                break;
            }
            // Every message is answered, or the connection is closed with a close frame. Mutated messages may be pings, too.
            let mut pongs = 0;
            loop {
                match line.receive_within(Duration::from_millis(if pongs == 0 { 60_000 } else { 20 })).await {
                    Some(Received::Message(message)) => pongs += u32::from(message["type"] == "pong"),
                    Some(Received::Closed(_)) => break 'line,
                    None if pongs == 0 => bail!("the relay does not answer"),
                    None => break,
                }
            }
        }
        closed += 1;
    }
    Ok(closed)
}

/// Plays a game for as long as the given tasks run, and checks the relay's memory.
async fn play_on<T: 'static>(
    relay: &mut RelayProcess,
    pair: &mut TwoPlayers,
    mut talkers: JoinSet<Result<T>>,
) -> Result<()> {
    // Memory for the first connections does not count.
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
    pair.play(4).await?;
    pair.check().await?;
    relay.check()?;
    if let (Some(before), Some(after)) = (before, relay.memory()) {
        ensure!(after < before + MEMORY, "the relay has grown from {before} to {after} bytes");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_json_disturbs_no_other_client() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = crate::relay(&folder, &[])? else { return Ok(()) };
    let mut pair = TwoPlayers::sit(relay.address(), "hall").await?;
    let mut talkers = JoinSet::new();
    // Two are spectators of the game, and two have their own.
    for (number, path) in
        ["eve/hall/?watch=1", "mallory/hall/?extras=1", "eve/own/", "mallory/own/?extras=1"].iter().enumerate()
    {
        talkers.spawn(timeout_of(send_invalid_messages(
            relay.address(),
            format!("/ws/api/{path}"),
            Random::new(number as u64),
        )));
    }
    play_on(&mut relay, &mut pair, talkers).await
}

/// Invalid handshakes and frames on the board's link, also after a valid handshake.
#[tokio::test(flavor = "multi_thread")]
async fn invalid_link_frames_disturb_no_client() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = crate::relay(&folder, &[])? else { return Ok(()) };
    let key = add_board(&relay, "Kitchen")?;
    let mut pair = TwoPlayers::sit(relay.address(), "hall").await?;
    let mut talkers = JoinSet::new();
    for seed in 0..3 {
        talkers.spawn(timeout_of(attempt_invalid_handshakes(relay.address(), key, Random::new(seed))));
    }
    play_on(&mut relay, &mut pair, talkers).await
}

async fn timeout_of<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    timeout(TIMEOUT * 2, work).await.context("a client that sends invalid messages hangs")?
}

/// Pairs a board with a running relay.
fn add_board(relay: &RelayProcess, name: &str) -> Result<[u8; 32]> {
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

/// Sends invalid handshakes, and invalid frames after valid ones.
async fn attempt_invalid_handshakes(relay: SocketAddr, key: [u8; 32], mut random: Random) -> Result<()> {
    for _ in 0..120 {
        let mut line = JsonClient::connect(relay, "/ws/board").await?;
        let ephemeral: [u8; 32] = std::array::from_fn(|_| random.number().to_le_bytes()[0]);
        let (call, mut frame) = Initiator::new(&PairingKey::new(key), Ephemeral::new(ephemeral));
        match random.number() % 4 {
            0 => {
                let place = (random.number() % frame.len() as u64) as usize;
                frame[place] ^= 1 << (random.number() % 8);
                line.send(Message::binary(frame.to_vec())).await?;
            }
            1 => {
                let length = random.number() % 600;
                let bytes: Vec<u8> = random.bytes(length as usize);
                line.send(Message::binary(bytes)).await?;
                // The relay may have closed the connection.
                let _ = line.send(Message::text("hello?")).await;
            }
            _ => {
                line.send(Message::binary(frame.to_vec())).await?;
                if let Some(answer) = line.receive_binary_within(TIMEOUT).await
                    && let Ok(channel) = call.answered(&answer)
                {
                    send_invalid_frames(&mut line, channel, &mut random).await;
                }
            }
        }
        // The relay or this client closes the connection.
        let _ = timeout(Duration::from_millis(30), line.stay_connected()).await;
    }
    Ok(())
}

/// Sends encrypted frames with random content after a valid handshake, and finally an unencrypted one.
async fn send_invalid_frames(line: &mut JsonClient, mut channel: Channel, random: &mut Random) {
    let mut buffer = [0; MAX_FRAME];
    for _ in 0..40 {
        let length = random.number() % 80;
        let mut bytes: Vec<u8> = random.bytes(length as usize);
        if let Some(kind) = bytes.first_mut() {
            // Most message types have small numbers.
            *kind %= 16;
        }
        let Ok(message) = wire::link::Message::read(&bytes) else { continue };
        let Ok(len) = channel.send(&message, &mut buffer) else { return };
        if line.send(Message::binary(buffer[..len].to_vec())).await.is_err() {
            return;
        }
    }
    let _ = line.send(Message::binary(vec![0xff; (random.number() % 400) as usize])).await;
}
