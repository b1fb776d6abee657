//! Games by rule scripts and of GMO chess between a simulated board and a JSON client, through a relay process that is killed while the board
//! loses its power. The client asks for the board when it creates the game.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use chess::Square;
use rules::{Ply, Start};
use serde_json::{Value, json};
use tests::json_client::{JsonClient, Received};
use tests::random::Random;
use tests::relay::{RelayProcess, get, post};
use tests::simulated_board::SimulatedBoard;
use tests::temp_dir::TempDir;
use wire::link::Seat;

use crate::{Pairing, embedded, pair};

/// White takes and becomes a knight, which is named by another square, and castles.
const CHESS: &str = "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 h7h6 b7a6 g7g6 g1f3 g6g5 g2g3 g5g4 f1g2 g4f3 e1g1 f3g2";

/// The remote player, who has Black.
struct Client {
    line: JsonClient,
    code: String,
    token: String,
}

impl Client {
    /// Creates a game against the board.
    async fn open(relay: &RelayProcess, order: &Value) -> Result<Self> {
        let answer = post(relay.address(), "/games", "", &order.to_string()).await?;
        ensure!(answer.status == 201, "{} {}", answer.status, answer.text());
        let opened = answer.json()?;
        let text = |field: &str| Ok::<_, anyhow::Error>(opened[field].as_str().context("a field")?.to_owned());
        let (code, token) = (text("code")?, text("token")?);
        let line = connect(relay, &code, &token).await?;
        Ok(Self { line, code, token })
    }

    /// The state of the game after this many plies.
    async fn state(&mut self, plies: usize) -> Result<Value> {
        loop {
            let state = self.line.receive_type("game_state").await?;
            if state["ply"] == plies && state["phase"] != "waiting" {
                return Ok(state);
            }
        }
    }

    /// Plays, and tries again while the game is frozen.
    async fn play(&mut self, ply: Ply, number: usize) -> Result<Value> {
        let (start, end) = (ply.from().to_string(), ply.to().to_string());
        let text = ply.to_string();
        let choice = text.split_once('=').map(|(_, choice)| choice).or(text.get(4..5));
        loop {
            let message = json!({ "type": "move", "start": start, "end": end, "promotion": choice, "ply": number });
            self.line.send_json(&message).await?;
            loop {
                let Received::Message(answer) = self.line.receive().await? else { anyhow::bail!("closed") };
                if answer["type"] == "game_state" && answer["ply"] == number + 1 {
                    return Ok(answer);
                }
                if answer["type"] == "error" {
                    ensure!(answer["message"] == "The game is frozen for a moment.", "{text}: {answer}");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    break;
                }
            }
        }
    }
}

async fn connect(relay: &RelayProcess, code: &str, token: &str) -> Result<JsonClient> {
    JsonClient::connect_with_token(relay.address(), &format!("/ws/api/Vera/{code}/?extras=1"), token).await
}

/// Plays these plies, or a number of random ones, with connections cut and relays restarted in the middle.
async fn play_game(mut order: Value, plies: &[Ply], count: usize) -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = embedded(&folder)? else { return Ok(()) };
    let Pairing { key, .. } = pair(&relay, "Kitchen")?;
    let mut board = SimulatedBoard::new(key, &[relay.address()], 3);
    board.until("the board is there", SimulatedBoard::is_online).await?;
    order["name"] = "Vera".into();
    order["color"] = "black".into();
    order["board"] = "Kitchen".into();
    let rules = order["rules"].as_str().context("rules")?.to_owned();
    let mut client = Client::open(&relay, &order).await?;
    let has_game = |board: &SimulatedBoard| {
        board.seat() == Seat::White && board.any_game().is_some_and(|game| game.start().name() == rules)
    };
    board.until("the board is challenged", SimulatedBoard::is_challenged).await?;
    board.accept_challenge(Square::E1);
    board.until("the board has the game", has_game).await?;
    ensure!(board.has_hints(), "players need not agree to see the targets");
    let mut state = client.state(0).await?;
    // The pieces are set up as the lights say.
    board.follow()?;

    let mut random = Random::new(9);
    for number in 0..count {
        if state["phase"] != "playing" {
            break;
        }
        if number == count / 2 {
            relay.kill9()?;
            board.restart();
            relay.restart()?;
            client.line = connect(&relay, &client.code, &client.token).await?;
            client.state(number).await?;
            board.until("the board is back", SimulatedBoard::is_online).await?;
            ensure!(has_game(&board) && board.plies() == Some(number), "the board has lost its game");
            board.follow()?;
        }
        let mut choose = |legal: &[Ply]| plies.get(number).copied().unwrap_or_else(|| random.one_of(legal));
        // The time of simulated hands passes more quickly than that of the relay, which ends a freeze.
        let frozen = Duration::from_millis(state["frozen_ms"].as_u64().unwrap_or(0));
        let thawed = tokio::time::Instant::now() + frozen;
        while tokio::time::Instant::now() < thawed {
            board.talk().await?;
        }
        let is_boards = board.any_game().is_some_and(|game| game.to_move() == chess::Color::White);
        if is_boards {
            let game = board.any_game().context("a game")?;
            let ply = choose(&game.situation().plies());
            board.play(ply)?;
            board.talk().await?;
            state = client.state(number + 1).await?;
        } else {
            let game = board.any_game().context("a game")?;
            let ply = choose(&game.situation().plies());
            state = client.play(ply, number).await?;
            board.until("the board has the move", |board| board.plies() == Some(number + 1)).await?;
            board.follow()?;
        }
        let told = |board: &SimulatedBoard| {
            board.any_game().is_some_and(|game| {
                let is_awaited = matches!(game.start(), Start::Told(turn) if usize::from(turn.number()) < game.len());
                !is_awaited && game.len() == number + 1
            })
        };
        board.until("the board has the next turn", told).await?;
        board.follow()?;
        let occupied = board.any_game().context("a game")?.situation().occupied();
        let placement = state["placement"].as_str().context("a placement")?;
        let shown: Vec<bool> = placement.chars().map(|letter| letter != '.').collect();
        let on_board: Vec<bool> = Square::all().map(|square| occupied.has(square)).collect();
        ensure!(shown == on_board, "after ply {number}: {placement}");
    }
    let played: Vec<Ply> = board.any_game().context("a game")?.plies_from(0).collect();
    let record = get(relay.address(), &format!("/games/{}.json", client.code)).await?.json()?;
    let moves = record["moves"].as_array().context("a game has moves")?;
    let texts: Vec<String> = played.iter().map(Ply::to_string).collect();
    ensure!(moves.iter().filter_map(|one| one["uci"].as_str()).eq(texts.iter().map(String::as_str)), "{record}");
    ensure!(played.len() > count / 2, "{texts:?}");
    relay.check()
}

fn read(text: &str) -> Vec<Ply> {
    text.split_whitespace().map(|ply| ply.parse().expect(ply)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_plays_chess_by_a_script_with_castling_and_a_promotion() -> Result<()> {
    if !tests::parts::python() {
        return Ok(());
    }
    let plies = read(CHESS);
    play_game(json!({ "rules": "script", "script": "chess" }), &plies, plies.len()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_plays_checkers_by_a_script() -> Result<()> {
    if !tests::parts::python() {
        return Ok(());
    }
    let clock = json!({ "base_ms": 600_000 });
    play_game(json!({ "rules": "script", "script": "checkers", "clock": clock }), &[], 40).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_plays_gmo_chess() -> Result<()> {
    play_game(json!({ "rules": "genome" }), &[], 24).await
}
