//! Lua scripts, which Redis runs atomically.

use std::sync::LazyLock;

use redis::{Cmd, ErrorKind, FromRedisValue, RedisError, ServerErrorKind, ToRedisArgs};

use super::connection::Connection;
use super::error::sort;
use crate::store::StoreError;

/// A Lua script. Its first lines document arguments and result.
pub(super) struct Script {
    source: &'static str,
    /// The hash by which Redis caches it.
    hash: String,
}

macro_rules! scripts {
    ($($name:ident = $file:literal),* $(,)?) => {$(
        pub(super) static $name: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!($file)));
    )*};
}

scripts!(
    APPEND = "append.lua",
    BEAT = "beat.lua",
    OPEN = "open.lua",
    RETIRE = "retire.lua",
    SWAP = "swap.lua",
    TIME = "time.lua",
    WRITE = "write.lua",
);

impl Script {
    fn new(source: &'static str) -> Self {
        Self { source, hash: redis::Script::new(source).get_hash().to_owned() }
    }

    /// A call. All keys must be on one node.
    pub(super) fn on(&'static self, keys: &[&str]) -> Call {
        let mut call = Call { script: self, keys: keys.len(), arguments: Vec::new() };
        for key in keys {
            call = call.with(*key);
        }
        call
    }
}

/// A script with keys and arguments.
pub(super) struct Call {
    script: &'static Script,
    keys: usize,
    arguments: Vec<Vec<u8>>,
}

impl Call {
    pub(super) fn with(mut self, argument: impl ToRedisArgs) -> Self {
        argument.write_redis_args(&mut self.arguments);
        self
    }

    pub(super) async fn run<T: FromRedisValue>(&self, connection: &Connection) -> Result<T, StoreError> {
        match connection.try_ask(&self.cached()).await {
            // This also reaches the right node.
            Err(error) if is_missing(&error) => connection.ask(&self.complete()).await,
            answer => answer.map_err(|error| sort(&error)),
        }
    }

    /// The call of a script that Redis has in its cache.
    pub(super) fn cached(&self) -> Cmd {
        self.command("EVALSHA", &self.script.hash)
    }

    /// The call with the script itself, for a cache that was flushed.
    pub(super) fn complete(&self) -> Cmd {
        self.command("EVAL", self.script.source)
    }

    fn command(&self, name: &str, script: &str) -> Cmd {
        let mut command = redis::cmd(name);
        command.arg(script).arg(self.keys).arg(&self.arguments);
        command
    }
}

/// Whether Redis does not have the script in its cache. Then it has executed nothing.
pub(super) fn is_missing(error: &RedisError) -> bool {
    error.kind() == ErrorKind::Server(ServerErrorKind::NoScript)
}
