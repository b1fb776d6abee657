use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::relay_url::RelayUrl;

/// CPU time and memory of a relay process, from its `/metrics`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ProcessMetrics {
    pub(super) memory_bytes: f64,
    pub(super) cpu_seconds: f64,
}

impl ProcessMetrics {
    /// Scrapes a relay. A relay on another machine may refuse this.
    pub(super) async fn scrape(relay: &RelayUrl) -> io::Result<Self> {
        let mut stream = TcpStream::connect(&relay.authority).await?;
        let request = format!("GET /metrics HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", relay.authority);
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Self::read(&answer).ok_or_else(|| io::Error::other("/metrics has no process metrics"))
    }

    fn read(page: &str) -> Option<Self> {
        let value = |name: &str| {
            let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
            line.trim().parse().ok()
        };
        Some(Self {
            memory_bytes: value("process_resident_memory_bytes")?,
            cpu_seconds: value("process_cpu_seconds_total")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_metrics_among_comments_and_others() {
        let page = "# HELP process_resident_memory_bytes x\nprocess_resident_memory_bytes 1024\nprocess_cpu_seconds_total 1.5\n";
        assert_eq!(ProcessMetrics::read(page), Some(ProcessMetrics { memory_bytes: 1024.0, cpu_seconds: 1.5 }));
        assert_eq!(ProcessMetrics::read("process_resident_memory_bytes 1024\n"), None);
    }
}
