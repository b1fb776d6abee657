//! The thread that makes all changes, with group commit.

use std::io;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::change;
use super::clock::Clock;
use super::file::{File, Trouble};
use super::tables::Tables;
use crate::room::Time;
use crate::store::StoreError;

/// Maximum number of changes in one commit, which bounds the latency of the first.
const GROUP: usize = 4096;

/// Pause after a commit of several changes, so that as many share the cost of the next one. A change that comes later is committed at
/// once, and so are many changes.
const PAUSE: Duration = Duration::from_millis(2);
const MANY: usize = 64;

/// Interval of commits that only store the time: a power cut loses at most this much of it.
const TICK: Duration = Duration::from_secs(3);

/// Upper bound of the interval between removals of expired games, and the number of games removed in one commit.
const SWEEP: Duration = Duration::from_secs(10);
const SWEPT_AT_ONCE: usize = 16;

/// Bytes that are written after a failed commit to find out whether there is room again. A small commit may succeed on a full disk, because it reuses free
/// pages of the file.
const PROBE_BYTES: usize = 256 << 10;

/// A handle to the thread.
#[derive(Debug)]
pub(super) struct Writer {
    changes: Option<Sender<Box<dyn Change>>>,
    thread: Option<JoinHandle<()>>,
    /// Whether the last commit with changes failed.
    is_failing: Arc<AtomicBool>,
    /// Cancelled when the thread ends.
    ended: CancellationToken,
}

/// A change to make in a transaction, with the caller that waits for it.
trait Change: Send {
    /// Makes the change. An error aborts the whole transaction.
    fn make(&mut self, tables: &mut Tables<'_>, now: Time) -> Result<(), redb::Error>;

    /// Whether it only checks that a commit succeeds.
    fn is_check(&self) -> bool;

    /// Sends the result of the transaction to the caller.
    fn answer(self: Box<Self>, committed: Result<(), StoreError>);
}

struct QueuedChange<F, T> {
    is_check: bool,
    change: Option<F>,
    outcome: Option<Result<T, StoreError>>,
    answer: oneshot::Sender<Result<T, StoreError>>,
}

impl<F, T> Change for QueuedChange<F, T>
where
    F: FnOnce(&mut Tables<'_>, Time) -> Result<T, Trouble> + Send,
    T: Send,
{
    fn make(&mut self, tables: &mut Tables<'_>, now: Time) -> Result<(), redb::Error> {
        let Some(change) = self.change.take() else { return Ok(()) };
        match change(tables, now) {
            Ok(outcome) => self.outcome = Some(Ok(outcome)),
            Err(Trouble::Corrupt(why)) => self.outcome = Some(Err(StoreError::Corrupt(why))),
            Err(Trouble::Storage(error)) => return Err(error),
        }
        Ok(())
    }

    fn is_check(&self) -> bool {
        self.is_check
    }

    fn answer(self: Box<Self>, committed: Result<(), StoreError>) {
        let Self { outcome, answer, .. } = *self;
        let undone = || Err(StoreError::Unavailable("the change was not made".to_owned()));
        // The caller may have gone.
        let _ = answer.send(committed.and_then(|()| outcome.unwrap_or_else(undone)));
    }
}

impl Writer {
    pub(super) fn start(file: Arc<File>, clock: Arc<Clock>, keep: Duration, commits: u64) -> io::Result<Self> {
        let (changes, receiver) = mpsc::channel();
        let (is_failing, ended) = (Arc::<AtomicBool>::default(), CancellationToken::new());
        let failing = is_failing.clone();
        let committer = Committer {
            file,
            clock,
            keep,
            commits,
            has_all_tables: false,
            is_closed: false,
            is_failing: failing,
            swept_at: Instant::now(),
            runtime: Handle::try_current().ok(),
        };
        // Dropped also when the thread panics, which a damaged file can cause.
        let guard = ended.clone().drop_guard();
        let thread = thread::Builder::new().name("store".to_owned()).spawn(move || {
            let _guard = guard;
            committer.work(&receiver);
        })?;
        Ok(Self { changes: Some(changes), thread: Some(thread), is_failing, ended })
    }

    /// Cancelled when the thread has ended.
    pub(super) fn ended(&self) -> &CancellationToken {
        &self.ended
    }

    /// Checks that a commit succeeds; after a failure, that there is room for more than a few changes.
    pub(super) async fn check(&self) -> Result<(), StoreError> {
        if !self.is_failing.load(Ordering::Relaxed) {
            return self.ask(true, |_, _| Ok(())).await;
        }
        self.change(fill_probe).await?;
        self.change(empty_probe).await
    }

    /// Makes a change. It is durable when this returns.
    pub(super) async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Tables<'_>, Time) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.ask(false, change).await
    }

    async fn ask<T: Send + 'static>(
        &self,
        is_check: bool,
        change: impl FnOnce(&mut Tables<'_>, Time) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, StoreError> {
        let ended = || StoreError::Unavailable("the writer thread has ended".to_owned());
        let (answer, answered) = oneshot::channel();
        let asked = QueuedChange { is_check, change: Some(change), outcome: None, answer };
        let changes = self.changes.as_ref().ok_or_else(ended)?;
        changes.send(Box::new(asked)).map_err(|_| ended())?;
        // It may have ended after the commit.
        answered.await.unwrap_or_else(|_| Err(StoreError::Unclear("the writer thread has ended".to_owned())))
    }
}

impl Drop for Writer {
    /// Waits until everything is written and the file is closed.
    fn drop(&mut self) {
        self.changes = None;
        if let Some(thread) = self.thread.take() {
            // The thread has logged its failure.
            let _ = thread.join();
        }
    }
}

fn fill_probe(tables: &mut Tables<'_>, _: Time) -> Result<(), Trouble> {
    tables.probe.open()?.insert((), vec![0; PROBE_BYTES].as_slice())?;
    Ok(())
}

fn empty_probe(tables: &mut Tables<'_>, _: Time) -> Result<(), Trouble> {
    tables.probe.open()?.remove(())?;
    Ok(())
}

/// Adds the changes that are waiting.
fn take_queued(changes: &Receiver<Box<dyn Change>>, group: &mut Vec<Box<dyn Change>>) {
    while group.len() < GROUP
        && let Ok(next) = changes.try_recv()
    {
        group.push(next);
    }
}

/// Whether a failed transaction may be durable all the same.
enum Failure {
    /// It failed before the commit.
    Before(redb::Error),
    /// The commit failed.
    Commit(redb::Error),
}

struct Committer {
    file: Arc<File>,
    clock: Arc<Clock>,
    keep: Duration,
    /// Number of commits.
    commits: u64,
    /// Whether a commit has created missing tables.
    has_all_tables: bool,
    /// Reopening the file after a failure has failed.
    is_closed: bool,
    /// Whether the last commit with changes failed.
    is_failing: Arc<AtomicBool>,
    swept_at: Instant,
    /// The runtime in which the store was opened, where its callers are.
    runtime: Option<Handle>,
}

impl Committer {
    fn work(mut self, changes: &Receiver<Box<dyn Change>>) {
        let mut group = Vec::new();
        let mut next_at = Instant::now();
        loop {
            match changes.recv_timeout(TICK) {
                Ok(first) => group.push(first),
                Err(RecvTimeoutError::Timeout) if self.is_failing.load(Ordering::Relaxed) => self.probe(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            take_queued(changes, &mut group);
            let pause = next_at.saturating_duration_since(Instant::now());
            if group.len() < MANY && !pause.is_zero() {
                thread::sleep(pause);
                take_queued(changes, &mut group);
            }
            let is_shared = group.len() > 1;
            self.commit(mem::take(&mut group));
            next_at = Instant::now() + if is_shared { PAUSE } else { Duration::ZERO };
        }
        // The clock continues from here.
        self.commit(group);
    }

    /// Finds out whether there is room again, also if nobody asks: until then the clock stands still.
    fn probe(&mut self) {
        for change in [fill_probe, empty_probe] {
            let (answer, _) = oneshot::channel();
            let change = QueuedChange { is_check: false, change: Some(change), outcome: None, answer };
            self.commit(vec![Box::new(change)]);
            if self.is_failing.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    /// Makes the changes in one transaction, and answers. Without changes only the time is stored.
    fn commit(&mut self, mut group: Vec<Box<dyn Change>>) {
        let committed = self.try_commit(&mut group);
        if let Err(error) = &committed {
            tracing::warn!(%error, changes = group.len(), "commit failed, reopening the store");
        }
        if group.iter().any(|change| !change.is_check()) || committed.is_err() && !group.is_empty() {
            self.is_failing.store(committed.is_err(), Ordering::Relaxed);
            // A player must not lose on time who cannot move.
            self.clock.set_stopped(committed.is_err());
        }
        let answer = move |group: Vec<Box<dyn Change>>| {
            for change in group {
                change.answer(committed.clone());
            }
        };
        match &self.runtime {
            // A caller that is woken from another thread passes through a queue that all workers of the runtime share. So a group is answered
            // by one task, which wakes the callers on its own worker.
            Some(runtime) if group.len() > 1 => drop(runtime.spawn(async move { answer(group) })),
            _ => answer(group),
        }
    }

    fn try_commit(&mut self, group: &mut [Box<dyn Change>]) -> Result<(), StoreError> {
        if self.is_closed {
            self.reopen()?;
        }
        let failure = match self.transact(group) {
            Ok(()) => return Ok(()),
            Err(failure) => failure,
        };
        // The library refuses all operations until the file is reopened. Its number of commits then shows whether the commit
        // succeeded.
        let expected = self.commits + 1;
        let reopened = self.reopen();
        match (failure, reopened) {
            (_, Ok(())) if self.commits == expected => Ok(()),
            (Failure::Commit(error), Err(_)) => Err(StoreError::Unclear(error.to_string())),
            (Failure::Before(error) | Failure::Commit(error), _) => Err(Trouble::Storage(error).into()),
        }
    }

    fn reopen(&mut self) -> Result<(), StoreError> {
        self.is_closed = true;
        self.commits = self.file.reopen()?;
        self.is_closed = false;
        tracing::info!("store reopened");
        Ok(())
    }

    fn transact(&mut self, group: &mut [Box<dyn Change>]) -> Result<(), Failure> {
        let is_time_to_sweep = self.swept_at.elapsed() >= SWEEP.min(self.keep);
        let mut is_more_to_sweep = false;
        let mut outcome = Ok(());
        let made = self.file.with(|database| {
            // The default durability is immediate: `commit` returns after fsync.
            let transaction = database.begin_write()?;
            let mut tables = Tables::of(&transaction);
            if !self.has_all_tables {
                // An older version of this program may have written the file.
                tables.create_all()?;
            }
            let now = self.clock.now();
            for change in group {
                change.make(&mut tables, now)?;
            }
            if is_time_to_sweep {
                is_more_to_sweep = self.sweep(&mut tables, now)?;
            }
            tables.finish(now, self.commits + 1)?;
            drop(tables);
            outcome = transaction.commit().map_err(|error| Failure::Commit(error.into()));
            Ok(())
        });
        match made {
            Ok(()) => outcome?,
            Err(Trouble::Storage(error)) => return Err(Failure::Before(error)),
            // Changes report unreadable data to their callers, so this cannot happen.
            Err(Trouble::Corrupt(why)) => return Err(Failure::Before(redb::Error::Corrupted(why))),
        }
        self.commits += 1;
        self.has_all_tables = true;
        if is_time_to_sweep && !is_more_to_sweep {
            self.swept_at = Instant::now();
        }
        Ok(())
    }

    fn sweep(&self, tables: &mut Tables<'_>, now: Time) -> Result<bool, Trouble> {
        let keep = u64::try_from(self.keep.as_millis()).unwrap_or(u64::MAX);
        let Some(before) = now.0.checked_sub(keep) else { return Ok(false) };
        change::sweep(tables, Time(before), SWEPT_AT_ONCE)
    }
}
