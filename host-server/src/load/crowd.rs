use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinSet;

use super::figures::Figures;
use super::game;
use super::tally::Tally;
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
}

/// What came of a crowd.
pub(crate) struct Played {
    pub(crate) tally: Tally,
    pub(crate) took: Duration,
    /// How long the relays have computed meanwhile, in seconds, if they say so.
    pub(crate) computed: Option<f64>,
}

impl Crowd {
    /// Plays. `progress` is called about once a second with the number of moves so far.
    pub(crate) async fn play(self, mut progress: impl FnMut(u64)) -> Played {
        let (begin, until) = watch::channel(None);
        let moves = Arc::new(AtomicU64::new(0));
        let crowd = Arc::new(self);
        let door = Arc::new(Semaphore::new(AT_ONCE));
        let hall = Hall { crowd: crowd.clone(), door, until, moves: moves.clone() };
        let (standing, mut sit) = mpsc::channel::<()>(1);
        let mut tasks = JoinSet::new();
        for number in 0..crowd.games {
            tasks.spawn(game::play_on(hall.clone(), number, standing.clone()));
        }
        // It is over when the last of them has dropped its own.
        drop(standing);
        while sit.recv().await.is_some() {}

        let before = crowd.computed().await;
        let started = Instant::now();
        let until = started + crowd.time;
        // There may be no games.
        let _ = begin.send(Some(until));
        let mut tally = Tally::default();
        let mut computed = None;
        let mut second = tokio::time::interval(Duration::from_secs(1));
        let mut is_over = false;
        loop {
            tokio::select! {
                one = tasks.join_next() => match one {
                    Some(Ok(one)) => tally.absorb(one),
                    Some(Err(error)) => tally.object(format!("a player has panicked: {error}")),
                    None => break,
                },
                () = tokio::time::sleep_until(until.into()), if !is_over => {
                    is_over = true;
                    computed = before.zip(crowd.computed().await).map(|(before, after)| after - before);
                }
                _ = second.tick() => progress(moves.load(Ordering::Relaxed)),
            }
        }
        // What was on its way at the end is not waited for.
        Played { tally, took: started.elapsed().min(crowd.time), computed }
    }

    async fn computed(&self) -> Option<f64> {
        let mut sum = 0.0;
        for relay in &self.relays {
            sum += Figures::of(relay).await.ok()?.time;
        }
        Some(sum)
    }
}
