use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Result, bail};
use chess::{Color, Position};
use serde_json::{Value, json};
use tests::relay::{Heard, Line, Refused};
use tests::stroll;
use tokio::time::{sleep, timeout};

/// After so much silence somebody asks whether the other side is there, and after three times as much goes elsewhere.
const SILENCE: Duration = Duration::from_secs(1);

/// Whoever is not let in tries again after this.
const AGAIN: Duration = Duration::from_millis(30);

/// Somebody who takes part in a game, keeps a log of all that was told, and comes back whenever the line breaks.
#[derive(Debug)]
pub(crate) struct Witness {
    code: String,
    name: String,
    /// Nothing, if it only watches.
    color: Option<Color>,
    /// Where to come in, one after the other.
    relays: Vec<SocketAddr>,
    first: usize,
    think: Duration,
    /// Whether it is time to play.
    playing: Arc<AtomicBool>,
    notes: Mutex<Notes>,
}

/// What a witness knows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    /// All moves, in the order in which they were told.
    pub(crate) moves: Vec<String>,
    /// Whether the game has come to its end on the board.
    pub(crate) is_over: bool,
    /// What must not be.
    pub(crate) wrongs: Vec<String>,
    /// How often it has come in.
    pub(crate) arrivals: u32,
    /// How often there was no store to write to.
    pub(crate) unwritten: u32,
    token: Option<String>,
}

impl Witness {
    pub(crate) fn new(
        code: &str,
        color: Option<Color>,
        relays: &[SocketAddr],
        first: usize,
        think: Duration,
        playing: &Arc<AtomicBool>,
    ) -> Arc<Self> {
        let name = color.map_or_else(|| "watcher".to_owned(), |color| format!("{color:?}"));
        Arc::new(Self {
            code: code.to_owned(),
            name,
            color,
            relays: relays.to_vec(),
            first,
            think,
            playing: playing.clone(),
            notes: Mutex::default(),
        })
    }

    pub(crate) fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn object(&self, wrong: impl Into<String>) {
        self.notes().wrongs.push(format!("{} in {}: {}", self.name, self.code, wrong.into()));
    }

    /// Comes, and comes back, until it is given up.
    pub(crate) async fn live(self: Arc<Self>) {
        let mut random = self.code.bytes().fold(17, |random: u64, byte| random.wrapping_mul(31) + u64::from(byte));
        for relay in self.relays.iter().cycle().skip(self.first) {
            match self.sit(*relay, &mut random).await {
                Ok(()) => {}
                Err(error) => match error.downcast_ref::<Refused>() {
                    // It has no store, or is about to stop.
                    Some(Refused { status: 503, .. }) => self.notes().unwritten += 1,
                    None => {}
                    Some(refused) => self.object(refused.to_string()),
                },
            }
            sleep(AGAIN).await;
        }
    }

    fn path(&self) -> String {
        let Self { code, name, color, .. } = self;
        let token = self.notes().token.clone();
        match (token, color) {
            (Some(token), _) => format!("/ws/api/{name}/{code}/?extras=1&token={token}"),
            (None, Some(Color::White)) => format!("/ws/api/{name}/{code}/?extras=1&color=white"),
            (None, Some(Color::Black)) => format!("/ws/api/{name}/{code}/?extras=1&color=black"),
            (None, None) => format!("/ws/api/{name}/{code}/?extras=1&watch=1"),
        }
    }

    /// Comes in by one relay, and stays for as long as it goes well.
    async fn sit(&self, relay: SocketAddr, random: &mut u64) -> Result<()> {
        let mut line = timeout(SILENCE * 3, Line::connect(relay, &self.path())).await??;
        let mut silences = 0;
        let mut shown = Vec::new();
        loop {
            let Some(heard) = line.hear_within(SILENCE).await else {
                silences += 1;
                if silences == 3 {
                    bail!("nobody is there");
                }
                line.say(&json!({"type": "ping"})).await?;
                continue;
            };
            silences = 0;
            let Heard::Message(message) = heard else { return Ok(()) };
            match message["type"].as_str().unwrap_or_default() {
                "init" => self.greeted(&message),
                "game_state" => {
                    self.note(&message, &mut shown);
                    if let Some((mv, ply)) = self.next_move(&message, &shown, random) {
                        sleep(self.think).await;
                        line.play(&mv, ply).await?;
                    }
                }
                "end_of_game" if message["result"] == "disconnect" => self.object(message.to_string()),
                "end_of_game" => self.notes().is_over = true,
                "leave" if message["role"] == "player" => self.object(message.to_string()),
                "close" => self.object(message.to_string()),
                "error" => match message["status_code"].as_u64() {
                    // Somebody who has come in twice may have said it twice; and what could not be written down may have
                    // been. Whoever comes again sees how things are.
                    Some(409) => return Ok(()),
                    Some(503) => {
                        self.notes().unwritten += 1;
                        return Ok(());
                    }
                    _ => self.object(message.to_string()),
                },
                _ => {}
            }
        }
    }

    fn greeted(&self, message: &Value) {
        let role = if self.color.is_some() { "player" } else { "spectator" };
        if message["role"] != role {
            self.object(format!("greeted with {message}"));
        }
        let mut notes = self.notes();
        notes.arrivals += 1;
        if let Some(token) = message["token"].as_str() {
            notes.token = Some(token.to_owned());
        }
    }

    /// Writes down what is told, and whatever is wrong with it. `shown` is what this line has shown so far. Nobody is ever
    /// shown less than before, whichever relay they come in by.
    fn note(&self, message: &Value, shown: &mut Vec<String>) {
        let uci = |mv: &Value| mv["uci"].as_str().unwrap_or_default().to_owned();
        let ply = message["ply"].as_u64().unwrap_or_default() as usize;
        if let Some(moves) = message["moves"].as_array() {
            // Whoever comes in is told the whole game.
            *shown = moves.iter().map(uci).collect();
        } else if ply == shown.len() + 1 {
            shown.push(uci(&message["last_move"]));
        } else if ply != shown.len() {
            self.object(format!("after {} moves there are {ply}", shown.len()));
        }
        if shown.len() != ply || shown.last().map(String::as_str).unwrap_or_default() != uci(&message["last_move"]) {
            self.object(format!("{shown:?} is not {ply} moves up to {}", message["last_move"]));
        }
        match position_after(shown) {
            None => self.object(format!("{shown:?} cannot be played")),
            Some(position) if message["fen"] != position.fen().to_string() => {
                self.object(format!("{} after {shown:?}", message["fen"]));
            }
            Some(_) => {}
        }
        let mut notes = self.notes();
        if shown.starts_with(&notes.moves) {
            notes.moves.clone_from(shown);
        } else {
            let known = notes.moves.clone();
            drop(notes);
            self.object(format!("{known:?} has become {shown:?}"));
        }
    }

    /// What to play, if it is this player's turn.
    fn next_move(&self, message: &Value, moves: &[String], random: &mut u64) -> Option<(String, usize)> {
        if !self.playing.load(Ordering::Relaxed) || message["phase"] != "playing" {
            return None;
        }
        let position = position_after(moves)?;
        if Some(position.turn()) != self.color {
            return None;
        }
        let mv = stroll::next_move(&position, random)?;
        Some((mv.to_string(), moves.len()))
    }
}

fn position_after(moves: &[String]) -> Option<Position> {
    let mut position = Position::start();
    for mv in moves {
        position = position.play(mv.parse().ok()?).ok()?;
    }
    Some(position)
}
