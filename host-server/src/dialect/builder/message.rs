//! Bodies and answers.

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use chess::Color;
use rules::{Ply, Verdict};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::dialect::notation::AsText;
use crate::relay::{ActError, EnterError, PutError, RulingError};
use crate::room::{Code, Phase, Room, Ruling};
use crate::scripts::{AdditionalData, ScriptMove, ScriptPiece};
use crate::server::RetryAfter;
use crate::store::StoreError;

/// The letters of a link.
const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// The length of a link.
const LENGTH: usize = 8;

/// A random link.
pub(super) fn new_link() -> Code {
    loop {
        let most = (LETTERS.len() as u64).pow(LENGTH as u32);
        if let Some(code) = code_from(crate::random::roll() % most) {
            return code;
        }
    }
}

/// The id of the game with a link: the link as a number to the base 62. It is less than 2^53, so that it is a number in JSON.
pub(super) fn id_of(code: &Code) -> Option<u64> {
    let letters = code.as_str().as_bytes();
    let digit = |letter: &u8| LETTERS.iter().position(|other| other == letter);
    let base = LETTERS.len() as u64;
    (letters.len() == LENGTH)
        .then(|| letters.iter().try_fold(0_u64, |id, letter| Some(id * base + digit(letter)? as u64)))
        .flatten()
}

/// The link of the game with an id.
pub(super) fn code_from(mut id: u64) -> Option<Code> {
    let mut letters = [LETTERS[0]; LENGTH];
    for slot in letters.iter_mut().rev() {
        *slot = LETTERS[usize::try_from(id % LETTERS.len() as u64).ok()?];
        id /= LETTERS.len() as u64;
    }
    let text = std::str::from_utf8(&letters).ok().filter(|_| id == 0)?;
    text.parse().ok()
}

#[derive(Debug, Deserialize)]
pub(super) struct LoadScript {
    pub(super) script: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct CreateGame {
    pub(super) script_id: u64,
    pub(super) play_as: PlayAs,
    pub(super) user_id: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PlayAs {
    White,
    Black,
}

impl PlayAs {
    pub(super) const fn is_white(self) -> bool {
        matches!(self, Self::White)
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct JoinByLink {
    pub(super) link: String,
    pub(super) user_id: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct MakeMove {
    pub(super) game_id: u64,
    pub(super) user_id: u64,
    #[serde(rename = "move")]
    pub(super) action: Action,
}

/// A move, or the word `resign`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Value")]
pub(super) enum Action {
    Move(Ply),
    Resign,
}

impl TryFrom<Value> for Action {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        if value == "resign" {
            return Ok(Self::Resign);
        }
        let ScriptMove { from, to } = serde_json::from_value(value)
            .map_err(|error| format!("a move has from_x, from_y, to_x and to_y, or is \"resign\": {error}"))?;
        Ok(Self::Move(Ply::new(from, to)))
    }
}

/// Reads a body. Fields that the interface does not have are ignored.
pub(super) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(body)
        .map_err(|error| Failure::Other(StatusCode::BAD_REQUEST, format!("The body is wrong: {error}")))
}

#[derive(Serialize)]
pub(super) struct Loaded {
    pub(super) script_id: u64,
}

#[derive(Serialize)]
pub(super) struct Created<'a> {
    pub(super) id: u64,
    pub(super) link: &'a str,
}

#[derive(Serialize)]
pub(super) struct Joined<'a> {
    #[serde(flatten)]
    pub(super) shown: PlayerView<'a>,
    pub(super) game_id: u64,
}

/// A game as one player sees it.
#[derive(Clone, Copy, Serialize)]
pub(super) struct PlayerView<'a> {
    game_state: StateOrError<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<AsText<Color>>,
    turn: AsText<Color>,
}

/// The state of a game, or why a move was not played.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
enum StateOrError<'a> {
    State(GameState<'a>),
    Error(&'a str),
}

#[derive(Clone, Copy, Serialize)]
struct GameState<'a> {
    pieces: &'a [ScriptPiece],
    possible_moves: &'a [ScriptMove],
    additional_data: Option<&'a AdditionalData>,
    status: &'static str,
}

impl<'a> PlayerView<'a> {
    pub(super) fn of(room: &'a Room, color: Option<Color>) -> Self {
        let status = status(room);
        let answer = room.ruling().filter(|_| status != NOT_STARTED).map(Ruling::answer);
        let is_running = status == RUNNING;
        let game_state = GameState {
            pieces: answer.map_or(&[], |answer| &answer.pieces),
            possible_moves: answer.filter(|_| is_running).map_or(&[], |answer| &answer.possible_moves),
            additional_data: answer.map(|answer| &answer.additional_data),
            status,
        };
        let turn = AsText(room.game().to_move());
        Self { game_state: StateOrError::State(game_state), color: color.map(AsText), turn }
    }
}

const NOT_STARTED: &str = "not started";
const RUNNING: &str = "running";

fn status(room: &Room) -> &'static str {
    match (room.phase(), room.verdict()) {
        (_, Some(Verdict::Won { winner: Color::White, .. })) => "white won",
        (_, Some(Verdict::Won { winner: Color::Black, .. })) => "black won",
        // The interface has no word for a game without a result.
        (_, Some(Verdict::Drawn(_) | Verdict::Aborted | Verdict::Abandoned)) => "draw",
        (Phase::Playing, None) => RUNNING,
        // A player who has joined sees the pieces, also if the other one does not ask at the moment.
        (_, None) if Color::ALL.into_iter().all(|color| room.seat(color).is_some()) => RUNNING,
        (_, None) => NOT_STARTED,
    }
}

#[derive(Serialize)]
struct ResponseBody<T> {
    status: bool,
    result: T,
}

fn respond(answer: &impl Serialize) -> Response {
    ([(CONTENT_TYPE, "application/json")], crate::dialect::json(answer)).into_response()
}

/// The answer to a request that was executed.
pub(super) fn accepted(result: &impl Serialize) -> Response {
    respond(&ResponseBody { status: true, result })
}

/// The answer to a move that was not played: the error stands where the state would.
pub(super) fn refused(error: &str, shown: &PlayerView<'_>) -> Response {
    respond(&ResponseBody { status: false, result: PlayerView { game_state: StateOrError::Error(error), ..*shown } })
}

/// Why a request was not executed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The body is too large.
    TooLarge,
    /// For a reason of the original.
    Told(String),
    /// A script was not accepted.
    Invalid(RulingError),
    /// A stored script has no start any more, or the relay could not ask a script.
    Ruling(RulingError),
    Put(PutError),
    Enter(EnterError),
    Act(ActError),
    Store(StoreError),
    Rate(RetryAfter),
    Other(StatusCode, String),
}

impl Failure {
    /// The body of the answer.
    pub(super) fn body(&self) -> Value {
        let result = match self {
            // The original has another key for this.
            Self::TooLarge => return json!({ "status": false, "message": "Data too large" }),
            Self::Invalid(error) => {
                let result = "Script didn't manage to pass validation check";
                return json!({ "status": false, "result": result, "reason": error.reason(), "line": error.line() });
            }
            Self::Told(text) | Self::Other(_, text) => text.clone(),
            Self::Ruling(error) => error.reason(),
            Self::Put(error) => error.to_string(),
            Self::Enter(error) => error.to_string(),
            Self::Act(error) => error.to_string(),
            Self::Store(error) => error.for_clients().to_owned(),
            Self::Rate(wait) => format!("Too many requests: {wait}."),
        };
        json!({ "status": false, "result": result })
    }
}

#[cfg(test)]
mod tests {
    use chess::Square;

    use super::*;

    #[test]
    fn a_link_and_the_id_of_its_game_are_the_same() {
        for _ in 0..100 {
            let link = new_link();
            let id = id_of(&link).unwrap();
            assert!(id < 1 << 53 && code_from(id) == Some(link));
        }
        assert_eq!(code_from(0).unwrap().as_str(), "00000000");
        assert_eq!(code_from(62_u64.pow(8)), None);
        for code in ["ABC", "ABCDEFGHI", "ABC_DEFG"] {
            assert_eq!(id_of(&code.parse().unwrap()), None, "{code}");
        }
    }

    #[test]
    fn reads_moves_and_resignation() {
        let read = |action: &str| {
            read::<MakeMove>(format!(r#"{{"game_id":1,"user_id":2,"move":{action}}}"#).as_bytes())
                .map(|request| request.action)
        };
        assert_eq!(read("\"resign\"").unwrap(), Action::Resign);
        let played = Action::Move(Ply::new(Square::E2, Square::E4));
        assert_eq!(read(r#"{"from_x":4,"from_y":1,"to_x":4,"to_y":3}"#).unwrap(), played);
        for wrong in ["\"draw\"", "{}", "5", r#"{"from_x":8,"from_y":1,"to_x":4,"to_y":3}"#] {
            assert!(matches!(read(wrong), Err(Failure::Other(StatusCode::BAD_REQUEST, _))), "{wrong}");
        }
    }
}
