//! Runs the firmware in QEMU, with its log on the screen and optionally a panel of its switches and lights in a browser.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::firmware::emulated_board;
use crate::process;

/// The address of the host in the network of the emulated board.
const HOST: &str = "10.0.2.2";

#[derive(Args)]
pub(crate) struct Options {
    /// The relay, as ws://HOST:PORT; localhost is this machine. Without it, a relay is started and the board is paired with
    /// it.
    #[arg(long, requires = "key")]
    relay: Option<String>,
    /// The pairing key, 64 hexadecimal digits. Do not use a real one: every user of this machine can read it in the list of
    /// processes.
    #[arg(long, requires = "relay")]
    key: Option<String>,
    /// A file for the journal. Without one, the journal is lost when QEMU ends.
    #[arg(long)]
    journal: Option<PathBuf>,
    /// Show the board in a browser, to move its pieces, see its lights and pull its plugs.
    #[arg(long)]
    panel: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let (image, _) = emulated_board()?.build()?;
    if options.relay.is_none() {
        process::run(&mut process::cargo(&["build", "--locked", "--package", "host-server"]))?;
    }
    let mut emulate = process::cargo(&["run", "--quiet", "--locked", "--package", "tests", "--bin", "emulate", "--"]);
    emulate.arg(image).args(board_options(options)).env("TABIYA_PROGRAM", process::tabiya());
    process::run(&mut emulate)
}

fn board_options(options: &Options) -> Vec<String> {
    let relay = options.relay.as_deref().map(|relay| format!("relay={}", from_the_guest(relay)));
    let key = options.key.as_deref().map(|key| format!("key={key}"));
    let journal = options.journal.as_ref().map(|journal| format!("journal={}", journal.display()));
    let own_relay = options.relay.is_none().then(|| "--own-relay".to_owned());
    let panel = options.panel.then(|| "--panel".to_owned());
    [own_relay, panel, relay, key, journal, Some("live-on".to_owned())].into_iter().flatten().collect()
}

/// Translates the address of a relay on this machine: `localhost` of an emulated board is the board itself.
fn from_the_guest(relay: &str) -> String {
    for name in ["localhost", "127.0.0.1"] {
        if let Some(rest) = relay.strip_prefix("ws://").and_then(|rest| rest.strip_prefix(name))
            && (rest.is_empty() || rest.starts_with([':', '/']))
        {
            return format!("ws://{HOST}{rest}");
        }
    }
    relay.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn localhost_becomes_the_address_of_the_host() {
        assert_eq!(from_the_guest("ws://localhost:4000/ws/board"), "ws://10.0.2.2:4000/ws/board");
        assert_eq!(from_the_guest("ws://127.0.0.1"), "ws://10.0.2.2");
        assert_eq!(from_the_guest("ws://localhost.example"), "ws://localhost.example");
        assert_eq!(from_the_guest("ws://relay.example:80"), "ws://relay.example:80");
    }

    #[test]
    fn only_given_options_are_passed_on() {
        let options = Options { relay: None, key: None, journal: Some("j".into()), panel: true };
        assert_eq!(board_options(&options), ["--own-relay", "--panel", "journal=j", "live-on"]);
        let (relay, key) = (Some("ws://localhost:1".to_owned()), Some("00".to_owned()));
        let options = Options { relay, key, journal: None, panel: false };
        assert_eq!(board_options(&options), ["relay=ws://10.0.2.2:1", "key=00", "live-on"]);
    }
}
