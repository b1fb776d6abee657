//! A relay process with a data folder of its own, and the operator's commands for its boards.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use chess::Game;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

use crate::relay::{RelayProcess, StoreLocation, get};
use crate::temp_dir::TempDir;

/// It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

const POLL: Duration = Duration::from_millis(50);

/// A relay with an embedded store in a temporary folder.
pub struct RelayFixture {
    /// The relay.
    pub relay: RelayProcess,
    _folder: TempDir,
    runtime: Runtime,
}

/// The pairing of a board with its relay.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// The pairing key, in hexadecimal digits.
    pub key: String,
    /// The room code of the board.
    pub code: String,
}

impl RelayFixture {
    /// Starts a relay; `None` if the program is missing.
    pub fn start() -> Result<Option<Self>> {
        let folder = TempDir::new()?;
        let location = StoreLocation::Folder(folder.path().to_owned());
        let Some(relay) = RelayProcess::start(location, &[])? else { return Ok(None) };
        Ok(Some(Self { relay, _folder: folder, runtime: Builder::new_current_thread().enable_all().build()? }))
    }

    /// Pairs a board (`tabiya boards add`).
    pub fn pair(&self, name: &str) -> Result<Pairing> {
        let pairing: Value = serde_json::from_str(&self.relay.command(&["boards", "add", name, "--json"])?)?;
        let text = |field: &str| {
            pairing[field].as_str().map(str::to_owned).with_context(|| format!("no {field} in {pairing}"))
        };
        Ok(Pairing { key: text("key")?, code: text("code")? })
    }

    /// Starts a game between two boards, the first with White (`tabiya boards play`); returns the code of the room.
    pub fn start_match(&self, white: &str, black: &str) -> Result<String> {
        let output = self.relay.command(&["boards", "play", white, black, "--color", "white"])?;
        let code = output.trim().trim_end_matches('.').rsplit(' ').next();
        Ok(code.with_context(|| format!("no code in {output:?}"))?.to_owned())
    }

    /// Waits until a board is connected.
    pub fn wait_until_online(&self, name: &str) -> Result<()> {
        let deadline = Instant::now() + TIMEOUT;
        while !self.is_online(name)? {
            ensure!(Instant::now() < deadline, "the board {name} did not connect");
            thread::sleep(POLL);
        }
        Ok(())
    }

    /// Whether a board is connected (`tabiya boards list`).
    fn is_online(&self, name: &str) -> Result<bool> {
        let list: Value = serde_json::from_str(&self.relay.command(&["boards", "list", "--json"])?)?;
        let boards = list.as_array().with_context(|| format!("{list} is not a list"))?;
        Ok(boards.iter().any(|board| board["name"] == name && board["online"] == true))
    }

    /// The game in a room, decoded from `/games/CODE.bin`.
    pub fn game(&self, code: &str) -> Result<Box<Game>> {
        let response = self.runtime.block_on(get(self.relay.address(), &format!("/games/{code}.bin")))?;
        ensure!(response.status == 200, "{code}: {} {}", response.status, response.text());
        let mut game = Box::new(Game::new());
        wire::layout::decode(&response.body, &mut game).map_err(|error| anyhow::anyhow!("{code}: {error}"))?;
        Ok(game)
    }

    /// The record of the game in a room, from `/games/CODE.json`.
    pub fn record(&self, code: &str) -> Result<Value> {
        self.runtime.block_on(get(self.relay.address(), &format!("/games/{code}.json")))?.json()
    }
}
