//! A whole emulated board: firmware, panel, network cable, power and reset.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::panel::Panel;
use crate::qemu::{Board, Qemu, SerialLine};
use crate::qmp::Qmp;
use crate::temp_dir::TempDir;

/// Time after which a board is ended. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(10);

/// An emulated board.
pub struct EmulatedBoard {
    /// Its switches and lights.
    pub panel: Panel,
    /// The running machine; `None` without power.
    board: Option<Board>,
    qemu: Qemu,
    folder: TempDir,
    qmp: Option<Qmp>,
}

impl EmulatedBoard {
    /// A board with this panel, without power. Its journal survives power cuts.
    pub fn new(image: &Path, panel: Panel) -> Result<Self> {
        let folder = TempDir::new()?;
        let qemu = panel.plug(Qemu::new(image)).network().qmp(&folder.path().join("qmp")).timeout(Some(TIMEOUT));
        let qemu = qemu.argument("live-on").argument(&format!("journal={}", folder.path().join("journal").display()));
        Ok(Self { panel, board: None, qemu, folder, qmp: None })
    }

    /// Sets the relay and the pairing key.
    #[must_use]
    pub fn at(self, relay: SocketAddr, key: &str) -> Self {
        self.argument(&format!("relay=ws://10.0.2.2:{}", relay.port())).argument(&format!("key={key}"))
    }

    /// Adds an argument for the firmware.
    #[must_use]
    pub fn argument(mut self, argument: &str) -> Self {
        self.qemu = self.qemu.argument(argument);
        self
    }

    /// Connects its serial console to this TCP port.
    #[must_use]
    pub fn console(mut self, port: u16) -> Self {
        self.qemu = self.qemu.line(SerialLine::Console, port);
        self
    }

    /// Powers the board up.
    pub fn power_up(&mut self) -> Result<()> {
        self.board = Some(self.qemu.boot()?);
        self.qmp = Some(Qmp::connect(&self.folder.path().join("qmp"))?);
        Ok(())
    }

    /// Cuts the power.
    pub fn power_down(&mut self) {
        (self.board, self.qmp) = (None, None);
    }

    /// The running machine with its log.
    pub fn log(&mut self) -> Result<&mut Board> {
        self.board.as_mut().context("the plug is pulled")
    }

    /// The number of plies that the game had at the last restart since the last call.
    pub fn restarted(&mut self) -> Result<Option<usize>> {
        let mut plies = None;
        while let Some(line) = self.log()?.try_line() {
            if let Some((_, rest)) = line.message.split_once(", game restored with ") {
                plies = Some(rest.trim_end_matches(" plies").parse().with_context(|| line.to_string())?);
            }
        }
        Ok(plies)
    }

    /// Resets the board.
    pub fn reset(&mut self) -> Result<()> {
        self.qmp.as_mut().context("the plug is pulled")?.reset()
    }

    /// Plugs the network cable in, or unplugs it.
    pub fn plug(&mut self, is_in: bool) -> Result<()> {
        self.qmp.as_mut().context("the plug is pulled")?.plug(is_in)
    }
}
