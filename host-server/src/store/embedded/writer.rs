//! The one thread that changes the file.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::change;
use super::clock::Clock;
use super::file::{File, Trouble};
use super::tables::Tables;
use crate::room::Time;
use crate::store::StoreError;

/// So many changes may share a commit. It bounds how long the first of them waits.
const GROUP: usize = 4096;

/// How often the time is written down when nothing else is. So much of it may be lost in a power cut.
const TICK: Duration = Duration::from_secs(3);

/// How often to look for games that need not be kept any more, if they are not kept for even less, and how many of them go
/// in one commit.
const SWEEP: Duration = Duration::from_secs(10);
const SWEPT_AT_ONCE: usize = 16;

/// The way to the thread.
#[derive(Debug)]
pub(super) struct Writer {
    changes: Option<Sender<Box<dyn Change>>>,
    thread: Option<JoinHandle<()>>,
}

/// Something to be done in a transaction, and somebody who waits for it.
trait Change: Send {
    /// Does it. An error ends the whole transaction.
    fn make(&mut self, tables: &mut Tables<'_>, now: Time) -> Result<(), redb::Error>;

    /// Tells whoever waits what has become of the transaction.
    fn answer(self: Box<Self>, committed: Result<(), StoreError>);
}

struct Asked<F, T> {
    change: Option<F>,
    outcome: Option<Result<T, StoreError>>,
    answer: oneshot::Sender<Result<T, StoreError>>,
}

impl<F, T> Change for Asked<F, T>
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

    fn answer(self: Box<Self>, committed: Result<(), StoreError>) {
        let Self { outcome, answer, .. } = *self;
        let undone = || Err(StoreError::Unavailable("the change was not made".to_owned()));
        // Whoever asked may have gone.
        let _ = answer.send(committed.and_then(|()| outcome.unwrap_or_else(undone)));
    }
}

impl Writer {
    pub(super) fn start(file: Arc<File>, clock: Arc<Clock>, keep: Duration, commits: u64) -> io::Result<Self> {
        let (changes, receiver) = mpsc::channel();
        let hand = Hand { file, clock, keep, commits, is_closed: false, swept_at: Instant::now() };
        let thread = thread::Builder::new().name("store".to_owned()).spawn(move || hand.work(&receiver))?;
        Ok(Self { changes: Some(changes), thread: Some(thread) })
    }

    /// Makes a change. It is on the disk when this returns.
    pub(super) async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Tables<'_>, Time) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, StoreError> {
        let ended = || StoreError::Unavailable("the thread that writes has ended".to_owned());
        let (answer, answered) = oneshot::channel();
        let asked = Asked { change: Some(change), outcome: None, answer };
        let changes = self.changes.as_ref().ok_or_else(ended)?;
        changes.send(Box::new(asked)).map_err(|_| ended())?;
        // It may have ended in the middle of it.
        answered.await.unwrap_or_else(|_| Err(StoreError::Unclear("the thread that writes has ended".to_owned())))
    }
}

impl Drop for Writer {
    /// Waits until everything is written and the file is free for others.
    fn drop(&mut self) {
        self.changes = None;
        if let Some(thread) = self.thread.take() {
            // It has said what went wrong by itself.
            let _ = thread.join();
        }
    }
}

/// Whether a failed transaction may be on the disk all the same.
enum Failure {
    /// It never came to the commit.
    Before(redb::Error),
    /// The commit failed.
    Commit(redb::Error),
}

struct Hand {
    file: Arc<File>,
    clock: Arc<Clock>,
    keep: Duration,
    /// How many commits the file has seen.
    commits: u64,
    /// The file could not be opened again after a failure.
    is_closed: bool,
    swept_at: Instant,
}

impl Hand {
    fn work(mut self, changes: &Receiver<Box<dyn Change>>) {
        let mut group = Vec::new();
        loop {
            match changes.recv_timeout(TICK) {
                Ok(first) => group.push(first),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            while group.len() < GROUP
                && let Ok(next) = changes.try_recv()
            {
                group.push(next);
            }
            self.commit(&mut group);
        }
        // The time goes on from here.
        self.commit(&mut group);
    }

    /// Makes the changes, all in one transaction, and answers. There may be none: then only the time is written down.
    fn commit(&mut self, group: &mut Vec<Box<dyn Change>>) {
        let committed = self.try_commit(group);
        if let Err(error) = &committed {
            tracing::warn!(%error, changes = group.len(), "nothing could be written");
        }
        for change in group.drain(..) {
            change.answer(committed.clone());
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
        // From now on the library refuses everything until the file is opened again. That also tells what has become of the
        // commit.
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
        tracing::info!("the store was opened again");
        Ok(())
    }

    fn transact(&mut self, group: &mut [Box<dyn Change>]) -> Result<(), Failure> {
        let is_time_to_sweep = self.swept_at.elapsed() >= SWEEP.min(self.keep);
        let mut is_more_to_sweep = false;
        let mut outcome = Ok(());
        let made = self.file.with(|database| {
            // Its durability is immediate unless one says otherwise: `commit` returns when the disk has it.
            let transaction = database.begin_write()?;
            let mut tables = Tables::open(&transaction)?;
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
            // Only changes read what could make no sense, and they keep that to themselves.
            Err(Trouble::Corrupt(why)) => return Err(Failure::Before(redb::Error::Corrupted(why))),
        }
        self.commits += 1;
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
