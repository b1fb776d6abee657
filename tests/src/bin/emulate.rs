//! Boots an image in the emulator and prints its log: what `cargo qemu` and `cargo xtask qemu` run.
//!
//! `emulate <image> [--own-relay] [--panel] [order]...` ends with the exit code of the board, or when it is interrupted. With
//! `--own-relay` there is a relay for as long as that takes, with which the board is paired; with `--panel` a page shows the
//! wood of the board, and lets its pieces be moved and its plugs be pulled.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

use anyhow::{Context, Result};
use tests::club::Club;
use tests::parts;
use tests::qemu::{Qemu, SerialLine};
use tests::redis::Folder;

fn main() -> ExitCode {
    match emulate() {
        // The codes of a process are a byte wide; what does not fit one is no success.
        Ok(code) => u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from),
        Err(error) => {
            eprintln!("emulate: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn emulate() -> Result<i32> {
    let usage = "which image? usage: emulate <image> [--own-relay] [--panel] [order]...";
    let mut args = env::args_os().skip(1);
    let image = PathBuf::from(args.next().context(usage)?);
    let orders: Vec<String> = args.map(|arg| arg.to_string_lossy().into_owned()).collect();
    let is_said = |word: &str| orders.iter().any(|order| order == word);
    let mut qemu = Qemu::new(&image).network().patience(None);
    for order in orders.iter().filter(|order| !order.starts_with("--")) {
        qemu = qemu.order(order);
    }
    let club = if is_said("--own-relay") { Some(open_club()?) } else { None };
    if let Some(club) = &club {
        let (pairing, address) = (club.pair(NAME)?, club.relay.address());
        qemu = qemu.order(&format!("relay=ws://10.0.2.2:{}", address.port())).order(&format!("key={}", pairing.key));
        println!("The relay: http://{address}/");
        println!("To play against the board: http://{address}/g/{}", pairing.code);
    }
    let panel = if is_said("--panel") { Some(Panel::start()?) } else { None };
    if let Some(panel) = &panel {
        qemu = qemu.line(SerialLine::Sensors, panel.switches).line(SerialLine::Lights, panel.lights);
        qemu = qemu.qmp(&panel.qmp());
        println!("{}", panel.page);
    }
    let mut board = qemu.boot()?;
    while let Some(line) = board.next_line()? {
        println!("{line}");
    }
    board.wait_for_exit()
}

/// What the board is called.
const NAME: &str = "emulated";

fn open_club() -> Result<Club> {
    Club::open()?.context("there is no tabiya to start; `cargo xtask qemu` builds it")
}

/// The page that is the panel of the board. It ends with this.
struct Panel {
    process: Child,
    folder: Folder,
    switches: u16,
    lights: u16,
    /// Where the page is, in words.
    page: String,
}

impl Panel {
    fn start() -> Result<Self> {
        let program = parts::tabiya().context("there is no tabiya to start; `cargo xtask qemu` builds it")?;
        let folder = Folder::new()?;
        let mut command = Command::new(program);
        command.args(["panel", "--name", NAME, "--listen", "127.0.0.1:0", "--qmp"]).arg(socket(folder.path()));
        let mut process =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().context("tabiya does not start")?;
        let lines = BufReader::new(process.stdout.take().context("the panel has no output")?).lines();
        let mut lines = lines.map_while(Result::ok);
        let mut next = || lines.next().context("the panel has ended");
        let port = |line: String| -> Result<u16> {
            let port = line.rsplit(':').next().and_then(|port| port.parse().ok());
            port.with_context(|| format!("there is no port in {line:?}"))
        };
        let (switches, lights, page) = (port(next()?)?, port(next()?)?, next()?);
        Ok(Self { process, folder, switches, lights, page })
    }

    /// Where the emulator takes orders.
    fn qmp(&self) -> PathBuf {
        socket(self.folder.path())
    }
}

impl Drop for Panel {
    fn drop(&mut self) {
        // Neither can fail in a way that leaves a process behind: it is either ended now or has ended before.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn socket(folder: &Path) -> PathBuf {
    folder.join("qmp")
}
