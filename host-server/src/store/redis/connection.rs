//! The way to Redis: a few connections for everything that is asked, so that many questions travel together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::try_join_all;
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::io::tcp::TcpSettings;
use redis::{
    Client, Cmd, ConnectionAddr, ConnectionInfo, FromRedisValue, IntoConnectionInfo, ProtocolVersion,
    RedisConnectionInfo, RedisError, TlsCertificates,
};
use tokio::time::timeout;

use super::error::sort;
use super::{ConnectError, RedisSettings, Trust};
use crate::store::StoreError;

/// How long to wait for an answer. Games go on while nobody knows whether a move counts, so it cannot be long.
const ANSWER: Duration = Duration::from_secs(2);

/// How long to wait for a connection.
const CONNECT: Duration = Duration::from_secs(1);

/// How long to wait for all of it, whatever happens on the way.
const PATIENCE: Duration = Duration::from_secs(4);

/// How often a node of a Cluster is asked again, or another one, before giving up.
const CLUSTER_RETRIES: u32 = 4;

/// How many questions may wait to be sent.
const WAITING: usize = 1024;

/// How many connections there are to a Redis that is alone. Redis takes 16 KB at a time from each, and then makes sure that
/// all of it is on the disk before it answers and takes more; with only one connection that is some thirty moves at a time.
const LANES: usize = 8;

/// The way to Redis. It finds its way back by itself.
#[derive(Clone)]
pub(super) enum Connection {
    One(Arc<Lanes>),
    Cluster(ClusterConnection),
}

/// Connections that are used in turn.
pub(super) struct Lanes {
    lanes: Vec<ConnectionManager>,
    next: AtomicUsize,
}

/// The nodes that the settings name.
pub(super) fn nodes(settings: &RedisSettings) -> Result<Vec<ConnectionInfo>, ConnectError> {
    let node = |address: &str| {
        let bad = || ConnectError::BadAddress(address.to_owned());
        let (host, port) = match address.rsplit_once(':') {
            // More colons are an IPv6 address, which has its own ones unless it is in brackets.
            Some((host, port)) if !host.contains(':') || host.ends_with(']') => {
                (host, port.parse().map_err(|_| bad())?)
            }
            _ => (address, settings.port),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() {
            return Err(bad());
        }
        let info = info(host, port, settings).map_err(|_| bad())?;
        match certificates(settings) {
            None => Ok(info),
            // What it makes of the certificates goes wherever the address goes.
            Some(certificates) => match Client::build_with_tls(info, certificates) {
                Ok(client) => Ok(client.get_connection_info().clone()),
                Err(error) => Err(ConnectError::BadAuthority(error.to_string())),
            },
        }
    };
    settings.host.split(',').map(str::trim).map(node).collect()
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

/// The authority to be believed, if it is not those that the machine knows.
fn certificates(settings: &RedisSettings) -> Option<TlsCertificates> {
    match &settings.tls {
        Some(Trust::Authority(pem)) => Some(TlsCertificates { client_tls: None, root_cert: Some(pem.clone()) }),
        Some(Trust::Machine) | None => None,
    }
}

/// A node that was found by way of another one, and is spoken to in the same way.
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

/// A move is a few hundred bytes, and must not wait for more of them.
fn tcp() -> TcpSettings {
    TcpSettings::default().set_nodelay(true)
}

impl Connection {
    pub(super) async fn open(nodes: &[ConnectionInfo], settings: &RedisSettings) -> Result<Self, StoreError> {
        let opened = if settings.cluster { open_cluster(nodes, settings).await } else { open_one(nodes).await };
        opened.map_err(|error| match sort(&error) {
            // Nothing was asked yet.
            StoreError::Unclear(why) => StoreError::Unavailable(why),
            error => error,
        })
    }

    /// Asks something.
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

    /// The addresses of all nodes that a Cluster has by now, as far as one of them knows.
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
    let config = ConnectionManagerConfig::new()
        .set_connection_timeout(Some(CONNECT))
        .set_response_timeout(Some(ANSWER))
        .set_pipeline_buffer_size(WAITING)
        // Whoever asks in the meantime waits for these few attempts, and then learns that nobody is there. The next one
        // who asks begins again.
        .set_number_of_retries(2)
        .set_min_delay(Duration::from_millis(20))
        .set_max_delay(Duration::from_millis(200));
    let mut last = nobody();
    for node in nodes {
        // In this version of the protocol a connection that breaks says so by itself, and is replaced before it is needed:
        // then nothing is sent on it of which nobody knows what has become.
        let login = node.redis_settings().clone().set_protocol(ProtocolVersion::RESP3);
        let client = Client::open(node.clone().set_redis_settings(login))?;
        let lane = || ConnectionManager::new_with_config(client.clone(), config.clone());
        match try_join_all((0..LANES).map(|_| lane())).await {
            Ok(lanes) => return Ok(Connection::One(Arc::new(Lanes { lanes, next: AtomicUsize::new(0) }))),
            Err(error) => last = error,
        }
    }
    Err(last)
}

impl Lanes {
    fn next(&self) -> Result<ConnectionManager, RedisError> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.lanes.get(number % self.lanes.len().max(1)).cloned().ok_or_else(nobody)
    }
}

fn nobody() -> RedisError {
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
