use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// After so much silence a connection is asked whether it is there.
const ASK_AFTER: Duration = Duration::from_secs(15);
/// After so much silence it is not.
const DEAD_AFTER: Duration = Duration::from_secs(40);

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
        Self { heard: now, asked: now }
    }
}

impl Keepalive {
    /// Something came, whatever it is.
    pub fn heard(&mut self) {
        self.heard = Instant::now();
        self.asked = self.heard;
    }

    /// Waits until something is to be done. A `select!` may drop it at any time and ask again.
    pub async fn beat(&mut self) -> Beat {
        let (ask, dead) = (self.asked + ASK_AFTER, self.heard + DEAD_AFTER);
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

    #[tokio::test(start_paused = true)]
    async fn silence_is_asked_about_and_then_given_up() {
        let begun = Instant::now();
        let mut keepalive = Keepalive::default();
        let mut beats = Vec::new();
        while beats.last().is_none_or(|&(beat, _)| beat != Beat::Dead) {
            beats.push((keepalive.beat().await, begun.elapsed().as_secs()));
        }
        assert_eq!(beats, [(Beat::Ping, 15), (Beat::Ping, 30), (Beat::Dead, 40)]);
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
