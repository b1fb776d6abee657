use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinSet;

use super::echo::{Echo, Frames};
use super::figures::Figures;
use super::game;
use super::tally::Tally;
use super::turns::{Shares, Turns};
use super::url::RelayUrl;

/// So many pairs sit down at a time. They would all come at once otherwise, and nobody measures that.
const AT_ONCE: usize = 100;

/// Many games at once.
#[derive(Clone, Debug)]
pub(crate) struct Crowd {
    /// Where they are played. The players of a game are at different relays, if there are several.
    pub(crate) relays: Vec<RelayUrl>,
    /// How many at a time.
    pub(crate) games: usize,
    /// For how long, once everybody sits.
    pub(crate) time: Duration,
    /// How long a player waits before moving; none is as fast as it goes.
    pub(crate) think: Option<Duration>,
    /// Whether players come back to their seats when connections break.
    pub(crate) resume: bool,
    /// Somebody who only sends back what is sent, to compare with in turns. Each then has as long as the relay alone.
    pub(crate) echo: Option<RelayUrl>,
    /// What makes it the same crowd again.
    pub(crate) seed: u64,
}

/// What the games of a crowd have in common.
#[derive(Clone)]
pub(super) struct Hall {
    pub(super) crowd: Arc<Crowd>,
    /// The way to the first seats.
    pub(super) door: Arc<Semaphore>,
    /// Until when is played, once it is known: when everybody sits.
    pub(super) until: watch::Receiver<Option<Instant>>,
    /// How many moves there were so far.
    pub(super) moves: Arc<AtomicU64>,
    pub(super) turns: Arc<Turns>,
    /// What a game is made of, as soon as enough of one was played.
    pub(super) frames: Arc<OnceLock<Frames>>,
}

/// What came of a crowd.
pub(crate) struct Played {
    pub(crate) tally: Tally,
    pub(crate) took: Duration,
    /// How long the relays have computed meanwhile, in seconds, if they say so.
    pub(crate) computed: Option<f64>,
    /// The same frames, and how long the echo had.
    pub(crate) echo: Option<(Tally, Duration)>,
}

impl Crowd {
    /// Plays. `progress` is called about once a second with the number of moves so far.
    pub(crate) async fn play(self, mut progress: impl FnMut(u64)) -> Result<Played, String> {
        let echo = match &self.echo {
            Some(echo) => Some(Echo::connect(echo, self.games).await.map_err(|broken| format!("echo: {broken}"))?),
            None => None,
        };
        let (whistle, until) = watch::channel(None);
        let crowd = Arc::new(self);
        let hall = Hall {
            crowd: crowd.clone(),
            door: Arc::new(Semaphore::new(AT_ONCE)),
            until,
            moves: Arc::default(),
            turns: Arc::default(),
            frames: Arc::default(),
        };
        let (standing, mut sit) = mpsc::channel::<()>(1);
        let mut tasks = JoinSet::new();
        for number in 0..crowd.games {
            tasks.spawn(game::play_on(hall.clone(), number, standing.clone()));
        }
        // It is over when the last of them has dropped its own.
        drop(standing);
        while sit.recv().await.is_some() {}

        let before = crowd.computed().await;
        let until = Instant::now() + if echo.is_some() { 2 * crowd.time } else { crowd.time };
        let begin = move || {
            // There may be no games.
            let _ = whistle.send(Some(until));
        };
        let echoing = async {
            let Some(echo) = echo else {
                begin();
                tokio::time::sleep_until(until.into()).await;
                return (Shares { relay: crowd.time, ..Shares::default() }, None);
            };
            let is_ready = || hall.frames.get().is_some();
            let run = echo.run(hall.turns.clone(), hall.frames.clone(), until);
            let (shares, tally) = tokio::join!(hall.turns.give(until, begin, is_ready), run);
            (shares, Some((tally, shares.echo)))
        };
        let measuring = async {
            let (shares, echo) = echoing.await;
            (shares, echo, before.zip(crowd.computed().await).map(|(before, after)| after - before))
        };
        let mut measuring = std::pin::pin!(measuring);
        let mut measured = None;
        let mut tally = Tally::default();
        let mut second = tokio::time::interval(Duration::from_secs(1));
        loop {
            tokio::select! {
                result = &mut measuring, if measured.is_none() => measured = Some(result),
                one = tasks.join_next(), if !tasks.is_empty() => match one {
                    Some(Ok(one)) => tally.absorb(one),
                    Some(Err(error)) => tally.object(format!("a player has panicked: {error}")),
                    None => {}
                },
                _ = second.tick() => progress(hall.moves.load(Ordering::Relaxed)),
            }
            if let Some((shares, echo, computed)) = measured.take_if(|_| tasks.is_empty()) {
                return Ok(Played { tally, took: shares.relay, computed, echo });
            }
        }
    }

    async fn computed(&self) -> Option<f64> {
        let mut sum = 0.0;
        for relay in &self.relays {
            sum += Figures::of(relay).await.ok()?.time;
        }
        Some(sum)
    }
}
