use std::io::Write;
use std::path::PathBuf;

use chess::Position;
use clap::Args;
use tokio::runtime::Runtime;
use wire::link::ClockRule;

use super::exhibit::Exhibit;
use crate::failure::Failure;
use crate::hex;
use crate::terminal::{self, Start};
use crate::virtual_board::{Identity, Vault, VirtualBoard, Way};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Draw the board in the terminal, and move its pieces with keys or the mouse.
    #[arg(long)]
    terminal: bool,
    /// Begin with this position, instead of the start position.
    #[arg(long)]
    fen: Option<String>,
    /// Give each player so many minutes, and so many seconds more for each move: 5+3.
    #[arg(long, value_name = "MINUTES+SECONDS", value_parser = clock)]
    clock: Option<ClockRule>,
    /// Begin with all pieces in the box, and be led through setting them up.
    #[arg(long)]
    empty: bool,
    /// Let Black sit near.
    #[arg(long)]
    turned: bool,
    /// Show the board in a browser, and connect it to this relay: ws://HOST:PORT.
    #[arg(long, value_name = "URL", requires = "name", conflicts_with_all = ["terminal", "fen", "clock", "empty", "turned"])]
    relay: Option<String>,
    /// What the board is called at its relay.
    #[arg(long, requires = "relay")]
    name: Option<String>,
    /// The file with its pairing key: 64 hexadecimal digits, from `tabiya boards add`.
    #[arg(long, value_name = "FILE", requires = "relay")]
    key_file: Option<PathBuf>,
    /// The pairing key itself. Others on this machine can read it in the list of processes; better say it in the file or in
    /// the environment.
    // The environment is read by hand, or `requires` would complain about a variable that is set for something else.
    #[arg(long, value_name = "HEX", requires = "relay", conflicts_with = "key_file")]
    key: Option<String>,
    /// A file for what the board keeps without power. Without one, it forgets everything when it ends.
    #[arg(long, value_name = "FILE", requires = "relay")]
    journal: Option<PathBuf>,
    #[command(flatten)]
    exhibit: Exhibit,
}

/// Where the pairing key may be said as well.
const KEY: &str = "TABIYA_BOARD_KEY";

impl Arguments {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), Failure> {
        if let (Some(relay), Some(name)) = (&self.relay, &self.name) {
            return self.show(relay, name, output);
        }
        if !self.terminal {
            return Err(Failure::NoBoard);
        }
        let position = match &self.fen {
            Some(fen) => fen.parse()?,
            None => Position::start(),
        };
        terminal::run(Start { position, clock: self.clock, empty: self.empty, turned: self.turned })
    }

    /// Shows a board on a page of its own.
    fn show(&self, relay: &str, name: &str, output: &mut impl Write) -> Result<(), Failure> {
        let relay = board::Relay::parse(relay)?;
        let identity = Identity {
            name: name.to_owned(),
            key: self.pairing_key()?,
            relay: Some(format!("http://{}:{}/", relay.host, relay.port)),
            code: None,
        };
        let vault = match &self.journal {
            Some(path) => Vault::open(path).map_err(|error| Failure::Journal(path.clone(), error))?,
            None => Vault::in_memory(),
        };
        let config = self.exhibit.config()?;
        let runtime = Runtime::new().map_err(Failure::Runtime)?;
        let result = runtime.block_on(async {
            let (board, panels) = VirtualBoard::new(identity, vault, Way::to(relay));
            self.exhibit.show(&config, panels, |stop| board.live(stop), output).await
        });
        runtime.shutdown_background();
        result
    }

    fn pairing_key(&self) -> Result<[u8; 32], Failure> {
        let text = match (&self.key, &self.key_file) {
            (Some(key), _) => key.clone(),
            (None, Some(path)) => {
                let said = std::fs::read_to_string(path);
                said.map_err(|error| Failure::Key(format!("{}: {error}", path.display())))?
            }
            (None, None) => std::env::var(KEY)
                .map_err(|_| Failure::Key(format!("say it with --key-file, or in the variable {KEY}")))?,
        };
        let bytes = hex::parse(text.trim()).map_err(|error| Failure::Key(error.to_string()))?;
        let count = bytes.len();
        bytes.try_into().map_err(|_| Failure::Key(format!("it has 32 bytes, not {count}")))
    }
}

/// Nobody plays for longer than a day, and the increment is less than that by far.
const MOST_MINUTES: u32 = 24 * 60;
const MOST_SECONDS: u32 = 60 * 60;

pub(super) fn clock(text: &str) -> Result<ClockRule, String> {
    let numbers = text.split_once('+').and_then(|(minutes, seconds)| Some((number(minutes)?, number(seconds)?)));
    match numbers {
        Some((minutes @ 1..=MOST_MINUTES, seconds @ 0..=MOST_SECONDS)) => {
            Ok(ClockRule { base_ms: minutes * 60_000, increment_ms: seconds * 1_000 })
        }
        Some(_) => Err(format!("there are 1 to {MOST_MINUTES} minutes and 0 to {MOST_SECONDS} seconds")),
        None => Err("it is written as minutes, a plus sign and seconds, like 5+3".to_owned()),
    }
}

/// Digits and nothing else: the parser of numbers would take a plus sign before them.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_minutes_and_seconds() {
        assert_eq!(clock("5+3"), Ok(ClockRule { base_ms: 300_000, increment_ms: 3_000 }));
        assert_eq!(clock("1+0"), Ok(ClockRule { base_ms: 60_000, increment_ms: 0 }));
        for text in ["", "5", "+", "5+", "+3", "5++3", "5+-3", "5 + 3", "five+3", "99999999999+1"] {
            assert!(clock(text).unwrap_err().contains("like 5+3"), "{text}");
        }
        for text in ["0+3", "1441+0", "5+3601"] {
            assert!(clock(text).unwrap_err().starts_with("there are 1 to 1440"), "{text}");
        }
    }
}
