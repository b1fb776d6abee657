use std::sync::{Arc, OnceLock};

use futures_util::future::try_join_all;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::connection::{Connection, ConnectionError};
use super::relay_url::RelayUrl;
use super::report::Counters;
use super::time_slices::TimeSlices;
use crate::relay_message::RelayMessage;

/// Number of player frames in a sample. It has twice as many frames of the relay.
const SAMPLE: usize = 32;

/// A sample of the frames of a real game, in the proportion in which they occur.
#[derive(Clone, Debug, Default)]
pub(super) struct SampleFrames {
    sent: Vec<Utf8Bytes>,
    received: Vec<Utf8Bytes>,
}

impl SampleFrames {
    pub(super) fn add_sent(&mut self, frame: &Utf8Bytes) {
        if self.sent.len() < SAMPLE {
            self.sent.push(frame.clone());
        }
    }

    pub(super) fn add_received(&mut self, frame: &Utf8Bytes) {
        if self.received.len() < 2 * SAMPLE {
            self.received.push(frame.clone());
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.sent.len() == SAMPLE && self.received.len() == 2 * SAMPLE
    }

    /// The traffic of a move, again and again: one frame to the relay, then one to each player.
    fn interleaved(&self) -> Vec<Utf8Bytes> {
        let moves = self.sent.iter();
        let states = self.received.chunks(2);
        moves.zip(states).flat_map(|(mv, states)| std::iter::once(mv).chain(states)).cloned().collect()
    }
}

/// Number of pairs that connect concurrently.
const CONCURRENT: usize = 100;

/// Connections to an echo server, two for each game of the load test.
pub(super) struct EchoConnections {
    pairs: Vec<[Connection; 2]>,
}

impl EchoConnections {
    pub(super) async fn open(echo: &RelayUrl, games: usize) -> Result<Self, ConnectionError> {
        let mut pairs = Vec::with_capacity(games);
        while pairs.len() < games {
            let more = (games - pairs.len()).min(CONCURRENT);
            let pair = || async {
                Ok::<_, ConnectionError>([Connection::open(echo, "/").await?, Connection::open(echo, "/").await?])
            };
            pairs.extend(try_join_all((0..more).map(|_| pair())).await?);
        }
        Ok(Self { pairs })
    }

    /// Sends frames during the slices of the echo server until `until`, with one frame in flight for each game.
    pub(super) async fn run(
        self,
        slices: Arc<TimeSlices>,
        frames: Arc<OnceLock<SampleFrames>>,
        until: Instant,
    ) -> Counters {
        let mut tasks = JoinSet::new();
        for mut pair in self.pairs {
            let (slices, frames) = (slices.clone(), frames.clone());
            tasks.spawn(async move {
                let mut counters = Counters::default();
                if let Err(error) = exchange(&mut pair, &slices, &frames, until, &mut counters).await {
                    counters.errors += 1;
                    counters.add_problem(format!("echo: {error}"));
                }
                counters
            });
        }
        let mut counters = Counters::default();
        while let Some(one) = tasks.join_next().await {
            match one {
                Ok(one) => counters.add(one),
                Err(error) => counters.add_inconsistency(format!("echo: {error}")),
            }
        }
        counters
    }
}

async fn exchange(
    pair: &mut [Connection; 2],
    slices: &TimeSlices,
    frames: &OnceLock<SampleFrames>,
    until: Instant,
    counters: &mut Counters,
) -> Result<(), ConnectionError> {
    // The sample is complete when the echo server gets its first slice.
    let frames = {
        let _slice = slices.echo().await;
        frames.get().map(SampleFrames::interleaved).unwrap_or_default()
    };
    for (index, frame) in frames.iter().cycle().enumerate() {
        let _slice = slices.echo().await;
        if Instant::now() >= until {
            break;
        }
        let connection = &mut pair[index % 2];
        let begin = Instant::now();
        connection.send(frame.clone()).await?;
        let text = connection.receive().await?;
        // Players parse every message; parsing here as well keeps the cost of the client the same.
        let is_readable = serde_json::from_str::<RelayMessage<'_>>(&text).is_ok();
        if text != *frame || !is_readable {
            counters.add_inconsistency("the echo server sent back another frame".into());
        }
        counters.sent += 1;
        counters.received += 1;
        counters.latencies_us.push(begin.elapsed().as_micros().try_into().unwrap_or(u32::MAX));
    }
    Ok(())
}
