//! Ping and timeout for WebSocket connections: a pulled cable closes no socket.

use std::time::Duration;

use tokio::time::Instant;

use crate::timer::Timer;

/// Interval between pings while the peer is silent.
const PING_AFTER: Duration = Duration::from_secs(15);
/// Silence after which the connection counts as dead.
const TIMEOUT: Duration = Duration::from_secs(40);
/// The same while an opponent waits for this player. Pings wake a phone, so idle connections get fewer of them.
const URGENT_PING_AFTER: Duration = Duration::from_secs(5);
const URGENT_TIMEOUT: Duration = Duration::from_secs(15);

/// Keepalive timer of one connection. It runs inside the dialect's loop and needs no task of its own:
///
/// ```ignore
/// tokio::select! {
///     message = socket.recv() => { keepalive.received(); /* .. */ }
///     action = keepalive.next() => match action {
///         KeepaliveAction::Ping => send(&mut socket, Message::Ping(Bytes::new())).await?,
///         KeepaliveAction::TimedOut => return,
///     },
/// }
/// ```
#[derive(Debug)]
pub struct Keepalive {
    received: Instant,
    pinged: Instant,
    is_urgent: bool,
    timer: Timer,
}

/// What to do about a silent connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum KeepaliveAction {
    Ping,
    TimedOut,
}

impl Default for Keepalive {
    fn default() -> Self {
        let now = Instant::now();
        Self { received: now, pinged: now, is_urgent: false, timer: Timer::default() }
    }
}

impl Keepalive {
    /// Resets the timer: a message or a pong was received.
    pub fn received(&mut self) {
        self.received = Instant::now();
        self.pinged = self.received;
    }

    /// Chooses the short timeout while an opponent waits for this player.
    pub fn set_urgent(&mut self, is_urgent: bool) {
        if is_urgent
            && !self.is_urgent
            && let Some(ping_due) = Instant::now().checked_sub(URGENT_PING_AFTER)
        {
            // Earlier silence was allowed by the long timeout: ping first, and count from now.
            self.received = self.received.max(ping_due);
        }
        self.is_urgent = is_urgent;
    }

    /// Waits for the next action. Cancel-safe: `select!` may drop it and call it again.
    pub async fn next(&mut self) -> KeepaliveAction {
        let (ping_after, timeout) =
            if self.is_urgent { (URGENT_PING_AFTER, URGENT_TIMEOUT) } else { (PING_AFTER, TIMEOUT) };
        let (ping, deadline) = (self.pinged + ping_after, self.received + timeout);
        if ping < deadline {
            self.timer.wait_until(ping).await;
            self.pinged = Instant::now();
            KeepaliveAction::Ping
        } else {
            self.timer.wait_until(deadline).await;
            KeepaliveAction::TimedOut
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The actions for a silent peer, with the seconds at which they come.
    async fn actions(mut keepalive: Keepalive) -> Vec<(KeepaliveAction, u64)> {
        let started = Instant::now();
        let mut actions = Vec::new();
        while actions.last().is_none_or(|&(action, _)| action != KeepaliveAction::TimedOut) {
            actions.push((keepalive.next().await, started.elapsed().as_secs()));
        }
        actions
    }

    #[tokio::test(start_paused = true)]
    async fn pings_a_silent_peer_and_then_times_out() {
        let keepalive = Keepalive::default();
        assert_eq!(
            actions(keepalive).await,
            [(KeepaliveAction::Ping, 15), (KeepaliveAction::Ping, 30), (KeepaliveAction::TimedOut, 40)]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn an_urgent_connection_times_out_sooner() {
        let mut keepalive = Keepalive::default();
        keepalive.set_urgent(true);
        assert_eq!(
            actions(keepalive).await,
            [(KeepaliveAction::Ping, 5), (KeepaliveAction::Ping, 10), (KeepaliveAction::TimedOut, 15)]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn becoming_urgent_pings_before_it_times_out() {
        let started = Instant::now();
        let mut keepalive = Keepalive::default();
        assert_eq!(keepalive.next().await, KeepaliveAction::Ping);
        keepalive.received();
        tokio::time::sleep(Duration::from_secs(14)).await;
        keepalive.set_urgent(true);
        assert_eq!((keepalive.next().await, started.elapsed().as_secs()), (KeepaliveAction::Ping, 29));
        assert_eq!((keepalive.next().await, started.elapsed().as_secs()), (KeepaliveAction::Ping, 34));
        assert_eq!((keepalive.next().await, started.elapsed().as_secs()), (KeepaliveAction::TimedOut, 39));
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_answers_never_times_out() {
        let mut keepalive = Keepalive::default();
        for _ in 0..100 {
            assert_eq!(keepalive.next().await, KeepaliveAction::Ping);
            keepalive.received();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn next_is_cancel_safe() {
        let mut keepalive = Keepalive::default();
        let started = Instant::now();
        loop {
            tokio::select! {
                action = keepalive.next() => {
                    assert_eq!((action, started.elapsed().as_secs()), (KeepaliveAction::Ping, 15));
                    break;
                }
                () = tokio::time::sleep(Duration::from_secs(1)) => {}
            }
        }
    }
}
