use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::said::Said;
use super::seat::{Broken, Seat};
use super::tally::Tally;
use super::url::RelayUrl;

/// So many frames of a kind are kept.
const KEPT: usize = 64;

/// Frames that went through a relay, in the proportion in which they did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames {
    sent: Vec<Utf8Bytes>,
    received: Vec<Utf8Bytes>,
}

impl Frames {
    pub(super) fn sent(&mut self, frame: &Utf8Bytes) {
        if self.sent.len() < KEPT {
            self.sent.push(frame.clone());
        }
    }

    pub(super) fn received(&mut self, frame: &Utf8Bytes) {
        if self.received.len() < 2 * KEPT {
            self.received.push(frame.clone());
        }
    }

    pub(super) fn absorb(&mut self, other: Self) {
        self.sent.extend(other.sent);
        self.sent.truncate(KEPT);
        self.received.extend(other.received);
        self.received.truncate(2 * KEPT);
    }

    /// One frame that went in, and then two that came out, and so on: what a move is made of.
    fn mixed(&self) -> Vec<Utf8Bytes> {
        let moves = self.sent.iter();
        let states = self.received.chunks(2);
        moves.zip(states).flat_map(|(mv, states)| std::iter::once(mv).chain(states)).cloned().collect()
    }
}

/// The same frames to somebody who only sends them back, with as many on their way at a time as there were games.
pub(crate) struct Echo {
    /// Where it is.
    pub(crate) relay: RelayUrl,
    /// How many games there would have been: each has two connections, and one frame on its way.
    pub(crate) games: usize,
    /// For how long.
    pub(crate) time: Duration,
    /// What is sent.
    pub(crate) frames: Frames,
}

impl Tally {
    fn give_up(&mut self, broken: &Broken) {
        self.errors += 1;
        self.complain(format!("echo: {broken}"));
    }
}

impl Echo {
    pub(crate) async fn run(self) -> (Tally, Duration) {
        let frames = self.frames.mixed();
        let mut pairs = Vec::with_capacity(self.games);
        let mut tally = Tally::default();
        for _ in 0..self.games {
            match sit(&self.relay).await {
                Ok(seats) => pairs.push(seats),
                Err(broken) => tally.give_up(&broken),
            }
        }
        let mut tasks = JoinSet::new();
        let begin = Instant::now();
        let until = begin + self.time;
        for mut seats in pairs {
            let frames = frames.clone();
            tasks.spawn(async move {
                let mut tally = Tally::default();
                if let Err(broken) = exchange(&mut seats, &frames, until, &mut tally).await {
                    tally.give_up(&broken);
                }
                tally
            });
        }
        while let Some(one) = tasks.join_next().await {
            if let Ok(one) = one {
                tally.absorb(one);
            }
        }
        (tally, begin.elapsed().min(self.time))
    }
}

async fn sit(relay: &RelayUrl) -> Result<[Seat; 2], Broken> {
    Ok([Seat::take(relay, "/").await?, Seat::take(relay, "/").await?])
}

async fn exchange(
    seats: &mut [Seat; 2],
    frames: &[Utf8Bytes],
    until: Instant,
    tally: &mut Tally,
) -> Result<(), Broken> {
    for (index, frame) in frames.iter().cycle().enumerate() {
        if Instant::now() >= until {
            break;
        }
        let seat = &mut seats[index % 2];
        let begin = Instant::now();
        seat.send(frame.clone()).await?;
        let text = seat.hear().await?;
        // Whoever plays reads what is said, and that takes time that the server does not have meanwhile.
        let is_readable = serde_json::from_str::<Said<'_>>(&text).is_ok();
        if text != *frame || !is_readable {
            tally.object("an echo was not what was said".into());
        }
        tally.sent += 1;
        tally.received += 1;
        tally.delays.push(begin.elapsed().as_micros().try_into().unwrap_or(u32::MAX));
    }
    Ok(())
}
