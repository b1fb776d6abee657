//! An engine with its memory on the heap.

use chess::{Move, Position};
use engine::{Best, Engine, Level, Limits, Memory, Slot, StartError, Step};

pub(crate) struct Thinker {
    memory: Box<Memory>,
    table: Vec<Slot>,
    pub(crate) level: Level,
    pub(crate) seed: u64,
    /// Nodes of each step.
    pub(crate) step: u32,
}

impl Thinker {
    pub(crate) fn new() -> Self {
        Self { memory: Box::default(), table: vec![Slot::EMPTY; 8192], level: Level::FULL, seed: 1, step: u32::MAX }
    }

    pub(crate) fn at_level(number: u8, seed: u64) -> Self {
        Self { level: Level::new(number).expect("a level"), seed, ..Self::new() }
    }

    /// Searches from an empty table.
    pub(crate) fn think(&mut self, start: &Position, moves: &[Move], limits: Limits) -> Result<Best, StartError> {
        let mut engine = Engine::new(&mut self.memory, &mut self.table);
        engine.new_game(self.seed);
        engine.set_openings(false);
        engine.set_level(self.level);
        engine.start(start, moves, limits)?;
        loop {
            match engine.step(self.step, 0) {
                Step::Best(best) => return Ok(best),
                Step::Thinking => {}
                Step::Idle => panic!("the search has no result"),
            }
        }
    }

    pub(crate) fn best(&mut self, start: &Position, moves: &[Move], nodes: u64) -> Best {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        self.think(start, moves, limits).expect("there is a legal move")
    }
}

pub(crate) fn position(fen: &str) -> Position {
    fen.parse().expect(fen)
}

pub(crate) fn moves(words: &str) -> Vec<Move> {
    words.split_whitespace().map(|word| word.parse().expect(word)).collect()
}
