use std::time::Duration;

use tokio::sync::{RwLock, RwLockReadGuard};
use tokio::time::{Instant, sleep_until};

/// Length of a time slice. Other load on the machine lasts longer than this, so it disturbs both measurements alike.
const SLICE: Duration = Duration::from_millis(500);

/// Alternates between the measurement of the relay and that of the echo server: while one runs, the other waits.
#[derive(Debug, Default)]
pub(super) struct TimeSlices {
    relay: RwLock<()>,
    echo: RwLock<()>,
}

/// The time that each measurement had in all.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TimeShares {
    pub(super) relay: Duration,
    pub(super) echo: Duration,
}

impl TimeSlices {
    /// Waits for a slice of the relay. The slice ends only after the guard is dropped.
    pub(super) async fn relay(&self) -> RwLockReadGuard<'_, ()> {
        self.relay.read().await
    }

    /// Waits for a slice of the echo server. The slice ends only after the guard is dropped.
    pub(super) async fn echo(&self) -> RwLockReadGuard<'_, ()> {
        self.echo.read().await
    }

    /// Calls `begin`, then alternates until `until`. The echo server gets no slice before `is_ready`.
    pub(super) async fn alternate(
        &self,
        until: Instant,
        begin: impl FnOnce(),
        is_ready: impl Fn() -> bool,
    ) -> TimeShares {
        let mut shares = TimeShares::default();
        let mut no_echo = self.echo.write().await;
        begin();
        while Instant::now() < until {
            let since = Instant::now();
            sleep_until((since + SLICE).min(until)).await;
            // Waits for exchanges under way. Their time counts for the relay.
            let no_relay = self.relay.write().await;
            shares.relay += since.elapsed();
            let since = Instant::now();
            if since >= until || !is_ready() {
                continue;
            }
            drop(no_echo);
            sleep_until((since + SLICE).min(until)).await;
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

    #[tokio::test(start_paused = true)]
    async fn relay_and_echo_never_run_at_the_same_time() {
        let slices = Arc::new(TimeSlices::default());
        let relays = Arc::new(AtomicUsize::new(0));
        let until = Instant::now() + 3 * SLICE;
        let player = tokio::spawn({
            let (slices, relays) = (slices.clone(), relays.clone());
            async move {
                while Instant::now() < until {
                    let _slice = slices.relay().await;
                    relays.fetch_add(1, Ordering::SeqCst);
                    tokio::time::sleep(Duration::from_millis(1)).await;
                    relays.fetch_sub(1, Ordering::SeqCst);
                }
            }
        });
        let echo = tokio::spawn({
            let slices = slices.clone();
            async move {
                let mut exchanges = 0;
                while Instant::now() < until {
                    let _slice = slices.echo().await;
                    assert_eq!(relays.load(Ordering::SeqCst), 0);
                    tokio::time::sleep(Duration::from_millis(1)).await;
                    exchanges += 1;
                }
                exchanges
            }
        });
        let shares = slices.alternate(until, || {}, || true).await;
        player.await.unwrap();
        assert!(echo.await.unwrap() > 1);
        assert!(shares.relay >= SLICE && shares.echo >= SLICE);
    }
}
