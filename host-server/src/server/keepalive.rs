use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// After so much silence a connection is asked whether it is there, and each time again.
const ASK_AFTER: Duration = Duration::from_secs(15);
/// After so much silence it is not.
const DEAD_AFTER: Duration = Duration::from_secs(40);
/// The same where somebody waits for whoever is silent. It wakes a telephone more often, so nobody else is asked like that.
const ASK_SOON_AFTER: Duration = Duration::from_secs(5);
const DEAD_SOON_AFTER: Duration = Duration::from_secs(15);

/// Finds out whether somebody is still there: a cable that was pulled says nothing.
///
/// It lives within a tongue's loop and needs no task of its own:
///
/// ```ignore
/// tokio::select! {
///     message = socket.recv() => { keepalive.heard(); /* .. */ }
///     beat = keepalive.beat() => match beat {
///         Beat::Ping => send(&mut socket, Message::Ping(Bytes::new())).await?,
///         Beat::Dead => return,
///     },
/// }
/// ```
#[derive(Debug)]
pub struct Keepalive {
    heard: Instant,
    asked: Instant,
    is_awaited: bool,
}

/// What is to be done about silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    /// Send a ping.
    Ping,
    /// Give up.
    Dead,
}

impl Default for Keepalive {
    fn default() -> Self {
        let now = Instant::now();
        Self { heard: now, asked: now, is_awaited: false }
    }
}

impl Keepalive {
    /// Something came, whatever it is.
    pub fn heard(&mut self) {
        self.heard = Instant::now();
        self.asked = self.heard;
    }

    /// Whether somebody waits for whoever is at the other end, and wants to know soon that they have gone.
    pub fn await_them(&mut self, is_awaited: bool) {
        if is_awaited
            && !self.is_awaited
            && let Some(asked_soon) = Instant::now().checked_sub(ASK_SOON_AFTER)
        {
            // Until now nobody was in a hurry to ask, so the silence before says nothing.
            self.heard = self.heard.max(asked_soon);
        }
        self.is_awaited = is_awaited;
    }

    /// Waits until something is to be done. A `select!` may drop it at any time and ask again.
    pub async fn beat(&mut self) -> Beat {
        let (ask_after, dead_after) =
            if self.is_awaited { (ASK_SOON_AFTER, DEAD_SOON_AFTER) } else { (ASK_AFTER, DEAD_AFTER) };
        let (ask, dead) = (self.asked + ask_after, self.heard + dead_after);
        if ask < dead {
            sleep_until(ask).await;
            self.asked = Instant::now();
            Beat::Ping
        } else {
            sleep_until(dead).await;
            Beat::Dead
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is done about somebody who never says anything, and after how many seconds.
    async fn beats(mut keepalive: Keepalive) -> Vec<(Beat, u64)> {
        let begun = Instant::now();
        let mut beats = Vec::new();
        while beats.last().is_none_or(|&(beat, _)| beat != Beat::Dead) {
            beats.push((keepalive.beat().await, begun.elapsed().as_secs()));
        }
        beats
    }

    #[tokio::test(start_paused = true)]
    async fn silence_is_asked_about_and_then_given_up() {
        let keepalive = Keepalive::default();
        assert_eq!(beats(keepalive).await, [(Beat::Ping, 15), (Beat::Ping, 30), (Beat::Dead, 40)]);
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_is_awaited_is_missed_soon() {
        let mut keepalive = Keepalive::default();
        keepalive.await_them(true);
        assert_eq!(beats(keepalive).await, [(Beat::Ping, 5), (Beat::Ping, 10), (Beat::Dead, 15)]);
    }

    /// They were asked long ago, and nobody has waited for the answer until now.
    #[tokio::test(start_paused = true)]
    async fn whoever_is_awaited_all_at_once_is_asked_first() {
        let begun = Instant::now();
        let mut keepalive = Keepalive::default();
        assert_eq!(keepalive.beat().await, Beat::Ping);
        keepalive.heard();
        tokio::time::sleep(Duration::from_secs(14)).await;
        keepalive.await_them(true);
        assert_eq!((keepalive.beat().await, begun.elapsed().as_secs()), (Beat::Ping, 29));
        assert_eq!((keepalive.beat().await, begun.elapsed().as_secs()), (Beat::Ping, 34));
        assert_eq!((keepalive.beat().await, begun.elapsed().as_secs()), (Beat::Dead, 39));
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_answers_is_there() {
        let mut keepalive = Keepalive::default();
        for _ in 0..100 {
            assert_eq!(keepalive.beat().await, Beat::Ping);
            keepalive.heard();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn it_can_be_asked_again_and_again() {
        let mut keepalive = Keepalive::default();
        let begun = Instant::now();
        loop {
            tokio::select! {
                beat = keepalive.beat() => {
                    assert_eq!((beat, begun.elapsed().as_secs()), (Beat::Ping, 15));
                    break;
                }
                () = tokio::time::sleep(Duration::from_secs(1)) => {}
            }
        }
    }
}
