//! One game of a load test. It plays both sides, and checks every state that either player receives.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::connection::ConnectionError;
use super::echo::SampleFrames;
use super::load_test::{LoadTest, Shared};
use super::player::LoadPlayer;
use super::report::Counters;
use crate::random::Random;
use crate::relay_message::RelayMessage;
use crate::rules_checker::RulesChecker;

/// Length after which a game is left and the next begins, in plies.
const MAX_PLIES: usize = 300;

/// Number of attempts to reconnect before the relay counts as hung.
const MAX_RECONNECTS: u32 = 100;

/// Pause after a game that failed.
const RETRY_DELAY: Duration = Duration::from_millis(100);

/// Plays one game after the other until the end of the load test. `joining` is dropped when both players have joined.
pub(super) async fn play_until_end(shared: Shared, number: usize, joining: mpsc::Sender<()>) -> Counters {
    let mut counters = Counters::default();
    let test = shared.test.as_ref();
    let mut random = Random::new(test.seed ^ (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut round = 0;
    let mut joining = Some(joining);
    loop {
        let code = format!("l{:x}g{number}r{round}", test.seed);
        round += 1;
        let mut game = LoadGame::new(test, number, &code);
        let joined = {
            // The semaphore is never closed.
            let _permit = shared.joins.acquire().await;
            let _slice = shared.slices.relay().await;
            game.join(&mut counters).await
        };
        let is_first = joining.take().is_some();
        if is_first {
            // Joining for the first time is not part of the measurement.
            (counters.sent, counters.received) = (0, 0);
        }
        let until = game.await_start_of_test(shared.until.clone()).await;
        let played = match joined {
            Ok(()) => game.play(&shared, until, is_first, &mut random, &mut counters).await,
            Err(error) => Err(error),
        };
        match played {
            Ok(()) => {}
            Err(ConnectionError::TimedOut) => {
                counters.timeouts += 1;
                counters.add_problem(format!("{code}: the relay did not answer at ply {}", game.rules.plies()));
            }
            Err(error) => {
                counters.errors += 1;
                counters.add_problem(format!("{code}: {error}"));
                sleep(RETRY_DELAY).await;
            }
        }
        game.leave().await;
        if Instant::now() >= until {
            return counters;
        }
    }
}

struct LoadGame<'a> {
    test: &'a LoadTest,
    rules: RulesChecker,
    players: [LoadPlayer; 2],
    /// Only in the first game, until the sample is complete.
    frames: Option<SampleFrames>,
}

/// A message that changes the state of a game.
enum GameMessage {
    Start,
    State,
    End,
}

/// A move under way.
struct SentMove {
    text: Utf8Bytes,
    mover: usize,
    /// Number of plies after the move.
    plies: usize,
}

impl<'a> LoadGame<'a> {
    fn new(test: &'a LoadTest, number: usize, code: &str) -> Self {
        Self {
            test,
            rules: RulesChecker::new(),
            players: [0, 1].map(|side| LoadPlayer::new(number, side, code)),
            frames: (number == 0).then(SampleFrames::default),
        }
    }

    /// Both players join, and the game begins. The first to join has White.
    async fn join(&mut self, counters: &mut Counters) -> Result<(), ConnectionError> {
        counters.games += 1;
        self.players[0].join(self.test, counters).await?;
        self.players[1].join(self.test, counters).await?;
        for side in 0..2 {
            self.await_start(side, counters).await?;
        }
        Ok(())
    }

    /// Waits until all players of the load test have joined; returns the end of the measurement.
    async fn await_start_of_test(&mut self, mut until: watch::Receiver<Option<Instant>>) -> Instant {
        let started = until.wait_for(Option::is_some);
        // The sender is gone only if the load test was cancelled.
        self.while_idle(started).await.ok().and_then(|until| *until).unwrap_or_else(Instant::now)
    }

    /// Waits, while both players answer pings.
    async fn while_idle<T>(&mut self, waiting: impl Future<Output = T>) -> T {
        let [white, black] = &mut self.players;
        let idle = async { tokio::join!(white.answer_pings(), black.answer_pings()) };
        tokio::select! {
            biased;
            waited = waiting => waited,
            (never, _) = idle => match never {},
        }
    }

    async fn play(
        &mut self,
        shared: &Shared,
        until: Instant,
        is_first: bool,
        random: &mut Random,
        counters: &mut Counters,
    ) -> Result<(), ConnectionError> {
        // Spreads the first moves of all games, so that they do not stay in step.
        let mut least = if is_first { 0.0 } else { 0.5 };
        while self.rules.plies() < MAX_PLIES {
            if let Some(think) = self.test.think {
                let moves_at = Instant::now() + think.mul_f64(least + random.fraction());
                self.while_idle(sleep_until(moves_at.min(until))).await;
                least = 0.5;
            }
            let _slice = self.while_idle(shared.slices.relay()).await;
            if Instant::now() >= until {
                break;
            }
            let Some((mv, text)) = self.rules.pick_move(random.number()) else { break };
            let mover = usize::from(!self.rules.is_white_to_move());
            self.rules.play(mv);
            let sent = SentMove { text: Utf8Bytes::from(text), mover, plies: self.rules.plies() };
            let begin = Instant::now();
            self.send_move(&sent, counters).await?;
            // The relay sends the state to both at once; the opponent's copy is measured.
            self.await_move(1 - mover, &sent, counters).await?;
            counters.latencies_us.push(begin.elapsed().as_micros().try_into().unwrap_or(u32::MAX));
            self.await_move(mover, &sent, counters).await?;
            counters.moves += 1;
            shared.moves.fetch_add(1, Ordering::Relaxed);
            if let Some(frames) = self.frames.take_if(|frames| frames.is_complete()) {
                // An earlier game may have set it.
                let _ = shared.frames.set(frames);
            }
            if let Some(expected) = self.rules.result() {
                for side in 0..2 {
                    let result = self.await_end(side, counters).await?;
                    if result != expected {
                        counters.add_inconsistency(format!("the result is {result}, expected {expected}"));
                    }
                }
                counters.finished += 1;
                break;
            }
        }
        Ok(())
    }

    /// Sends a move. If the connection breaks, the player reconnects and sends it again unless the relay has it.
    async fn send_move(&mut self, sent: &SentMove, counters: &mut Counters) -> Result<(), ConnectionError> {
        loop {
            let connection = self.players[sent.mover].connection.as_mut().ok_or(ConnectionError::Closed)?;
            match connection.send(sent.text.clone()).await {
                Ok(()) => {
                    counters.sent += 1;
                    if let Some(frames) = &mut self.frames {
                        frames.add_sent(&sent.text);
                    }
                    return Ok(());
                }
                Err(error) => {
                    self.reconnect(sent.mover, error, counters).await?;
                    if self.players[sent.mover].plies.is_some_and(|shown| shown >= sent.plies) {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Waits until a player has received the state after a move.
    async fn await_move(
        &mut self,
        side: usize,
        sent: &SentMove,
        counters: &mut Counters,
    ) -> Result<(), ConnectionError> {
        let is_behind = |player: &LoadPlayer| player.plies.is_some_and(|shown| shown < sent.plies);
        loop {
            match self.await_message(side, counters).await {
                Ok(GameMessage::State) if is_behind(&self.players[side]) => {
                    // After a reconnect: the move was lost with the connection, before the relay acknowledged it.
                    if side == sent.mover {
                        self.send_move(sent, counters).await?;
                    }
                }
                Ok(GameMessage::State) => return Ok(()),
                Ok(GameMessage::Start) => {}
                Ok(GameMessage::End) => {
                    counters.add_inconsistency(format!("the game ended at ply {} and went on", sent.plies));
                }
                Err(error) => {
                    self.reconnect(side, error, counters).await?;
                    // The mover's connection may have broken as well, with the move on it.
                    if side != sent.mover {
                        self.reconnect(sent.mover, ConnectionError::Closed, counters).await?;
                    }
                    if is_behind(&self.players[sent.mover]) {
                        self.send_move(sent, counters).await?;
                    }
                    if self.players[side].plies.is_some_and(|shown| shown == sent.plies) {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Waits until the game has begun for a player, and its first state has arrived.
    async fn await_start(&mut self, side: usize, counters: &mut Counters) -> Result<(), ConnectionError> {
        let mut has_begun = false;
        loop {
            match self.await_message(side, counters).await {
                Ok(GameMessage::State) if has_begun => return Ok(()),
                Ok(message) => has_begun |= matches!(message, GameMessage::Start),
                Err(error) => {
                    self.reconnect(side, error, counters).await?;
                    return Ok(());
                }
            }
        }
    }

    async fn await_end(&mut self, side: usize, counters: &mut Counters) -> Result<String, ConnectionError> {
        loop {
            if let Some(result) = self.players[side].result.take() {
                return Ok(result);
            }
            if let Err(error) = self.await_message(side, counters).await {
                self.reconnect(side, error, counters).await?;
            }
        }
    }

    /// Waits for the next message that changes the game, and checks it.
    async fn await_message(&mut self, side: usize, counters: &mut Counters) -> Result<GameMessage, ConnectionError> {
        loop {
            let connection = self.players[side].connection.as_mut().ok_or(ConnectionError::Closed)?;
            let text = connection.receive().await?;
            counters.received += 1;
            let message: RelayMessage<'_> = match serde_json::from_str(&text) {
                Ok(message) => message,
                Err(error) => {
                    counters.add_inconsistency(format!("cannot parse {}: {error}", text.as_str()));
                    continue;
                }
            };
            match message.kind.as_ref() {
                "start" => return Ok(GameMessage::Start),
                "game_state" => {
                    if let Some(frames) = &mut self.frames {
                        frames.add_received(&text);
                    }
                    self.check_state(&message, counters);
                    self.players[side].plies = message.ply.or(Some(self.rules.plies()));
                    return Ok(GameMessage::State);
                }
                "end_of_game" => {
                    self.players[side].result = message.result.map(Into::into);
                    return Ok(GameMessage::End);
                }
                "error" => {
                    counters.errors += 1;
                    counters.add_problem(format!("error {:?}: {:?}", message.status_code, message.message));
                    // The store was unavailable. Reconnecting shows whether the move was stored.
                    if message.status_code == Some(503) {
                        return Err(ConnectionError::Closed);
                    }
                }
                _ => {}
            }
        }
    }

    fn check_state(&self, state: &RelayMessage<'_>, counters: &mut Counters) {
        let ([white, black], plies) = (&self.players, self.rules.plies());
        let is_current = state.ply.is_none_or(|ply| ply == plies);
        let are_known = !white.id.is_empty() && !black.id.is_empty();
        if is_current
            && are_known
            && let Some(contradiction) = self.rules.contradiction(state, &white.id, &black.id)
        {
            counters.add_inconsistency(format!("{} at ply {plies}: {contradiction}", white.code));
        }
        if state.ply.is_some_and(|ply| ply > plies) {
            counters.add_inconsistency(format!("{}: ply {:?} at ply {plies}", white.code, state.ply));
        }
    }

    /// Reconnects a player to the seat through the next relay, and waits for the state.
    async fn reconnect(
        &mut self,
        side: usize,
        error: ConnectionError,
        counters: &mut Counters,
    ) -> Result<(), ConnectionError> {
        if !self.test.resume || matches!(error, ConnectionError::TimedOut) {
            return Err(error);
        }
        for attempt in 0..MAX_RECONNECTS {
            counters.reconnects += 1;
            if self.players[side].join(self.test, counters).await.is_ok()
                && self.await_state(side, counters).await.is_ok()
            {
                let shown = self.players[side].plies.unwrap_or_default();
                let known = self.rules.plies();
                if shown > known || shown + 1 < known {
                    let code = &self.players[side].code;
                    counters.add_inconsistency(format!("{code}: ply {shown} after a reconnect at ply {known}"));
                }
                return Ok(());
            }
            sleep(Duration::from_millis(20 * u64::from(attempt.min(20)))).await;
        }
        Err(ConnectionError::TimedOut)
    }

    async fn await_state(&mut self, side: usize, counters: &mut Counters) -> Result<(), ConnectionError> {
        while !matches!(self.await_message(side, counters).await?, GameMessage::State) {}
        Ok(())
    }

    async fn leave(self) {
        for player in self.players {
            if let Some(connection) = player.connection {
                connection.close().await;
            }
        }
    }
}
