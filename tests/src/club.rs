//! A place where boards meet: a relay with boards that are paired with it.

use anyhow::{Context, Result, ensure};
use chess::Game;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

use crate::redis::Folder;
use crate::relay::{Keeping, Relay, get};

/// A relay that keeps everything in a folder of its own.
pub struct Club {
    /// The relay.
    pub relay: Relay,
    _folder: Folder,
    runtime: Runtime,
}

/// What a board and its relay have agreed on.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// In hexadecimal digits.
    pub key: String,
    /// Under which others find the board.
    pub code: String,
}

impl Club {
    /// Opens one. There is none if there is no relay to start.
    pub fn open() -> Result<Option<Self>> {
        let folder = Folder::new()?;
        let Some(relay) = Relay::start(Keeping::Folder(folder.path().to_owned()), &[])? else { return Ok(None) };
        Ok(Some(Self { relay, _folder: folder, runtime: Builder::new_current_thread().enable_all().build()? }))
    }

    /// Pairs a board, as its owner does.
    pub fn pair(&self, name: &str) -> Result<Pairing> {
        let said: Value = serde_json::from_str(&self.relay.command(&["boards", "add", name, "--json"])?)?;
        let text =
            |field: &str| said[field].as_str().map(str::to_owned).with_context(|| format!("no {field} in {said}"));
        Ok(Pairing { key: text("key")?, code: text("code")? })
    }

    /// Lets two boards play each other, the first of them with White, and returns the code of their room.
    pub fn set_against(&self, one: &str, other: &str) -> Result<String> {
        let said = self.relay.command(&["boards", "play", one, other, "--color", "white"])?;
        let code = said.trim().trim_end_matches('.').rsplit(' ').next();
        Ok(code.with_context(|| format!("no code in {said:?}"))?.to_owned())
    }

    /// Whether a board is connected.
    pub fn is_online(&self, name: &str) -> Result<bool> {
        let said: Value = serde_json::from_str(&self.relay.command(&["boards", "list", "--json"])?)?;
        let boards = said.as_array().with_context(|| format!("{said} is no list"))?;
        Ok(boards.iter().any(|board| board["name"] == name && board["online"] == true))
    }

    /// The game in a room, out of the bytes that the relay has of it.
    pub fn game(&self, code: &str) -> Result<Box<Game>> {
        let answer = self.runtime.block_on(get(self.relay.address(), &format!("/games/{code}.bin")))?;
        ensure!(answer.status == 200, "{code}: {} {}", answer.status, answer.text());
        let mut game = Box::new(Game::new());
        wire::layout::decode(&answer.body, &mut game).map_err(|error| anyhow::anyhow!("{code}: {error}"))?;
        Ok(game)
    }

    /// What else the relay knows of the game in a room.
    pub fn record(&self, code: &str) -> Result<Value> {
        self.runtime.block_on(get(self.relay.address(), &format!("/games/{code}.json")))?.json()
    }
}
