use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use tokio::runtime::Runtime;

use super::exhibit::Exhibit;
use crate::failure::Failure;
use crate::virtual_board::EmulatedBoard;

/// Plays the panel of a board in an emulator: its wood, its switches and its lights, on a page.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Where the line of the switches ends. The emulator connects to it.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    switches: SocketAddr,
    /// Where the line of the lights ends.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    lights: SocketAddr,
    /// The socket at which the emulator takes orders, to pull its plugs.
    #[arg(long, value_name = "SOCKET")]
    qmp: Option<PathBuf>,
    /// What the board is called on the page.
    #[arg(long, default_value = "emulated")]
    name: String,
    #[command(flatten)]
    exhibit: Exhibit,
}

impl Arguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Failure> {
        let config = self.exhibit.config()?;
        let runtime = Runtime::new().map_err(Failure::Runtime)?;
        let result = runtime.block_on(async {
            let listening = EmulatedBoard::listen(self.name, self.switches, self.lights, self.qmp).await;
            let (board, panels) = listening.map_err(Failure::Panel)?;
            let (switches, lights) = board.addresses().map_err(Failure::Panel)?;
            writeln!(output, "The line of the switches: {switches}")?;
            writeln!(output, "The line of the lights: {lights}")?;
            self.exhibit.show(&config, panels, |stop| board.live(stop), output).await
        });
        runtime.shutdown_background();
        result
    }
}
