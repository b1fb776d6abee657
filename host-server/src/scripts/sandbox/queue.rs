//! Calls that wait for a process.

use std::collections::VecDeque;

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::scripts::Urgency;

/// Calls of each urgency that wait. More are refused at once.
const MAX_WAITING: usize = 1_000;

/// Two queues: a player waits for the answer to a move, and no client for what is asked ahead of one.
#[derive(Debug)]
pub(super) struct Queue<J> {
    lines: Mutex<Lines<J>>,
    changed: Notify,
    /// Calls ahead of a move that are executed at the same time. They leave a process to the moves, if there are several.
    most_ahead: usize,
}

#[derive(Debug)]
struct Lines<J> {
    moves: VecDeque<J>,
    ahead: VecDeque<J>,
    running_ahead: usize,
    is_closed: bool,
}

/// A call is executed until this is dropped.
#[derive(Debug)]
pub(super) struct Running<'q, J> {
    queue: &'q Queue<J>,
    urgency: Urgency,
}

impl<J> Queue<J> {
    pub(super) fn new(processes: usize) -> Self {
        let lines = Lines { moves: VecDeque::new(), ahead: VecDeque::new(), running_ahead: 0, is_closed: false };
        Self { lines: Mutex::new(lines), changed: Notify::new(), most_ahead: processes.saturating_sub(1).max(1) }
    }

    /// Adds a call, unless too many wait.
    pub(super) fn push(&self, job: J, urgency: Urgency) -> bool {
        let mut lines = self.lines.lock();
        let line = match urgency {
            Urgency::Move => &mut lines.moves,
            Urgency::Ahead => &mut lines.ahead,
        };
        if line.len() >= MAX_WAITING {
            return false;
        }
        line.push_back(job);
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
        let (job, urgency) = if let Some(job) = lines.moves.pop_front() {
            (job, Urgency::Move)
        } else if lines.running_ahead < self.most_ahead
            && let Some(job) = lines.ahead.pop_front()
        {
            lines.running_ahead += 1;
            (job, Urgency::Ahead)
        } else {
            return Err(());
        };
        Ok(Some((job, Running { queue: self, urgency })))
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

impl<J> Drop for Running<'_, J> {
    fn drop(&mut self) {
        if self.urgency == Urgency::Ahead {
            self.queue.lines.lock().running_ahead -= 1;
            self.queue.changed.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(queue: &Queue<u32>) -> Option<(u32, Running<'_, u32>)> {
        queue.try_take().ok().flatten()
    }

    #[test]
    fn moves_are_taken_before_what_is_asked_ahead() {
        let queue = Queue::new(3);
        for (job, urgency) in [(1, Urgency::Ahead), (2, Urgency::Ahead), (3, Urgency::Move), (4, Urgency::Move)] {
            assert!(queue.push(job, urgency));
        }
        let order = [taken(&queue), taken(&queue), taken(&queue), taken(&queue)].map(|taken| taken.map(|(job, _)| job));
        assert_eq!(order, [Some(3), Some(4), Some(1), Some(2)]);
    }

    #[test]
    fn a_process_is_left_to_the_moves() {
        for (processes, most) in [(1, 1), (2, 1), (4, 3)] {
            let queue = Queue::new(processes);
            for job in 0..9 {
                assert!(queue.push(job, Urgency::Ahead));
            }
            let mut running: Vec<_> = std::iter::from_fn(|| taken(&queue)).collect();
            assert_eq!(running.len(), most);
            assert!(queue.push(100, Urgency::Move));
            assert_eq!(taken(&queue).map(|(job, _)| job), Some(100));
            running.pop();
            assert!(taken(&queue).is_some(), "the next one is executed when one of them has ended");
        }
    }

    #[tokio::test]
    async fn a_waiting_worker_is_woken_by_a_call_and_by_the_end() {
        let queue = Queue::new(2);
        let (first, ()) = tokio::join!(queue.take(), async { assert!(queue.push(1, Urgency::Ahead)) });
        let first = first.unwrap();
        assert!(queue.push(2, Urgency::Ahead));
        let (second, ()) = tokio::join!(queue.take(), async { drop(first) });
        assert_eq!(second.map(|(job, _)| job), Some(2));
        let (none, ()) = tokio::join!(queue.take(), async { queue.close() });
        assert!(none.is_none());
    }

    #[test]
    fn a_limited_number_of_calls_waits() {
        let queue = Queue::new(2);
        assert_eq!((0..2_000).filter(|&job| queue.push(job, Urgency::Move)).count(), MAX_WAITING);
        assert!(queue.push(0, Urgency::Ahead));
    }
}
