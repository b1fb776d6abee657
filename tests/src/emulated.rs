//! A whole board in the emulator: its firmware, its pieces and lights, its cable, its plug and its reset button.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::panel::Panel;
use crate::qemu::{Board, Qemu, SerialLine};
use crate::qmp::Qmp;
use crate::redis::Folder;

/// A game takes a while. It ends what hangs, and says nothing about speed.
const PATIENCE: Duration = Duration::from_mins(10);

/// A board that knows its relay.
pub struct EmulatedBoard {
    /// What stands on it, and what it shows.
    pub panel: Panel,
    /// The machine, for its log. It is gone while the plug is pulled.
    board: Option<Board>,
    qemu: Qemu,
    folder: Folder,
    qmp: Option<Qmp>,
}

impl EmulatedBoard {
    /// A board with these pieces on it, that is not powered yet. It keeps its journal when it is not.
    pub fn new(image: &Path, panel: Panel) -> Result<Self> {
        let folder = Folder::new()?;
        let qemu = panel.plug(Qemu::new(image)).network().qmp(&folder.path().join("qmp")).patience(Some(PATIENCE));
        let qemu = qemu.order("live-on").order(&format!("journal={}", folder.path().join("journal").display()));
        Ok(Self { panel, board: None, qemu, folder, qmp: None })
    }

    /// Tells it where its relay is, and its key.
    #[must_use]
    pub fn at(self, relay: SocketAddr, key: &str) -> Self {
        self.order(&format!("relay=ws://10.0.2.2:{}", relay.port())).order(&format!("key={key}"))
    }

    /// Tells it something else.
    #[must_use]
    pub fn order(mut self, order: &str) -> Self {
        self.qemu = self.qemu.order(order);
        self
    }

    /// Has its console end at this port.
    #[must_use]
    pub fn console(mut self, port: u16) -> Self {
        self.qemu = self.qemu.line(SerialLine::Console, port);
        self
    }

    /// Puts the plug in.
    pub fn power_up(&mut self) -> Result<()> {
        self.board = Some(self.qemu.boot()?);
        self.qmp = Some(Qmp::connect(&self.folder.path().join("qmp"))?);
        Ok(())
    }

    /// Pulls the plug.
    pub fn pull_the_plug(&mut self) {
        (self.board, self.qmp) = (None, None);
    }

    /// Its log.
    pub fn log(&mut self) -> Result<&mut Board> {
        self.board.as_mut().context("the plug is pulled")
    }

    /// How many plies the game had when the board last started, if it has started since this was last asked.
    pub fn restarted(&mut self) -> Result<Option<usize>> {
        let mut plies = None;
        while let Some(line) = self.log()?.try_line() {
            if let Some((_, rest)) = line.message.split_once(", and the game has ") {
                plies = Some(rest.trim_end_matches(" plies").parse().with_context(|| line.to_string())?);
            }
        }
        Ok(plies)
    }

    /// Presses the reset button.
    pub fn reset(&mut self) -> Result<()> {
        self.qmp.as_mut().context("the plug is pulled")?.reset()
    }

    /// Plugs the network cable in, or out.
    pub fn plug(&mut self, is_in: bool) -> Result<()> {
        self.qmp.as_mut().context("the plug is pulled")?.plug(is_in)
    }
}
