//! Finds the primary of a Redis with Sentinels, and follows it after a failover.

use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, ConnectionAddr, ConnectionInfo};
use tokio::task::AbortHandle;
use tokio::time::sleep;

use super::connection::{Connection, sentinel_nodes, with_address};
use super::{ConnectError, RedisSettings, SentinelSettings};
use crate::store::StoreError;

/// Interval of asking the Sentinels for the primary.
const POLL: Duration = Duration::from_secs(1);

/// Timeout of connecting, and of an answer.
const ANSWER: Duration = Duration::from_secs(1);

/// The Sentinels of a Redis.
pub(super) struct Sentinels {
    nodes: Vec<ConnectionInfo>,
    master: String,
    settings: RedisSettings,
}

impl Sentinels {
    pub(super) fn new(sentinels: &SentinelSettings, settings: &RedisSettings) -> Result<Self, ConnectError> {
        let nodes = sentinel_nodes(&sentinels.addresses, settings)?;
        Ok(Self { nodes, master: sentinels.master.clone(), settings: settings.clone() })
    }

    /// The current primary: the first that a Sentinel names and that says so itself. A Sentinel that is cut off may name an old
    /// one.
    pub(super) async fn primary(&self) -> Result<ConnectionInfo, StoreError> {
        let mut last = format!("no Sentinel knows the master {:?}", self.master);
        for node in &self.nodes {
            match self.ask(node).await {
                Ok(Some(primary)) => return Ok(primary),
                Ok(None) => {}
                Err(error) => last = format!("Sentinel {}: {error}", node.addr()),
            }
        }
        Err(StoreError::Unavailable(last))
    }

    async fn ask(&self, node: &ConnectionInfo) -> redis::RedisResult<Option<ConnectionInfo>> {
        let mut sentinel = connect(node.clone()).await?;
        let mut question = redis::cmd("SENTINEL");
        question.arg("get-master-addr-by-name").arg(&self.master);
        let address: Option<(String, u16)> = question.query_async(&mut sentinel).await?;
        let Some((host, port)) = address else { return Ok(None) };
        let Ok(primary) = with_address(&host, port, &self.settings) else { return Ok(None) };
        let role: Vec<redis::Value> = redis::cmd("ROLE").query_async(&mut connect(primary.clone()).await?).await?;
        let role: Option<String> = role.into_iter().next().map(redis::from_redis_value).transpose()?;
        Ok((role.as_deref() == Some("master")).then_some(primary))
    }

    /// Starts the task that moves the connections to the new primary after a failover.
    pub(super) fn follow(self, connection: Connection) -> AbortHandle {
        let task = async move {
            loop {
                sleep(POLL).await;
                let primary = match self.primary().await {
                    Ok(primary) => primary,
                    Err(error) => {
                        tracing::debug!(%error, "asking the Sentinels for the primary failed, will retry");
                        continue;
                    }
                };
                match connection.move_to(&primary).await {
                    Ok(false) => {}
                    Ok(true) => tracing::warn!(primary = %primary.addr(), "Redis failover, using the new primary"),
                    Err(error) => {
                        tracing::warn!(primary = %primary.addr(), %error, "connecting to the new primary failed, will retry");
                    }
                }
            }
        };
        tokio::spawn(task).abort_handle()
    }
}

async fn connect(node: ConnectionInfo) -> redis::RedisResult<MultiplexedConnection> {
    let config = AsyncConnectionConfig::new().set_connection_timeout(Some(ANSWER)).set_response_timeout(Some(ANSWER));
    Client::open(node)?.get_multiplexed_async_connection_with_config(&config).await
}

/// Whether two addresses are the same node.
pub(super) fn is_same(one: &ConnectionAddr, other: &ConnectionAddr) -> bool {
    one.to_string() == other.to_string()
}
