//! QEMU with a firmware image on an emulated Cortex-M, and its decoded log.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::log_line::LogLine;

/// Default time after which a board is ended. It ends a test that hangs.
const DEFAULT_TIMEOUT: Duration = Duration::from_mins(2);

const POLL: Duration = Duration::from_millis(5);

/// The configuration of an emulated machine.
#[derive(Clone, Debug)]
pub struct Qemu {
    image: PathBuf,
    arguments: Vec<String>,
    timeout: Option<Duration>,
    skips_idle_time: bool,
    network: bool,
    /// UDP port of another machine on the emulated network.
    lan_peer: Option<u16>,
    /// TCP ports of the serial lines.
    lines: [Option<u16>; 3],
    qmp: Option<PathBuf>,
}

/// The serial lines of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SerialLine {
    /// The console.
    Console,
    /// State of the switches.
    Sensors,
    /// State of the lights.
    Lights,
}

impl Qemu {
    /// A machine that boots this image.
    #[must_use]
    pub fn new(image: &Path) -> Self {
        Self {
            image: image.to_owned(),
            arguments: Vec::new(),
            timeout: Some(DEFAULT_TIMEOUT),
            skips_idle_time: false,
            network: false,
            lan_peer: None,
            lines: [None; 3],
            qmp: None,
        }
    }

    /// Adds an argument for the firmware.
    #[must_use]
    pub fn argument(mut self, argument: &str) -> Self {
        self.arguments.push(argument.to_owned());
        self
    }

    /// Sets the time after which the board is ended; `None` for never.
    #[must_use]
    pub fn timeout(mut self, timeout: Option<Duration>) -> Self {
        self.timeout = timeout;
        self
    }

    /// Uses virtual time: an instruction takes a nanosecond, and while the processor sleeps the clock
    /// jumps to the next event.
    #[must_use]
    pub fn skipping_idle_time(mut self) -> Self {
        self.skips_idle_time = true;
        self
    }

    /// Connects the board to an emulated network, on which this host is 10.0.2.2.
    #[must_use]
    pub fn network(mut self) -> Self {
        self.network = true;
        self
    }

    /// Connects the board to a network on which the only other machine exchanges Ethernet frames over this UDP port.
    #[must_use]
    pub fn lan_peer(mut self, port: u16) -> Self {
        self.lan_peer = Some(port);
        self
    }

    /// Connects a serial line to this TCP port, on which a listener must wait.
    #[must_use]
    pub fn line(mut self, line: SerialLine, port: u16) -> Self {
        self.lines[line as usize] = Some(port);
        self
    }

    /// Enables QMP on this socket (see [`crate::qmp`]).
    #[must_use]
    pub fn qmp(mut self, socket: &Path) -> Self {
        self.qmp = Some(socket.to_owned());
        self
    }

    /// Starts QEMU and the log decoder.
    pub fn boot(&self) -> Result<Board> {
        let mut qemu = Running(start(&mut self.command(), "qemu-system-arm")?);
        let log = qemu.0.stdout.take().context("QEMU has no stdout")?;
        let mut decoder = Command::new("defmt-print");
        decoder.arg("-e").arg(&self.image).arg("--log-format").arg(LogLine::format()).stdin(log).stdout(Stdio::piped());
        let mut decoder = Running(start(&mut decoder, "defmt-print")?);
        let lines = read_lines(decoder.0.stdout.take().context("defmt-print has no stdout")?);
        let deadline = self.timeout.map(|timeout| Instant::now() + timeout);
        Ok(Board { qemu, _decoder: decoder, lines, log: Vec::new(), deadline })
    }

    fn command(&self) -> Command {
        let mut semihosting = "enable=on,target=native,arg=tabiya".to_owned();
        for argument in &self.arguments {
            // A comma in an option of QEMU is doubled.
            semihosting += ",arg=";
            semihosting += &argument.replace(',', ",,");
        }
        let mut command = Command::new("qemu-system-arm");
        command.args(["-machine", "mps2-an386", "-display", "none", "-monitor", "none"]);
        // Without a network the link is up and isolated.
        let restrict = if self.network { "off" } else { "on" };
        let nic = match self.lan_peer {
            None => format!("user,id=n0,model=lan9118,restrict={restrict}"),
            // The user network is not attached beside it: it forwards every packet that it sees to the network of this
            // host, where another DNS server may answer first.
            Some(port) => format!("socket,id=n0,model=lan9118,udp=127.0.0.1:{port},localaddr=127.0.0.1:0"),
        };
        command.args(["-nic", &nic]);
        for (number, line) in self.lines.iter().enumerate() {
            match line {
                Some(port) => {
                    let socket = format!("socket,id=line{number},host=127.0.0.1,port={port},nodelay=on");
                    command.args(["-chardev", &socket, "-serial", &format!("chardev:line{number}")]);
                }
                None => {
                    command.args(["-serial", "null"]);
                }
            }
        }
        if let Some(socket) = &self.qmp {
            command.arg("-qmp").arg(format!("unix:{},server=on,wait=off", socket.display()));
        }
        command.args(["-semihosting-config", &semihosting]);
        if self.skips_idle_time {
            command.args(["-icount", "shift=0,sleep=off"]);
        }
        command.arg("-kernel").arg(&self.image).stdin(Stdio::null()).stdout(Stdio::piped());
        command
    }
}

/// A running board. Dropping it kills QEMU.
pub struct Board {
    qemu: Running,
    _decoder: Running,
    lines: Receiver<LogLine>,
    log: Vec<LogLine>,
    deadline: Option<Instant>,
}

impl Board {
    /// The next line of the log; `None` when the board has ended.
    pub fn next_line(&mut self) -> Result<Option<LogLine>> {
        let line = match self.deadline {
            None => self.lines.recv().ok(),
            Some(deadline) => match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => Some(line),
                Err(RecvTimeoutError::Disconnected) => None,
                Err(RecvTimeoutError::Timeout) => bail!("the board was out of time; {}", self.last_words()),
            },
        };
        self.log.extend(line.clone());
        Ok(line)
    }

    /// The next line of the log, if one is available.
    pub fn try_line(&mut self) -> Option<LogLine> {
        let line = self.lines.try_recv().ok();
        self.log.extend(line.clone());
        line
    }

    /// Waits for a line with exactly this message.
    pub fn wait_for(&mut self, message: &str) -> Result<LogLine> {
        loop {
            match self.next_line().with_context(|| format!("waiting for {message:?}"))? {
                Some(line) if line.message == message => return Ok(line),
                Some(_) => {}
                None => bail!("the board ended without saying {message:?}; {}", self.last_words()),
            }
        }
    }

    /// Waits for a line whose message starts with this.
    pub fn wait_for_start(&mut self, start: &str) -> Result<LogLine> {
        loop {
            match self.next_line().with_context(|| format!("waiting for {start:?}"))? {
                Some(line) if line.message.starts_with(start) => return Ok(line),
                Some(_) => {}
                None => bail!("the board ended without saying {start:?}; {}", self.last_words()),
            }
        }
    }

    /// Waits until the board ends by itself; returns its exit code.
    pub fn wait_for_exit(&mut self) -> Result<i32> {
        while self.next_line()?.is_some() {}
        loop {
            if let Some(status) = self.qemu.ended()? {
                return status.code().with_context(|| format!("the emulator was killed: {status}"));
            }
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                bail!("the board closed its log but did not end; {}", self.last_words());
            }
            thread::sleep(POLL);
        }
    }

    /// Whether the board is running.
    pub fn is_running(&mut self) -> Result<bool> {
        Ok(self.qemu.ended()?.is_none())
    }

    /// Every line that has been read so far.
    #[must_use]
    pub fn log(&self) -> &[LogLine] {
        &self.log
    }

    /// The whole log up to now, for the message of a failed test.
    pub fn transcript(&mut self) -> String {
        while self.try_line().is_some() {}
        self.log.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    fn last_words(&self) -> String {
        self.log.last().map_or_else(|| "it has said nothing".to_owned(), |line| format!("its last words were: {line}"))
    }
}

/// A process that is killed when this is dropped.
struct Running(Child);

impl Running {
    fn ended(&mut self) -> Result<Option<ExitStatus>> {
        self.0.try_wait().context("cannot ask whether the emulator has ended")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only if the process has ended before.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(command: &mut Command, program: &str) -> Result<Child> {
    command.spawn().with_context(|| format!("cannot start {program}, which `cargo xtask setup` installs"))
}

/// Reads on a thread, so that waiting for a line can time out.
fn read_lines(log: ChildStdout) -> Receiver<LogLine> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut before = None;
        for text in BufReader::new(log).lines().map_while(Result::ok) {
            let line = LogLine::parse(&text, before.as_ref());
            before = Some(line.clone());
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}
