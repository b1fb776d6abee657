//! Settings of a relay: flags, environment variables and the file `.env.NAME`.
//!
//! - `settings.rs`: the one list of settings, as `clap` structs. The command line, `--print-config` and the table in
//!   docs/operations.md are made from it.
//! - `parse.rs`: parsers of single values.
//! - `variables.rs`, `dotenv.rs`: environment variables and the file.
//! - `resolve.rs`: merges flags, variables and defaults, and names the source of each value.

mod dotenv;
mod hosts;
mod origins;
mod parse;
mod resolve;
mod secret;
mod settings;
#[cfg(test)]
mod tests;
mod variables;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Command, FromArgMatches};

use crate::computer::EngineSpec;
use crate::scripts::ScriptConfig;

pub use dotenv::FileError;
pub(crate) use hosts::{is_loopback_host, own_name};
pub use origins::{AllowedOrigins, HostNotAllowed, InvalidOrigin, OriginNotAllowed, OriginPattern};
pub(crate) use resolve::{SettingsParser, environment_flag, one_line};
pub use secret::Secret;
pub(crate) use settings::LIVECHESS_ADDRESS;
pub(crate) use settings::{DEFAULT_DATA, EnvironmentSetting, Settings, StoreArguments};
pub use settings::{Limit, LimitConfig, LogConfig, LogFormat, MetricsConfig, Proxies, ProxyHeader};
pub(crate) use variables::Variables;

/// Variables without a flag, because every user of a machine can read the command lines of its processes.
const SECRETS: [(&str, &str); 2] = [
    (REDIS_PASSWORD, "Password for Redis. It has no flag"),
    (
        OWNER_TOKEN,
        "Password of the page /owner, at least 16 characters, for clients that are not on this machine. It has no flag",
    ),
];
const REDIS_PASSWORD: &str = "REDIS_PASSWORD";
const OWNER_TOKEN: &str = "TABIYA_OWNER_TOKEN";

/// Why settings cannot be used. Each error is one line.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ConfigError {
    #[error("{0}")]
    Value(String),
    #[error("{0}")]
    Conflict(&'static str),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{}: unknown variable {name}{}", file.display(), similar.as_ref().map(|name| format!(", did you mean {name}?")).unwrap_or_default())]
    UnknownVariable { file: PathBuf, name: String, similar: Option<String> },
}

/// Clients that may move the pieces of the virtual board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TouchPolicy {
    /// Clients on the relay's own machine.
    Local,
    /// All clients.
    All,
}

/// Boards that may ask to be paired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum PairingPolicy {
    /// Boards in the local network.
    #[default]
    Local,
    /// All boards.
    All,
    /// No board.
    Off,
}

/// Checked settings of a relay. The fields are the settings of the same name.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "`Settings` describes each of them")]
pub struct Config {
    pub listen: SocketAddr,
    pub tls: Option<TlsFiles>,
    pub store: StoreConfig,
    pub keep_games: Duration,
    /// In megabytes.
    pub max_store: Limit,
    pub grace: Duration,
    /// `None` without a virtual board.
    pub virtual_board: Option<TouchPolicy>,
    pub origins: AllowedOrigins,
    pub pairing: PairingPolicy,
    /// Whether to announce the relay by mDNS.
    pub mdns: bool,
    pub owner_token: Option<Secret>,
    pub proxies: Proxies,
    pub metrics: MetricsConfig,
    pub log: LogConfig,
    pub stop_within: Duration,
    pub limits: LimitConfig,
    /// The external engines that players can choose.
    pub engines: Vec<EngineSpec>,
    /// `None` for half of the processors.
    pub computer_threads: Limit,
    /// Address of the LiveChess listener, if there is one.
    pub livechess: Option<SocketAddr>,
    pub livechess_origins: AllowedOrigins,
    pub scripts: ScriptConfig,
}

/// Certificate chain and private key, both PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct TlsFiles {
    pub certificate: PathBuf,
    pub key: PathBuf,
}

/// Where rooms and boards are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum StoreConfig {
    /// A file for this relay alone.
    Embedded { data: PathBuf },
    /// A Redis that relays share.
    Redis(RedisConfig),
}

/// Connection to Redis.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the settings")]
pub struct RedisConfig {
    pub host: String,
    pub port: u16,
    pub prefix: String,
    pub user: Option<String>,
    pub password: Option<Secret>,
    pub database: u32,
    pub cluster: bool,
    pub sentinels: Option<String>,
    pub master_name: String,
    pub wait_replicas: u32,
    pub tls: bool,
    /// Certificate authority to trust instead of those of the machine.
    pub authority: Option<PathBuf>,
}

impl Config {
    /// Settings from these variables alone, for programs that run a relay in their own process. The first value of a variable
    /// counts.
    pub fn from_variables<'a>(variables: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, ConfigError> {
        Self::without_flags(&Variables::from_pairs(variables))
    }

    /// Settings from variables and defaults.
    pub(crate) fn without_flags(variables: &Variables) -> Result<Self, ConfigError> {
        let parser = SettingsParser::new(Settings::augment_args(Command::new("serve")));
        let matches = parser.parse(&["serve".into()], variables)?;
        Settings::from_arg_matches(&matches).map_err(|error| ConfigError::Value(one_line(&error)))?.config(variables)
    }
}
