//! What a relay is told when it starts: by flags, by the environment, or by a file.
//!
//! `setting.rs` is the one list of everything that can be set; the command line, `--print-config` and the table in
//! docs/operations.md all come from it. `sources.rs` finds what was said about a setting, and where; this file makes
//! plain values of it. None of it looks at the process that it runs in: that is done once, in [`Sources::of_process`].

mod dotenv;
mod network;
mod secret;
mod setting;
mod sources;
#[cfg(test)]
mod tests;
mod value;

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

pub use dotenv::FileError;
pub use network::{Network, NetworkError};
pub use secret::Secret;
pub use setting::{Arguments, StoreArguments};
pub use sources::{ConfigError, Sources};

use crate::server::{AllowedOrigins, LogFormat};
use crate::virtual_board::Hands;

/// Everything that a relay is told.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens.
    pub listen: SocketAddr,
    /// The certificate to show, if it speaks TLS by itself.
    pub tls: Option<TlsFiles>,
    /// Where rooms and boards are kept.
    pub store: StoreConfig,
    /// How long games are kept when they are over.
    pub keep_games: Duration,
    /// How long a player may be away from a game.
    pub grace: Duration,
    /// Who may touch the virtual board, if there is one.
    pub virtual_board: Option<Hands>,
    /// Which pages may talk to it.
    pub origins: AllowedOrigins,
    /// Who may say for whom they ask.
    pub proxies: Proxies,
    /// Who gets to see figures.
    pub metrics: MetricsConfig,
    /// How it logs.
    pub log: LogConfig,
    /// How long it waits for its connections when it has to stop.
    pub stop_within: Duration,
    /// How much is too much.
    pub limits: LimitConfig,
}

/// Where the certificate and its key are, both as PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, and those that lead to one that browsers know.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// Where rooms and boards are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreConfig {
    /// In a file of this relay alone.
    Embedded {
        /// The directory that it is in.
        data: PathBuf,
    },
    /// In Redis, where other relays find them, too.
    Redis(RedisConfig),
}

/// How to reach Redis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedisConfig {
    /// The host, by name or address.
    pub host: String,
    /// The port.
    pub port: u16,
    /// What all keys begin with.
    pub prefix: String,
    /// Who we are there, if it wants to know.
    pub user: Option<String>,
    /// What we prove it with.
    pub password: Option<Secret>,
    /// Which of its databases it is.
    pub database: u32,
    /// Whether it is a cluster.
    pub cluster: bool,
    /// Whether to speak TLS with it.
    pub tls: bool,
    /// Whose certificates to believe, if not those that the machine knows.
    pub authority: Option<PathBuf>,
}

/// Who may say for whom they ask, and how they say it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies {
    /// The networks that they are in.
    pub trusted: Vec<Network>,
    /// The header that they write.
    pub header: ProxyHeader,
}

/// The header in which a proxy names who asked it.
///
/// It is one and not both: a proxy that writes the one lets through whatever a stranger has written in the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProxyHeader {
    /// `X-Forwarded-For`.
    #[default]
    XForwardedFor,
    /// `Forwarded`.
    Forwarded,
}

/// Who gets to see figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MetricsConfig {
    /// An address of their own, if they have one.
    pub listen: Option<SocketAddr>,
    /// Whether everybody may see them.
    pub public: bool,
}

/// How a relay logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogConfig {
    /// What is worth a line, as `tracing-subscriber` reads it.
    pub filter: String,
    /// What a line looks like.
    pub format: LogFormat,
}

/// How much is too much. A limit that is not there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitConfig {
    /// Connections at a time, in all.
    pub connections: Option<NonZeroU32>,
    /// Connections at a time from one address.
    pub connections_per_address: Option<NonZeroU32>,
    /// New connections from one address in a minute.
    pub connections_per_minute: Option<NonZeroU32>,
    /// Requests from one address in a minute.
    pub requests_per_minute: Option<NonZeroU32>,
    /// Codes that one address may try in a minute, if they are wrong or new.
    pub joins_per_minute: Option<NonZeroU32>,
    /// Messages that one connection may send in a second.
    pub messages_per_second: Option<NonZeroU32>,
    /// Bytes in a message.
    pub message: usize,
}

impl Config {
    /// Makes values of what was said, or says what is wrong with the first that is none.
    pub fn read(sources: &Sources) -> Result<Self, ConfigError> {
        Ok(Self {
            listen: sources.value("listen", value::address)?,
            tls: tls(sources)?,
            store: StoreConfig::read(sources)?,
            keep_games: sources.value("keep-games", |text| value::days(text, 1..=36_500))?,
            grace: sources.value("grace", |text| value::seconds(text, 1..=86_400))?,
            virtual_board: virtual_board(sources)?,
            origins: sources.value_or_default("allowed-domain", |text| Ok(text.parse::<AllowedOrigins>()?))?,
            proxies: Proxies {
                trusted: sources.value_or_default("trusted-proxy", value::networks)?,
                header: sources.value("proxy-header", value::proxy_header)?,
            },
            metrics: MetricsConfig {
                listen: sources.optional("metrics-listen", value::address)?,
                public: sources.switch("metrics-public")?,
            },
            log: LogConfig {
                filter: sources.value("log", value::log_filter)?,
                format: sources.value("log-format", value::log_format)?,
            },
            stop_within: sources.value("stop-within", |text| value::seconds(text, 0..=600))?,
            limits: LimitConfig {
                connections: sources.value("max-connections", value::limit)?,
                connections_per_address: sources.value("max-connections-per-address", value::limit)?,
                connections_per_minute: sources.value("connections-per-minute", value::limit)?,
                requests_per_minute: sources.value("requests-per-minute", value::limit)?,
                joins_per_minute: sources.value("joins-per-minute", value::limit)?,
                messages_per_second: sources.value("messages-per-second", value::limit)?,
                message: sources.value("max-message", |text| value::size(text, 1_024..=16_777_216))?,
            },
        })
    }
}

impl StoreConfig {
    /// The part that is about the store, which other commands need as well.
    pub fn read(sources: &Sources) -> Result<Self, ConfigError> {
        let host = sources.optional("redis-host", value::word)?;
        let authority = sources.optional("redis-ca", |text| Ok(PathBuf::from(text)))?;
        let redis = RedisConfig {
            host: host.clone().unwrap_or_else(|| "127.0.0.1".to_owned()),
            port: sources.value("redis-port", value::port)?,
            prefix: sources.value("redis-prefix", value::word)?,
            user: sources.optional("redis-user", value::word)?,
            password: sources.optional("REDIS_PASSWORD", |text| Ok(Secret::new(text)))?,
            database: sources.value("redis-database", value::number)?,
            cluster: sources.switch("redis-cluster")?,
            tls: sources.switch("redis-tls")? || authority.is_some(),
            authority,
        };
        let data = sources.value("data", |text| Ok(PathBuf::from(text)))?;
        if host.is_some() || sources.switch("redis")? {
            if redis.cluster && redis.database != 0 {
                return Err(ConfigError::Conflict(
                    "--redis-cluster and --redis-database: a cluster only has database 0",
                ));
            }
            return Ok(Self::Redis(redis));
        }
        // Whoever says how to reach Redis, but not that it is to be used, would be surprised to find games in a file.
        if redis.cluster {
            return Err(ConfigError::Conflict("--redis-cluster: say where it is with --redis-host, or --redis"));
        }
        Ok(Self::Embedded { data })
    }
}

/// On a Redis there may be many relays, and none of them is the one that such a board would live with.
fn virtual_board(sources: &Sources) -> Result<Option<Hands>, ConfigError> {
    let is_alone = matches!(StoreConfig::read(sources)?, StoreConfig::Embedded { .. });
    match sources.optional("virtual-board", value::hands)? {
        None => Ok(is_alone.then_some(Hands::Local)),
        Some(Some(_)) if !is_alone => {
            Err(ConfigError::Conflict("--virtual-board and Redis: run the board by itself, with tabiya board --relay"))
        }
        Some(hands) => Ok(hands),
    }
}

fn tls(sources: &Sources) -> Result<Option<TlsFiles>, ConfigError> {
    let path = |text: &str| Ok(PathBuf::from(text));
    match (sources.optional("tls-cert", path)?, sources.optional("tls-key", path)?) {
        (Some(certificate), Some(key)) => Ok(Some(TlsFiles { certificate, key })),
        (None, None) => Ok(None),
        (Some(_), None) => Err(ConfigError::Conflict("--tls-cert needs --tls-key as well")),
        (None, Some(_)) => Err(ConfigError::Conflict("--tls-key needs --tls-cert as well")),
    }
}
