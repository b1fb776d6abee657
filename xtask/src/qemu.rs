//! Boots the firmware in the emulator, with its log on the screen and if you like its wood in a browser, until it is
//! interrupted.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::firmware::MPS2;
use crate::process;

/// Where the emulated board finds the machine that it is emulated on.
const THIS_MACHINE: &str = "10.0.2.2";

#[derive(Args)]
pub(crate) struct Options {
    /// Where the relay is: ws://HOST:PORT. A relay on this machine is at localhost. Without it, one is started, and the
    /// board is paired with it.
    #[arg(long, requires = "key")]
    relay: Option<String>,
    /// The pairing key, 64 hexadecimal digits. Do not give one that matters: everybody on this machine can see it.
    #[arg(long, requires = "relay")]
    key: Option<String>,
    /// A file to keep the journal in. Without one, everything is forgotten in the end.
    #[arg(long)]
    journal: Option<PathBuf>,
    /// Show the wood of the board in a browser, to move its pieces, see its lights and pull its plugs.
    #[arg(long)]
    panel: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let (image, _) = MPS2.build()?;
    if options.panel || options.relay.is_none() {
        process::run(&mut process::cargo(&["build", "--locked", "--package", "host-server"]))?;
    }
    let mut emulate = process::cargo(&["run", "--quiet", "--locked", "--package", "tests", "--bin", "emulate", "--"]);
    emulate.arg(image).args(orders(options)).env("TABIYA_PROGRAM", process::tabiya());
    process::run(&mut emulate)
}

/// What the board is told.
fn orders(options: &Options) -> Vec<String> {
    let relay = options.relay.as_deref().map(|relay| format!("relay={}", seen_from_within(relay)));
    let key = options.key.as_deref().map(|key| format!("key={key}"));
    let journal = options.journal.as_ref().map(|journal| format!("journal={}", journal.display()));
    let own_relay = options.relay.is_none().then(|| "--own-relay".to_owned());
    let panel = options.panel.then(|| "--panel".to_owned());
    [own_relay, panel, relay, key, journal, Some("live-on".to_owned())].into_iter().flatten().collect()
}

/// For an emulated board, `localhost` is itself.
fn seen_from_within(relay: &str) -> String {
    for name in ["localhost", "127.0.0.1"] {
        if let Some(rest) = relay.strip_prefix("ws://").and_then(|rest| rest.strip_prefix(name))
            && (rest.is_empty() || rest.starts_with([':', '/']))
        {
            return format!("ws://{THIS_MACHINE}{rest}");
        }
    }
    relay.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relay_on_this_machine_is_found_from_within() {
        assert_eq!(seen_from_within("ws://localhost:4000/ws/board"), "ws://10.0.2.2:4000/ws/board");
        assert_eq!(seen_from_within("ws://127.0.0.1"), "ws://10.0.2.2");
        assert_eq!(seen_from_within("ws://localhost.example"), "ws://localhost.example");
        assert_eq!(seen_from_within("ws://relay.example:80"), "ws://relay.example:80");
    }

    #[test]
    fn a_board_is_told_only_what_was_said() {
        let options = Options { relay: None, key: None, journal: Some("j".into()), panel: true };
        assert_eq!(orders(&options), ["--own-relay", "--panel", "journal=j", "live-on"]);
        let (relay, key) = (Some("ws://localhost:1".to_owned()), Some("00".to_owned()));
        let options = Options { relay, key, journal: None, panel: false };
        assert_eq!(orders(&options), ["relay=ws://10.0.2.2:1", "key=00", "live-on"]);
    }
}
