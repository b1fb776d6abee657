use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tests::guest::Guest;
use tests::parts;
use tests::redis::Folder;

use crate::hall::Hall;
use crate::window::Window;

/// A board in a process of its own.
struct Alone {
    process: Child,
    address: SocketAddr,
}

impl Alone {
    fn start(relay: SocketAddr, key: &str, folder: &Folder) -> Result<Option<Self>> {
        let Some(program) = parts::tabiya() else { return Ok(None) };
        let mut command = Command::new(program);
        command.args(["board", "--relay", &format!("ws://{relay}"), "--name", "kitchen", "--listen", "127.0.0.1:0"]);
        command.arg("--journal").arg(folder.path().join("journal")).env("TABIYA_BOARD_KEY", key);
        command.current_dir(folder.path()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn()?;
        let mut lines = BufReader::new(process.stdout.take().context("it has no output")?).lines();
        let line = lines.next().context("the board says nothing")??;
        let place =
            line.strip_prefix("The virtual board: http://localhost:").and_then(|rest| rest.strip_suffix("/board"));
        let port: u16 = place.with_context(|| format!("no address in {line:?}"))?.parse()?;
        Ok(Some(Self { process, address: ([127, 0, 0, 1], port).into() }))
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        // Nobody is left to tell.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A board runs by itself, and plays at a relay elsewhere; killed and started again, it goes on where it was.
#[test]
fn a_board_in_a_process_of_its_own_plays_at_a_relay() -> Result<()> {
    let Some(mut hall) = Hall::open(&[])? else { return Ok(()) };
    let said: Value = serde_json::from_str(&hall.relay.command(&["boards", "add", "kitchen", "--json"])?)?;
    let key = said["key"].as_str().context("a new board has a key")?;
    let folder = Folder::new()?;
    let Some(alone) = Alone::start(hall.relay.address(), key, &folder)? else { return Ok(()) };
    let code = hall.code_of("kitchen")?;
    let mut window = Window::open(alone.address)?;
    let relay = format!("http://{}/", hall.relay.address());
    ensure!(window.state["name"] == "kitchen" && window.state["relay"] == relay.as_str(), "{}", window.state);
    let mut guest = Guest::come(hall.relay.address(), "Guest", &code, "color=black")?;
    guest.hear_kind("start")?;
    window.until_seated("Guest")?;
    window.carry("e2e4")?;
    guest.hear_ply(1)?;
    drop(alone);
    guest.play("e7e5", 1)?;
    guest.hear_ply(2)?;
    let Some(alone) = Alone::start(hall.relay.address(), key, &folder)? else { return Ok(()) };
    let mut window = Window::open(alone.address)?;
    window.until_lit(&["e7", "e5"])?;
    window.carry("e7e5")?;
    window.until_settled()?;
    window.carry("g1f3")?;
    guest.hear_ply(3)?;
    ensure!(hall.moves(&code)? == ["e2e4", "e7e5", "g1f3"], "{:?}", hall.moves(&code)?);
    hall.relay.check()
}
