//! The switches of an emulated machine: its power, and its network cable.

use std::io;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::time::timeout;

/// How long the emulator may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// The name of the network card, as the emulator was told.
const CARD: &str = "n0";

/// Puts the power plug in, or pulls it. A machine without power does nothing at all; with power it begins from the start.
pub(super) async fn power(socket: &Path, plugged: bool) -> Result<(), String> {
    if plugged {
        execute(socket, &[json!({ "execute": "system_reset" }), json!({ "execute": "cont" })]).await
    } else {
        execute(socket, &[json!({ "execute": "stop" })]).await
    }
}

/// Puts the network plug in, or pulls it.
pub(super) async fn network(socket: &Path, plugged: bool) -> Result<(), String> {
    execute(socket, &[json!({ "execute": "set_link", "arguments": { "name": CARD, "up": plugged } })]).await
}

async fn execute(socket: &Path, commands: &[Value]) -> Result<(), String> {
    let done = timeout(PATIENCE, converse(socket, commands)).await;
    let problem = match done {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "it takes too long".to_owned(),
    };
    Err(format!("the emulator does not do it: {problem}"))
}

async fn converse(socket: &Path, commands: &[Value]) -> io::Result<()> {
    let (reading, mut writing) = UnixStream::connect(socket).await?.into_split();
    let mut lines = BufReader::new(reading).lines();
    for command in [json!({ "execute": "qmp_capabilities" })].iter().chain(commands) {
        writing.write_all(format!("{command}\n").as_bytes()).await?;
        loop {
            let line = lines.next_line().await?.ok_or(io::ErrorKind::UnexpectedEof)?;
            let answer: Value = serde_json::from_str(&line)?;
            if let Some(error) = answer.get("error") {
                return Err(io::Error::other(error.to_string()));
            }
            // Everything else is an event, or its greeting.
            if answer.get("return").is_some() {
                break;
            }
        }
    }
    Ok(())
}
