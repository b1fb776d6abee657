//! Multiplexed connections to Redis: a few connections carry all commands, pipelined.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::try_join_all;
use parking_lot::RwLock;
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::io::tcp::TcpSettings;
use redis::{
    Client, Cmd, ConnectionAddr, ConnectionInfo, FromRedisValue, IntoConnectionInfo, Pipeline, ProtocolVersion,
    RedisConnectionInfo, RedisError, TlsCertificates,
};
use tokio::sync::watch;
use tokio::time::timeout;

use super::error::sort;
use super::sentinel::is_same;
use super::{ConnectError, RedisSettings, Trust};
use crate::store::StoreError;

/// Timeout of a command. It is short because players wait for the result of their moves.
const ANSWER: Duration = Duration::from_secs(2);

/// Timeout of connecting.
const CONNECT: Duration = Duration::from_secs(1);

/// Timeout of a command including retries.
const PATIENCE: Duration = Duration::from_secs(4);

/// Number of retries in a Cluster.
const CLUSTER_RETRIES: u32 = 4;

/// Capacity of the send queue.
const WAITING: usize = 1024;

/// Number of connections to a single Redis. Redis reads 16 KB per connection and loop iteration, then fsyncs before it answers:
/// one connection would limit a group commit to about thirty moves.
const LANES: usize = 8;

/// A connection pool that reconnects by itself.
#[derive(Clone)]
pub(super) enum Connection {
    One(Arc<Lanes>),
    Cluster(ClusterConnection),
}

/// Connections that are used in turn.
pub(super) struct Lanes {
    managers: RwLock<Vec<ConnectionManager>>,
    next: AtomicUsize,
    /// The node that all of them lead to.
    primary: watch::Sender<ConnectionInfo>,
}

/// The default port of Sentinels.
const SENTINEL_PORT: u16 = 26379;

/// The nodes that the settings name.
pub(super) fn nodes(settings: &RedisSettings) -> Result<Vec<ConnectionInfo>, ConnectError> {
    nodes_of(&settings.host, settings)
}

/// The Sentinels that the settings name. Their user and password are not those of Redis.
pub(super) fn sentinel_nodes(addresses: &str, settings: &RedisSettings) -> Result<Vec<ConnectionInfo>, ConnectError> {
    let settings =
        RedisSettings { port: SENTINEL_PORT, username: None, password: None, database: 0, ..settings.clone() };
    nodes_of(addresses, &settings)
}

/// A node at this address, with login and TLS of the settings.
pub(super) fn with_address(host: &str, port: u16, settings: &RedisSettings) -> Result<ConnectionInfo, ConnectError> {
    let bad = || ConnectError::BadAddress(format!("{host}:{port}"));
    let info = info(host, port, settings).map_err(|_| bad())?;
    match certificates(settings) {
        None => Ok(info),
        // The TLS settings belong to the address.
        Some(certificates) => match Client::build_with_tls(info, certificates) {
            Ok(client) => Ok(client.get_connection_info().clone()),
            Err(error) => Err(ConnectError::BadAuthority(error.to_string())),
        },
    }
}

fn nodes_of(addresses: &str, settings: &RedisSettings) -> Result<Vec<ConnectionInfo>, ConnectError> {
    let node = |address: &str| {
        let bad = || ConnectError::BadAddress(address.to_owned());
        let (host, port) = match address.rsplit_once(':') {
            // An address with more than one colon is IPv6 without a port, unless it is in brackets.
            Some((host, port)) if !host.contains(':') || host.ends_with(']') => {
                (host, port.parse().map_err(|_| bad())?)
            }
            _ => (address, settings.port),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() {
            return Err(bad());
        }
        with_address(host, port, settings)
    };
    addresses.split(',').map(str::trim).map(node).collect()
}

fn info(host: &str, port: u16, settings: &RedisSettings) -> Result<ConnectionInfo, RedisError> {
    let mut login = RedisConnectionInfo::default().set_db(settings.database.into());
    if let Some(username) = &settings.username {
        login = login.set_username(username);
    }
    if let Some(password) = &settings.password {
        login = login.set_password(password);
    }
    let address = match settings.tls {
        None => ConnectionAddr::Tcp(host.to_owned(), port),
        Some(_) => ConnectionAddr::TcpTls { host: host.to_owned(), port, insecure: false, tls_params: None },
    };
    Ok(address.into_connection_info()?.set_redis_settings(login).set_tcp_settings(tcp()))
}

/// The trusted authority, if it is not those of the operating system.
fn certificates(settings: &RedisSettings) -> Option<TlsCertificates> {
    match &settings.tls {
        Some(Trust::Authority(pem)) => Some(TlsCertificates { client_tls: None, root_cert: Some(pem.clone()) }),
        Some(Trust::Machine) | None => None,
    }
}

/// The settings for a node that was discovered through another one.
pub(super) fn neighbour(known: &ConnectionInfo, host: String, port: u16) -> Option<ConnectionInfo> {
    let address = match known.addr() {
        ConnectionAddr::TcpTls { insecure, tls_params, .. } => {
            ConnectionAddr::TcpTls { host, port, insecure: *insecure, tls_params: tls_params.clone() }
        }
        _ => ConnectionAddr::Tcp(host, port),
    };
    let node = address.into_connection_info().ok()?.set_redis_settings(known.redis_settings().clone());
    Some(node.set_tcp_settings(known.tcp_settings().clone()))
}

/// TCP settings: a move is a few hundred bytes and must not wait for more (no delay).
fn tcp() -> TcpSettings {
    TcpSettings::default().set_nodelay(true)
}

impl Connection {
    pub(super) async fn open(nodes: &[ConnectionInfo], settings: &RedisSettings) -> Result<Self, StoreError> {
        let opened = if settings.cluster { open_cluster(nodes, settings).await } else { open_one(nodes).await };
        opened.map_err(|error| match sort(&error) {
            // No command was sent yet.
            StoreError::Unclear(why) => StoreError::Unavailable(why),
            error => error,
        })
    }

    /// Executes a command.
    pub(super) async fn ask<T: FromRedisValue>(&self, question: &Cmd) -> Result<T, StoreError> {
        self.try_ask(question).await.map_err(|error| sort(&error))
    }

    pub(super) async fn try_ask<T: FromRedisValue>(&self, question: &Cmd) -> Result<T, RedisError> {
        let answer = async {
            match self.clone() {
                Self::One(lanes) => question.query_async(&mut lanes.next()?).await,
                Self::Cluster(mut connection) => question.query_async(&mut connection).await,
            }
        };
        let late = |_| RedisError::from(std::io::Error::from(std::io::ErrorKind::TimedOut));
        timeout(PATIENCE, answer).await.map_err(late)?
    }

    /// Executes commands one after the other on one connection to a single Redis.
    pub(super) async fn ask_in_order<T: FromRedisValue>(&self, questions: &Pipeline) -> Result<T, RedisError> {
        let Self::One(lanes) = self else { return Err(no_connection()) };
        let answers = async { questions.query_async(&mut lanes.next()?).await };
        let late = |_| RedisError::from(std::io::Error::from(std::io::ErrorKind::TimedOut));
        timeout(PATIENCE, answers).await.map_err(late)?
    }

    /// Replaces all connections if they do not lead to this node. Returns whether they did not.
    pub(super) async fn move_to(&self, primary: &ConnectionInfo) -> Result<bool, StoreError> {
        let Self::One(lanes) = self else { return Ok(false) };
        if is_same(lanes.primary.borrow().addr(), primary.addr()) {
            return Ok(false);
        }
        let new = open_lanes(primary).await.map_err(|error| sort(&error))?;
        *lanes.managers.write() = new;
        lanes.primary.send_replace(primary.clone());
        Ok(true)
    }

    /// The node that a single Redis, or the primary that Sentinels name, is on now. It changes after a failover.
    pub(super) fn primary(&self) -> Option<watch::Receiver<ConnectionInfo>> {
        match self {
            Self::One(lanes) => Some(lanes.primary.subscribe()),
            Self::Cluster(_) => None,
        }
    }

    /// The memory that a single Redis uses, in bytes; 0 for a Cluster, whose nodes have their own limits.
    pub(super) async fn used_memory(&self) -> Result<u64, StoreError> {
        let Self::One(_) = self else { return Ok(0) };
        let info: String = self.ask(redis::cmd("INFO").arg("memory")).await?;
        let used = info.lines().find_map(|line| line.strip_prefix("used_memory:")?.trim().parse().ok());
        Ok(used.unwrap_or(0))
    }

    /// The addresses of all current nodes of a Cluster.
    pub(super) async fn cluster_nodes(&self) -> Vec<(String, u16)> {
        let Self::Cluster(_) = self else { return Vec::new() };
        let list: String = self.ask(redis::cmd("CLUSTER").arg("NODES")).await.unwrap_or_default();
        // `<id> <host>:<port>@<bus port>[,<name>] <flags> ...`
        let address = |line: &str| {
            let (address, _) = line.split_whitespace().nth(1)?.split_once('@')?;
            let (host, port) = address.rsplit_once(':')?;
            Some((host.to_owned(), port.parse().ok()?))
        };
        list.lines().filter_map(address).collect()
    }
}

async fn open_one(nodes: &[ConnectionInfo]) -> Result<Connection, RedisError> {
    let mut last = no_connection();
    for node in nodes {
        match open_lanes(node).await {
            Ok(lanes) => {
                let (next, primary) = (AtomicUsize::new(0), watch::Sender::new(node.clone()));
                return Ok(Connection::One(Arc::new(Lanes { managers: RwLock::new(lanes), next, primary })));
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

async fn open_lanes(node: &ConnectionInfo) -> Result<Vec<ConnectionManager>, RedisError> {
    let config = ConnectionManagerConfig::new()
        .set_connection_timeout(Some(CONNECT))
        .set_response_timeout(Some(ANSWER))
        .set_pipeline_buffer_size(WAITING)
        // Commands wait for these few attempts and fail if all of them do. The next command starts again.
        .set_number_of_retries(2)
        .set_min_delay(Duration::from_millis(20))
        .set_max_delay(Duration::from_millis(200));
    // With RESP3 the client notices a broken connection at once and replaces it before the next command, so that fewer commands
    // have an unclear result.
    let login = node.redis_settings().clone().set_protocol(ProtocolVersion::RESP3);
    let client = Client::open(node.clone().set_redis_settings(login))?;
    let lane = || ConnectionManager::new_with_config(client.clone(), config.clone());
    try_join_all((0..LANES).map(|_| lane())).await
}

impl Lanes {
    fn next(&self) -> Result<ConnectionManager, RedisError> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let managers = self.managers.read();
        managers.get(number % managers.len().max(1)).cloned().ok_or_else(no_connection)
    }
}

fn no_connection() -> RedisError {
    std::io::Error::from(std::io::ErrorKind::AddrNotAvailable).into()
}

async fn open_cluster(nodes: &[ConnectionInfo], settings: &RedisSettings) -> Result<Connection, RedisError> {
    let mut builder = ClusterClient::builder(nodes.iter().cloned());
    if let Some(certificates) = certificates(settings) {
        builder = builder.certs(certificates);
    }
    let client = builder
        .connection_timeout(CONNECT)
        .response_timeout(ANSWER)
        .tcp_settings(tcp())
        .retries(CLUSTER_RETRIES)
        .min_retry_wait(10)
        .max_retry_wait(200)
        .build()?;
    client.get_async_connection().await.map(Connection::Cluster)
}
