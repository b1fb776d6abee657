use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tests::json_player::JsonPlayer;
use tests::parts;
use tests::temp_dir::TempDir;
use wire::link::PairingKey;

use crate::fixture::VirtualBoardFixture;
use crate::panel_client::PanelClient;

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

/// `tabiya board` as a process.
pub(crate) struct BoardProcess {
    process: Child,
    address: SocketAddr,
}

impl BoardProcess {
    /// A board that asks the relay to be paired.
    pub(crate) fn start_without_key(relay: SocketAddr, folder: &TempDir) -> Result<Option<Self>> {
        Self::start(relay, "", folder)
    }

    /// Where its page is.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// An empty key is no key.
    fn start(relay: SocketAddr, key: &str, folder: &TempDir) -> Result<Option<Self>> {
        Self::start_logging(relay, key, folder, Stdio::null())
    }

    fn start_logging(relay: SocketAddr, key: &str, folder: &TempDir, log: Stdio) -> Result<Option<Self>> {
        let Some(program) = parts::tabiya() else { return Ok(None) };
        let mut command = Command::new(program);
        command.args(["board", "--relay", &format!("ws://{relay}"), "--name", "kitchen", "--listen", "127.0.0.1:0"]);
        command.arg("--journal").arg(folder.path().join("journal")).env("TABIYA_BOARD_KEY", key);
        command.current_dir(folder.path()).stdout(Stdio::piped()).stderr(log);
        let mut process = command.spawn()?;
        let mut lines = BufReader::new(process.stdout.take().context("it has no output")?).lines();
        let line = lines.next().context("the board says nothing")??;
        let place =
            line.strip_prefix("The virtual board: http://localhost:").and_then(|rest| rest.strip_suffix("/board"));
        let port: u16 = place.with_context(|| format!("no address in {line:?}"))?.parse()?;
        Ok(Some(Self { process, address: ([127, 0, 0, 1], port).into() }))
    }
}

impl Drop for BoardProcess {
    fn drop(&mut self) {
        // A destructor cannot report an error.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A board in its own process plays through a relay; after a kill and a restart it resumes its game.
#[test]
fn a_board_in_its_own_process_plays_through_a_relay() -> Result<()> {
    let Some(mut fixture) = VirtualBoardFixture::start(&[])? else { return Ok(()) };
    let said: Value = serde_json::from_str(&fixture.relay.command(&["boards", "add", "kitchen", "--json"])?)?;
    let key = said["key"].as_str().context("a new board has a key")?;
    let folder = TempDir::new()?;
    let Some(alone) = BoardProcess::start(fixture.relay.address(), key, &folder)? else { return Ok(()) };
    let code = fixture.code_of("kitchen")?;
    let mut window = PanelClient::open(alone.address)?;
    let relay = format!("http://{}/", fixture.relay.address());
    ensure!(window.state["name"] == "kitchen" && window.state["relay"] == relay.as_str(), "{}", window.state);
    window.until("the code of the board", |window| window.state["code"] == code.as_str())?;
    let mut guest = JsonPlayer::join(fixture.relay.address(), "Guest", &code, "color=black")?;
    guest.receive_type("start")?;
    window.until_seated("Guest")?;
    window.carry("e2e4")?;
    guest.wait_for_ply(1)?;
    drop(alone);
    guest.play("e7e5", 1)?;
    guest.wait_for_ply(2)?;
    let Some(alone) = BoardProcess::start(fixture.relay.address(), key, &folder)? else { return Ok(()) };
    let mut window = PanelClient::open(alone.address)?;
    window.until_lit(&["e7", "e5"])?;
    window.carry("e7e5")?;
    window.until_settled()?;
    window.carry("g1f3")?;
    guest.wait_for_ply(3)?;
    ensure!(fixture.moves(&code)? == ["e2e4", "e7e5", "g1f3"], "{:?}", fixture.moves(&code)?);
    fixture.relay.check()
}

/// The usual mistake of a first pairing: both the board and the relay name the key in their logs, as a warning. The relay names the id of the
/// key, which `tabiya boards list` shows.
#[test]
fn a_wrong_key_is_named_in_the_logs_of_the_board_and_the_relay() -> Result<()> {
    let Some(fixture) = VirtualBoardFixture::start(&[])? else { return Ok(()) };
    fixture.relay.command(&["boards", "add", "kitchen", "--json"])?;
    let folder = TempDir::new()?;
    let log = folder.path().join("log");
    let wrong = "00".repeat(32);
    let file = Stdio::from(File::create(&log)?);
    let Some(_board) = BoardProcess::start_logging(fixture.relay.address(), &wrong, &folder, file)? else {
        return Ok(());
    };
    let deadline = Instant::now() + TIMEOUT;
    let id = PairingKey::new([0; 32]).board_id().to_string();
    loop {
        let of_board = fs::read_to_string(&log)?;
        let of_relay = fixture.relay.log().join("\n");
        let named = |log: &str, words: &[&str]| log.lines().any(|line| words.iter().all(|word| line.contains(word)));
        if named(&of_board, &["WARN", "relay refuses the board", "the relay knows no board with this key"])
            && named(&of_relay, &["WARN", "no board is paired with this key", &id])
        {
            return Ok(());
        }
        ensure!(Instant::now() < deadline, "the logs do not name the key:\n{of_board}\n{of_relay}");
        thread::sleep(Duration::from_millis(20));
    }
}
