//! A game by a rule script through two relays on one Redis, each of which executes the moves of its own player. The clients poll, as those of the
//! chess board game builder do.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Result, ensure};
use rules::Ply;
use serde_json::{Value, json};
use tests::relay::{RelayProcess, StoreLocation, get, post};
use tests::temp_dir::TempDir;

use crate::shared;

const SCRIPT: &str = include_str!("../../scripts/castling.py");

/// Its moves to the rows before the last one each fail in another way.
const MISBEHAVING: &str = include_str!("../../scripts/misbehaving.py");

/// Those moves, with a part of the error that the players get.
const MISDEEDS: [(&str, &str); 6] = [
    ("a1a2", "longer than 0.1 seconds"),
    ("a1a3", "100 MB"),
    ("a1a4", "no such piece"),
    ("a1a5", "cannot import os"),
    ("a1a6", "Error"),
    ("a1a7", "wrong answer"),
];

/// A script whose moves take a while, and are counted.
const SLOW: &str = r#"
import time

def state(y, count, turn):
    rook = {"color": "white", "name": "rook", "x": 0, "y": y}
    king = {"color": "black", "name": "king", "x": 4, "y": 7}
    moves = {"white": {"from_x": 0, "from_y": y, "to_x": 0, "to_y": y + 1}, "black": {"from_x": 4, "from_y": 7, "to_x": 3, "to_y": 7}}
    return {"pieces": [rook, king], "possible_moves": [moves[turn]], "additional_data": count, "status": "running"}

def get_starting_state():
    return state(0, 0, "white")

def make_move(pieces, move, next_turn, additional_data):
    end = time.process_time() + 0.07
    while time.process_time() < end:
        pass
    return state(move["to_y"], additional_data + 1, next_turn)
"#;

const MOVES: [&str; 6] = ["e1g1", "a7a6", "f1f7", "e8f7", "g1g2", "a6a5"];

/// A request of a client of the chess board game builder, which must be accepted.
async fn ask(relay: SocketAddr, path: &str, body: Value) -> Result<Value> {
    let answer = post(relay, path, "", &body.to_string()).await?.json()?;
    ensure!(answer["status"] == true, "{path} {body}: {answer}");
    Ok(answer["result"].clone())
}

fn order_to_move(game: &Value, user: u64, text: &str) -> Result<Value> {
    let ply: Ply = text.parse()?;
    let played = json!({
        "from_x": ply.from().file().index(), "from_y": ply.from().rank().index(),
        "to_x": ply.to().file().index(), "to_y": ply.to().rank().index(),
    });
    Ok(json!({ "game_id": game["id"], "user_id": user, "move": played }))
}

/// A game by a script, with users 11 (White, at `one`) and 12 (Black, at `other`).
async fn start(script: &str, one: SocketAddr, other: SocketAddr) -> Result<Value> {
    let script = ask(one, "/load_script/", json!({ "script": script })).await?["script_id"].clone();
    let order = json!({ "script_id": script, "play_as": "white", "user_id": 11 });
    let created = ask(one, "/create_game/", order).await?;
    let joined = ask(other, "/join_by_link/", json!({ "link": created["link"], "user_id": 12 })).await?;
    ensure!(joined["color"] == "black" && joined["game_id"] == created["id"], "{joined}");
    Ok(created)
}

#[tokio::test(flavor = "multi_thread")]
async fn two_relays_on_one_redis_play_one_game_by_a_script() -> Result<()> {
    let Some((_redis, mut relays)) = shared()? else { return Ok(()) };
    let [one, other] = [relays[0].address(), relays[1].address()];
    let created = start(SCRIPT, one, other).await?;
    for (number, text) in MOVES.iter().enumerate() {
        let (relay, user) = if number % 2 == 0 { (one, 11) } else { (other, 12) };
        // Clients poll: this relay may not have received the other one's move yet.
        let turn = if number % 2 == 0 { "white" } else { "black" };
        let path = format!("/get_game_state/{}/{user}", created["id"]);
        while get(relay, &path).await?.json()?["result"]["turn"] != turn {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let answer = ask(relay, "/make_move/", order_to_move(&created, user, text)?).await?;
        ensure!(answer["turn"] == if number % 2 == 0 { "black" } else { "white" }, "{text}: {answer}");
    }
    // A relay dies, and the other one goes on with the game of its player.
    relays[0].kill9()?;
    let path = format!("/get_game_state/{}/11", created["id"]);
    let seen = get(other, &path).await?.json()?;
    ensure!(seen["result"]["turn"] == "white" && seen["result"]["game_state"]["status"] == "running", "{seen}");
    let resigned = json!({ "game_id": created["id"], "user_id": 11, "move": "resign" });
    let ended = ask(other, "/make_move/", resigned).await?;
    ensure!(ended["game_state"]["status"] == "black won", "{ended}");
    relays[1].check()
}

/// The players get an error that says what the script did, the game keeps its last state, and other games go on.
#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_misbehaves_in_a_move_harms_no_game() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = RelayProcess::start(StoreLocation::Folder(folder.path().join("data")), &[])? else {
        return Ok(());
    };
    let address = relay.address();
    let [game, other] = [start(MISBEHAVING, address, address).await?, start(SCRIPT, address, address).await?];
    let shown = async || get(address, &format!("/get_game_state/{}/11", game["id"])).await?.json();
    let before = shown().await?;
    for (number, (text, expected)) in MISDEEDS.iter().enumerate() {
        let answer = post(address, "/make_move/", "", &order_to_move(&game, 11, text)?.to_string()).await?.json()?;
        ensure!(answer["status"] == false, "{text}: {answer}");
        ensure!(answer.to_string().contains(expected), "{text}: {expected} is not in {answer}");
        ensure!(shown().await? == before, "{text} has changed the game");
        let user = 11 + u64::from(number % 2 == 1);
        ask(address, "/make_move/", order_to_move(&other, user, MOVES[number])?).await?;
    }
    ask(address, "/make_move/", order_to_move(&game, 11, "a1a8")?).await?;
    let resigned = json!({ "game_id": game["id"], "user_id": 12, "move": "resign" });
    ensure!(ask(address, "/make_move/", resigned).await?["game_state"]["status"] == "white won");
    relay.check()
}

/// The move is in the game once or not at all, and the game goes on at the other relay.
#[tokio::test(flavor = "multi_thread")]
async fn a_relay_that_is_killed_during_a_call_loses_nothing() -> Result<()> {
    let Some((_redis, mut relays)) = shared()? else { return Ok(()) };
    let [one, other] = [relays[0].address(), relays[1].address()];
    let created = start(SLOW, one, other).await?;
    let order = order_to_move(&created, 11, "a1a2")?.to_string();
    let executed = async |relay: &RelayProcess| relay.figure("tabiya_script_wait_seconds_count", "").await;
    let before = executed(&relays[0]).await?;
    let call = tokio::spawn(async move { post(one, "/make_move/", "", &order).await });
    // A process has taken the call, and needs 70 ms for it.
    while executed(&relays[0]).await? <= before {
        tokio::task::yield_now().await;
    }
    relays[0].kill9()?;
    drop(call.await?);
    let path = format!("/get_game_state/{}/11", created["id"]);
    let turn = get(other, &path).await?.json()?["result"]["turn"].clone();
    if turn == "white" {
        ask(other, "/make_move/", order_to_move(&created, 11, "a1a2")?).await?;
    }
    let state = get(other, &path).await?.json()?;
    ensure!(state["result"]["turn"] == "black", "{state}");
    ensure!(state["result"]["game_state"]["additional_data"] == 1, "{state}");
    relays[1].check()
}
