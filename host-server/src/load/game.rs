//! A game and its two players.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::crowd::{Crowd, Hall};
use super::echo::Frames;
use super::judge::Judge;
use super::said::Said;
use super::seat::{Broken, Seat};
use super::tally::Tally;
use super::url::RelayUrl;

/// No game is played longer than this, in plies: what is measured is moves, not patience.
const LONG_ENOUGH: usize = 300;

/// How often somebody tries to come back.
const RETURNS: u32 = 100;

/// Plays one game after the other until it is time. Whoever stands for the first time lets go of `standing` when they sit.
pub(super) async fn play_on(hall: Hall, number: usize, standing: mpsc::Sender<()>) -> Tally {
    let mut tally = Tally::default();
    let crowd = hall.crowd.as_ref();
    let mut random = crowd.seed ^ (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut round = 0;
    let mut standing = Some(standing);
    loop {
        let code = format!("l{:x}g{number}r{round}", crowd.seed);
        round += 1;
        let mut game = Game::new(crowd, number, &code);
        let sat = {
            // It is never closed.
            let _door = hall.door.acquire().await;
            let _turn = hall.turns.relay().await;
            game.sit(&mut tally).await
        };
        let is_first = standing.take().is_some();
        if is_first {
            // What it took to sit down is not part of what is measured.
            (tally.sent, tally.received) = (0, 0);
        }
        let until = game.stay(hall.until.clone()).await;
        let played = match sat {
            Ok(()) => game.play(&hall, until, is_first, &mut random, &mut tally).await,
            Err(broken) => Err(broken),
        };
        match played {
            Ok(()) => {}
            Err(Broken::Hung) => {
                tally.hung += 1;
                tally.complain(format!("{code}: nothing came for too long at ply {}", game.judge.plies()));
            }
            Err(broken) => {
                tally.errors += 1;
                tally.complain(format!("{code}: {broken}"));
                // Whoever cannot be reached is not helped by being asked all the time.
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        game.leave().await;
        if Instant::now() >= until {
            return tally;
        }
    }
}

struct Game<'a> {
    crowd: &'a Crowd,
    judge: Judge,
    players: [Player; 2],
    /// The first game writes down what is said, until that is enough.
    frames: Option<Frames>,
}

struct Player {
    name: String,
    code: String,
    /// Which of the relays comes next.
    relay: usize,
    seat: Option<Seat>,
    id: String,
    token: Option<String>,
    /// The state that was shown last: how many plies, if the relay says so, and how the game ended.
    plies: Option<usize>,
    over: Option<String>,
}

/// What came over a connection that matters to a game.
enum Word {
    Start,
    State,
    Over,
}

impl<'a> Game<'a> {
    fn new(crowd: &'a Crowd, number: usize, code: &str) -> Self {
        let player = |side: usize| Player {
            name: format!("p{number}s{side}"),
            code: code.to_owned(),
            relay: number + side,
            seat: None,
            id: String::new(),
            token: None,
            plies: None,
            over: None,
        };
        Self {
            crowd,
            judge: Judge::new(),
            players: [player(0), player(1)],
            frames: (number == 0).then(Frames::default),
        }
    }

    /// Both come, and the game begins.
    async fn sit(&mut self, tally: &mut Tally) -> Result<(), Broken> {
        tally.games += 1;
        // White is who comes first.
        self.players[0].come(self.crowd, tally).await?;
        self.players[1].come(self.crowd, tally).await?;
        for side in 0..2 {
            self.await_start(side, tally).await?;
        }
        Ok(())
    }

    /// Waits until everybody may move. Meanwhile nothing happens, but one has to show that one is there.
    async fn stay(&mut self, mut until: watch::Receiver<Option<Instant>>) -> Instant {
        let [white, black] = &mut self.players;
        let stay = async {
            tokio::join!(white.stay(), black.stay());
            std::future::pending::<()>().await;
        };
        tokio::select! {
            biased;
            until = until.wait_for(Option::is_some) => {
                // A crowd that is gone does not wait for its players.
                until.ok().and_then(|until| *until).unwrap_or_else(Instant::now)
            }
            () = stay => Instant::now(),
        }
    }

    async fn play(
        &mut self,
        hall: &Hall,
        until: Instant,
        is_first: bool,
        random: &mut u64,
        tally: &mut Tally,
    ) -> Result<(), Broken> {
        // Not all at once at first, as people do not move all at once.
        let mut least = if is_first { 0.0 } else { 0.5 };
        while self.judge.plies() < LONG_ENOUGH {
            if let Some(think) = self.crowd.think {
                let moves_at = Instant::now() + think.mul_f64(least + fraction(random));
                tokio::time::sleep_until(moves_at.min(until).into()).await;
                least = 0.5;
            }
            let _turn = hall.turns.relay().await;
            if Instant::now() >= until {
                break;
            }
            let Some((mv, words)) = self.judge.pick(next(random)) else { break };
            let mover = usize::from(!self.judge.is_white_to_move());
            let words = Utf8Bytes::from(words);
            self.judge.play(mv);
            let plies = self.judge.plies();
            let begin = Instant::now();
            self.say(mover, &words, plies - 1, tally).await?;
            // Both hear of it at the same time; the other one's is what is measured.
            self.await_move(1 - mover, plies, &words, mover, tally).await?;
            tally.delays.push(begin.elapsed().as_micros().try_into().unwrap_or(u32::MAX));
            self.await_move(mover, plies, &words, mover, tally).await?;
            tally.moves += 1;
            hall.moves.fetch_add(1, Ordering::Relaxed);
            if let Some(frames) = self.frames.take_if(|frames| frames.are_enough()) {
                // Another game may have been quicker.
                let _ = hall.frames.set(frames);
            }
            if let Some(expected) = self.judge.result() {
                for side in 0..2 {
                    let result = self.await_end(side, tally).await?;
                    if result != expected {
                        tally.object(format!("the result is {expected}, not {result}"));
                    }
                }
                tally.finished += 1;
                break;
            }
        }
        Ok(())
    }

    /// Sends a move. If the line is broken, the player comes back first, and only sends it if it has not arrived.
    async fn say(&mut self, side: usize, words: &Utf8Bytes, plies: usize, tally: &mut Tally) -> Result<(), Broken> {
        loop {
            let seat = self.players[side].seat.as_mut().ok_or(Broken::Closed)?;
            match seat.send(words.clone()).await {
                Ok(()) => {
                    tally.sent += 1;
                    if let Some(frames) = &mut self.frames {
                        frames.sent(words);
                    }
                    return Ok(());
                }
                Err(broken) => {
                    self.come_back(side, broken, tally).await?;
                    if self.players[side].plies.is_some_and(|shown| shown > plies) {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Waits until a player has been shown the state after a move that another, or the same, has sent.
    async fn await_move(
        &mut self,
        side: usize,
        plies: usize,
        words: &Utf8Bytes,
        mover: usize,
        tally: &mut Tally,
    ) -> Result<(), Broken> {
        loop {
            match self.await_word(side, tally).await {
                Ok(Word::State) if self.players[side].plies.is_some_and(|shown| shown < plies) => {
                    // Somebody has come back to the state before the move. If it was the mover, the move was lost with
                    // the line, and nobody had been told that it was made.
                    if side == mover {
                        self.say(side, words, plies - 1, tally).await?;
                    }
                }
                Ok(Word::State) => return Ok(()),
                Ok(Word::Start) => {}
                Ok(Word::Over) => tally.object(format!("the game was over at ply {plies}, and went on")),
                Err(broken) => {
                    self.come_back(side, broken, tally).await?;
                    // While the other one waits, the mover has to see to it that the move arrives.
                    if side != mover {
                        self.make_sure(mover, plies, words, tally).await?;
                    } else if self.players[side].plies.is_some_and(|shown| shown < plies) {
                        self.say(side, words, plies - 1, tally).await?;
                    }
                    if self.players[side].plies.is_some_and(|shown| shown == plies) {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// The mover's line may have been broken as well, with the move on it.
    async fn make_sure(
        &mut self,
        mover: usize,
        plies: usize,
        words: &Utf8Bytes,
        tally: &mut Tally,
    ) -> Result<(), Broken> {
        self.come_back(mover, Broken::Closed, tally).await?;
        if self.players[mover].plies.is_some_and(|shown| shown < plies) {
            self.say(mover, words, plies - 1, tally).await?;
        }
        Ok(())
    }

    /// Waits until the game has begun for a player, and its first state is shown.
    async fn await_start(&mut self, side: usize, tally: &mut Tally) -> Result<(), Broken> {
        let mut has_begun = false;
        loop {
            match self.await_word(side, tally).await {
                Ok(Word::State) if has_begun => return Ok(()),
                Ok(word) => has_begun |= matches!(word, Word::Start),
                Err(broken) => {
                    self.come_back(side, broken, tally).await?;
                    return Ok(());
                }
            }
        }
    }

    async fn await_end(&mut self, side: usize, tally: &mut Tally) -> Result<String, Broken> {
        loop {
            if let Some(result) = self.players[side].over.take() {
                return Ok(result);
            }
            if let Err(broken) = self.await_word(side, tally).await {
                self.come_back(side, broken, tally).await?;
            }
        }
    }

    /// Waits for a state or the end of the game, and looks at it.
    async fn await_word(&mut self, side: usize, tally: &mut Tally) -> Result<Word, Broken> {
        loop {
            let seat = self.players[side].seat.as_mut().ok_or(Broken::Closed)?;
            let text = seat.hear().await?;
            tally.received += 1;
            let said: Said<'_> = match serde_json::from_str(&text) {
                Ok(said) => said,
                Err(error) => {
                    tally.object(format!("not understood: {error}: {}", text.as_str()));
                    continue;
                }
            };
            match said.kind.as_ref() {
                "start" => return Ok(Word::Start),
                "game_state" => {
                    if let Some(frames) = &mut self.frames {
                        frames.received(&text);
                    }
                    let [white, black] = &self.players;
                    let is_current = said.ply.is_none_or(|ply| ply == self.judge.plies());
                    let is_complete = !white.id.is_empty() && !black.id.is_empty();
                    if is_current
                        && is_complete
                        && let Some(objection) = self.judge.objection(&said, &white.id, &black.id)
                    {
                        tally.object(format!("{} at ply {}: {objection}", white.code, self.judge.plies()));
                    }
                    if said.ply.is_some_and(|ply| ply > self.judge.plies()) {
                        tally.object(format!("{}: ply {:?} at ply {}", white.code, said.ply, self.judge.plies()));
                    }
                    self.players[side].plies = said.ply.or(Some(self.judge.plies()));
                    return Ok(Word::State);
                }
                "end_of_game" => {
                    self.players[side].over = said.result.map(Into::into);
                    return Ok(Word::Over);
                }
                "error" => {
                    tally.errors += 1;
                    tally.complain(format!("error {:?}: {:?}", said.status_code, said.message));
                    // A store that was away for too long: the move was not made, as far as anybody knows.
                    if said.status_code == Some(503) {
                        return Err(Broken::Closed);
                    }
                }
                _ => {}
            }
        }
    }

    /// Waits until a player is shown a state.
    async fn await_shown(&mut self, side: usize, tally: &mut Tally) -> Result<(), Broken> {
        while !matches!(self.await_word(side, tally).await?, Word::State) {}
        Ok(())
    }

    /// A player whose line broke comes back to the seat, perhaps through another relay.
    async fn come_back(&mut self, side: usize, broken: Broken, tally: &mut Tally) -> Result<(), Broken> {
        if !self.crowd.resume || matches!(broken, Broken::Hung) {
            return Err(broken);
        }
        for attempt in 0..RETURNS {
            tally.reconnects += 1;
            if self.players[side].come(self.crowd, tally).await.is_ok() && self.await_shown(side, tally).await.is_ok() {
                let shown = self.players[side].plies.unwrap_or_default();
                let known = self.judge.plies();
                if shown > known || shown + 1 < known {
                    tally.object(format!("{}: came back to ply {shown}, not {known}", self.players[side].code));
                }
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(20 * u64::from(attempt.min(20)))).await;
        }
        Err(Broken::Hung)
    }

    async fn leave(self) {
        for player in self.players {
            if let Some(seat) = player.seat {
                seat.leave().await;
            }
        }
    }
}

impl Player {
    /// Only shows that somebody is there.
    async fn stay(&mut self) {
        if let Some(seat) = &mut self.seat {
            seat.stay().await;
        }
    }

    /// Comes to the table, for the first time or again.
    async fn come(&mut self, crowd: &Crowd, tally: &mut Tally) -> Result<(), Broken> {
        self.seat = None;
        let relay: &RelayUrl = &crowd.relays[self.relay % crowd.relays.len()];
        self.relay += 1;
        let (name, code) = (&self.name, &self.code);
        let path = match (&self.token, crowd.resume) {
            (Some(token), _) => format!("/ws/api/{name}/{code}/?extras=1&token={token}"),
            (None, true) => format!("/ws/api/{name}/{code}/?extras=1"),
            (None, false) => format!("/ws/api/{name}/{code}/"),
        };
        let mut seat = Seat::take(relay, &path).await?;
        // The first word is always who one is.
        let text = seat.hear().await?;
        tally.received += 1;
        match serde_json::from_str::<Said<'_>>(&text) {
            Ok(said) if said.kind == "init" && said.role.as_deref() == Some("player") => {
                self.id = said.user_id.unwrap_or_default().into();
                if let Some(token) = said.token {
                    self.token = Some(token.into());
                }
            }
            _ => {
                tally.object(format!("{code}: a player was greeted with {}", text.as_str()));
                return Err(Broken::Closed);
            }
        }
        self.seat = Some(seat);
        Ok(())
    }
}

/// The next of a series of numbers that look random: what counts is that it is always the same one.
fn next(random: &mut u64) -> u64 {
    *random = random.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *random;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A number from 0 up to 1.
#[expect(clippy::cast_precision_loss, reason = "it need not be an exact one")]
fn fraction(random: &mut u64) -> f64 {
    (next(random) >> 11) as f64 / (1_u64 << 53) as f64
}
