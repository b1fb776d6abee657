//! Commands whose answer counts only if replicas have what the server had executed by then.

use std::time::Duration;

use redis::{Cmd, FromRedisValue, Pipeline, RedisResult, Value};

use super::connection::Connection;
use super::error::sort;
use super::keys::Keys;
use super::script::{Call, is_missing};
use crate::store::StoreError;

/// How long Redis waits for replicas to acknowledge a write.
const ACKNOWLEDGEMENT: Duration = Duration::from_secs(1);

/// A connection, and how many replicas must have what is confirmed over it.
#[derive(Clone)]
pub(super) struct Replication {
    connection: Connection,
    /// A key without a meaning: the server waits for the last write of a connection, so a command is followed by one.
    marker: String,
    wanted: u32,
}

impl Replication {
    pub(super) fn new(connection: Connection, keys: &Keys, wanted: u32) -> Self {
        Self { connection, marker: keys.replicated(), wanted }
    }

    /// Whether answers do not wait for replicas.
    pub(super) const fn is_off(&self) -> bool {
        self.wanted == 0
    }

    /// Executes a command, and waits until enough replicas have everything that the server has executed, for any relay. Both go over one
    /// connection: over two, a failover in between would make the new primary confirm what only the old one had.
    pub(super) async fn ask<T: FromRedisValue>(&self, question: &Cmd) -> Result<T, StoreError> {
        if self.is_off() {
            return self.connection.ask(question).await;
        }
        self.try_ask(question).await?.map_err(|error| sort(&error))
    }

    /// The same for a script.
    pub(super) async fn run<T: FromRedisValue>(&self, call: &Call) -> Result<T, StoreError> {
        if self.is_off() {
            return call.run(&self.connection).await;
        }
        let answer = match self.try_ask(&call.cached()).await? {
            Err(error) if is_missing(&error) => self.try_ask(&call.complete()).await?,
            answer => answer,
        };
        answer.map_err(|error| sort(&error))
    }

    /// Waits until enough replicas have everything that was written so far. Without them no move is confirmed.
    pub(super) async fn wait(&self) -> Result<(), StoreError> {
        if self.is_off() {
            return Ok(());
        }
        let mut pipeline = redis::pipe();
        self.add_wait(&mut pipeline);
        let (_, replicas): (Value, u32) =
            self.connection.ask_in_order(&pipeline).await.map_err(|error| sort(&error))?;
        if replicas >= self.wanted {
            Ok(())
        } else {
            Err(StoreError::Unavailable(format!("{replicas} replicas of {} answer", self.wanted)))
        }
    }

    /// The answer of the server to the command itself. It counts only without an outer error.
    async fn try_ask<T: FromRedisValue>(&self, question: &Cmd) -> Result<RedisResult<T>, StoreError> {
        let mut pipeline = redis::pipe();
        pipeline.ignore_errors().add_command(question.clone());
        self.add_wait(&mut pipeline);
        let (answer, marked, replicas): (RedisResult<T>, RedisResult<Value>, RedisResult<u32>) =
            self.connection.ask_in_order(&pipeline).await.map_err(|error| sort(&error))?;
        if answer.is_err() {
            return Ok(answer);
        }
        match marked.and(replicas) {
            Ok(replicas) if replicas >= self.wanted => Ok(answer),
            Ok(replicas) => {
                Err(StoreError::Unclear(format!("{replicas} replicas of {} have the last write", self.wanted)))
            }
            Err(error) => Err(StoreError::Unclear(error.to_string())),
        }
    }

    fn add_wait(&self, pipeline: &mut Pipeline) {
        pipeline.cmd("SET").arg(&self.marker).arg(1);
        pipeline.cmd("WAIT").arg(self.wanted).arg(ACKNOWLEDGEMENT.as_millis() as u64);
    }
}
