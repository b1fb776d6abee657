//! The chess engine, in thread mode: below all tasks, so it runs while they wait. It is no embassy task, because it waits for nothing
//! while it searches.
//!
//! The watchdog does not wait for it: after a reset the same search would begin again, and a busy moment of the tasks would count as a failure.

use core::sync::atomic::Ordering;

use board::{Question, ThinkCommand};
use defmt::{Display2Format, error};
use embassy_time::Instant;
use engine::{Engine, Memory, Slot, Step};
use static_cell::ConstStaticCell;

use super::channels::{SEARCH_MS, SEARCH_RESULT, SEARCHED_NODES, THINK};

/// Nodes between two checks of commands and clock: some 10 ms.
const STEP_NODES: u32 = 100;

struct Search {
    question: Question,
    since: Instant,
}

/// Searches what the main loop asks for. `sleep` waits for an interrupt while [`THINK`] is empty.
pub(crate) fn run(table: &'static mut [Slot], sleep: fn()) -> ! {
    static MEMORY: ConstStaticCell<Memory> = ConstStaticCell::new(Memory::new());

    let mut engine = Engine::new(MEMORY.take(), table);
    let mut seed = None;
    let mut search = None;
    loop {
        match THINK.try_take() {
            Some(ThinkCommand::Start(question)) => {
                // Another game.
                if seed.replace(question.seed) != Some(question.seed) {
                    engine.new_game(question.seed);
                }
                search = begin(&mut engine, question);
            }
            Some(ThinkCommand::Cancel) => search = None,
            None => {}
        }
        match &search {
            None => sleep(),
            Some(running) => {
                if !step(&mut engine, running) {
                    search = None;
                }
            }
        }
    }
}

fn begin(engine: &mut Engine<'_>, question: Question) -> Option<Search> {
    let since = Instant::now();
    match question.start(engine) {
        Ok(()) => Some(Search { question, since }),
        Err(reason) => {
            error!("the engine cannot search, and the computer will not move: {}", Display2Format(&reason));
            None
        }
    }
}

/// Searches on. Returns whether there is more to do.
fn step(engine: &mut Engine<'_>, Search { question, since }: &Search) -> bool {
    let elapsed_ms = u32::try_from(since.elapsed().as_millis()).unwrap_or(u32::MAX);
    match engine.step(STEP_NODES, elapsed_ms) {
        Step::Thinking => true,
        Step::Best(best) => {
            SEARCHED_NODES.store(u32::try_from(engine.progress().nodes).unwrap_or(u32::MAX), Ordering::Relaxed);
            SEARCH_MS.store(elapsed_ms, Ordering::Relaxed);
            SEARCH_RESULT.signal(question.answer(&best));
            false
        }
        Step::Idle => false,
    }
}
