//! A bounded pool of threads that search with the engine of this project.
//!
//! A room has at most one search at a time, and searches wait in the order in which they came. Three queues take turns, so that
//! the quick searches of the lower levels do not wait for long ones, and the analysis of a finished game delays no game in progress. The
//! more searches wait, the shorter is each long one.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use chess::{Move, Position};
use engine::{Engine, Level, Limits, Memory, Slot, Step, Time};
use parking_lot::{Condvar, Mutex};
use tokio::sync::oneshot;

use super::{ClockLeft, EngineResult, Failure, OWN_ENGINE};
use crate::metrics;

/// Nodes between two checks of the clock: about a millisecond.
const NODES_PER_STEP: u32 = 1_000;

/// Table of a search at full strength, in slots of eight bytes: 16 MB for each thread.
const SLOTS: usize = 2 << 20;

/// Table of a search at a lower level, which is as small as on a board.
const FEW_SLOTS: usize = 16 << 10;

/// A search is not shortened below this.
const SHORTEST_SEARCH: Duration = Duration::from_millis(100);

/// Maximum number of searches that wait. More than that are refused, and their players get an error.
const MAX_WAITING: usize = 4_096;

/// A search of one position.
pub(super) struct Search {
    pub(super) level: Level,
    pub(super) start: Position,
    pub(super) moves: Vec<Move>,
    pub(super) clock: Option<ClockLeft>,
    pub(super) seed: u64,
    /// For an analysis, the number of nodes.
    pub(super) nodes: Option<u64>,
    /// Longest time for it, if no other search waits.
    pub(super) most: Duration,
    /// Where the result goes. The search is cancelled when it is no longer awaited.
    pub(super) reply: Box<oneshot::Sender<Result<EngineResult, Failure>>>,
}

impl Search {
    const fn queue(&self) -> usize {
        match self.nodes {
            Some(_) => ANALYSIS,
            None if self.level.number() == Level::FULL.number() => LONG,
            None => QUICK,
        }
    }
}

/// The queues, by index.
const QUICK: usize = 0;
const LONG: usize = 1;
const ANALYSIS: usize = 2;

/// Which queue comes first, in turn.
const TURNS: [usize; 6] = [QUICK, LONG, QUICK, LONG, QUICK, ANALYSIS];

#[derive(Clone)]
pub(super) struct Pool {
    shared: Arc<Shared>,
    /// Ends the threads when the last clone of the pool is dropped.
    _end: Arc<End>,
}

struct Shared {
    threads: NonZeroUsize,
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    queues: [VecDeque<(Search, Instant)>; 3],
    turn: usize,
    started: usize,
    idle: usize,
    is_closed: bool,
}

struct End(Arc<Shared>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.state.lock().is_closed = true;
        self.0.wake.notify_all();
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("threads", &self.shared.threads).finish_non_exhaustive()
    }
}

impl State {
    fn waiting(&self) -> usize {
        self.queues.iter().map(VecDeque::len).sum()
    }

    /// Takes the next search: of the queue whose turn it is, or else of the first that is not empty.
    fn next(&mut self) -> Option<(Search, Instant)> {
        let first = TURNS[self.turn % TURNS.len()];
        self.turn = self.turn.wrapping_add(1);
        [first, QUICK, LONG, ANALYSIS].into_iter().find_map(|queue| self.queues[queue].pop_front())
    }
}

impl Pool {
    pub(super) fn new(threads: NonZeroUsize) -> Self {
        let shared = Arc::new(Shared { threads, state: Mutex::default(), wake: Condvar::new() });
        Self { _end: Arc::new(End(shared.clone())), shared }
    }

    /// Adds a search to its queue.
    pub(super) fn push(&self, search: Search) {
        let mut state = self.shared.state.lock();
        if state.waiting() >= MAX_WAITING {
            drop(state);
            _ = search.reply.send(Err(Failure::Silent));
            return;
        }
        let queue = search.queue();
        state.queues[queue].push_back((search, Instant::now()));
        metrics::computer_queue(state.waiting());
        if state.idle == 0 && state.started < self.shared.threads.get() {
            state.started += 1;
            let shared = self.shared.clone();
            let spawned = thread::Builder::new().name("computer".to_owned()).spawn(move || work(&shared));
            if let Err(error) = spawned {
                state.started -= 1;
                tracing::error!(%error, "starting a thread for the computer failed, searches wait for the others");
                if state.started == 0
                    && let Some((search, _)) = state.queues[queue].pop_back()
                {
                    _ = search.reply.send(Err(Failure::Start(error.to_string())));
                }
            }
        }
        self.shared.wake.notify_one();
    }
}

/// Searches until the pool is dropped.
fn work(shared: &Shared) {
    let mut memory = Box::new(Memory::new());
    let mut table = Vec::new();
    loop {
        let (search, queued) = {
            let mut state = shared.state.lock();
            loop {
                if state.is_closed {
                    return;
                }
                if let Some(next) = state.next() {
                    metrics::computer_queue(state.waiting());
                    break next;
                }
                state.idle += 1;
                shared.wake.wait(&mut state);
                state.idle -= 1;
            }
        };
        if search.reply.is_closed() {
            continue;
        }
        metrics::computer_waited(queued.elapsed());
        let slots = if search.queue() == QUICK { FEW_SLOTS } else { SLOTS };
        if table.len() < slots {
            table.resize(slots, Slot::EMPTY);
        }
        let is_move = search.nodes.is_none();
        let Some(result) = run(shared, &mut memory, &mut table[..slots], &search, queued) else { continue };
        if is_move && result.is_ok() {
            metrics::computer_moved(OWN_ENGINE, queued.elapsed());
        }
        // The room may have closed meanwhile.
        _ = search.reply.send(result);
    }
}

/// Runs one search. `None` if its result is no longer awaited.
fn run(
    shared: &Shared,
    memory: &mut Memory,
    table: &mut [Slot],
    search: &Search,
    queued: Instant,
) -> Option<Result<EngineResult, Failure>> {
    let mut engine = Engine::new(memory, table);
    engine.new_game(search.seed);
    engine.set_level(search.level);
    engine.set_openings(search.nodes.is_none());
    // The clock has run while the search was waiting.
    let time = search.clock.map(|ClockLeft { remaining_ms, increment_ms }| {
        let waited = u32::try_from(queued.elapsed().as_millis()).unwrap_or(u32::MAX);
        Time::Clock { remaining_ms: remaining_ms.saturating_sub(waited), increment_ms, moves_to_go: None }
    });
    let limits = Limits { nodes: search.nodes, time, ..Limits::default() };
    if engine.start(&search.start, &search.moves, limits).is_err() {
        return Some(Err(Failure::NoMove));
    }
    let started = Instant::now();
    let best = loop {
        let elapsed = started.elapsed();
        match engine.step(NODES_PER_STEP, u32::try_from(elapsed.as_millis()).unwrap_or(u32::MAX)) {
            Step::Thinking => {}
            Step::Best(best) => break Some(best),
            Step::Idle => break None,
        }
        if search.reply.is_closed() {
            return None;
        }
        if elapsed >= allowed(shared, search.most) {
            break engine.stop();
        }
    };
    Some(best.map_or(Err(Failure::NoMove), |best| {
        Ok(EngineResult { mv: best.mv, score: (best.depth > 0).then(|| best.score()) })
    }))
}

/// How long a search may take now: the threads are shared among those that wait.
fn allowed(shared: &Shared, most: Duration) -> Duration {
    let waiting = shared.state.lock().queues[LONG].len();
    let rounds = waiting.div_ceil(shared.threads.get());
    (most / u32::try_from(rounds + 1).unwrap_or(u32::MAX)).max(SHORTEST_SEARCH.min(most))
}
