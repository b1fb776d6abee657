//! Shared by any number of relays: one Redis, or a Cluster of them.
//!
//! # Keys
//!
//! All begin with the prefix. Those of a room share the hash tag `{<room>}`, so that they are on one node of a Cluster and a
//! script can change them together; a room and its code are not, so that `rooms.rs` goes from one to the other in steps that
//! may stop anywhere.
//!
//! | key | type | what | until |
//! |---|---|---|---|
//! | `{<room>}:log` | stream | the log: line n has the id `n-0`, and one field `line`, which is JSON | `keep` after the room closed |
//! | `{<room>}:state` | string | the documented state of the game, as bytes | the same |
//! | `code:<code>` | string | `claimed <room>`, `open <room>` or `free <room>` | seconds; for ever; `keep` after the room closed |
//! | `{relays}:beats` | sorted set | relays, by when they were last heard of, in milliseconds since 1970 | for ever |
//! | `{relays}:leases` | sorted set | open rooms, by when their relay is given up | for ever |
//! | `{relays}:time` | hash | `last`: the latest time that any relay was told; `ahead`: how far that is ahead of the server's clock | for ever |
//! | `{boards}`, `{sessions}` | hash | records: `<version>:<who wrote it>:<bytes>` by name | for ever |
//! | `{boards}:version`, `{sessions}:version` | string | the last version that a record got | for ever |
//!
//! # Channels
//!
//! `{<room>}:signals` says who has added to a log, and carries whispers; `echo:<store>` is how a store hears whether it still
//! hears anything. They are ordinary ones: a sharded channel would spare the nodes of a Cluster some copies of a message of
//! forty bytes, but it needs a connection to each of them and has to move along with its slot, and one that is silently in
//! the wrong place is worse than a few bytes more.
//!
//! - `connection.rs`: the way there; `error.rs`: what can go wrong on it; `script.rs`: what is done there in one step.
//! - `rooms.rs`, `records.rs`, `relays.rs`: what the store promises; `signals.rs`: what comes by itself; `clock.rs`: the time.

mod clock;
mod connection;
mod error;
mod keys;
mod records;
mod relays;
mod rooms;
mod script;
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
use self::signals::Signals;
use super::{Appended, Batch, Created, Drawer, Listener, Pending, Pulse, Record, Store, StoreError};
use crate::room::{Code, Entry, RelayId, RoomId, Time};

/// Which Redis, and how to use it.
#[derive(Clone, PartialEq, Eq)]
pub struct RedisSettings {
    /// Where it is. There may be several, with commas in between and each with its own `:port` if it has another one, from
    /// which a Cluster is found as long as one of them is alive.
    pub host: String,
    /// On which port.
    pub port: u16,
    /// What all keys begin with. It cannot contain braces, which mean something in a key.
    pub prefix: String,
    /// Whether it is a Cluster.
    pub cluster: bool,
    /// Who we are, if it asks.
    pub username: Option<String>,
    /// And how it can know.
    pub password: Option<String>,
    /// Which of its databases. A Cluster has only the first, 0.
    pub database: u32,
    /// Whether to speak TLS with it, and whose certificates to believe.
    pub tls: Option<Trust>,
    /// How long finished games are kept.
    pub keep: Duration,
}

/// Whose certificates are believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Those that the machine knows.
    Machine,
    /// This authority, in PEM, and no other.
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
            .finish_non_exhaustive()
    }
}

/// Why there is no connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConnectError {
    /// The prefix has a brace in it.
    BadPrefix(String),
    /// An address makes no sense.
    BadAddress(String),
    /// The certificate of the authority is none.
    BadAuthority(String),
    /// It does not answer as it should.
    Store(StoreError),
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadPrefix(prefix) => write!(f, "the prefix {prefix:?} has a brace in it"),
            Self::BadAddress(address) => write!(f, "{address:?} is not the address of a Redis"),
            Self::BadAuthority(why) => write!(f, "the authority that should be believed is no certificate: {why}"),
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
    clock: Arc<Clock>,
    signals: Signals,
    relays: Relays,
    runtime: Handle,
    /// What ends with it.
    tasks: [AbortHandle; 2],
}

impl fmt::Debug for Redis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redis").field("keys", &self.keys).finish_non_exhaustive()
    }
}

impl Redis {
    /// Connects. It must be there now; whenever it goes away later, the store waits for it.
    pub async fn connect(settings: &RedisSettings) -> Result<Self, ConnectError> {
        if settings.prefix.contains(['{', '}']) {
            return Err(ConnectError::BadPrefix(settings.prefix.clone()));
        }
        let nodes = nodes(settings)?;
        let connection = Connection::open(&nodes, settings).await?;
        let keys = Arc::new(Keys::new(&settings.prefix));
        let (clock, clock_task) = Clock::start(connection.clone(), &keys).await?;
        let (signals, signals_task) = Signals::start(connection.clone(), keys.clone(), nodes);
        Ok(Self {
            connection,
            keys,
            keep: settings.keep,
            clock,
            signals,
            relays: Relays::default(),
            runtime: Handle::current(),
            tasks: [clock_task, signals_task],
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

    fn append(&self, room: RoomId, batch: Batch) -> Pending<'_, Appended> {
        Box::pin(self.append_to_log(room, batch))
    }

    fn listen(&self, room: RoomId) -> Pending<'_, Listener> {
        Box::pin(self.signals.listen(room))
    }

    fn whisper(&self, room: RoomId, words: Arc<[u8]>) {
        self.runtime.spawn(self.signals.whisper(room, &words));
    }

    fn beat<'a>(&'a self, relay: RelayId, rooms: &'a [RoomId]) -> Pending<'a, Pulse> {
        Box::pin(self.feel_pulse(relay, rooms))
    }

    fn retire(&self, relay: RelayId) -> Pending<'_, ()> {
        Box::pin(self.say_goodbye(relay))
    }

    fn read<'a>(&'a self, drawer: Drawer, name: &'a str) -> Pending<'a, Option<Record>> {
        Box::pin(self.read_record(drawer, name))
    }

    fn write<'a>(&'a self, drawer: Drawer, name: &'a str, version: u64, bytes: &'a [u8]) -> Pending<'a, Option<u64>> {
        Box::pin(self.write_record(drawer, name, version, bytes))
    }

    fn remove<'a>(&'a self, drawer: Drawer, name: &'a str) -> Pending<'a, bool> {
        Box::pin(self.remove_record(drawer, name))
    }

    fn list(&self, drawer: Drawer) -> Pending<'_, Vec<(String, Record)>> {
        Box::pin(self.list_records(drawer))
    }

    fn check(&self) -> Pending<'_, ()> {
        // Telling the time writes something down, so it shows more than a ping would.
        Box::pin(async { clock::ask(&self.connection, &self.keys).await.map(|_| ()) })
    }
}
