//! Calls that wait for a process.

use std::collections::{HashMap, HashSet, VecDeque};

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::scripts::{Caller, Urgency};

/// Calls of each urgency that wait. More are refused at once.
const MAX_WAITING: usize = 1_000;

/// Callers that are known to be slow. When there are more, all of them are forgotten.
const MAX_SLOW: usize = 4_096;

/// Two queues: a player waits for the answer to a move, and no client for what is asked ahead of one. In each, callers take turns. A caller has at most
/// one move executed at a time, and one whose last call took long waits until no other does: so a game whose script loops delays its own players, and
/// other games by one call at most.
#[derive(Debug)]
pub(super) struct Queue<J> {
    lines: Mutex<Lines<J>>,
    changed: Notify,
    /// Calls ahead of a move that are executed at the same time. They leave a process to the moves, if there are several.
    most_ahead: usize,
}

#[derive(Debug)]
struct Lines<J> {
    moves: Line<J>,
    ahead: Line<J>,
    running_ahead: usize,
    /// The callers of the moves that are executed.
    running: HashSet<Caller>,
    /// The callers whose last call took long.
    slow: HashSet<Caller>,
    is_closed: bool,
}

/// The calls of one urgency that wait.
#[derive(Debug)]
struct Line<J> {
    jobs: HashMap<Caller, VecDeque<J>>,
    /// The callers with calls, in the order of their turns.
    turns: VecDeque<Caller>,
    len: usize,
}

/// A call is executed until this is dropped.
#[derive(Debug)]
pub(super) struct Running<'q, J> {
    queue: &'q Queue<J>,
    urgency: Urgency,
    caller: Caller,
}

impl<J> Line<J> {
    fn new() -> Self {
        Self { jobs: HashMap::new(), turns: VecDeque::new(), len: 0 }
    }

    fn push(&mut self, caller: Caller, job: J) {
        let jobs = self.jobs.entry(caller).or_default();
        if jobs.is_empty() {
            self.turns.push_back(caller);
        }
        jobs.push_back(job);
        self.len += 1;
    }

    /// The next call of the first caller that may have one executed.
    fn pop(&mut self, may_run: impl Fn(&Caller) -> bool) -> Option<(Caller, J)> {
        let at = self.turns.iter().position(may_run)?;
        let caller = self.turns.remove(at)?;
        let jobs = self.jobs.get_mut(&caller)?;
        let job = jobs.pop_front()?;
        self.len -= 1;
        if jobs.is_empty() {
            self.jobs.remove(&caller);
        } else {
            self.turns.push_back(caller);
        }
        Some((caller, job))
    }

    fn clear(&mut self) {
        *self = Self::new();
    }
}

impl<J> Queue<J> {
    pub(super) fn new(processes: usize) -> Self {
        let lines = Lines {
            moves: Line::new(),
            ahead: Line::new(),
            running_ahead: 0,
            running: HashSet::new(),
            slow: HashSet::new(),
            is_closed: false,
        };
        Self { lines: Mutex::new(lines), changed: Notify::new(), most_ahead: processes.saturating_sub(1).max(1) }
    }

    /// Adds a call, unless too many wait.
    pub(super) fn push(&self, job: J, caller: Caller, urgency: Urgency) -> bool {
        let mut lines = self.lines.lock();
        let line = match urgency {
            Urgency::Move => &mut lines.moves,
            Urgency::Ahead => &mut lines.ahead,
        };
        if line.len >= MAX_WAITING {
            return false;
        }
        line.push(caller, job);
        drop(lines);
        self.changed.notify_one();
        true
    }

    /// The next call. `None` when the queue is closed.
    pub(super) async fn take(&self) -> Option<(J, Running<'_, J>)> {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // From here on no change is missed.
            changed.as_mut().enable();
            match self.try_take() {
                Ok(taken) => return taken,
                Err(()) => changed.await,
            }
        }
    }

    /// The next call, if there is one that may be executed now.
    fn try_take(&self) -> Result<Option<(J, Running<'_, J>)>, ()> {
        let mut lines = self.lines.lock();
        if lines.is_closed {
            return Ok(None);
        }
        let Some((caller, job, urgency)) = lines.pop(self.most_ahead) else { return Err(()) };
        match urgency {
            Urgency::Move => _ = lines.running.insert(caller),
            Urgency::Ahead => lines.running_ahead += 1,
        }
        Ok(Some((job, Running { queue: self, urgency, caller })))
    }

    /// Drops the calls that wait, and lets no more be taken.
    pub(super) fn close(&self) {
        let mut lines = self.lines.lock();
        lines.is_closed = true;
        lines.moves.clear();
        lines.ahead.clear();
        drop(lines);
        self.changed.notify_waiters();
    }
}

impl<J> Lines<J> {
    fn pop(&mut self, most_ahead: usize) -> Option<(Caller, J, Urgency)> {
        let Self { moves, ahead, running_ahead, running, slow, .. } = self;
        let may_look_ahead = *running_ahead < most_ahead;
        for is_slow in [false, true] {
            let is_in_turn = |caller: &Caller| slow.contains(caller) == is_slow;
            if let Some((caller, job)) = moves.pop(|caller| is_in_turn(caller) && !running.contains(caller)) {
                return Some((caller, job, Urgency::Move));
            }
            if may_look_ahead && let Some((caller, job)) = ahead.pop(is_in_turn) {
                return Some((caller, job, Urgency::Ahead));
            }
        }
        None
    }
}

impl<J> Running<'_, J> {
    /// The call has ended. Whether it took long decides when the next one of its caller is executed.
    pub(super) fn end(self, is_slow: bool) {
        let slow = &mut self.queue.lines.lock().slow;
        if is_slow {
            if slow.len() >= MAX_SLOW {
                slow.clear();
            }
            slow.insert(self.caller);
        } else {
            slow.remove(&self.caller);
        }
    }
}

impl<J> Drop for Running<'_, J> {
    fn drop(&mut self) {
        let mut lines = self.queue.lines.lock();
        match self.urgency {
            Urgency::Move => _ = lines.running.remove(&self.caller),
            Urgency::Ahead => lines.running_ahead -= 1,
        }
        drop(lines);
        self.queue.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each call of another caller.
    fn push(queue: &Queue<u32>, job: u32, urgency: Urgency) -> bool {
        queue.push(job, Caller::of(&job), urgency)
    }

    fn taken(queue: &Queue<u32>) -> Option<(u32, Running<'_, u32>)> {
        queue.try_take().ok().flatten()
    }

    #[test]
    fn moves_are_taken_before_what_is_asked_ahead() {
        let queue = Queue::new(3);
        for (job, urgency) in [(1, Urgency::Ahead), (2, Urgency::Ahead), (3, Urgency::Move), (4, Urgency::Move)] {
            assert!(push(&queue, job, urgency));
        }
        let order = [taken(&queue), taken(&queue), taken(&queue), taken(&queue)].map(|taken| taken.map(|(job, _)| job));
        assert_eq!(order, [Some(3), Some(4), Some(1), Some(2)]);
    }

    #[test]
    fn a_process_is_left_to_the_moves() {
        for (processes, most) in [(1, 1), (2, 1), (4, 3)] {
            let queue = Queue::new(processes);
            for job in 0..9 {
                assert!(push(&queue, job, Urgency::Ahead));
            }
            let mut running: Vec<_> = std::iter::from_fn(|| taken(&queue)).collect();
            assert_eq!(running.len(), most);
            assert!(push(&queue, 100, Urgency::Move));
            assert_eq!(taken(&queue).map(|(job, _)| job), Some(100));
            running.pop();
            assert!(taken(&queue).is_some(), "the next one is executed when one of them has ended");
        }
    }

    #[tokio::test]
    async fn a_waiting_worker_is_woken_by_a_call_and_by_the_end() {
        let queue = Queue::new(2);
        let (first, ()) = tokio::join!(queue.take(), async { assert!(push(&queue, 1, Urgency::Ahead)) });
        let first = first.unwrap();
        assert!(push(&queue, 2, Urgency::Ahead));
        let (second, ()) = tokio::join!(queue.take(), async { drop(first) });
        assert_eq!(second.map(|(job, _)| job), Some(2));
        let (none, ()) = tokio::join!(queue.take(), async { queue.close() });
        assert!(none.is_none());
    }

    #[test]
    fn a_limited_number_of_calls_waits() {
        let queue = Queue::new(2);
        assert_eq!((0..2_000).filter(|&job| push(&queue, job, Urgency::Move)).count(), MAX_WAITING);
        assert!(push(&queue, 0, Urgency::Ahead));
    }

    #[test]
    fn callers_take_turns_and_have_one_move_executed_at_a_time() {
        let queue = Queue::new(8);
        for job in 0..90 {
            assert!(queue.push(job, Caller::of(&(job % 30)), Urgency::Move));
        }
        assert!(push(&queue, 1_000, Urgency::Move));
        let first: Vec<_> = std::iter::from_fn(|| taken(&queue)).collect();
        let order: Vec<_> = first.iter().map(|(job, _)| *job).collect();
        assert_eq!(order, (0..30).chain([1_000]).collect::<Vec<_>>(), "one of each, and no more while they run");
        drop(first);
        assert_eq!(std::iter::from_fn(|| taken(&queue)).map(|(job, _)| job).take(3).collect::<Vec<_>>(), [30, 31, 32]);
    }

    #[test]
    fn a_caller_whose_last_call_took_long_waits_for_the_others() {
        let queue = Queue::new(8);
        let (slow, other) = (Caller::of("slow"), Caller::of("other"));
        for job in [0, 1, 2] {
            queue.push(job, slow, Urgency::Move);
        }
        let (_, running) = taken(&queue).unwrap();
        running.end(true);
        queue.push(10, other, Urgency::Move);
        queue.push(11, Caller::of("ahead"), Urgency::Ahead);
        let mut order = Vec::new();
        while let Some((job, running)) = taken(&queue) {
            order.push(job);
            running.end(false);
        }
        assert_eq!(order, [10, 11, 1, 2]);
    }

    #[tokio::test]
    async fn the_end_of_a_call_wakes_a_worker_for_the_next_one_of_its_caller() {
        let queue = Queue::new(2);
        let caller = Caller::of("room");
        assert!(queue.push(1, caller, Urgency::Move) && queue.push(2, caller, Urgency::Move));
        let (_, running) = queue.take().await.unwrap();
        assert!(taken(&queue).is_none());
        let (next, ()) = tokio::join!(queue.take(), async { running.end(false) });
        assert_eq!(next.map(|(job, _)| job), Some(2));
    }
}
