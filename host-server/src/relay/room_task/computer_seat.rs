//! Acts for the computer of a room: answers offers, and plays the moves that the [computers](crate::computer) of this relay find.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use chess::{DrawClaim, Move};
use engine::{Intent, OfferPolicy, Score};
use rules::Ply;
use tokio::time::{Instant, sleep_until};

use super::RoomTask;
use crate::computer::{ClockLeft, EngineQuestion, EngineResult, Failure};
use crate::room::{Act, Computer, Expected, GameId, Participant, Phase};

/// The computer answers no sooner than this after the move before it: a reply in no time looks like a fault of the page.
const SHORTEST_REPLY: Duration = Duration::from_millis(400);

/// With less time than this on its clock, in milliseconds, it answers as soon as it can.
const HURRY_MS: u32 = 20_000;

/// An engine that fails this often in a row for one move gives up the game.
const MAX_FAILURES: u8 = 3;

/// A game can be aborted while fewer plies than this have been played.
const ABORT_BEFORE: usize = 2;

/// What this relay knows of the computer beside the room.
pub(super) struct ComputerSeat {
    game: GameId,
    policy: OfferPolicy,
    /// Failures in a row for the current move.
    failures: u8,
    search: Option<Search>,
}

/// A search under way. Dropping it cancels the search.
struct Search {
    moves: Vec<Move>,
    result: Pin<Box<dyn Future<Output = Result<EngineResult, Failure>> + Send>>,
}

/// Waits for the result of the search; forever if there is none.
pub(super) fn next_thought(
    computer: &mut Option<Box<ComputerSeat>>,
) -> impl Future<Output = Result<EngineResult, Failure>> {
    poll_fn(|context| match computer.as_mut().and_then(|computer| computer.search.as_mut()) {
        Some(search) => search.result.as_mut().poll(context),
        None => Poll::Pending,
    })
}

impl RoomTask {
    /// Whether the computer has a seat, or had one when it was last served.
    pub(super) fn has_computer(&self) -> bool {
        self.computer.is_some() || self.room.computer().is_some()
    }

    /// Answers what the computer is asked, and starts or cancels its search. Returns whether it has acted, so that more may be expected of it.
    pub(super) async fn serve_computer(&mut self) -> bool {
        if self.room.computer().is_none() {
            self.computer = None;
            return false;
        }
        // Without the store nothing can be played; the retry comes here again.
        let expected = self.room.expects_of_computer().filter(|_| self.acts_for_computer());
        let computer = self.computer_seat();
        if expected != Some(Expected::Ply) {
            computer.search = None;
        }
        match expected {
            Some(Expected::Ply) => {
                self.search();
                false
            }
            Some(Expected::TakebackAnswer(plies)) => self.act_as_computer(Act::AcceptTakeback { plies }).await,
            Some(Expected::DrawAnswer) => {
                let answer = self.draw_answer();
                self.act_as_computer(answer).await
            }
            Some(Expected::RematchAnswer) => self.act_as_computer(Act::AcceptRematch).await,
            None => false,
        }
    }

    fn acts_for_computer(&self) -> bool {
        self.retry_at.is_none() && !self.is_lost && self.asked.is_empty() && self.room.is_computer_at(self.relay.id)
    }

    /// The state of the computer in the current game.
    fn computer_seat(&mut self) -> &mut ComputerSeat {
        let game = self.room.game_id();
        let level = self.room.terms().computer.as_ref().map(Computer::level).unwrap_or_default();
        let new = || Box::new(ComputerSeat { game, policy: OfferPolicy::new(level), failures: 0, search: None });
        let computer = self.computer.get_or_insert_with(new);
        if computer.game != game {
            *computer = new();
        }
        computer
    }

    /// Starts the search of this position, unless it is under way.
    fn search(&mut self) {
        let (Some(game), Some(computer)) = (self.room.game().chess(), &self.room.terms().computer) else { return };
        let running = self.computer.as_ref().and_then(|computer| computer.search.as_ref());
        if running.is_some_and(|search| search.moves == game.moves()) {
            return;
        }
        let now = self.relay.store.now();
        let clock = self.room.clock().zip(self.room.terms().clock).map(|(clock, rule)| ClockLeft {
            remaining_ms: u32::try_from(clock.left(game.position().turn(), now)).unwrap_or(u32::MAX),
            increment_ms: rule.increment_ms,
        });
        let is_hurried = clock.is_some_and(|clock| clock.remaining_ms < HURRY_MS);
        let not_before = Instant::now() + if is_hurried { Duration::ZERO } else { SHORTEST_REPLY };
        let (start, moves) = (*game.start(), game.moves().to_vec());
        let question = EngineQuestion {
            computer: computer.clone(),
            start,
            moves: moves.clone(),
            clock,
            seed: self.room.game_id().0,
        };
        let thinking = self.relay.computers().think(question);
        let result = Box::pin(async move {
            let result = thinking.await;
            sleep_until(not_before).await;
            result
        });
        self.computer_seat().search = Some(Search { moves, result });
    }

    /// Plays the result of the search, unless the game has changed meanwhile.
    pub(super) async fn play_thought(&mut self, result: Result<EngineResult, Failure>) {
        // The search of another game is dropped with its game.
        let Some(search) = self.computer_seat().search.take() else { return };
        let is_current =
            self.room.game().sheet() == search.moves && self.room.expects_of_computer() == Some(Expected::Ply);
        if !is_current || !self.acts_for_computer() {
            return;
        }
        match result {
            Ok(thought) => {
                self.computer_seat().failures = 0;
                self.play(thought).await;
            }
            Err(failure) => self.engine_failed(&failure).await,
        }
    }

    async fn play(&mut self, EngineResult { mv, score }: EngineResult) {
        let Some(position) = self.room.game().chess().map(|game| *game.position()) else { return };
        let policy = &mut self.computer_seat().policy;
        let intent = score.map_or(Intent::Play, |score| policy.after_score(&position, score));
        if intent == Intent::Resign {
            self.act_as_computer(Act::Resign).await;
            return;
        }
        if self.room.draw_offer().is_some_and(|by| by != position.turn())
            && let accepted @ Act::AcceptDraw { .. } = self.draw_answer()
        {
            self.act_as_computer(accepted).await;
            return;
        }
        let is_worse = score.is_some_and(|score| match score {
            Score::Centipawns(centipawns) => centipawns < 0,
            Score::Mate(moves) => moves <= 0,
        });
        let claims = [DrawClaim::ThreefoldRepetition, DrawClaim::FiftyMoves];
        if is_worse && let Some(claim) = claims.into_iter().find(|&claim| self.room.game().can_claim(claim)) {
            self.act_as_computer(Act::ClaimDraw { claim, with: None }).await;
            return;
        }
        let number = Some(self.room.game().len());
        let moved = self.act_as_computer(Act::Move { ply: Ply::of_move(mv), number }).await;
        if moved && intent == Intent::OfferDraw {
            self.act_as_computer(Act::OfferDraw).await;
        }
    }

    /// The answer to a draw offer, by the score of the last search.
    fn draw_answer(&mut self) -> Act {
        let room = self.room.clone();
        let policy = &self.computer_seat().policy;
        let accepts = room.game().chess().is_some_and(|game| policy.accepts_draw(game.position()));
        if accepts { Act::AcceptDraw { number: room.game().len() } } else { Act::DeclineDraw }
    }

    /// Tells the player that an external engine has failed. It is asked again, a few times.
    async fn engine_failed(&mut self, failure: &Failure) {
        let computer = self.computer_seat();
        computer.failures += 1;
        let gives_up = computer.failures >= MAX_FAILURES || *failure == Failure::Unknown;
        let text = match (gives_up, computer.failures) {
            (false, 1) => format!("I have a problem: {failure}. I try again."),
            (false, _) => return,
            (true, _) => format!("I cannot go on: {failure}."),
        };
        // The chat may be full.
        self.act_as_computer(Act::Chat { text }).await;
        if gives_up && self.room.phase() == Phase::Playing {
            let is_early = self.room.game().len() < ABORT_BEFORE;
            self.act_as_computer(if is_early { Act::Abort } else { Act::Resign }).await;
        }
    }

    /// Executes an act of the computer. Returns whether it was accepted.
    async fn act_as_computer(&mut self, act: Act) -> bool {
        let Some(seated) = self.room.computer().and_then(|color| self.room.seat(color)) else { return false };
        let by = Participant { id: seated.player.id.clone(), name: seated.player.name.clone() };
        // A refused act is out of date: the room has changed, and the computer is asked again. `failed` has scheduled a retry if the store has
        // failed.
        self.attempt(&self.command(by, act, None), self.judged_at()).await.is_ok()
    }
}
