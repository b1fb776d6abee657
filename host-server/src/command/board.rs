//! `tabiya board`: a virtual board that connects to a relay elsewhere.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use tokio::runtime::Runtime;

use super::board_page::BoardPage;
use super::pairing_key;
use crate::config::Variables;
use crate::failure::Failure;
use crate::virtual_board::{BoardList, FlashFile, Identity, RelayConnector, VirtualBoard};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Address of the relay: ws://HOST:PORT. Without it and without a key the board finds a relay in the network
    #[arg(long, value_name = "URL")]
    relay: Option<String>,
    /// Name under which the board is paired
    #[arg(long)]
    name: String,
    /// File with the pairing key: 64 hexadecimal digits, from `tabiya boards add`. Without a key the board asks the relay to be paired, and
    /// keeps the key in its journal
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Pairing key. Other users of this machine can read it in the list of processes: prefer the file or the variable
    #[arg(long, env = "TABIYA_BOARD_KEY", value_name = "HEX", conflicts_with = "key_file")]
    key: Option<String>,
    /// File for the board's journal. Without it the board starts without its game next time
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    #[command(flatten)]
    page: BoardPage,
}

impl Arguments {
    pub(super) fn run(&self, variables: &Variables, output: &mut impl Write) -> Result<(), Failure> {
        let relay = self.relay.as_deref().map(board::RelayAddress::parse).transpose()?;
        let key = if self.key_file.is_none() && self.key.is_none() && self.journal.is_some() {
            None
        } else {
            Some(pairing_key::read(self.key_file.as_deref(), self.key.as_deref())?)
        };
        if key.is_some() && relay.is_none() {
            return Err(Failure::Key("a board with a key needs --relay".to_owned()));
        }
        let identity = Identity {
            name: self.name.clone(),
            key,
            asked: self.relay.clone().filter(|_| key.is_none()),
            relay: relay.map(|relay| format!("http://{}:{}/", relay.host, relay.port)),
            code: None,
        };
        let flash_file = match &self.journal {
            Some(path) => FlashFile::open(path).map_err(|error| Failure::Journal(path.clone(), error))?,
            None => FlashFile::in_memory(),
        };
        let config = self.page.config(variables)?;
        let runtime = Runtime::new().map_err(Failure::Runtime)?;
        let result = runtime.block_on(async {
            let (board, panels) =
                VirtualBoard::new(identity, flash_file, relay.filter(|_| key.is_some()).map(RelayConnector::tcp));
            if let Some(relay) = relay {
                tokio::spawn(board.find_code(BoardList { host: relay.host.to_owned(), port: relay.port }));
            }
            self.page.show(&config, panels, |stop| board.run(stop), output).await
        });
        runtime.shutdown_background();
        result
    }
}
