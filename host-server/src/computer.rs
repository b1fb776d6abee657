//! The computers that play in rooms: searches by the engine of this project in a bounded pool of threads, and by external UCI
//! engines in processes of their own.
//!
//! - `pool.rs`: the threads, and the queues of searches that wait for one.
//! - `external.rs`: an external engine of the settings: its processes, their limits and their restarts; `uci_process.rs`: one process.
//! - `engine_spec.rs`: an external engine, as the settings describe it.
//! - `analysis.rs`: the scores and the biggest mistakes of a finished game.
//!
//! This module knows positions and moves, and nothing of rooms: a room task asks for a thought and plays it.

mod analysis;
mod engine_spec;
mod external;
mod pool;
#[cfg(test)]
mod tests;
mod uci_process;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread::available_parallelism;
use std::time::Duration;

use chess::{Move, Position};
use engine::{Level, Score};
use tokio::sync::oneshot;

use crate::room::{Computer, EngineName};
use external::ExternalEngine;
use pool::{Pool, Search};

pub(crate) use analysis::{Analysis, Evaluation, Mistake, analyse};
pub use engine_spec::EngineSpec;

/// The label of the engine of this project in the metrics.
const OWN_ENGINE: &str = "tabiya";

/// Longest search of one move on an idle relay.
const LONGEST_SEARCH: Duration = Duration::from_secs(3);

/// All computers of a relay.
#[derive(Clone, Debug)]
pub struct Computers {
    pool: Pool,
    external: Arc<BTreeMap<EngineName, Arc<ExternalEngine>>>,
}

/// The game in which a computer has to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EngineQuestion {
    pub(crate) computer: Computer,
    pub(crate) start: Position,
    pub(crate) moves: Vec<Move>,
    pub(crate) clock: Option<ClockLeft>,
    /// Decides among openings and nearly equal moves. It is the same for all moves of a game.
    pub(crate) seed: u64,
}

/// The clock of the computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClockLeft {
    pub(crate) remaining_ms: u32,
    pub(crate) increment_ms: u32,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EngineResult {
    /// Legal in the position of the question.
    pub(crate) mv: Move,
    /// For the side to move; `None` for a move of the list of openings, and if an external engine has sent none.
    pub(crate) score: Option<Score>,
}

/// Why there is no move. The texts are shown to players.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Failure {
    #[error("this relay has no engine of that name")]
    Unknown,
    #[error("it cannot be started")]
    Start(String),
    #[error("its process has ended")]
    Ended,
    #[error("it did not answer in time")]
    Silent,
    #[error("it sent more than an engine should")]
    Flood,
    #[error("it played {0:?}, which is not a legal move")]
    Illegal(String),
    #[error("there is no legal move")]
    NoMove,
}

/// Resolves to the result of a search. Dropping it cancels the search.
#[derive(Debug)]
pub(crate) struct Thinking(oneshot::Receiver<Result<EngineResult, Failure>>);

impl Future for Thinking {
    type Output = Result<EngineResult, Failure>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context).map(|result| result.unwrap_or(Err(Failure::Ended)))
    }
}

impl Default for Computers {
    fn default() -> Self {
        Self::new(None, Vec::new())
    }
}

impl Computers {
    /// Computers with this many threads, or with half of the processors, and with these external engines. Threads and processes are started
    /// when they are needed.
    #[must_use]
    pub fn new(threads: Option<NonZeroUsize>, external: Vec<EngineSpec>) -> Self {
        let threads = threads.unwrap_or_else(|| {
            let processors = available_parallelism().map_or(1, NonZeroUsize::get);
            NonZeroUsize::new(processors / 2).unwrap_or(NonZeroUsize::MIN)
        });
        let external = external.into_iter().map(|spec| (spec.name.clone(), Arc::new(ExternalEngine::new(spec))));
        Self { pool: Pool::new(threads), external: Arc::new(external.collect()) }
    }

    /// The names of the external engines.
    pub(crate) fn engines(&self) -> impl Iterator<Item = &EngineName> {
        self.external.keys()
    }

    /// Whether this relay can play as this computer.
    pub(crate) fn has(&self, computer: &Computer) -> bool {
        match computer {
            Computer::Level(_) => true,
            Computer::Engine(name) => self.external.contains_key(name),
        }
    }

    /// Searches for a move. It starts at once, or when a thread or process is free.
    pub(crate) fn think(&self, question: EngineQuestion) -> Thinking {
        let (reply, answer) = oneshot::channel();
        match &question.computer {
            Computer::Level(level) => {
                let (level, most) = (*level, LONGEST_SEARCH);
                let EngineQuestion { start, moves, clock, seed, .. } = question;
                self.pool.push(Search { level, start, moves, clock, seed, nodes: None, most, reply: Box::new(reply) });
            }
            Computer::Engine(name) => match self.external.get(name) {
                Some(engine) => {
                    tokio::spawn(engine.clone().answer(question, reply));
                }
                None => _ = reply.send(Err(Failure::Unknown)),
            },
        }
        Thinking(answer)
    }

    /// Searches a position for this many nodes at full strength, after the searches of games in progress.
    fn evaluate(&self, start: Position, moves: Vec<Move>, nodes: u64) -> Thinking {
        let (reply, answer) = oneshot::channel();
        self.pool.push(Search {
            level: Level::FULL,
            start,
            moves,
            clock: None,
            seed: 0,
            nodes: Some(nodes),
            most: LONGEST_SEARCH,
            reply: Box::new(reply),
        });
        Thinking(answer)
    }
}
