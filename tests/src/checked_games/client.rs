use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use cozy_chess::Color;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;

use super::PlayStyle;
use crate::json_client::{JsonClient, Received, UpgradeRefused};
use crate::random::Random;
use crate::relay_message::RelayMessage;
use crate::rules_checker::RulesChecker;

/// Time without a message after which a client sends a ping, and the number of pings without an answer after which it reconnects. Without
/// the token of its seat it could not return, so it waits longer for that.
const PING_AFTER: Duration = Duration::from_secs(1);
const UNANSWERED_PINGS: u32 = 3;
const UNANSWERED_PINGS_WITHOUT_SEAT: u32 = 40;

/// Pause before a client reconnects.
const RETRY_DELAY: Duration = Duration::from_millis(30);

/// A client of a game that records and checks everything it receives, and reconnects whenever the connection breaks.
#[derive(Debug)]
pub(super) struct CheckedClient {
    code: String,
    name: &'static str,
    /// `None` for a spectator.
    color: Option<Color>,
    /// The addresses to connect to, in turn.
    routes: Vec<SocketAddr>,
    style: PlayStyle,
    /// Whether players make moves.
    playing: Arc<AtomicBool>,
    observations: Mutex<Observations>,
}

/// What a client has received.
#[derive(Clone, Debug, Default)]
pub(super) struct Observations {
    /// All moves, in the order in which they came.
    pub(super) moves: Vec<String>,
    /// Whether the game has ended on the board.
    pub(super) is_over: bool,
    /// Contradictions in what it received. Must be empty.
    pub(super) violations: Vec<String>,
    /// Number of connections.
    pub(super) joins: u32,
    /// Number of times that the relay reported an unavailable store.
    pub(super) store_errors: u32,
    /// Moves that were sent again, because the connection broke before they were seen.
    pub(super) resent: u32,
    /// From the first time that an own move was sent until it was seen, in milliseconds.
    pub(super) latencies_ms: Vec<u32>,
    /// The seat went to an earlier attempt whose answer, with the token, was lost.
    pub(super) is_unseated: bool,
    token: Option<String>,
    /// The move that was sent and not seen yet.
    pending: Option<PendingMove>,
}

#[derive(Clone, Debug)]
struct PendingMove {
    ply: usize,
    text: String,
    since: Instant,
}

/// The game as one connection has shown it.
struct ObservedGame {
    rules: RulesChecker,
    moves: Vec<String>,
    /// The ids of White and Black, once the game has begun.
    players: Option<[String; 2]>,
}

impl ObservedGame {
    fn new() -> Self {
        Self { rules: RulesChecker::new(), moves: Vec::new(), players: None }
    }

    /// Plays a move of the relay, and compares its notation.
    fn play(&mut self, mv: &Value) -> Result<(), String> {
        let uci = mv["uci"].as_str().unwrap_or_default();
        let san = self.rules.play_uci(uci)?;
        self.moves.push(uci.to_owned());
        if mv["san"] == san.as_str() { Ok(()) } else { Err(format!("{uci} is {san}, not {}", mv["san"])) }
    }

    /// Takes the moves of a state.
    fn follow(&mut self, state: &Value) -> Result<(), String> {
        let ply = state["ply"].as_u64().and_then(|ply| usize::try_from(ply).ok()).ok_or("a state without ply")?;
        if let Some(moves) = state["moves"].as_array() {
            // The first state has all moves.
            (self.rules, self.moves) = (RulesChecker::new(), Vec::new());
            for mv in moves {
                self.play(mv)?;
                let fen = self.rules.fen();
                if mv["fen"] != fen.as_str() {
                    return Err(format!("after {} the position is {fen}, not {}", mv["uci"], mv["fen"]));
                }
            }
        } else if ply == self.moves.len() + 1 {
            self.play(&state["last_move"])?;
        }
        let last = state["last_move"]["uci"].as_str();
        if self.moves.len() != ply || self.moves.last().map(String::as_str) != last {
            return Err(format!("{:?} is not {ply} moves up to {last:?}", self.moves));
        }
        if let Some([white, black]) = &self.players {
            let fields = RelayMessage::deserialize(state).map_err(|error| error.to_string())?;
            if let Some(contradiction) = self.rules.contradiction(&fields, white, black) {
                return Err(contradiction);
            }
        }
        self.rules.extension_contradiction(state).map_or(Ok(()), Err)
    }
}

impl CheckedClient {
    pub(super) fn new(
        code: &str,
        color: Option<Color>,
        routes: Vec<SocketAddr>,
        style: PlayStyle,
        playing: &Arc<AtomicBool>,
    ) -> Arc<Self> {
        let name = match color {
            Some(Color::White) => "white",
            Some(Color::Black) => "black",
            None => "watcher",
        };
        let (code, playing) = (code.to_owned(), playing.clone());
        Arc::new(Self { code, name, color, routes, style, playing, observations: Mutex::default() })
    }

    pub(super) fn observations(&self) -> MutexGuard<'_, Observations> {
        self.observations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add_violation(&self, wrong: impl Into<String>) {
        self.observations().violations.push(format!("{} in {}: {}", self.name, self.code, wrong.into()));
    }

    /// Connects and reconnects until the task is dropped.
    pub(super) async fn run(self: Arc<Self>) {
        let seed = self.code.bytes().chain(self.name.bytes());
        let mut random =
            Random::new(seed.fold(self.style.seed, |seed: u64, byte| seed.wrapping_mul(31) + u64::from(byte)));
        for relay in self.routes.iter().cycle() {
            match self.play_through(*relay, &mut random).await {
                Ok(()) => {}
                Err(error) => match error.downcast_ref::<UpgradeRefused>() {
                    // The relay has no store, or is shutting down.
                    Some(UpgradeRefused { status: 503, .. }) => self.observations().store_errors += 1,
                    None => {}
                    Some(refused) => self.add_violation(refused.to_string()),
                },
            }
            if self.observations().is_unseated {
                return;
            }
            sleep(RETRY_DELAY).await;
        }
    }

    async fn connect(&self, relay: SocketAddr) -> Result<JsonClient> {
        let Self { code, name, style, .. } = self;
        let path = format!("/ws/api/{name}/{code}/?extras=1");
        let token = self.observations().token.clone();
        if let Some(token) = token {
            return JsonClient::connect_with_token(relay, &path, &token).await;
        }
        let seat = match self.color {
            Some(_) => format!("color={name}"),
            None => "watch=1".to_owned(),
        };
        let clock = style.clock.map(|clock| format!("&clock={clock}")).unwrap_or_default();
        JsonClient::connect(relay, &format!("{path}&{seat}{clock}")).await
    }

    /// Connects through one relay, and plays until the connection ends.
    async fn play_through(&self, relay: SocketAddr, random: &mut Random) -> Result<()> {
        let mut patience = if self.observations().joins > 0 { UNANSWERED_PINGS } else { UNANSWERED_PINGS_WITHOUT_SEAT };
        let mut client = timeout(PING_AFTER * patience, self.connect(relay)).await??;
        let mut pings = 0;
        let mut shown = ObservedGame::new();
        loop {
            let Some(received) = client.receive_within(PING_AFTER).await else {
                pings += 1;
                if pings >= patience {
                    bail!("the relay does not answer pings");
                }
                client.send_json(&json!({"type": "ping"})).await?;
                continue;
            };
            pings = 0;
            let Received::Message(message) = received else { return Ok(()) };
            match message["type"].as_str().unwrap_or_default() {
                "init" => {
                    self.check_init(&message);
                    if self.observations().is_unseated {
                        return Ok(());
                    }
                    patience = UNANSWERED_PINGS;
                }
                "start" => {
                    let id = |side: &str| message["players"][side]["user_id"].as_str().map(str::to_owned);
                    shown.players = id("white").zip(id("black")).map(<[String; 2]>::from);
                }
                "game_state" => {
                    self.record(&message, &mut shown);
                    if message["phase"] == "playing"
                        && let Some(text) = self.next_move(&shown, random)
                    {
                        sleep(self.style.think).await;
                        client.send(Message::text(text.clone())).await?;
                        if random.happens(self.style.doubled_per_thousand) {
                            client.send(Message::text(text)).await?;
                        }
                    }
                }
                "end_of_game" => self.check_end(&message, &shown),
                "leave" if message["role"] == "player" => self.add_violation(message.to_string()),
                "close" => self.add_violation(message.to_string()),
                "error" => match message["status_code"].as_u64() {
                    // After a reconnect a move may be sent twice, and a move with a failed write may have been stored.
                    // Reconnecting shows the stored game.
                    Some(409) => return Ok(()),
                    Some(503) => {
                        self.observations().store_errors += 1;
                        return Ok(());
                    }
                    _ => self.add_violation(message.to_string()),
                },
                _ => {}
            }
        }
    }

    fn check_init(&self, message: &Value) {
        let is_right = match self.color {
            Some(_) => message["role"] == "player" && message["color"] == self.name,
            None => message["role"] == "spectator",
        };
        let mut observations = self.observations();
        if !is_right && observations.token.is_none() {
            observations.is_unseated = true;
            return;
        }
        observations.joins += 1;
        if let Some(token) = message["token"].as_str() {
            observations.token = Some(token.to_owned());
        }
        drop(observations);
        if !is_right {
            self.add_violation(format!("unexpected init {message}"));
        }
    }

    /// Records and checks a state. A client never receives fewer moves than before, through whichever relay.
    fn record(&self, message: &Value, shown: &mut ObservedGame) {
        if let Err(wrong) = shown.follow(message) {
            self.add_violation(wrong);
        }
        let mut observations = self.observations();
        if !shown.moves.starts_with(&observations.moves) {
            let (known, shown) = (observations.moves.clone(), &shown.moves);
            drop(observations);
            self.add_violation(format!("{known:?} has become {shown:?}"));
            return;
        }
        observations.moves.clone_from(&shown.moves);
        if let Some(pending) = observations.pending.take_if(|pending| pending.ply < shown.moves.len()) {
            let latency = pending.since.elapsed().as_millis().try_into().unwrap_or(u32::MAX);
            observations.latencies_ms.push(latency);
        }
    }

    /// The message with the next move, if it is this player's turn. A move that was sent and not seen is sent again, word for word.
    fn next_move(&self, shown: &ObservedGame, random: &mut Random) -> Option<String> {
        let is_white = self.color? == Color::White;
        if !self.playing.load(Ordering::Relaxed) || shown.rules.is_white_to_move() != is_white {
            return None;
        }
        let mut observations = self.observations();
        if let Some(pending) = observations.pending.clone().filter(|pending| pending.ply == shown.moves.len()) {
            observations.resent += 1;
            return Some(pending.text);
        }
        let number = random.number();
        let picked = if self.style.ends { shown.rules.pick_move(number) } else { shown.rules.pick_quiet_move(number) };
        let (_, text) = picked.filter(|_| shown.rules.result().is_none())?;
        let pending = PendingMove { ply: shown.moves.len(), text: text.clone(), since: Instant::now() };
        observations.pending = Some(pending);
        Some(text)
    }

    fn check_end(&self, message: &Value, shown: &ObservedGame) {
        let expected = shown.rules.result();
        if message["result"].as_str() == expected {
            self.observations().is_over = true;
        } else {
            self.add_violation(format!("{message}, and the result by the rules is {expected:?}"));
        }
    }
}
