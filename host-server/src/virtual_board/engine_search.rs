use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use board::{Question, SearchResult};
use engine::{Engine, Memory, Slot, Step};
use tokio::task::JoinHandle;

/// The table of the main board, in slots of eight bytes: 128 KB.
const SLOTS: usize = 16 * 1024;

/// Nodes between two checks of the clock: less than a millisecond.
const STEP_NODES: u32 = 500;

/// A search in a thread of its own. Dropping it gives the search up.
pub(super) struct EngineSearch {
    is_cancelled: Arc<AtomicBool>,
    result: JoinHandle<Option<SearchResult>>,
}

impl EngineSearch {
    pub(super) fn start(question: Question) -> Self {
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let cancelled = is_cancelled.clone();
        let result = tokio::task::spawn_blocking(move || search(&question, &cancelled));
        Self { is_cancelled, result }
    }

    /// Waits for the result; none if there is no legal move.
    pub(super) async fn result(&mut self) -> Option<SearchResult> {
        (&mut self.result).await.ok().flatten()
    }
}

impl Drop for EngineSearch {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

fn search(question: &Question, is_cancelled: &AtomicBool) -> Option<SearchResult> {
    let mut memory = Box::new(Memory::new());
    let mut table = vec![Slot::EMPTY; SLOTS];
    let mut engine = Engine::new(&mut memory, &mut table);
    let begun = Instant::now();
    question.start(&mut engine).ok()?;
    while !is_cancelled.load(Ordering::Relaxed) {
        let elapsed_ms = u32::try_from(begun.elapsed().as_millis()).unwrap_or(u32::MAX);
        match engine.step(STEP_NODES, elapsed_ms) {
            Step::Thinking => {}
            Step::Best(best) => return Some(question.answer(&best)),
            Step::Idle => break,
        }
    }
    None
}
