//! The echo server (`bin/echo.rs`) as a process.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result};

/// Clock ticks per second in `/proc/PID/stat` on Linux.
const TICKS: f64 = 100.0;

/// A running echo server. Dropping it kills the process.
pub(crate) struct Echo {
    process: Child,
    pub(crate) url: String,
}

impl Echo {
    /// Starts the program that was built with this one.
    pub(crate) fn start() -> Result<Self> {
        let program = env::current_exe()?.with_file_name(format!("echo{}", env::consts::EXE_SUFFIX));
        let mut command = Command::new(program);
        // It exits at the end of its input, also if this process was killed.
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("echo does not start")?;
        let output = process.stdout.take().context("echo has an output")?;
        let mut address = String::new();
        BufReader::new(output).read_line(&mut address)?;
        Ok(Self { process, url: format!("ws://{}", address.trim()) })
    }

    /// CPU time so far, in seconds.
    pub(crate) fn computed(&self) -> Option<f64> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id())).ok()?;
        // The name is in parentheses and may contain anything. User and system time are the 14th and the 15th field.
        let (_, rest) = stat.rsplit_once(") ")?;
        let mut times = rest.split(' ').skip(11).map_while(|word| word.parse::<f64>().ok());
        Some((times.next()? + times.next()?) / TICKS)
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        // A destructor cannot report an error.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
