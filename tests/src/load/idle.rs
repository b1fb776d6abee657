use tokio::task::JoinSet;

use super::connection::{Connection, ConnectionError};
use super::process_metrics::ProcessMetrics;
use super::relay_url::RelayUrl;

/// Number of connections that are opened concurrently.
const CONCURRENT: usize = 200;

/// Connections that do nothing but answer pings, two in each room.
pub struct IdleConnections {
    tasks: JoinSet<()>,
    /// The memory of the relay for each connection, if the relay exports its memory.
    pub bytes_per_connection: Option<f64>,
}

impl IdleConnections {
    /// Opens connections, and measures the memory that the relay takes for them.
    pub async fn open(relay: &RelayUrl, count: usize) -> Result<Self, String> {
        let before = ProcessMetrics::scrape(relay).await.ok();
        let mut tasks = JoinSet::new();
        let mut connecting = JoinSet::new();
        let mut opened = 0;
        for number in 0..count {
            if connecting.len() == CONCURRENT {
                await_one(&mut connecting, &mut tasks, &mut opened).await?;
            }
            let relay = relay.clone();
            connecting.spawn(async move {
                // Two players in each room, so that there are games.
                let path = format!("/ws/api/idler{number}/idle{}/", number / 2);
                let mut connection = Connection::open(&relay, &path).await?;
                connection.receive().await?;
                Ok(connection)
            });
        }
        while !connecting.is_empty() {
            await_one(&mut connecting, &mut tasks, &mut opened).await?;
        }
        let after = ProcessMetrics::scrape(relay).await.ok();
        #[expect(clippy::cast_precision_loss, reason = "a count of connections fits a double")]
        let bytes_per_connection =
            before.zip(after).map(|(before, after)| (after.memory_bytes - before.memory_bytes) / opened.max(1) as f64);
        Ok(Self { tasks, bytes_per_connection })
    }

    /// Drops all connections.
    pub async fn close(mut self) {
        self.tasks.shutdown().await;
    }
}

async fn await_one(
    connecting: &mut JoinSet<Result<Connection, ConnectionError>>,
    tasks: &mut JoinSet<()>,
    opened: &mut usize,
) -> Result<(), String> {
    match connecting.join_next().await {
        Some(Ok(Ok(mut connection))) => {
            *opened += 1;
            tasks.spawn(async move { connection.stay_connected().await });
            Ok(())
        }
        Some(Ok(Err(error))) => Err(format!("idle connection {}: {error}", *opened + 1)),
        Some(Err(error)) => Err(error.to_string()),
        None => Ok(()),
    }
}
