use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tests::guest::Guest;
use tests::redis::Folder;
use tests::relay::{Keeping, Relay, get};
use tokio::runtime::{Builder, Runtime};

use crate::window::Window;

/// Ends what hangs.
const PATIENCE: Duration = Duration::from_mins(1);

/// A relay with its virtual board.
pub(crate) struct Hall {
    pub(crate) relay: Relay,
    _folder: Folder,
    runtime: Runtime,
}

impl Hall {
    /// Opens one. There is none if there is no relay to start.
    pub(crate) fn open(words: &[&str]) -> Result<Option<Self>> {
        let folder = Folder::new()?;
        let Some(relay) = Relay::start(Keeping::Folder(folder.path().to_owned()), words)? else { return Ok(None) };
        Ok(Some(Self { relay, _folder: folder, runtime: Builder::new_current_thread().enable_all().build()? }))
    }

    /// What a relay says to a question.
    pub(crate) fn ask(&self, path: &str) -> Result<Value> {
        self.runtime.block_on(get(self.relay.address(), path))?.json()
    }

    /// The code of a board that waits for somebody, as soon as there is one of this name.
    pub(crate) fn code_of(&self, name: &str) -> Result<String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let boards = self.ask("/boards")?;
            let mut listed = boards["boards"].as_array().into_iter().flatten();
            if let Some(board) = listed.find(|board| board["name"] == name) {
                return Ok(board["code"].as_str().context("a board has a code")?.to_owned());
            }
            if Instant::now() > deadline {
                bail!("the board {name} never waits for anybody: {boards}");
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// A window to the board, and a guest who plays Black against it.
    pub(crate) fn seat_guest(&self) -> Result<(Window, Guest, String)> {
        let code = self.code_of("virtual")?;
        let mut window = Window::open(self.relay.address())?;
        let mut guest = Guest::come(self.relay.address(), "Guest", &code, "color=black")?;
        guest.hear_kind("start")?;
        window.until_seated("Guest")?;
        Ok((window, guest, code))
    }

    /// The moves that the relay has.
    pub(crate) fn moves(&self, code: &str) -> Result<Vec<String>> {
        let game = self.ask(&format!("/games/{code}.json"))?;
        let moves = game["moves"].as_array().with_context(|| format!("no moves in {game}"))?;
        Ok(moves.iter().map(|mv| mv["uci"].as_str().unwrap_or_default().to_owned()).collect())
    }
}
