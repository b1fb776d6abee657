//! The server that only echoes.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result};

/// So many times a second the system looks at what a process does, on every Linux.
const TICKS: f64 = 100.0;

/// A running echo. It is ended when this is dropped.
pub(crate) struct Echo {
    process: Child,
    pub(crate) url: String,
}

impl Echo {
    /// Starts the one that was built with this program.
    pub(crate) fn start() -> Result<Self> {
        let program = env::current_exe()?.with_file_name(format!("echo{}", env::consts::EXE_SUFFIX));
        let mut command = Command::new(program);
        // It ends when its input does, even if nobody is left to end it.
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("echo does not start")?;
        let output = process.stdout.take().context("echo has an output")?;
        let mut address = String::new();
        BufReader::new(output).read_line(&mut address)?;
        Ok(Self { process, url: format!("ws://{}", address.trim()) })
    }

    /// How long it has computed, in seconds.
    pub(crate) fn computed(&self) -> Option<f64> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id())).ok()?;
        // The name may have anything in it, but it is in parentheses. The time is the 14th and the 15th word, as the user's
        // and as the system's.
        let (_, rest) = stat.rsplit_once(") ")?;
        let mut times = rest.split(' ').skip(11).map_while(|word| word.parse::<f64>().ok());
        Some((times.next()? + times.next()?) / TICKS)
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        // Nobody is left to tell.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
