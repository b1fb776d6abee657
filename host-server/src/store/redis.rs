//! The shared store: one Redis or a Redis Cluster, for any number of relays.
//!
//! # Keys
//!
//! All keys begin with the prefix. Those of a room share the hash tag `{<room>}`, so that they are on one node of a Cluster and
//! a script can change them atomically. A room and its code may be on different nodes, so `rooms.rs` changes them in steps and
//! tolerates a crash after each.
//!
//! | key | type | what | until |
//! |---|---|---|---|
//! | `{<room>}:log` | stream | the log: line n has the id `n-0`, and one field `line`, which is JSON | `keep` after the room closed |
//! | `{<room>}:state` | string | the documented state of the game, as bytes | the same |
//! | `code:<code>` | string | `claimed <room>`, `open <room>` or `free <room>` | seconds; for ever; `keep` after the room closed |
//! | `{relays}:beats` | sorted set | relays, by last heartbeat, in milliseconds since 1970 | for ever |
//! | `{relays}:leases` | sorted set | open rooms, by expiry of their lease | for ever |
//! | `{relays}:time` | hash | `last`: the latest time that was returned to any relay; `ahead`: how far that is ahead of the server's clock | for ever |
//! | `{relays}:replicated` | string | has no meaning: `REDIS_WAIT_REPLICAS` waits for writes, and this is one | for ever |
//! | `{boards}`, `{sessions}` | hash | records: `<version>:<who wrote it>:<bytes>` by name | for ever |
//! | `{boards}:version`, `{sessions}:version` | string | the last version that a record got | for ever |
//!
//! # Channels
//!
//! `{<room>}:signals` announces appends and carries transient updates; `echo:<store>` is a self-test of the subscription. They
//! are ordinary channels. Sharded channels would save copies of small messages between nodes, but need a connection to each
//! node and must follow a slot that moves; a subscription on the wrong node would fail silently.
//!
//! - `connection.rs`: connections; `sentinel.rs`: finds the primary; `error.rs`: their failures; `script.rs`: atomic Lua scripts.
//! - `replication.rs`: waits for replicas.
//! - `rooms.rs`, `records.rs`, `relays.rs`: the operations; `signals.rs`: pub/sub; `clock.rs`: the shared clock.

mod clock;
mod connection;
mod error;
mod keys;
mod records;
mod relays;
mod replication;
mod rooms;
mod script;
mod sentinel;
mod signals;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use self::clock::Clock;
use self::connection::{Connection, nodes};
use self::keys::Keys;
use self::relays::Relays;
use self::replication::Replication;
use self::sentinel::Sentinels;
use self::signals::Signals;
use super::{Appended, Batch, Collection, Created, Heartbeat, Listener, Pending, Record, Store, StoreError, StoredLog};
use crate::room::{Code, Entry, RelayId, RoomId, Time};

/// The settings of the connection to Redis.
#[derive(Clone, PartialEq, Eq)]
pub struct RedisSettings {
    /// Host names, separated by commas, each with `:port` if it differs. One reachable node is enough to find a Cluster.
    pub host: String,
    /// The default port.
    pub port: u16,
    /// The prefix of all keys. It must not contain braces, which mark hash tags.
    pub prefix: String,
    /// Whether it is a Cluster.
    pub cluster: bool,
    /// The user name, if Redis requires one.
    pub username: Option<String>,
    /// The password, if Redis requires one.
    pub password: Option<String>,
    /// The number of the database. A Cluster has only 0.
    pub database: u32,
    /// Whether to use TLS, and which certificates to trust.
    pub tls: Option<Trust>,
    /// How long finished games are stored.
    pub keep: Duration,
    /// The Sentinels that know the primary. The host is not used then.
    pub sentinels: Option<SentinelSettings>,
    /// How many replicas must have an append before it is confirmed.
    pub wait_replicas: u32,
}

/// The Sentinels of a Redis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentinelSettings {
    /// Host names, separated by commas, each with `:port` if it is not 26379.
    pub addresses: String,
    /// The name under which the Sentinels monitor the primary.
    pub master: String,
}

impl Default for RedisSettings {
    /// A single Redis on this machine.
    fn default() -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port: 6379,
            prefix: "tabiya:".to_owned(),
            cluster: false,
            username: None,
            password: None,
            database: 0,
            tls: None,
            keep: Duration::from_hours(30 * 24),
            sentinels: None,
            wait_replicas: 0,
        }
    }
}

/// Which certificates are trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Those of the operating system.
    Machine,
    /// Only this authority, in PEM.
    Authority(Vec<u8>),
}

impl fmt::Debug for RedisSettings {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisSettings")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("prefix", &self.prefix)
            .field("cluster", &self.cluster)
            .field("username", &self.username)
            .field("database", &self.database)
            .field("tls", &self.tls.is_some())
            .field("keep", &self.keep)
            .field("sentinels", &self.sentinels)
            .field("wait_replicas", &self.wait_replicas)
            .finish_non_exhaustive()
    }
}

/// Why the store could not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConnectError {
    /// The prefix contains a brace.
    BadPrefix(String),
    /// An address is invalid.
    BadAddress(String),
    /// The certificate of the authority cannot be read.
    BadAuthority(String),
    /// Redis cannot be reached or refuses.
    Store(StoreError),
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadPrefix(prefix) => write!(f, "the prefix {prefix:?} contains a brace"),
            Self::BadAddress(address) => write!(f, "{address:?} is not the address of a Redis"),
            Self::BadAuthority(why) => write!(f, "the certificate of the authority cannot be read: {why}"),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ConnectError {}

impl From<StoreError> for ConnectError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A store that relays share.
pub struct Redis {
    connection: Connection,
    keys: Arc<Keys>,
    keep: Duration,
    replication: Replication,
    clock: Arc<Clock>,
    signals: Signals,
    relays: Relays,
    runtime: Handle,
    /// Tasks that end with the store.
    tasks: Vec<AbortHandle>,
}

impl fmt::Debug for Redis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redis").field("keys", &self.keys).finish_non_exhaustive()
    }
}

impl Redis {
    /// Connects. Redis must be reachable now; later outages are retried.
    pub async fn connect(settings: &RedisSettings) -> Result<Self, ConnectError> {
        if settings.prefix.contains(['{', '}']) {
            return Err(ConnectError::BadPrefix(settings.prefix.clone()));
        }
        let sentinels = settings.sentinels.as_ref().map(|sentinels| Sentinels::new(sentinels, settings)).transpose()?;
        let nodes = match &sentinels {
            Some(sentinels) => vec![sentinels.primary().await?],
            None => nodes(settings)?,
        };
        let connection = Connection::open(&nodes, settings).await?;
        let keys = Arc::new(Keys::new(&settings.prefix));
        let replication = Replication::new(connection.clone(), &keys, settings.wait_replicas);
        let (clock, clock_task) = Clock::start(connection.clone(), &keys, replication.clone()).await?;
        let (signals, signals_task) = Signals::start(connection.clone(), keys.clone(), nodes);
        let mut tasks = vec![clock_task, signals_task];
        tasks.extend(sentinels.map(|sentinels| sentinels.follow(connection.clone())));
        Ok(Self {
            connection,
            keys,
            keep: settings.keep,
            replication,
            clock,
            signals,
            relays: Relays::default(),
            runtime: Handle::current(),
            tasks,
        })
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

impl Store for Redis {
    fn now(&self) -> Time {
        self.clock.now()
    }

    fn shows_state(&self) -> bool {
        true
    }

    fn create<'a>(&'a self, room: RoomId, code: &'a Code, log: &'a [Entry]) -> Pending<'a, Created> {
        Box::pin(self.create_room(room, code, log))
    }

    fn find<'a>(&'a self, code: &'a Code) -> Pending<'a, Option<RoomId>> {
        Box::pin(self.find_room(code))
    }

    fn load(&self, room: RoomId, after: u64) -> Pending<'_, Vec<Entry>> {
        Box::pin(self.load_log(room, after))
    }

    fn read_log(&self, room: RoomId) -> Pending<'_, StoredLog> {
        Box::pin(self.read_encoded(room))
    }

    fn length(&self, room: RoomId) -> Pending<'_, u64> {
        Box::pin(async move { self.connection.ask(redis::cmd("XLEN").arg(self.keys.log(room))).await })
    }

    fn page(&self, room: RoomId, after: u64, most: usize) -> Pending<'_, Vec<Entry>> {
        Box::pin(self.load_page(room, after, most))
    }

    fn append(&self, room: RoomId, batch: Batch) -> Pending<'_, Appended> {
        Box::pin(self.append_to_log(room, batch))
    }

    fn listen(&self, room: RoomId) -> Pending<'_, Listener> {
        Box::pin(self.signals.listen(room))
    }

    fn publish(&self, room: RoomId, words: Arc<[u8]>) {
        self.runtime.spawn(self.signals.publish(room, &words));
    }

    fn heartbeat<'a>(&'a self, relay: RelayId, rooms: &'a [RoomId]) -> Pending<'a, Heartbeat> {
        Box::pin(self.heartbeat(relay, rooms))
    }

    fn deregister(&self, relay: RelayId) -> Pending<'_, ()> {
        Box::pin(self.sign_off(relay))
    }

    fn read<'a>(&'a self, collection: Collection, name: &'a str) -> Pending<'a, Option<Record>> {
        Box::pin(self.read_record(collection, name))
    }

    fn write<'a>(
        &'a self,
        collection: Collection,
        name: &'a str,
        version: u64,
        bytes: &'a [u8],
    ) -> Pending<'a, Option<u64>> {
        Box::pin(self.write_record(collection, name, version, bytes))
    }

    fn remove<'a>(&'a self, collection: Collection, name: &'a str) -> Pending<'a, bool> {
        Box::pin(self.remove_record(collection, name))
    }

    fn list(&self, collection: Collection) -> Pending<'_, Vec<(String, Record)>> {
        Box::pin(self.list_records(collection))
    }

    fn size(&self) -> Pending<'_, u64> {
        Box::pin(self.connection.used_memory())
    }

    fn check(&self) -> Pending<'_, ()> {
        Box::pin(async {
            // Without the replicas no move is stored, and reading the time would charge the outage to the clocks.
            self.replication.wait().await?;
            // Reading the time writes to Redis, so it checks more than a ping.
            clock::ask(&self.connection, &self.keys).await.map(|_| ())
        })
    }
}
