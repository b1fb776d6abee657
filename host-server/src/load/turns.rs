use std::time::{Duration, Instant};

use tokio::sync::{RwLock, RwLockReadGuard};
use tokio::time::sleep_until;

/// So long is each turn. Whatever else the machine does lasts longer, and so hits both.
const TURN: Duration = Duration::from_millis(500);

/// The relay and the echo take turns: while one is measured, the other rests.
#[derive(Debug, Default)]
pub(super) struct Turns {
    relay: RwLock<()>,
    echo: RwLock<()>,
}

/// How long each had.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shares {
    pub(super) relay: Duration,
    pub(super) echo: Duration,
}

impl Turns {
    /// Waits until it is the relay's turn. It does not end before what is returned is dropped.
    pub(super) async fn relay(&self) -> RwLockReadGuard<'_, ()> {
        self.relay.read().await
    }

    /// The same for the echo.
    pub(super) async fn echo(&self) -> RwLockReadGuard<'_, ()> {
        self.echo.read().await
    }

    /// Gives turns until it is time. The echo has its first one only when `is_ready`; before that, `begin` is called.
    pub(super) async fn give(&self, until: Instant, begin: impl FnOnce(), is_ready: impl Fn() -> bool) -> Shares {
        let mut shares = Shares::default();
        let mut no_echo = self.echo.write().await;
        begin();
        while Instant::now() < until {
            let since = Instant::now();
            sleep_until((since + TURN).min(until).into()).await;
            // Whoever is in the middle of something has this much more time, and it counts.
            let no_relay = self.relay.write().await;
            shares.relay += since.elapsed();
            let since = Instant::now();
            if since >= until || !is_ready() {
                continue;
            }
            drop(no_echo);
            sleep_until((since + TURN).min(until).into()).await;
            no_echo = self.echo.write().await;
            shares.echo += since.elapsed();
            drop(no_relay);
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn nobody_is_there_in_the_others_turn() {
        let turns = Arc::new(Turns::default());
        let relays = Arc::new(AtomicUsize::new(0));
        let until = Instant::now() + 3 * TURN;
        let player = tokio::spawn({
            let (turns, relays) = (turns.clone(), relays.clone());
            async move {
                while Instant::now() < until {
                    let _turn = turns.relay().await;
                    relays.fetch_add(1, Ordering::SeqCst);
                    tokio::time::sleep(Duration::from_millis(1)).await;
                    relays.fetch_sub(1, Ordering::SeqCst);
                }
            }
        });
        let echo = tokio::spawn({
            let turns = turns.clone();
            async move {
                let mut heard = 0;
                while Instant::now() < until {
                    let _turn = turns.echo().await;
                    assert_eq!(relays.load(Ordering::SeqCst), 0);
                    tokio::time::sleep(Duration::from_millis(1)).await;
                    heard += 1;
                }
                heard
            }
        });
        let shares = turns.give(until, || {}, || true).await;
        player.await.unwrap();
        assert!(echo.await.unwrap() > 1);
        assert!(shares.relay >= TURN && shares.echo >= TURN);
    }
}
