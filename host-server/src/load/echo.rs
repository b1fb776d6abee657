use std::sync::{Arc, OnceLock};
use std::time::Instant;

use futures_util::future::try_join_all;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::said::Said;
use super::seat::{Broken, Seat};
use super::tally::Tally;
use super::turns::Turns;
use super::url::RelayUrl;

/// So many frames of players are kept, and twice as many of the relay.
const KEPT: usize = 32;

/// Frames that went through a relay, in the proportion in which they did.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames {
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

    /// Whether there are enough of them.
    pub(super) fn are_enough(&self) -> bool {
        self.sent.len() == KEPT && self.received.len() == 2 * KEPT
    }

    /// One frame that went in, and then two that came out, and so on: what a move is made of.
    fn mixed(&self) -> Vec<Utf8Bytes> {
        let moves = self.sent.iter();
        let states = self.received.chunks(2);
        moves.zip(states).flat_map(|(mv, states)| std::iter::once(mv).chain(states)).cloned().collect()
    }
}

/// So many connections are made at a time.
const AT_ONCE: usize = 100;

/// Connections to somebody who only sends back what is sent, two for each game that there is beside them.
pub(super) struct Echo {
    pairs: Vec<[Seat; 2]>,
}

impl Echo {
    /// Connects for so many games.
    pub(super) async fn connect(relay: &RelayUrl, games: usize) -> Result<Self, Broken> {
        let mut pairs = Vec::with_capacity(games);
        while pairs.len() < games {
            let more = (games - pairs.len()).min(AT_ONCE);
            let pair = || async { Ok::<_, Broken>([Seat::take(relay, "/").await?, Seat::take(relay, "/").await?]) };
            pairs.extend(try_join_all((0..more).map(|_| pair())).await?);
        }
        Ok(Self { pairs })
    }

    /// In its turns, sends frames until it is time, with one of them on its way for each game.
    pub(super) async fn run(self, turns: Arc<Turns>, frames: Arc<OnceLock<Frames>>, until: Instant) -> Tally {
        let mut tasks = JoinSet::new();
        for mut seats in self.pairs {
            let (turns, frames) = (turns.clone(), frames.clone());
            tasks.spawn(async move {
                let mut tally = Tally::default();
                if let Err(broken) = exchange(&mut seats, &turns, &frames, until, &mut tally).await {
                    tally.errors += 1;
                    tally.complain(format!("echo: {broken}"));
                }
                tally
            });
        }
        let mut tally = Tally::default();
        while let Some(one) = tasks.join_next().await {
            match one {
                Ok(one) => tally.absorb(one),
                Err(error) => tally.object(format!("echo: {error}")),
            }
        }
        tally
    }
}

async fn exchange(
    seats: &mut [Seat; 2],
    turns: &Turns,
    frames: &OnceLock<Frames>,
    until: Instant,
    tally: &mut Tally,
) -> Result<(), Broken> {
    // There are none before it is the echo's turn for the first time.
    let frames = {
        let _turn = turns.echo().await;
        frames.get().map(Frames::mixed).unwrap_or_default()
    };
    for (index, frame) in frames.iter().cycle().enumerate() {
        let _turn = turns.echo().await;
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
