use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::url::RelayUrl;

/// What a relay says about itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Figures {
    /// What it has of memory, in bytes.
    pub(super) memory: f64,
    /// How long it has computed, in seconds.
    pub(super) time: f64,
}

impl Figures {
    /// Asks a relay. One on another machine does not tell everybody.
    pub(super) async fn of(relay: &RelayUrl) -> io::Result<Self> {
        let mut stream = TcpStream::connect(&relay.authority).await?;
        let request = format!("GET /metrics HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", relay.authority);
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Self::read(&answer).ok_or_else(|| io::Error::other("the relay does not say what it takes"))
    }

    fn read(page: &str) -> Option<Self> {
        let figure = |name: &str| {
            let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
            line.trim().parse().ok()
        };
        Some(Self { memory: figure("process_resident_memory_bytes")?, time: figure("process_cpu_seconds_total")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_between_others() {
        let page = "# HELP process_resident_memory_bytes x\nprocess_resident_memory_bytes 1024\nprocess_cpu_seconds_total 1.5\n";
        assert_eq!(Figures::read(page), Some(Figures { memory: 1024.0, time: 1.5 }));
        assert_eq!(Figures::read("process_resident_memory_bytes 1024\n"), None);
    }
}
