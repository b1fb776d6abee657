//! A board in the emulator: the real firmware, on an emulated Cortex-M.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::log::Line;

/// Long enough for a slow and busy machine: it ends what hangs, and says nothing about speed.
const DEFAULT_PATIENCE: Duration = Duration::from_mins(2);

/// How often to ask whether a process has ended.
const POLL: Duration = Duration::from_millis(5);

/// What to boot, and how.
#[derive(Clone, Debug)]
pub struct Qemu {
    image: PathBuf,
    orders: Vec<String>,
    patience: Option<Duration>,
    skips_idle_time: bool,
    network: bool,
    /// Where another machine on the network is: a UDP port of this host.
    neighbour: Option<u16>,
    /// Where the serial lines end, in the order of the machine: TCP ports of this host.
    lines: [Option<u16>; 3],
    qmp: Option<PathBuf>,
}

/// The serial lines of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SerialLine {
    /// The console.
    Console,
    /// What the switches read.
    Sensors,
    /// What the lights show.
    Lights,
}

impl Qemu {
    /// A machine with this image in its flash.
    #[must_use]
    pub fn new(image: &Path) -> Self {
        Self {
            image: image.to_owned(),
            orders: Vec::new(),
            patience: Some(DEFAULT_PATIENCE),
            skips_idle_time: false,
            network: false,
            neighbour: None,
            lines: [None; 3],
            qmp: None,
        }
    }

    /// Adds a word to the command line that the firmware reads.
    #[must_use]
    pub fn order(mut self, order: &str) -> Self {
        self.orders.push(order.to_owned());
        self
    }

    /// How long after booting the board is ended, whatever it does; `None` lets it run for ever.
    #[must_use]
    pub fn patience(mut self, patience: Option<Duration>) -> Self {
        self.patience = patience;
        self
    }

    /// Makes time a matter of the board alone: an instruction takes a nanosecond, and when the processor sleeps the clock
    /// jumps to the next event. Hours go by in no time, but only on a board that really sleeps.
    #[must_use]
    pub fn skipping_idle_time(mut self) -> Self {
        self.skips_idle_time = true;
        self
    }

    /// Plugs the board into a network of its own, on which this host is 10.0.2.2.
    #[must_use]
    pub fn network(mut self) -> Self {
        self.network = true;
        self
    }

    /// Puts another machine on the board's network: every packet there is also one at this UDP port, and the other way round.
    #[must_use]
    pub fn neighbour(mut self, port: u16) -> Self {
        self.neighbour = Some(port);
        self
    }

    /// Has a serial line end at this port, where somebody must listen.
    #[must_use]
    pub fn line(mut self, line: SerialLine, port: u16) -> Self {
        self.lines[line as usize] = Some(port);
        self
    }

    /// Lets somebody hold the machine's own switches, through a socket in the file system (see [`crate::qmp`]).
    #[must_use]
    pub fn qmp(mut self, socket: &Path) -> Self {
        self.qmp = Some(socket.to_owned());
        self
    }

    /// Powers the board up.
    pub fn boot(&self) -> Result<Board> {
        let mut qemu = Running(start(&mut self.command(), "qemu-system-arm")?);
        let log = qemu.0.stdout.take().context("QEMU has no stdout")?;
        let mut decoder = Command::new("defmt-print");
        decoder.arg("-e").arg(&self.image).arg("--log-format").arg(Line::format()).stdin(log).stdout(Stdio::piped());
        let mut decoder = Running(start(&mut decoder, "defmt-print")?);
        let lines = read_lines(decoder.0.stdout.take().context("defmt-print has no stdout")?);
        let deadline = self.patience.map(|patience| Instant::now() + patience);
        Ok(Board { qemu, _decoder: decoder, lines, log: Vec::new(), deadline })
    }

    fn command(&self) -> Command {
        let mut semihosting = "enable=on,target=native,arg=tabiya".to_owned();
        for order in &self.orders {
            // A comma ends an option of QEMU's, unless there are two.
            semihosting += ",arg=";
            semihosting += &order.replace(',', ",,");
        }
        let mut command = Command::new("qemu-system-arm");
        command.args(["-machine", "mps2-an386", "-display", "none", "-monitor", "none"]);
        // Without a network the cable is plugged in all the same, and leads nowhere.
        let restrict = if self.network { "off" } else { "on" };
        match self.neighbour {
            None => {
                command.args(["-nic", &format!("user,id=n0,model=lan9118,restrict={restrict}")]);
            }
            Some(port) => {
                let world = format!("user,id=world,restrict={restrict}");
                let beside = format!("socket,id=beside,udp=127.0.0.1:{port},localaddr=127.0.0.1:0");
                for (number, netdev) in [world, beside].iter().enumerate() {
                    let id = if number == 0 { "world" } else { "beside" };
                    command.args(["-netdev", netdev, "-netdev", &format!("hubport,id=h{number},hubid=0,netdev={id}")]);
                }
                command.args(["-netdev", "hubport,id=n0,hubid=0", "-net", "nic,model=lan9118,netdev=n0"]);
            }
        }
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

/// A board that is powered. Dropping it pulls the plug.
pub struct Board {
    qemu: Running,
    _decoder: Running,
    lines: Receiver<Line>,
    log: Vec<Line>,
    deadline: Option<Instant>,
}

impl Board {
    /// The next line of the log, or `None` when the board has ended.
    pub fn next_line(&mut self) -> Result<Option<Line>> {
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

    /// The next line of the log, if it is there already.
    pub fn try_line(&mut self) -> Option<Line> {
        let line = self.lines.try_recv().ok();
        self.log.extend(line.clone());
        line
    }

    /// The next line that says exactly this.
    pub fn wait_for(&mut self, message: &str) -> Result<Line> {
        loop {
            match self.next_line().with_context(|| format!("waiting for {message:?}"))? {
                Some(line) if line.message == message => return Ok(line),
                Some(_) => {}
                None => bail!("the board ended without saying {message:?}; {}", self.last_words()),
            }
        }
    }

    /// The next line that begins like this.
    pub fn wait_for_start(&mut self, start: &str) -> Result<Line> {
        loop {
            match self.next_line().with_context(|| format!("waiting for {start:?}"))? {
                Some(line) if line.message.starts_with(start) => return Ok(line),
                Some(_) => {}
                None => bail!("the board ended without saying {start:?}; {}", self.last_words()),
            }
        }
    }

    /// Waits for the board to end by itself, and gives its exit code.
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

    /// Whether the board has not ended.
    pub fn is_running(&mut self) -> Result<bool> {
        Ok(self.qemu.ended()?.is_none())
    }

    /// Every line that has been read so far.
    #[must_use]
    pub fn log(&self) -> &[Line] {
        &self.log
    }

    fn last_words(&self) -> String {
        self.log.last().map_or_else(|| "it has said nothing".to_owned(), |line| format!("its last words were: {line}"))
    }
}

/// A process that does not outlive its owner.
struct Running(Child);

impl Running {
    fn ended(&mut self) -> Result<Option<ExitStatus>> {
        self.0.try_wait().context("cannot ask whether the emulator has ended")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Neither can fail in a way that leaves a process behind: it is either ended now or has ended before.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(command: &mut Command, program: &str) -> Result<Child> {
    command.spawn().with_context(|| format!("cannot start {program}, which `cargo xtask setup` installs"))
}

/// Reads on a thread of its own, so that whoever waits for a line can stop waiting.
fn read_lines(log: ChildStdout) -> Receiver<Line> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut before = None;
        for text in BufReader::new(log).lines().map_while(Result::ok) {
            let line = Line::parse(&text, before.as_ref());
            before = Some(line.clone());
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}
