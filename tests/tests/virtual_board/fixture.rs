use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tests::json_player::JsonPlayer;
use tests::relay::{RelayProcess, StoreLocation, get};
use tests::temp_dir::TempDir;
use tokio::runtime::{Builder, Runtime};

use crate::panel_client::PanelClient;

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A relay process with its virtual board.
pub(crate) struct VirtualBoardFixture {
    pub(crate) relay: RelayProcess,
    _folder: TempDir,
    runtime: Runtime,
}

impl VirtualBoardFixture {
    /// Starts a relay; `None` if the program is missing.
    pub(crate) fn start(words: &[&str]) -> Result<Option<Self>> {
        Self::start_with(words, &[])
    }

    /// Starts a relay with these environment variables.
    pub(crate) fn start_with(words: &[&str], variables: &[(&str, &str)]) -> Result<Option<Self>> {
        let folder = TempDir::new()?;
        let location = StoreLocation::Folder(folder.path().to_owned());
        let Some(relay) = RelayProcess::start_with_variables(location, words, variables)? else { return Ok(None) };
        Ok(Some(Self { relay, _folder: folder, runtime: Builder::new_current_thread().enable_all().build()? }))
    }

    /// Waits for a request.
    pub(crate) fn block_on<T>(&self, request: impl Future<Output = T>) -> T {
        self.runtime.block_on(request)
    }

    /// The JSON response to a GET request.
    pub(crate) fn ask(&self, path: &str) -> Result<Value> {
        self.runtime.block_on(get(self.relay.address(), path))?.json()
    }

    /// Waits until the board with this name is listed as free, and returns its code.
    pub(crate) fn code_of(&self, name: &str) -> Result<String> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let boards = self.ask("/boards")?;
            let mut listed = boards["boards"].as_array().into_iter().flatten();
            if let Some(board) = listed.find(|board| board["name"] == name) {
                return Ok(board["code"].as_str().context("a board has a code")?.to_owned());
            }
            if Instant::now() > deadline {
                bail!("the board {name} is never free: {boards}");
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Opens a panel, joins the board's room with Black, and waits until the game has begun.
    pub(crate) fn start_game(&self) -> Result<(PanelClient, JsonPlayer, String)> {
        let code = self.code_of("virtual")?;
        let mut window = PanelClient::open(self.relay.address())?;
        let mut guest = JsonPlayer::join(self.relay.address(), "Guest", &code, "color=black")?;
        guest.receive_type("start")?;
        window.until_seated("Guest")?;
        Ok((window, guest, code))
    }

    /// The moves in the relay's record.
    pub(crate) fn moves(&self, code: &str) -> Result<Vec<String>> {
        let game = self.ask(&format!("/games/{code}.json"))?;
        let moves = game["moves"].as_array().with_context(|| format!("no moves in {game}"))?;
        Ok(moves.iter().map(|mv| mv["uci"].as_str().unwrap_or_default().to_owned()).collect())
    }
}
