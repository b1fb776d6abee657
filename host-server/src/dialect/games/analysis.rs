//! The analysis of a finished game, on request: scores after each move, and the three biggest mistakes.

use std::collections::VecDeque;

use axum::body::Bytes;
use axum::http::StatusCode;
use chess::{Color, Game, Move, Position, Scoresheet};
use engine::Score;
use parking_lot::Mutex;
use serde::Serialize;
use tokio::sync::Semaphore;

use super::{GamesState, RenderedGame, not_chess};
use crate::computer::{Analysis, Evaluation, Mistake, analyse};
use crate::dialect::json_error::JsonError;
use crate::dialect::played;
use crate::room::{Code, Entry, Phase, RoomId};
use crate::server::ClientContext;

/// Analyses that run at the same time. Others wait.
const CONCURRENT: usize = 2;

/// Analyses that are kept.
const KEPT: usize = 256;

/// The finished analyses, and the permits to make more.
pub(super) struct Analyses {
    permits: Semaphore,
    done: Mutex<VecDeque<Done>>,
}

/// An analysis of a game, by its room and its number there.
struct Done {
    room: RoomId,
    number: u32,
    body: Bytes,
}

impl Default for Analyses {
    fn default() -> Self {
        Self { permits: Semaphore::new(CONCURRENT), done: Mutex::default() }
    }
}

impl Analyses {
    fn find(&self, room: RoomId, number: u32) -> Option<Bytes> {
        let done = self.done.lock();
        done.iter().find(|done| (done.room, done.number) == (room, number)).map(|done| done.body.clone())
    }

    fn keep(&self, room: RoomId, number: u32, body: Bytes) {
        let mut done = self.done.lock();
        if done.len() >= KEPT {
            done.pop_front();
        }
        done.push_back(Done { room, number, body });
    }
}

impl GamesState {
    /// Analyses a game. `None` if there is no such room, or if it had another code.
    pub(super) async fn analysis(
        &self,
        code: &Code,
        room: RoomId,
        number: Option<u32>,
        client: &ClientContext,
    ) -> Result<Option<RenderedGame>, JsonError> {
        let Some(cost) = self.relay.replay_cost_under(room, code).await? else { return Ok(None) };
        client.try_known_code(code)?;
        if let Some(number) = number
            && let Some(body) = self.analyses.find(room, number)
        {
            return Ok(Some(RenderedGame { number, body }));
        }
        client.try_replay(cost)?;
        // It may have expired meanwhile.
        let find = move |log: Vec<Entry>| played::find(&log, number);
        let Some(played) = self.relay.replay_log(room, find).await? else { return Ok(None) };
        let played = played.ok_or_else(|| {
            JsonError::new(StatusCode::NOT_FOUND, "There is no game with this number under this code.")
        })?;
        if played.room.phase() == Phase::Playing {
            return Err(JsonError::new(StatusCode::CONFLICT, "This game is not over yet."));
        }
        let game = played.room.game().chess().ok_or_else(|| not_chess(&played.room, "analysis"))?;
        if let Some(body) = self.analyses.find(room, played.number) {
            return Ok(Some(RenderedGame { number: played.number, body }));
        }
        // The semaphore is never closed.
        let _permit = self.analyses.permits.acquire().await;
        if let Some(body) = self.analyses.find(room, played.number) {
            // Another request has waited for the same game.
            return Ok(Some(RenderedGame { number: played.number, body }));
        }
        let analysis = analyse(self.relay.computers(), *game.start(), game.moves()).await.map_err(|failure| {
            tracing::warn!(%room, %failure, "analysis of a game failed, the client may try again");
            JsonError::new(StatusCode::SERVICE_UNAVAILABLE, "The game cannot be analysed now. Try again later.")
        })?;
        let (code, number) = (code.clone(), played.number);
        // The report replays the game up to each mistake.
        let report = move || {
            let game = played.room.game().chess()?;
            Some(Bytes::from(crate::dialect::json(&Report::of(&code, number, game, &analysis))))
        };
        let Some(body) = self.relay.replay(report).await else { return Ok(None) };
        self.analyses.keep(room, number, body.clone());
        Ok(Some(RenderedGame { number, body }))
    }
}

/// An analysis as JSON.
#[derive(Serialize)]
struct Report<'a> {
    code: &'a Code,
    game: u32,
    evaluations: Vec<Evaluated>,
    mistakes: Vec<Mistaken>,
}

/// The score after a number of plies, for White.
#[derive(Serialize)]
struct Evaluated {
    ply: usize,
    #[serde(flatten)]
    score: Points,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Points {
    Centipawns(i16),
    Mate(i8),
}

impl From<Score> for Points {
    fn from(score: Score) -> Self {
        match score {
            Score::Centipawns(centipawns) => Self::Centipawns(centipawns),
            Score::Mate(moves) => Self::Mate(moves),
        }
    }
}

#[derive(Serialize)]
struct Mistaken {
    /// The number of plies after the mistake, at which a page shows it.
    ply: usize,
    color: String,
    move_number: u16,
    played: Written,
    better: Written,
    /// Points that the side could expect less than before, in percent.
    loss_percent: f64,
}

#[derive(Serialize)]
struct Written {
    uci: String,
    san: String,
}

impl<'a> Report<'a> {
    fn of<S: Scoresheet>(code: &'a Code, game_number: u32, game: &Game<S>, analysis: &Analysis) -> Self {
        let evaluations = analysis.evaluations.iter().enumerate();
        let evaluations =
            evaluations.map(|(ply, &Evaluation { score, .. })| Evaluated { ply, score: score.into() }).collect();
        let mistakes = analysis.mistakes.iter().map(|mistake| mistaken(game, mistake)).collect();
        Self { code, game: game_number, evaluations, mistakes }
    }
}

fn mistaken<S: Scoresheet>(game: &Game<S>, mistake: &Mistake) -> Mistaken {
    let &Mistake { ply, color, played, better, loss } = mistake;
    let position = game.moves().iter().take(ply).fold(*game.start(), |position, &mv| position.after(mv));
    Mistaken {
        ply: ply + 1,
        color: match color {
            Color::White => "white",
            Color::Black => "black",
        }
        .to_owned(),
        move_number: position.fullmoves(),
        played: written(&position, played),
        better: written(&position, better),
        loss_percent: (loss * 100.0).round(),
    }
}

fn written(position: &Position, mv: Move) -> Written {
    // The moves are legal, so there is always a notation.
    let san = position.san(mv).map_or_else(|_| mv.to_string(), |san| san.to_string());
    Written { uci: mv.to_string(), san }
}
