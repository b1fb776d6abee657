use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep_until};

use super::echo::{EchoConnections, SampleFrames};
use super::game;
use super::process_metrics::ProcessMetrics;
use super::relay_url::RelayUrl;
use super::report::Counters;
use super::time_slices::{TimeShares, TimeSlices};

/// Number of pairs that connect concurrently. What is measured is play, not a burst of new connections.
const CONCURRENT_JOINS: usize = 100;

/// Many games in parallel.
#[derive(Clone, Debug)]
pub struct LoadTest {
    /// The relays. With several, the two players of a game are connected to different ones.
    pub relays: Vec<RelayUrl>,
    /// Number of games in parallel.
    pub games: usize,
    /// Duration of the measurement, which begins when all players are connected.
    pub time: Duration,
    /// Average time that a player waits before a move; `None` to move at once.
    pub think: Option<Duration>,
    /// Whether players reconnect to their seats when a connection breaks.
    pub resume: bool,
    /// An echo server to compare with. Relay and echo server each have `time`, in alternating slices.
    pub echo: Option<RelayUrl>,
    /// Seed of the games.
    pub seed: u64,
}

/// What the tasks of all games share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) test: Arc<LoadTest>,
    /// Limits concurrent joins.
    pub(super) joins: Arc<Semaphore>,
    /// The end of the measurement, known as soon as all players are connected.
    pub(super) until: watch::Receiver<Option<Instant>>,
    pub(super) moves: Arc<AtomicU64>,
    pub(super) slices: Arc<TimeSlices>,
    /// Set by the first game that has a complete sample.
    pub(super) frames: Arc<OnceLock<SampleFrames>>,
}

/// The measurements of a load test.
pub struct LoadResult {
    /// What the players counted.
    pub counters: Counters,
    /// The duration of the measurement.
    pub time: Duration,
    /// CPU time of all relays meanwhile, if they export it.
    pub cpu_seconds: Option<f64>,
    /// What was counted with the echo server, and its duration.
    pub echo: Option<(Counters, Duration)>,
}

impl LoadTest {
    /// Runs the games. `progress` is called about once a second with the number of moves so far.
    pub async fn run(self, mut progress: impl FnMut(u64)) -> Result<LoadResult, String> {
        let echo = match &self.echo {
            Some(echo) => {
                Some(EchoConnections::open(echo, self.games).await.map_err(|error| format!("echo server: {error}"))?)
            }
            None => None,
        };
        let (start, until) = watch::channel(None);
        let test = Arc::new(self);
        let shared = Shared {
            test: test.clone(),
            joins: Arc::new(Semaphore::new(CONCURRENT_JOINS)),
            until,
            moves: Arc::default(),
            slices: Arc::default(),
            frames: Arc::default(),
        };
        let (joining, mut all_joined) = mpsc::channel::<()>(1);
        let mut tasks = JoinSet::new();
        for number in 0..test.games {
            tasks.spawn(game::play_until_end(shared.clone(), number, joining.clone()));
        }
        // The channel closes when every game has dropped its sender.
        drop(joining);
        while all_joined.recv().await.is_some() {}

        let before = test.cpu_seconds().await;
        let until = Instant::now() + if echo.is_some() { 2 * test.time } else { test.time };
        let begin = move || {
            // Without games there is no receiver.
            let _ = start.send(Some(until));
        };
        let running = async {
            let Some(echo) = echo else {
                begin();
                sleep_until(until).await;
                return (TimeShares { relay: test.time, ..TimeShares::default() }, None);
            };
            let is_ready = || shared.frames.get().is_some();
            let run = echo.run(shared.slices.clone(), shared.frames.clone(), until);
            let (slice_times, counters) = tokio::join!(shared.slices.alternate(until, begin, is_ready), run);
            (slice_times, Some((counters, slice_times.echo)))
        };
        let measuring = async {
            let (slice_times, echo) = running.await;
            (slice_times, echo, before.zip(test.cpu_seconds().await).map(|(before, after)| after - before))
        };
        let mut measuring = std::pin::pin!(measuring);
        let mut measured = None;
        let mut counters = Counters::default();
        let mut second = interval(Duration::from_secs(1));
        loop {
            tokio::select! {
                result = &mut measuring, if measured.is_none() => measured = Some(result),
                game = tasks.join_next(), if !tasks.is_empty() => match game {
                    Some(Ok(game)) => counters.add(game),
                    Some(Err(error)) => counters.add_inconsistency(format!("the task of a game failed: {error}")),
                    None => {}
                },
                _ = second.tick() => progress(shared.moves.load(Ordering::Relaxed)),
            }
            if let Some((slice_times, echo, cpu_seconds)) = measured.take_if(|_| tasks.is_empty()) {
                return Ok(LoadResult { counters, time: slice_times.relay, cpu_seconds, echo });
            }
        }
    }

    async fn cpu_seconds(&self) -> Option<f64> {
        let mut sum = 0.0;
        for relay in &self.relays {
            sum += ProcessMetrics::scrape(relay).await.ok()?.cpu_seconds;
        }
        Some(sum)
    }
}
