//! The one list of settings, with their flags, variables, defaults and help texts.
#![expect(clippy::doc_markdown, reason = "the doc comments are the help texts, which are not Markdown")]

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::BoolishValueParser;
use clap::{Args, ValueEnum};
use ipnet::IpNet;

use super::origins::OriginPattern;
use super::{
    AllowedOrigins, Config, ConfigError, OWNER_TOKEN, PairingPolicy, REDIS_PASSWORD, RedisConfig, Secret, StoreConfig,
    TlsFiles, TouchPolicy, Variables, parse,
};
use crate::computer::EngineSpec;
use crate::scripts::ScriptConfig;

/// The address that pages expect LiveChess at.
pub(crate) const LIVECHESS_ADDRESS: &str = "127.0.0.1:1982";

/// Minimum length of the password of the owner's page.
const MIN_OWNER_TOKEN: usize = 16;

/// This program, also after its file was replaced.
const LAUNCHER: &str = "/proc/self/exe";

/// Settings of `tabiya serve` as given; [`config`](Self::config) checks that they fit together.
#[derive(Args, Debug)]
pub(crate) struct Settings {
    /// Address to listen on. The default is all IPv6 and IPv4 addresses, so that boards on the local network can connect
    #[arg(long, env = "TABIYA_LISTEN", value_name = "ADDRESS", default_value = "[::]:8080", value_parser = parse::address)]
    listen: SocketAddr,
    #[command(flatten)]
    store: StoreSettings,
    /// Days to keep finished games, and games without a clock that both players have abandoned
    #[arg(long, env = "TABIYA_KEEP_GAMES", value_name = "DAYS", default_value = "30", value_parser = parse::days)]
    keep_games: Duration,
    /// Maximum size of the store in megabytes, above which no new match is opened; 0 means no limit
    #[arg(long, env = "TABIYA_MAX_STORE", value_name = "MEGABYTES", default_value = "0", value_parser = parse::limit)]
    max_store: Limit,
    /// Seconds until a disconnected player can lose a game with a clock: then the opponent may claim the win
    #[arg(long, env = "TABIYA_GRACE", value_name = "SECONDS", default_value = "60", value_parser = parse::grace)]
    grace: Duration,
    /// Origins whose pages may use the relay, such as https://chess.example or chess.example; * means any. Without it only the
    /// relay's own pages may
    #[arg(long, env = "ALLOWED_DOMAIN", value_name = "ORIGIN", value_delimiter = ',')]
    allowed_domain: Vec<OriginPattern>,
    /// Virtual board at /board: clients on this machine may move its pieces (local), all clients may (all), or no virtual board
    /// (off). The default is local, or off with Redis
    #[arg(long, env = "TABIYA_VIRTUAL_BOARD", value_name = "WHO", ignore_case = true, hide_possible_values = true)]
    virtual_board: Option<VirtualBoardSetting>,
    /// Boards that may ask to be paired, which the page /owner shows: those in the local network (local), all (all), or none (off)
    #[arg(
        long,
        env = "TABIYA_PAIRING",
        value_name = "WHO",
        default_value = "local",
        ignore_case = true,
        hide_possible_values = true
    )]
    pairing: PairingPolicy,
    /// Announce the relay in the local network by mDNS, so that boards without a relay find it
    #[arg(long, env = "TABIYA_MDNS", value_name = "BOOL", default_value = "true", value_parser = BoolishValueParser::new(), action = clap::ArgAction::Set)]
    mdns: bool,
    /// Serve the connected boards as DGT LiveChess, for lichess.org and chess.com, on this machine or at this address
    #[arg(
        long,
        env = "TABIYA_LIVECHESS",
        value_name = "ADDRESS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = LIVECHESS_ADDRESS,
        value_parser = parse::address
    )]
    livechess: Option<SocketAddr>,
    /// Origins whose pages may use LiveChess
    #[arg(
        long,
        env = "TABIYA_LIVECHESS_ORIGINS",
        value_name = "ORIGIN",
        value_delimiter = ',',
        default_value = "https://lichess.org,https://www.chess.com,https://chess.com"
    )]
    livechess_origins: Vec<OriginPattern>,
    /// Python interpreter for rule scripts
    #[arg(long, env = "TABIYA_PYTHON", value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,
    /// Number of rule scripts that are executed at the same time; 0 means that scripts are not executed. The default is the number of
    /// processors
    #[arg(long, env = "TABIYA_SCRIPT_PROCESSES", value_name = "NUMBER", value_parser = parse::processes)]
    script_processes: Option<usize>,
    /// External UCI engine that players can choose: its name, its program, limits for a move (movetime, nodes, memory, processes) and its own
    /// options, such as stockfish=/usr/games/stockfish,movetime=1000,UCI_Elo=1500. Several are separated by semicolons
    #[arg(long, env = "TABIYA_ENGINE", value_name = "ENGINE", value_delimiter = ';')]
    engine: Vec<EngineSpec>,
    /// Threads for the computer opponent; 0 means half of the processors
    #[arg(long, env = "TABIYA_COMPUTER_THREADS", value_name = "NUMBER", default_value = "0", value_parser = parse::limit)]
    computer_threads: Limit,
    #[command(flatten)]
    proxies: Proxies,
    /// TLS certificate chain (PEM). Reloaded on SIGHUP
    #[arg(long, env = "TABIYA_TLS_CERT", value_name = "FILE")]
    tls_cert: Option<PathBuf>,
    /// Private key of the TLS certificate (PEM)
    #[arg(long, env = "TABIYA_TLS_KEY", value_name = "FILE")]
    tls_key: Option<PathBuf>,
    #[command(flatten)]
    metrics: MetricsConfig,
    #[command(flatten)]
    log: LogConfig,
    /// Seconds to wait for open connections on shutdown
    #[arg(long, env = "TABIYA_STOP_WITHIN", value_name = "SECONDS", default_value = "10", value_parser = parse::stop_within)]
    stop_within: Duration,
    #[command(flatten)]
    limits: LimitConfig,
    #[command(flatten)]
    environment: EnvironmentSetting,
    /// Print all settings with their sources in the format of the settings file, and exit
    #[arg(long)]
    print_config: bool,
}

/// Settings of commands that open the store.
#[derive(Args, Debug)]
pub(crate) struct StoreArguments {
    #[command(flatten)]
    store: StoreSettings,
    #[command(flatten)]
    environment: EnvironmentSetting,
}

/// Chooses the settings file.
#[derive(Args, Debug)]
pub(crate) struct EnvironmentSetting {
    /// Name of the settings file: .env.NAME in the working directory, if it exists
    #[arg(long, env = "ENVIRONMENT", value_name = "NAME", default_value = "dev", value_parser = parse::environment)]
    environment: String,
}

/// Directory of the embedded store, unless another one is named.
pub(crate) const DEFAULT_DATA: &str = "tabiya-data";

#[derive(Args, Debug)]
pub(crate) struct StoreSettings {
    /// Directory for games and boards, if they are not in Redis
    #[arg(long, env = "TABIYA_DATA", value_name = "DIR", default_value = DEFAULT_DATA)]
    data: PathBuf,
    /// Keep games and boards in Redis, on this machine if no host is given
    #[arg(long, env = "TABIYA_REDIS", value_parser = BoolishValueParser::new())]
    redis: bool,
    /// Keep games and boards in Redis on this host
    #[arg(long, env = "REDIS_HOST", value_name = "HOST", value_parser = parse::word)]
    redis_host: Option<String>,
    /// Port of Redis
    #[arg(long, env = "REDIS_PORT", value_name = "PORT", default_value = "6379", value_parser = parse::port)]
    redis_port: u16,
    /// Prefix of all keys in Redis
    #[arg(long, env = "REDIS_PREFIX", value_name = "TEXT", default_value = "tabiya:", value_parser = parse::word)]
    redis_prefix: String,
    /// User name for Redis
    #[arg(long, env = "REDIS_USER", value_name = "NAME", value_parser = parse::word)]
    redis_user: Option<String>,
    /// Database number in Redis
    #[arg(long, env = "REDIS_DATABASE", value_name = "NUMBER", default_value = "0", value_parser = parse::number)]
    redis_database: u32,
    /// Redis is a cluster, and the host is one of its nodes
    #[arg(long, env = "REDIS_CLUSTER", value_parser = BoolishValueParser::new())]
    redis_cluster: bool,
    /// Sentinels that know the primary of Redis, such as a.example,b.example:26380
    #[arg(long, env = "REDIS_SENTINELS", value_name = "HOSTS", value_parser = parse::word)]
    redis_sentinels: Option<String>,
    /// Name under which the Sentinels monitor the primary
    #[arg(long, env = "REDIS_MASTER_NAME", value_name = "NAME", default_value = "mymaster", value_parser = parse::word)]
    redis_master_name: String,
    /// Number of replicas that must have a move before it is acknowledged
    #[arg(long, env = "REDIS_WAIT_REPLICAS", value_name = "NUMBER", default_value = "0", value_parser = parse::number)]
    redis_wait_replicas: u32,
    /// Connect to Redis with TLS, and trust the certificate authorities of this machine
    #[arg(long, env = "REDIS_TLS", value_parser = BoolishValueParser::new())]
    redis_tls: bool,
    /// Connect to Redis with TLS, and trust only this certificate authority (PEM)
    #[arg(long, env = "REDIS_CA", value_name = "FILE")]
    redis_ca: Option<PathBuf>,
}

/// Trusted proxies and the header in which they name the client.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies {
    /// Networks of trusted proxies, whose forwarding header names the client, such as 127.0.0.1 or 10.0.0.0/8
    #[arg(
        id = "trusted_proxy",
        long = "trusted-proxy",
        env = "TABIYA_TRUSTED_PROXY",
        value_name = "NETWORK",
        value_delimiter = ',',
        value_parser = parse::network
    )]
    pub trusted: Vec<IpNet>,
    /// Forwarding header of the trusted proxies: x-forwarded-for or forwarded
    #[arg(
        id = "proxy_header",
        long = "proxy-header",
        env = "TABIYA_PROXY_HEADER",
        value_name = "NAME",
        default_value = "x-forwarded-for",
        ignore_case = true,
        hide_possible_values = true
    )]
    pub header: ProxyHeader,
}

/// The header in which a proxy names its client. Only one is read: a proxy passes on the other one as the client wrote it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
#[expect(missing_docs, reason = "the variants are the names of the headers")]
pub enum ProxyHeader {
    #[default]
    XForwardedFor,
    Forwarded,
}

/// Access to `/metrics`.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MetricsConfig {
    /// Separate address for /metrics, which is then not available on the main address
    #[arg(
        id = "metrics_listen",
        long = "metrics-listen",
        env = "TABIYA_METRICS_LISTEN",
        value_name = "ADDRESS",
        value_parser = parse::address
    )]
    pub listen: Option<SocketAddr>,
    /// Let all clients read /metrics, and not only those on this machine
    #[arg(
        id = "metrics_public",
        long = "metrics-public",
        env = "TABIYA_METRICS_PUBLIC",
        value_parser = BoolishValueParser::new()
    )]
    pub public: bool,
}

/// Logging to standard error.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct LogConfig {
    /// Lowest level to log: error, warn, info, debug or trace. Levels of single modules: info,host_server=debug
    #[arg(
        id = "log",
        long = "log",
        env = "TABIYA_LOG",
        value_name = "FILTER",
        default_value = "info",
        value_parser = parse::log_filter
    )]
    pub filter: String,
    /// Format of log lines: human or json
    #[arg(
        id = "log_format",
        long = "log-format",
        env = "TABIYA_LOG_FORMAT",
        value_name = "FORMAT",
        default_value = "human",
        hide_possible_values = true
    )]
    pub format: LogFormat,
}

/// Format of log lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
#[expect(missing_docs, reason = "the names say it")]
pub enum LogFormat {
    #[default]
    Human,
    Json,
}

/// A limit, where `None` means unlimited.
pub type Limit = Option<NonZeroU32>;

/// Limits against overload and abuse.
#[derive(Args, Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitConfig {
    /// Maximum number of connections; 0 means no limit, here and below
    #[arg(
        id = "max_connections",
        long = "max-connections",
        env = "TABIYA_MAX_CONNECTIONS",
        value_name = "NUMBER",
        default_value = "10000",
        value_parser = parse::limit
    )]
    pub connections: Limit,
    /// Maximum number of connections of one address
    #[arg(
        id = "max_connections_per_address",
        long = "max-connections-per-address",
        env = "TABIYA_MAX_CONNECTIONS_PER_ADDRESS",
        value_name = "NUMBER",
        default_value = "250",
        value_parser = parse::limit
    )]
    pub connections_per_address: Limit,
    /// Maximum number of new connections per minute of one address
    #[arg(
        long,
        env = "TABIYA_CONNECTIONS_PER_MINUTE",
        value_name = "NUMBER",
        default_value = "600",
        value_parser = parse::limit
    )]
    pub connections_per_minute: Limit,
    /// Maximum number of requests per minute of one address
    #[arg(
        long,
        env = "TABIYA_REQUESTS_PER_MINUTE",
        value_name = "NUMBER",
        default_value = "1200",
        value_parser = parse::limit
    )]
    pub requests_per_minute: Limit,
    /// Maximum number of wrong or new codes per minute that one address may try
    #[arg(long, env = "TABIYA_JOINS_PER_MINUTE", value_name = "NUMBER", default_value = "30", value_parser = parse::limit)]
    pub joins_per_minute: Limit,
    /// Maximum number of messages per second on one connection
    #[arg(
        long,
        env = "TABIYA_MESSAGES_PER_SECOND",
        value_name = "NUMBER",
        default_value = "30",
        value_parser = parse::limit
    )]
    pub messages_per_second: Limit,
    /// Maximum number of megabytes that one address may add to the store in a day
    #[arg(long, env = "TABIYA_STORE_PER_DAY", value_name = "MEGABYTES", default_value = "100", value_parser = parse::limit)]
    pub store_per_day: Limit,
    /// Maximum size of a message in bytes
    #[arg(
        id = "max_message",
        long = "max-message",
        env = "TABIYA_MAX_MESSAGE",
        value_name = "BYTES",
        default_value = "65536",
        value_parser = parse::message_size
    )]
    pub message: usize,
}

impl LimitConfig {
    /// No limits, except for the largest message in bytes.
    #[must_use]
    pub const fn unlimited(message: usize) -> Self {
        Self {
            connections: None,
            connections_per_address: None,
            connections_per_minute: None,
            requests_per_minute: None,
            joins_per_minute: None,
            messages_per_second: None,
            store_per_day: None,
            message,
        }
    }
}

/// Value of `--virtual-board`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum VirtualBoardSetting {
    Local,
    All,
    Off,
}

impl Settings {
    pub(crate) const fn print_config(&self) -> bool {
        self.print_config
    }

    pub(crate) fn config(self, variables: &Variables) -> Result<Config, ConfigError> {
        let store = self.store.config(variables)?;
        let is_embedded = matches!(store, StoreConfig::Embedded { .. });
        Ok(Config {
            listen: self.listen,
            tls: match (self.tls_cert, self.tls_key) {
                (Some(certificate), Some(key)) => Some(TlsFiles { certificate, key }),
                (None, None) => None,
                (Some(_), None) => return Err(ConfigError::Conflict("--tls-cert needs --tls-key as well")),
                (None, Some(_)) => return Err(ConfigError::Conflict("--tls-key needs --tls-cert as well")),
            },
            store,
            keep_games: self.keep_games,
            max_store: self.max_store,
            grace: self.grace,
            virtual_board: match self.virtual_board {
                None => is_embedded.then_some(TouchPolicy::Local),
                Some(VirtualBoardSetting::Off) => None,
                // Several relays can share a Redis, but a virtual board runs in one process only.
                Some(_) if !is_embedded => {
                    return Err(ConfigError::Conflict(
                        "--virtual-board does not work with Redis: run the board separately, with tabiya board --relay",
                    ));
                }
                Some(VirtualBoardSetting::Local) => Some(TouchPolicy::Local),
                Some(VirtualBoardSetting::All) => Some(TouchPolicy::All),
            },
            origins: AllowedOrigins::from(self.allowed_domain),
            pairing: self.pairing,
            mdns: self.mdns,
            owner_token: owner_token(variables)?,
            proxies: self.proxies,
            metrics: self.metrics,
            log: self.log,
            stop_within: self.stop_within,
            limits: self.limits,
            engines: unique(self.engine)?,
            computer_threads: self.computer_threads,
            livechess: self.livechess,
            livechess_origins: AllowedOrigins::from(self.livechess_origins),
            scripts: ScriptConfig {
                python: self.python,
                processes: self.script_processes.unwrap_or_else(processors),
                launcher: PathBuf::from(LAUNCHER),
            },
        })
    }
}

/// The password of the owner's page, if it is long enough not to be guessed.
fn owner_token(variables: &Variables) -> Result<Option<Secret>, ConfigError> {
    let Some((token, _)) = variables.get(OWNER_TOKEN) else { return Ok(None) };
    let token = token.into_string().map_err(|_| ConfigError::Conflict("TABIYA_OWNER_TOKEN must be UTF-8"))?;
    if token.chars().count() < MIN_OWNER_TOKEN {
        return Err(ConfigError::Conflict("TABIYA_OWNER_TOKEN must have at least 16 characters"));
    }
    Ok(Some(Secret::new(&token)))
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Checks that no two engines have the same name.
fn unique(engines: Vec<EngineSpec>) -> Result<Vec<EngineSpec>, ConfigError> {
    let is_double =
        |(index, engine): (usize, &EngineSpec)| engines[..index].iter().any(|other| other.name == engine.name);
    if engines.iter().enumerate().any(is_double) {
        return Err(ConfigError::Conflict("--engine: two engines have the same name"));
    }
    Ok(engines)
}

impl StoreArguments {
    pub(crate) fn config(self, variables: &Variables) -> Result<StoreConfig, ConfigError> {
        self.store.config(variables)
    }
}

impl StoreSettings {
    fn config(self, variables: &Variables) -> Result<StoreConfig, ConfigError> {
        if !self.redis && self.redis_host.is_none() && self.redis_sentinels.is_none() {
            // Without this check the games of a relay that is configured for a cluster would end up in a local file.
            if self.redis_cluster {
                return Err(ConfigError::Conflict("--redis-cluster needs --redis-host or --redis"));
            }
            return Ok(StoreConfig::Embedded { data: self.data });
        }
        if self.redis_cluster && self.redis_database != 0 {
            return Err(ConfigError::Conflict("--redis-cluster and --redis-database: a cluster only has database 0"));
        }
        if self.redis_sentinels.is_some() && (self.redis_cluster || self.redis_host.is_some()) {
            return Err(ConfigError::Conflict(
                "--redis-sentinels excludes --redis-host and --redis-cluster: the Sentinels name the primary",
            ));
        }
        if self.redis_cluster && self.redis_wait_replicas > 0 {
            return Err(ConfigError::Conflict("--redis-wait-replicas does not work with --redis-cluster"));
        }
        let password = variables.get(REDIS_PASSWORD).map(|(password, _)| password.into_string());
        let password = password.transpose().map_err(|_| ConfigError::Conflict("REDIS_PASSWORD must be UTF-8"))?;
        Ok(StoreConfig::Redis(RedisConfig {
            host: self.redis_host.unwrap_or_else(|| "127.0.0.1".to_owned()),
            port: self.redis_port,
            prefix: self.redis_prefix,
            user: self.redis_user,
            password: password.map(|password| Secret::new(&password)),
            database: self.redis_database,
            cluster: self.redis_cluster,
            sentinels: self.redis_sentinels,
            master_name: self.redis_master_name,
            wait_replicas: self.redis_wait_replicas,
            tls: self.redis_tls || self.redis_ca.is_some(),
            authority: self.redis_ca,
        }))
    }
}
