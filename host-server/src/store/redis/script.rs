//! What is done in Redis in one step.

use std::sync::LazyLock;

use redis::{Cmd, ErrorKind, FromRedisValue, ServerErrorKind, ToRedisArgs};

use super::connection::Connection;
use super::error::sort;
use crate::store::StoreError;

/// A program that Redis runs without anything else in between. Each says in its first lines what it takes and returns.
pub(super) struct Script {
    source: &'static str,
    /// By which Redis knows it, once it has seen it.
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

    /// A call of it. The keys must all be on one node.
    pub(super) fn on(&'static self, keys: &[&str]) -> Call {
        let mut call = Call { script: self, keys: keys.len(), arguments: Vec::new() };
        for key in keys {
            call = call.with(*key);
        }
        call
    }
}

/// A script and what it is about.
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
        match connection.try_ask(&self.command("EVALSHA", &self.script.hash)).await {
            // It was started again, or told to forget. The whole text reaches the right node by the way.
            Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::NoScript) => {
                connection.ask(&self.command("EVAL", self.script.source)).await
            }
            answer => answer.map_err(|error| sort(&error)),
        }
    }

    fn command(&self, name: &str, script: &str) -> Cmd {
        let mut command = redis::cmd(name);
        command.arg(script).arg(self.keys).arg(&self.arguments);
        command
    }
}
