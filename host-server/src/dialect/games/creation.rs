//! Opens a room over HTTP, before any player is connected.

use axum::body::Bytes;
use axum::http::StatusCode;
use rules::{Start, StartError};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::boards::{BoardError, GRACE_WITH_BOARD, Invitation, Registry};
use crate::dialect::json_error::JsonError;
use crate::dialect::script_terms::script_terms;
use crate::dialect::terms::{LONGEST_COUNTDOWN, clock_rule, side_named};
use crate::genome::{Deal, DealError, Library};
use crate::relay::{Claim, Relay, SeatRequest};
use crate::room::{Code, Name, Participant, ScriptTerms, SideChoice, Terms, UserId};
use crate::store::Created;

/// Grace period against a computer, in milliseconds: no person waits, so a player may come back later.
const GRACE_WITH_COMPUTER: u64 = 3_600_000;

/// A request to open a room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CreationRequest {
    /// The name of the player, if the requester wants a seat.
    name: Option<Name>,
    side: SideChoice,
    terms: Terms,
    /// The pieces of a game of GMO chess.
    deal: Option<Deal>,
    /// The script with the rules.
    script: Option<ScriptRequest>,
    /// The wooden board that plays, by its name or its permanent code: against the requester, or against a computer in place of the requester.
    board: Option<String>,
}

/// A script that has the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ScriptRequest {
    /// The name of a bundled script, or the id of a stored one.
    name: String,
    /// What players see as its name.
    title: Option<String>,
}

/// The longest title of a script, in characters.
const MAX_TITLE: usize = 64;

impl CreationRequest {
    /// Decodes the body of a request. An empty one asks for a room with the default terms.
    pub(super) fn read(body: &Bytes, usual: &Terms) -> Result<Self, JsonError> {
        let mut request =
            Self { name: None, side: SideChoice::First, terms: usual.clone(), deal: None, script: None, board: None };
        if body.trim_ascii().is_empty() {
            return Ok(request);
        }
        let value: Value =
            serde_json::from_slice(body).map_err(|error| JsonError::bad(format_args!("Not JSON: {error}.")))?;
        let Value::Object(fields) = value else { return Err(JsonError::bad("The body must be a JSON object.")) };
        let (mut rules, mut start, mut script, mut title) = (None, None, None, None);
        let mut deal = Deal::default();
        for (field, value) in fields {
            match (field.as_str(), value) {
                (_, Value::Null) => {}
                ("name", Value::String(name)) => request.name = Some(name.parse().map_err(|bad| wrong("name", bad))?),
                ("color", Value::String(color)) => {
                    request.side = side_named(&color).ok_or_else(|| wrong("color", COLOR))?;
                }
                ("clock", Value::Object(clock)) => {
                    let base = number(&clock, "base_ms").ok_or_else(|| wrong("clock", CLOCK))?;
                    let increment = number(&clock, "increment_ms").ok_or_else(|| wrong("clock", CLOCK))?;
                    request.terms.clock = Some(clock_rule(base, increment).ok_or_else(|| wrong("clock", CLOCK))?);
                }
                ("countdown_ms", Value::Number(countdown)) => {
                    let countdown = countdown.as_u64().filter(|&ms| ms <= LONGEST_COUNTDOWN);
                    request.terms.countdown = countdown.ok_or_else(|| wrong("countdown_ms", COUNTDOWN))?;
                }
                ("computer", Value::Object(computer)) => {
                    let read = serde_json::from_value(Value::Object(computer));
                    request.terms.computer = Some(read.map_err(|_| wrong("computer", COMPUTER))?);
                    request.terms.grace = request.terms.grace.max(GRACE_WITH_COMPUTER);
                }
                ("board", Value::String(board)) => {
                    request.board = Some(board);
                    request.terms.grace = request.terms.grace.max(GRACE_WITH_BOARD);
                }
                ("rules", Value::String(name)) => rules = Some(name),
                ("start", Value::String(details)) => start = Some(details),
                ("script", Value::String(name)) => script = Some(name),
                ("title", Value::String(text)) => {
                    let is_plain = text.chars().count() <= MAX_TITLE && !text.chars().any(char::is_control);
                    title = Some(text).filter(|_| is_plain);
                    title.as_ref().ok_or_else(|| wrong("title", TITLE))?;
                }
                ("preset", Value::String(preset)) => deal.preset = Some(preset),
                ("kings", Value::String(files)) => deal.kings = Some(files),
                ("promotions", Value::Array(genomes)) => deal.promotions = names(&genomes)?,
                ("promotions", _) => return Err(wrong("promotions", PROMOTIONS)),
                ("name" | "rules" | "start" | "preset" | "kings" | "script" | "title" | "board", _) => {
                    return Err(wrong(&field, "it must be a string"));
                }
                ("computer", _) => return Err(wrong("computer", COMPUTER)),
                ("color", _) => return Err(wrong("color", COLOR)),
                ("clock", _) => return Err(wrong("clock", CLOCK)),
                ("countdown_ms", _) => return Err(wrong("countdown_ms", COUNTDOWN)),
                _ => return Err(wrong(&field, "the field is unknown")),
            }
        }
        if rules.as_deref() == Some("script") {
            let name = script.ok_or_else(|| wrong("script", SCRIPT))?;
            if start.is_some() || deal != Deal::default() {
                return Err(wrong("rules", "with \"script\", the script has the start"));
            }
            request.script = Some(ScriptRequest { name, title });
        } else if script.is_some() || title.is_some() {
            return Err(wrong("rules", "script and title belong to \"script\""));
        } else if rules.as_deref() == Some("genome") && start.is_none() {
            request.deal = Some(deal);
        } else if deal != Deal::default() {
            return Err(wrong("rules", "preset, kings and promotions belong to \"genome\", without a start"));
        } else if rules.is_some() || start.is_some() {
            let rules = rules.as_deref().unwrap_or(Start::CHESS.name());
            let read = Start::read(rules, start.as_deref()).map_err(|error| match error {
                StartError::Unknown => wrong("rules", error),
                _ => wrong("start", error),
            })?;
            request.terms.start = Some(Box::new(read)).filter(|start| **start != Start::CHESS);
        }
        let is_chess = request.deal.is_none() && request.script.is_none() && request.terms.start().chess().is_some();
        if request.terms.computer.is_some() && !is_chess {
            return Err(wrong("computer", "it plays chess only"));
        }
        if request.board.is_some() && request.terms.computer.is_some() == request.name.is_some() {
            return Err(wrong(
                "board",
                "it plays against the requester, who needs a name, or without a name against a computer",
            ));
        }
        Ok(request)
    }
}

const COLOR: &str = "it must be \"white\", \"black\" or \"random\"";
const CLOCK: &str = "it must be an object with base_ms (from 1) and increment_ms (from 0), each at most a day";
const COMPUTER: &str = "it must be {\"level\": 1 to 10} or {\"engine\": a name}";
const COUNTDOWN: &str = "it must be a number of milliseconds, at most 60000";

const PROMOTIONS: &str = "it must be a list of hashes";

const SCRIPT: &str = "it must be the name of a bundled script, or the id of a stored one";
const TITLE: &str = "it must have at most 64 characters, and no control characters";

fn names(values: &[Value]) -> Result<Vec<String>, JsonError> {
    let name = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(|| wrong("promotions", PROMOTIONS));
    values.iter().map(name).collect()
}

fn wrong(field: &str, why: impl std::fmt::Display) -> JsonError {
    JsonError::bad(format_args!("The field {field:?} is wrong: {why}."))
}

fn number(clock: &Map<String, Value>, field: &str) -> Option<u32> {
    match clock.get(field) {
        None => (field == "increment_ms").then_some(0),
        Some(value) => value.as_u64()?.try_into().ok(),
    }
}

/// The response to a request that has opened a room.
#[derive(Debug, Serialize)]
pub(super) struct Opened {
    code: Code,
    #[serde(flatten)]
    seat: Option<ReservedSeat>,
    /// Whether the player at a board is asked, and the game begins when that player accepts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    asked: bool,
    paths: Paths,
}

/// The seat that is reserved for the requester.
#[derive(Debug, Serialize)]
struct ReservedSeat {
    user_id: UserId,
    token: String,
    color: String,
}

#[derive(Debug, Serialize)]
struct Paths {
    play: String,
    pgn: String,
    json: String,
    bin: String,
}

impl CreationRequest {
    /// Looks up the pieces of a game of GMO chess.
    pub(super) async fn deal(&mut self, library: &Library) -> Result<(), JsonError> {
        let Some(deal) = self.deal.take() else { return Ok(()) };
        let setup = deal.setup(library, crate::random::roll()).await.map_err(|error| match error {
            DealError::Store(error) => error.into(),
            DealError::Unknown(..) => {
                JsonError::new(StatusCode::NOT_FOUND, format!("The pieces are not there: {error}."))
            }
            DealError::King(_) => wrong("kings", error),
            DealError::Setup(_) => wrong("preset", error),
        })?;
        self.terms.start = Some(Box::new(Start::Genome(setup)));
        Ok(())
    }

    /// The script that has the rules.
    pub(super) fn script(&self) -> Option<&ScriptTerms> {
        self.terms.script.as_deref()
    }

    /// Asks the script that has the rules for the start.
    pub(super) async fn ask_script(&mut self, relay: &Relay) -> Result<(), JsonError> {
        if let Some(ScriptRequest { name, title }) = self.script.take() {
            let script = script_terms(relay, &name, title).await?;
            self.terms = self.terms.clone().by_script(script);
        }
        Ok(())
    }

    /// In whose name the player at a board is asked: that of the requester, or of the computer that plays in place of one. Nobody is asked if
    /// someone on the relay's own machine sets the board against a computer.
    fn challenger(&self, is_local: bool) -> Option<Name> {
        let computer = || self.terms.computer.as_ref().and_then(|computer| computer.to_string().parse().ok());
        self.name.clone().or_else(|| computer().filter(|_| !is_local))
    }

    /// Refuses a computer that this relay does not have, and a board that cannot play now.
    pub(super) async fn check(&mut self, relay: &Relay, boards: &Registry, is_local: bool) -> Result<(), JsonError> {
        if let Some(computer) = self.terms.computer.as_ref().filter(|&computer| !relay.computers().has(computer)) {
            return Err(wrong("computer", format_args!("this relay has no engine named {computer}")));
        }
        if let Some(name) = &self.board {
            let start = self.terms.start();
            let found = match self.challenger(is_local) {
                Some(_) => boards.askable(name, start, relay).await,
                None => boards.challengeable(name, start, relay).await,
            };
            let board = found.map_err(board_error)?;
            self.board = Some(board.name.to_string());
        }
        Ok(())
    }

    /// Opens the room under a random code that cannot be guessed. The player at a board is asked, unless someone on the relay's own
    /// machine sets the board against a computer.
    pub(super) async fn fulfil(self, relay: &Relay, boards: &Registry, is_local: bool) -> Result<Opened, JsonError> {
        // The code is the permanent link to what is played under it.
        let terms = Terms { by_invitation: true, ..self.terms.clone() };
        let code = loop {
            let code = relay.draw_code().await?;
            if relay.open(&code, terms.clone()).await? == Created::Done {
                break code;
            }
        };
        let name =
            self.name.as_ref().map_or("{username}", |name| if is_plain(name) { name.as_str() } else { "player" });
        let paths = Paths {
            play: format!("/ws/api/{name}/{code}/"),
            pgn: format!("/games/{code}.pgn"),
            json: format!("/games/{code}.json"),
            bin: format!("/games/{code}.bin"),
        };
        let seat = match &self.name {
            Some(name) => Some(sit(relay, &code, name.clone(), self.side).await?),
            None => None,
        };
        if let Some(board) = &self.board {
            // The board gets the other side, or the one that was chosen for it.
            let side = match seat.as_ref().map(|seat| seat.color.as_str()) {
                Some("white") => SideChoice::Black,
                Some(_) => SideChoice::White,
                None => self.side,
            };
            let invitation = Invitation {
                number: crate::random::roll(),
                code: code.clone(),
                side,
                clock: self.terms.clock,
                at: relay.store().now(),
                challenger: self.challenger(is_local),
                accepted: None,
            };
            let board: Name = board.parse().map_err(|bad| wrong("board", bad))?;
            boards.challenge(&board, &invitation).await.map_err(board_error)?;
        }
        let asked = self.board.is_some() && self.challenger(is_local).is_some();
        Ok(Opened { code, seat, asked, paths })
    }
}

/// Reserves a seat for the requester, for as long as the invitation is valid.
async fn sit(relay: &Relay, code: &Code, name: Name, side: SideChoice) -> Result<ReservedSeat, JsonError> {
    let request = SeatRequest::claiming(side);
    let token = request.token.clone();
    let handle = relay.enter(code, Participant::new(name), Claim::Sit(request), None).await?;
    let color = handle.color().map(|color| color.to_string()).unwrap_or_default();
    Ok(ReservedSeat { user_id: handle.participant().id.clone(), token, color })
}

fn board_error(error: BoardError) -> JsonError {
    match error {
        BoardError::Store(error) => error.into(),
        BoardError::Rules(name, _) => JsonError::new(
            StatusCode::CONFLICT,
            format!("The board {name} cannot play by these rules: its software is too old."),
        ),
        BoardError::Refuses(name) => {
            JsonError::new(StatusCode::CONFLICT, format!("The board {name} accepts no challenges."))
        }
        BoardError::NotSetUp(name) => {
            JsonError::new(StatusCode::CONFLICT, format!("The pieces on the board {name} are not set up."))
        }
        // The same answer for unknown, offline and busy boards, so that names cannot be probed.
        _ => JsonError::new(StatusCode::NOT_FOUND, "No free board has that name."),
    }
}

fn is_plain(name: &Name) -> bool {
    name.as_str().bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use wire::link::ClockRule;

    use super::*;
    use crate::room::Computer;

    fn read(body: &'static str) -> Result<CreationRequest, JsonError> {
        CreationRequest::read(&Bytes::from_static(body.as_bytes()), &Terms::default())
    }

    #[test]
    fn all_fields_are_optional() {
        let (name, side, terms) = (None, SideChoice::First, Terms::default());
        let usual = CreationRequest { name, side, terms, deal: None, script: None, board: None };
        for body in ["", " \n", "{}", r#"{"name":null,"clock":null}"#] {
            assert_eq!(read(body).unwrap(), usual, "{body}");
        }
    }

    #[test]
    fn reads_the_pieces_of_gmo_chess() {
        let request = read(r#"{"rules":"genome","preset":"0a1b2c","kings":"ad","promotions":["veza"]}"#).unwrap();
        let deal = Deal {
            preset: Some("0a1b2c".to_owned()),
            kings: Some("ad".to_owned()),
            promotions: vec!["veza".to_owned()],
        };
        assert_eq!(request.deal, Some(deal));
        assert_eq!(read(r#"{"rules":"genome"}"#).unwrap().deal, Some(Deal::default()));
        assert_eq!(read(r#"{"rules":"chess"}"#).unwrap().deal, None);
        for body in
            [r#"{"preset":"0a1b2c"}"#, r#"{"rules":"genome","promotions":[1]}"#, r#"{"rules":"genome","kings":3}"#]
        {
            assert!(read(body).is_err(), "{body}");
        }
    }

    #[test]
    fn reads_all_fields() {
        let request = read(
            r#"{"name":"Jürgen","color":"black","clock":{"base_ms":60000,"increment_ms":500},"countdown_ms":3000,
                "start":"4k3/8/8/8/8/8/4P3/4K3 w - -"}"#,
        )
        .unwrap();
        assert_eq!((request.name.unwrap().as_str(), request.side), ("Jürgen", SideChoice::Black));
        assert_eq!(request.terms.clock, Some(ClockRule { base_ms: 60_000, increment_ms: 500 }));
        assert_eq!(request.terms.countdown, 3_000);
        assert_eq!(request.terms.start().details().unwrap().to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    }

    #[test]
    fn reads_the_computer_and_the_board() {
        let request = read(r#"{"computer":{"level":4},"board":"hall"}"#).unwrap();
        assert_eq!(request.terms.computer, Some(Computer::Level(engine::Level::new(4).unwrap())));
        assert_eq!((request.terms.grace, request.board.as_deref()), (GRACE_WITH_COMPUTER, Some("hall")));
        let request = read(r#"{"rules":"script","script":"checkers","board":"hall","name":"Ana"}"#).unwrap();
        assert_eq!((request.board.as_deref(), request.script.is_some()), (Some("hall"), true));
        assert_eq!(request.terms.grace, GRACE_WITH_BOARD, "a board needs longer to reconnect");
        let patient = Terms { grace: 2 * GRACE_WITH_BOARD, ..Terms::default() };
        let body = Bytes::from_static(br#"{"board":"hall","name":"Ana"}"#);
        assert_eq!(CreationRequest::read(&body, &patient).unwrap().terms.grace, patient.grace);
        let request = read(r#"{"computer":{"engine":"stockfish"},"name":"Ana"}"#).unwrap();
        assert_eq!(request.terms.computer, Some(Computer::Engine("stockfish".parse().unwrap())));
    }

    #[test]
    fn reads_the_rules() {
        assert_eq!(read(r#"{"rules":"chess"}"#).unwrap().terms, Terms::default());
        assert_eq!(*read(r#"{"rules":"breakthrough"}"#).unwrap().terms.start(), Start::Breakthrough);
    }

    #[test]
    fn errors_name_the_field() {
        for (body, field) in [
            ("[]", "object"),
            ("{", "Not JSON"),
            (r#"{"name":5}"#, "\"name\""),
            (r#"{"name":""}"#, "\"name\""),
            (r#"{"color":"red"}"#, "\"color\""),
            (r#"{"color":1}"#, "\"color\""),
            (r#"{"clock":300}"#, "\"clock\""),
            (r#"{"clock":{}}"#, "\"clock\""),
            (r#"{"clock":{"base_ms":0}}"#, "\"clock\""),
            (r#"{"clock":{"base_ms":1,"increment_ms":-1}}"#, "\"clock\""),
            (r#"{"clock":{"base_ms":4294967296}}"#, "\"clock\""),
            (r#"{"countdown_ms":60001}"#, "\"countdown_ms\""),
            (r#"{"countdown_ms":"3"}"#, "\"countdown_ms\""),
            (r#"{"start":"8/8/8/8/8/8/8/8 w - -"}"#, "\"start\""),
            (r#"{"start":5}"#, "\"start\""),
            (r#"{"rules":5}"#, "\"rules\""),
            (r#"{"rules":"checkers"}"#, "one of: chess"),
            (r#"{"rules":"script"}"#, "\"script\""),
            (r#"{"rules":"script","script":"checkers","start":"x"}"#, "\"rules\""),
            (r#"{"script":"checkers"}"#, "\"rules\""),
            (r#"{"rules":"script","script":"checkers","title":"a\u0007"}"#, "\"title\""),
            (r#"{"rules":"breakthrough","start":"4k3/8/8/8/8/8/4P3/4K3 w - -"}"#, "\"start\""),
            (r#"{"colour":"white"}"#, "\"colour\""),
            (r#"{"computer":5}"#, "\"computer\""),
            (r#"{"computer":{"level":11}}"#, "\"computer\""),
            (r#"{"computer":{"engine":"a b"}}"#, "\"computer\""),
            (r#"{"computer":{"level":5},"rules":"breakthrough"}"#, "chess only"),
            (r#"{"computer":{"level":5},"rules":"genome"}"#, "chess only"),
            (r#"{"board":"hall"}"#, "\"board\""),
            (r#"{"board":"hall","name":"Ana","computer":{"level":5}}"#, "\"board\""),
            (r#"{"board":5}"#, "\"board\""),
        ] {
            let error = crate::dialect::json(&read(body).unwrap_err()).replace("\\\"", "\"");
            assert!(error.contains("\"status_code\":400") && error.contains(field), "{body}: {error}");
        }
    }
}
