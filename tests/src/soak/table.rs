//! A table: one checked game after the other.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::Entrances;
use super::fault::Place;
use crate::checked_games::{AuditedGame, CheckedGame, ClientCounts, PlayStyle, TIMEOUT};
use crate::random::Random;

const POLL: Duration = Duration::from_millis(20);

/// How many games end at a table before it only continues the last one, so that the audit at the end stays short.
const MAX_GAMES: usize = 1_000;

pub(super) struct TablePlan {
    pub(super) number: usize,
    pub(super) place: Place,
    /// Where clients can connect.
    pub(super) entrances: Entrances,
    pub(super) seed: u64,
}

pub(super) struct Table {
    place: Place,
    games: Arc<Mutex<Vec<Arc<CheckedGame>>>>,
    stop: Arc<AtomicBool>,
    task: JoinHandle<Result<()>>,
}

impl Table {
    /// Opens a table, which plays until it is finished.
    pub(super) fn open(plan: TablePlan) -> Self {
        let (games, stop) = (Arc::<Mutex<Vec<_>>>::default(), Arc::<AtomicBool>::default());
        let place = plan.place;
        let task = tokio::spawn(play(plan, games.clone(), stop.clone()));
        Self { place, games, stop, task }
    }

    pub(super) const fn place(&self) -> Place {
        self.place
    }

    fn games(&self) -> MutexGuard<'_, Vec<Arc<CheckedGame>>> {
        lock(&self.games)
    }

    /// Number of moves in all games that every client has seen.
    pub(super) fn progress(&self) -> usize {
        self.games().iter().map(|game| game.shortest()).sum()
    }

    pub(super) fn check(&self) -> Result<()> {
        if self.task.is_finished() && !self.stop.load(Ordering::Relaxed) {
            bail!("a table has ended: {}", self.summary());
        }
        self.games().iter().try_for_each(|game| game.check())
    }

    pub(super) fn summary(&self) -> String {
        self.games().last().map_or_else(|| "no game".to_owned(), |game| game.summary())
    }

    /// Stops, and compares all games with the records of these relays.
    pub(super) async fn finish(self, relays: &[SocketAddr]) -> Result<(Vec<AuditedGame>, ClientCounts)> {
        self.stop.store(true, Ordering::Relaxed);
        // It may be waiting for the clients of a new game.
        timeout(TIMEOUT, self.task).await.context("a table does not stop")???;
        let games = lock(&self.games).clone();
        let mut audited = Vec::new();
        let mut counts = ClientCounts::default();
        for game in games {
            game.stop();
            audited.push(game.audit(relays).await.with_context(|| game.summary())?);
            game.check()?;
            let ClientCounts { joins, store_errors, resent, latencies_ms } = game.counts();
            counts.joins += joins;
            counts.store_errors += store_errors;
            counts.resent += resent;
            counts.latencies_ms.extend(latencies_ms);
        }
        Ok((audited, counts))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn play(plan: TablePlan, games: Arc<Mutex<Vec<Arc<CheckedGame>>>>, stop: Arc<AtomicBool>) -> Result<()> {
    let mut random = Random::new(plan.seed);
    let mut round = 0;
    while !stop.load(Ordering::Relaxed) {
        let code = format!("soak_{}_{round}", plan.number);
        round += 1;
        let think = Duration::from_millis(random.within(10..=40));
        // The increment is longer than a move takes, so that only lost or invented time could end a game.
        let clock = Some("600+60");
        let ends = lock(&games).len() < MAX_GAMES;
        let style = PlayStyle { think, clock, ends, doubled_per_thousand: 20, seed: random.number() };
        let mut route = || {
            let mut route = plan.entrances.to_vec();
            random.shuffle(&mut route);
            route
        };
        let routes = [route(), route(), route()];
        // Without seats for its players there is no game to check.
        let Some(game) = CheckedGame::start(&code, routes, style).await? else { continue };
        let game = Arc::new(game);
        lock(&games).push(game.clone());
        while !game.is_over() && !stop.load(Ordering::Relaxed) {
            sleep(POLL).await;
        }
    }
    Ok(())
}
