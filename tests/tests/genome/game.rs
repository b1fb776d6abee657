//! A game of GMO chess between two JSON clients, with a mutation, a promotion, a freeze, and a relay that is killed.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tests::json_client::JsonClient;
use tests::parts;
use tests::redis::Redis;
use tests::relay::{RelayProcess, StoreLocation, get, post};
use tests::temp_dir::TempDir;

use crate::{load, store};
use tests::genome_text::hash;

/// A knight whose DNA changes with every move.
const MUTATING_KNIGHT: &str = "AHHHACHCCHHHCHACHAHHACACSASAACACA";

/// A player of the match, with the token of the seat.
struct Seat {
    client: JsonClient,
    path: String,
    token: String,
}

impl Seat {
    async fn take(relay: &RelayProcess, path: String) -> Result<Self> {
        let mut client = JsonClient::connect(relay.address(), &path).await?;
        let init = client.receive_type("init").await?;
        ensure!(init["rules"] == "genome", "{init}");
        let token = init["token"].as_str().context("a token")?.to_owned();
        Ok(Self { client, path, token })
    }

    /// Connects again, and returns the state of the game.
    async fn reconnect(&mut self, relay: &RelayProcess) -> Result<Value> {
        self.client = JsonClient::connect_with_token(relay.address(), &self.path, &self.token).await?;
        self.client.receive_type("game_state").await
    }

    /// Makes a move. A refused move is tried again while the game is frozen.
    async fn moves(&mut self, start: &str, end: &str, promotion: Option<&str>, ply: usize) -> Result<(Value, bool)> {
        let mut was_frozen = false;
        loop {
            let message = json!({"type": "move", "start": start, "end": end, "promotion": promotion});
            self.client.send_json(&message).await?;
            loop {
                let tests::json_client::Received::Message(answer) = self.client.receive().await? else {
                    anyhow::bail!("the connection is closed");
                };
                if answer["type"] == "game_state" && answer["ply"] == ply + 1 {
                    return Ok((answer, was_frozen));
                }
                if answer["type"] == "error" {
                    ensure!(answer["message"] == "The game is frozen for a moment.", "{start}{end}: {answer}");
                    was_frozen = true;
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    break;
                }
            }
        }
    }
}

/// Opens a game with a mutating knight on the b-file, and returns its code.
async fn open(relay: &RelayProcess) -> Result<String> {
    let address = relay.address();
    ensure!(store(address, "genome", MUTATING_KNIGHT).await?.status == 201);
    let usual = load(address, "preset", "default").await?;
    let knight = hash(&load(address, "genome", "kon").await?);
    let preset = usual.replacen(&knight, &hash(MUTATING_KNIGHT), 1);
    ensure!(store(address, "preset", &preset).await?.status == 201);
    let order = json!({"rules": "genome", "preset": hash(&preset), "clock": {"base_ms": 600_000}}).to_string();
    let opened = post(address, "/games", "content-type: application/json\r\n", &order).await?;
    ensure!(opened.status == 201, "{opened:?}");
    Ok(opened.json()?["code"].as_str().context("a code")?.to_owned())
}

/// The players are at two relays, and so are spectators. All see the same pieces after every move, also what the random mutation has made of the
/// knight. Then White's relay is killed, and White goes on at the other one.
#[tokio::test(flavor = "multi_thread")]
async fn players_and_spectators_at_two_relays_on_one_redis_see_the_same_game() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let redis = Redis::start()?;
    let relays = [(), ()].map(|()| RelayProcess::start(StoreLocation::Redis(redis.port()), &["--grace=600"]));
    let [Some(mut one), Some(mut other)] = relays.map(|relay| relay.expect("it starts")) else { return Ok(()) };
    let code = open(&one).await?;
    let mut white = Seat::take(&one, format!("/ws/api/anna/{code}/?extras=1&color=white")).await?;
    let mut black = Seat::take(&other, format!("/ws/api/billy/{code}/?extras=1&color=black")).await?;
    let watch = format!("/ws/api/vera/{code}/?extras=1&watch=1");
    let mut spectators =
        [JsonClient::connect(one.address(), &watch).await?, JsonClient::connect(other.address(), &watch).await?];
    for spectator in &mut spectators {
        ensure!(spectator.receive_type("init").await?["role"] == "spectator");
    }
    let moves =
        ["b1c3", "h7h6", "a2a3", "h6h5", "a3a4", "h5h4", "a4a5", "h4h3", "a5a6", "g7g6", "a6b7", "g6g5", "b7a8"];
    for (ply, mv) in moves.iter().enumerate() {
        let seat = if ply % 2 == 0 { &mut white } else { &mut black };
        let (state, _) = seat.moves(&mv[..2], &mv[2..], None, ply).await?;
        for spectator in &mut spectators {
            let seen = state_after(spectator, ply + 1).await?;
            ensure!(
                (&seen["placement"], &seen["pieces"]) == (&state["placement"], &state["pieces"]),
                "{mv}: {seen} {state}"
            );
        }
    }
    let [_, mut spectator] = spectators;

    // A promotion is due when White's relay dies.
    one.kill9()?;
    let state = white.reconnect(&other).await?;
    ensure!(state["turn"] == "white" && letter(&state, 18) == Some('X'), "{state}");
    let (state, _) = white.moves("a8", "a8", Some("q"), moves.len()).await?;
    let seen = state_after(&mut spectator, moves.len() + 1).await?;
    ensure!(letter(&state, 56) == Some('Q') && seen["placement"] == state["placement"], "{seen} {state}");
    one.restart()?;
    let path = format!("/games/{code}.json");
    let records = [get(one.address(), &path).await?.json()?, get(other.address(), &path).await?.json()?];
    ensure!(records[0] == records[1], "{records:?}");
    ensure!(records[0]["moves"].as_array().is_some_and(|list| list.len() == moves.len() + 1), "{records:?}");
    one.check()?;
    other.check()
}

/// The state after this many plies, as a spectator receives it.
async fn state_after(spectator: &mut JsonClient, plies: usize) -> Result<Value> {
    loop {
        let state = spectator.receive_type("game_state").await?;
        if state["ply"] == plies {
            return Ok(state);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_with_a_mutation_a_promotion_and_a_freeze_survives_a_killed_relay() -> Result<()> {
    let folder = TempDir::new()?;
    let location = StoreLocation::Folder(folder.path().join("data"));
    let Some(mut relay) = RelayProcess::start(location, &["--grace=600"])? else { return Ok(()) };
    let code = open(&relay).await?;
    let mut white = Seat::take(&relay, format!("/ws/api/anna/{code}/?extras=1&color=white")).await?;
    let mut black = Seat::take(&relay, format!("/ws/api/billy/{code}/?extras=1&color=black")).await?;

    let mut ply = 0;
    // The knight mutates, and is then drawn as none of the pieces of the start.
    let (state, _) = white.moves("b1", "c3", None, ply).await?;
    ensure!(letter(&state, 18) == Some('X') && state["pieces"]["X"]["name"] == "mutant", "{state}");
    for (start, end) in
        [("h7", "h6"), ("a2", "a3"), ("h6", "h5"), ("a3", "a4"), ("h5", "h4"), ("a4", "a5"), ("h4", "h3")]
    {
        ply += 1;
        let seat = if ply % 2 == 0 { &mut white } else { &mut black };
        seat.moves(start, end, None, ply).await?;
    }
    for (start, end) in [("a5", "a6"), ("g7", "g6"), ("a6", "b7"), ("g6", "g5"), ("b7", "a8")] {
        ply += 1;
        let seat = if ply % 2 == 0 { &mut white } else { &mut black };
        seat.moves(start, end, None, ply).await?;
    }
    ply += 1;

    // The promotion waits over a crash of the relay, and White is still to move.
    relay.kill9()?;
    relay.restart()?;
    let state = white.reconnect(&relay).await?;
    ensure!(state["turn"] == "white" && letter(&state, 18) == Some('X'), "{state}");
    let choices = state["legal_moves"]["a8"][0].as_str().context("a choice")?;
    ensure!(choices.starts_with("a8=") && choices.contains('q'), "{state}");
    let (state, _) = white.moves("a8", "a8", Some("q"), ply).await?;
    ensure!(state["turn"] == "black" && letter(&state, 56) == Some('Q'), "{state}");
    let state = black.reconnect(&relay).await?;
    ensure!(state["turn"] == "black", "{state}");

    // The new queen freezes the game.
    ply += 1;
    black.moves("g5", "g4", None, ply).await?;
    ply += 1;
    let (state, _) = white.moves("a8", "a7", None, ply).await?;
    ensure!(state["frozen_ms"].as_u64().is_some_and(|ms| (1..=5_000).contains(&ms)), "{state}");
    ply += 1;
    let (_, was_frozen) = black.moves("f7", "f6", None, ply).await?;
    ensure!(was_frozen, "Black can move only after the freeze");

    let record = get(relay.address(), &format!("/games/{code}.json")).await?;
    ensure!(record.status == 200 && record.json()?["rules"] == "genome", "{record:?}");
    relay.check()
}

/// The letter of the piece on a square, by index.
fn letter(state: &Value, square: usize) -> Option<char> {
    state["placement"].as_str()?.chars().nth(square)
}
