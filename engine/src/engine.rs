//! Iterative deepening with aspiration windows, as a search that the caller advances in steps.

use core::error::Error;
use core::fmt;

use chess::{IllegalMove, Move, Position};

use crate::best::{Best, Progress, Score, Variation};
use crate::blindness::Blindness;
use crate::level::Level;
use crate::limits::{Deadlines, Limits};
use crate::memory::{MAX_PLY, Memory};
use crate::opening;
use crate::random::{Random, mix};
use crate::score::{INFINITE, MATE, MATE_BOUND};
use crate::search::Search;
use crate::table::{Slot, Table};

/// A chess engine in memory that the caller supplies.
///
/// [`Engine::start`] sets a position, and [`Engine::step`] searches it for a number of nodes at a time, until it returns the best
/// move. A search may be given up at any time by starting another one.
pub struct Engine<'a> {
    search: Search<'a>,
    level: Level,
    seed: u64,
    plays_openings: bool,
    state: State,
    limits: Limits,
    deadlines: Deadlines,
    /// The iteration that is searched now, in plies, and its window.
    depth: i32,
    alpha: i32,
    beta: i32,
    /// Half of the next window.
    delta: i32,
    margin: i32,
    /// Iterations since the best move changed.
    stable: u32,
    /// Of the last complete iteration, or a move that was better than its window; before the first, any legal move.
    best: Best,
    /// The best move before this iteration.
    last: Move,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    Searching,
    /// The move is known without a search.
    Known,
}

/// What [`Engine::step`] has reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// No search was started, or its result was already returned.
    Idle,
    /// The search continues with the next step.
    Thinking,
    /// The search has ended.
    Best(Best),
}

/// Why a search was not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartError {
    /// The position has no legal move.
    NoMove,
    /// A move of the game is not legal.
    Illegal(IllegalMove),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMove => f.write_str("there is no legal move in this position"),
            Self::Illegal(error) => error.fmt(f),
        }
    }
}

impl Error for StartError {}

/// The first half window around the score of the iteration before, in centipawns.
const FIRST_DELTA: i32 = 18;
/// A mate is searched deeper by this before it is taken for the shortest.
const REDUCED_PLIES: i32 = 3;
/// Iterations below have too unstable scores for a window.
const ASPIRATION_DEPTH: i32 = 5;

impl<'a> Engine<'a> {
    /// An engine of full strength. Any length of `table` works; a length of zero searches without a table.
    #[must_use]
    pub fn new(memory: &'a mut Memory, table: &'a mut [Slot]) -> Self {
        Self {
            search: Search::new(memory, Table::new(table)),
            level: Level::FULL,
            seed: 0,
            plays_openings: true,
            state: State::Idle,
            limits: Limits::default(),
            deadlines: Deadlines::new(None),
            depth: 0,
            alpha: 0,
            beta: 0,
            delta: 0,
            margin: 0,
            stable: 0,
            best: Best::NONE,
            last: Best::NONE.mv,
        }
    }

    /// Prepares a new game: forgets all results. The same seed, level, moves and node limits give the same game again.
    pub fn new_game(&mut self, seed: u64) {
        self.state = State::Idle;
        self.seed = seed;
        self.forget();
    }

    /// Forgets the results of all searches.
    fn forget(&mut self) {
        self.search.table.clear();
        self.search.memory.history.clear();
        self.search.memory.caches.scores.clear();
        self.search.memory.corrections.clear();
    }

    /// Sets the seed of the next searches: it decides among openings and among nearly equal moves.
    pub const fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Sets the level of the next searches.
    pub const fn set_level(&mut self, level: Level) {
        self.level = level;
    }

    /// Whether the first moves of a game from the start position are chosen from a list of openings, by the seed. On by default.
    pub const fn set_openings(&mut self, plays_openings: bool) {
        self.plays_openings = plays_openings;
    }

    /// Starts a search of the position after these moves. The moves before it are needed to see repetitions.
    pub fn start(&mut self, start: &Position, moves: &[Move], limits: Limits) -> Result<(), StartError> {
        self.state = State::Idle;
        let mut position = *start;
        for &mv in moves {
            position = position.play(mv).map_err(StartError::Illegal)?;
        }
        let strength = self.level.strength();
        let salt = strength.map_or(0, |_| mix(self.seed ^ moves.len() as u64) | 1);
        self.search.set_root(start, moves, salt);
        self.limits = limits;
        self.deadlines = Deadlines::new(limits.time);
        self.search.blindness = Blindness::NONE;
        self.margin = 0;
        if let Some(strength) = strength {
            self.search.blindness = strength.blindness;
            self.search.overlook_root(strength.own, moves.last().copied());
            self.margin = strength.margin;
            self.limits.depth = Some(limits.depth.map_or(strength.depth, |depth| depth.min(strength.depth)));
            self.limits.nodes = Some(limits.nodes.map_or(strength.nodes, |nodes| nodes.min(strength.nodes)));
        }
        let first = self.search.memory.root.as_slice().first().ok_or(StartError::NoMove)?.mv;
        self.best = Best::of(first);
        if self.plays_openings && *start == Position::start() {
            let mut random = Random::new(self.seed ^ mix(moves.len() as u64));
            if let Some(mv) = opening::choose(moves, &mut random).filter(|&mv| position.is_legal(mv)) {
                self.best = Best::of(mv);
                self.state = State::Known;
                return Ok(());
            }
        }
        self.search.memory.searches = self.search.memory.searches.wrapping_add(1) & 7;
        self.search.table.set_search(self.search.memory.searches);
        if strength.is_some() {
            // A weak level plays the same move whether or not a hint was searched before.
            self.forget();
        } else {
            self.search.memory.history.fade();
        }
        self.stable = 0;
        self.state = State::Searching;
        self.begin_iteration(1);
        Ok(())
    }

    /// Restricts the search that was just started to these moves, also if the level would overlook them; an empty list restricts nothing.
    /// Moves that are not legal do not count.
    pub fn search_only(&mut self, moves: &[Move]) {
        if self.state == State::Searching && !moves.is_empty() {
            self.search.restrict_root(moves);
            if let Some(root) = self.search.memory.root.as_slice().first() {
                self.best = Best::of(root.mv);
            }
        }
    }

    /// Searches about `nodes` nodes. `elapsed_ms` is the time since [`Engine::start`], which is 0 for a search without a time limit.
    pub fn step(&mut self, nodes: u32, elapsed_ms: u32) -> Step {
        match self.state {
            State::Idle => return Step::Idle,
            State::Known => {
                self.state = State::Idle;
                return Step::Best(self.best.clone());
            }
            State::Searching => {}
        }
        if elapsed_ms >= self.deadlines.hard_ms {
            return self.finish();
        }
        let pause = self.search.nodes.saturating_add(nodes.into());
        let limit = self.limits.nodes.unwrap_or(u64::MAX);
        let end = pause.min(limit);
        while self.search.nodes < end {
            if let Some(value) = self.search.advance()
                && self.is_complete(value, elapsed_ms)
            {
                return self.finish();
            }
        }
        if self.search.nodes >= limit { self.finish() } else { Step::Thinking }
    }

    /// Ends the search now, with the best move so far. Returns none if there is no search.
    pub fn stop(&mut self) -> Option<Best> {
        match self.state {
            State::Idle => None,
            State::Known => {
                self.state = State::Idle;
                Some(self.best.clone())
            }
            State::Searching => match self.finish() {
                Step::Best(best) => Some(best),
                Step::Idle | Step::Thinking => None,
            },
        }
    }

    /// What the search has found so far: the last complete iteration.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress {
            best: self.best.clone(),
            nodes: self.search.nodes,
            seldepth: self.search.seldepth as u8,
            table_permille: self.search.table.permille(),
        }
    }

    fn begin_iteration(&mut self, depth: i32) {
        self.depth = depth;
        self.last = self.best.mv;
        self.delta = FIRST_DELTA;
        (self.alpha, self.beta) = (-INFINITE, INFINITE);
        if self.margin == 0 && depth >= ASPIRATION_DEPTH && self.best.value.abs() < MATE_BOUND {
            (self.alpha, self.beta) = (self.best.value - self.delta, self.best.value + self.delta);
        }
        self.search.begin(depth, self.alpha, self.beta, self.margin);
    }

    /// Uses the value of an iteration: searches again with a wider window, begins the next iteration, or returns that the
    /// search has ended.
    fn is_complete(&mut self, value: i32, elapsed_ms: u32) -> bool {
        if value <= self.alpha && self.alpha > -INFINITE || value >= self.beta && self.beta < INFINITE {
            self.delta *= 3;
            let is_wide = self.delta > 500;
            if value <= self.alpha {
                self.alpha = if is_wide { -INFINITE } else { (value - self.delta).max(-INFINITE) };
            } else {
                self.beta = if is_wide { INFINITE } else { (value + self.delta).min(INFINITE) };
                // The move is better than expected: it is the answer if the search ends before its score is exact.
                self.take_line(value, self.best.depth);
            }
            self.sort_root();
            self.search.begin(self.depth, self.alpha, self.beta, self.margin);
            return false;
        }
        self.record(value);
        self.stable = if self.best.mv == self.last { self.stable + 1 } else { 0 };
        self.sort_root();
        let is_forced = self.search.memory.root.as_slice().len() == 1 && self.limits.time.is_some();
        // A mate within the depth of the search is certain. A shorter one may still hide behind a reduction of some plies.
        let is_mate = value.abs() >= MATE_BOUND && self.depth > MATE - value.abs() + REDUCED_PLIES;
        let deepest = self.limits.depth.map_or(MAX_PLY as i32 - 2, i32::from).min(MAX_PLY as i32 - 2);
        if is_forced
            || is_mate && self.limits.depth.is_none()
            || self.depth >= deepest
            || !self.deadlines.allows_iteration(elapsed_ms, self.stable)
        {
            return true;
        }
        self.begin_iteration(self.depth + 1);
        false
    }

    /// Takes over the principal variation of the root.
    fn take_line(&mut self, value: i32, depth: u8) {
        let frame = &self.search.memory.frames[0];
        if let Some(line) = Variation::new(&frame.line, frame.line_len) {
            self.best = Best { mv: line.first(), value, line, depth };
        }
    }

    /// Takes over the result of a complete iteration.
    fn record(&mut self, value: i32) {
        self.take_line(value, self.depth as u8);
        for root in self.search.memory.root.as_mut_slice() {
            root.previous = root.score;
        }
    }

    /// Sorts the root moves by the score of the last iteration; moves without a score keep their order.
    fn sort_root(&mut self) {
        let moves = self.search.memory.root.as_mut_slice();
        for end in 1..moves.len() {
            let mut index = end;
            while let Some([one, other]) = index.checked_sub(1).and_then(|first| moves.get_mut(first..=index)) {
                if other.score <= one.score {
                    break;
                }
                core::mem::swap(one, other);
                index -= 1;
            }
        }
        for root in moves {
            root.score = -INFINITE as i16;
        }
    }

    fn finish(&mut self) -> Step {
        self.state = State::Idle;
        let frame = &self.search.memory.frames[0];
        if self.margin > 0 {
            self.choose();
        } else if self.search.root_searched > 0 && frame.best > frame.alpha.min(self.alpha) {
            // The first move of an interrupted iteration is the best so far; a later one that raised alpha is better.
            self.take_line(frame.best, self.best.depth);
        }
        Step::Best(self.best.clone())
    }

    /// Chooses among the moves that are nearly as good as the best: the nearer, the likelier.
    fn choose(&mut self) {
        let moves = self.search.memory.root.as_slice();
        let Some(top) = moves.iter().map(|root| i32::from(root.previous)).max() else { return };
        let margin = if top.abs() >= MATE_BOUND { 1 } else { self.margin };
        let weight = |score: i16| (margin - (top - i32::from(score))).max(0) as u32;
        let total = moves.iter().map(|root| weight(root.previous)).sum();
        let mut random = Random::new(self.seed ^ self.search.root_key());
        let mut left = random.below(total);
        for root in moves {
            let weight = weight(root.previous);
            if left < weight {
                if root.mv != self.best.mv {
                    self.best = Best { value: root.previous.into(), depth: self.best.depth, ..Best::of(root.mv) };
                }
                return;
            }
            left -= weight;
        }
    }
}

impl Best {
    /// The score, for display.
    #[must_use]
    pub const fn score(&self) -> Score {
        Score::of(self.value)
    }
}
