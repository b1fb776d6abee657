//! A game by a rule script through two relays on one Redis, each of which executes the moves of its own player. The clients poll, as those of the
//! chess board game builder do.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Result, ensure};
use rules::Ply;
use serde_json::{Value, json};
use tests::relay::{get, post};

use crate::shared;

const SCRIPT: &str = include_str!("../../scripts/castling.py");
const MOVES: [&str; 6] = ["e1g1", "a7a6", "f1f7", "e8f7", "g1g2", "a6a5"];

#[tokio::test(flavor = "multi_thread")]
async fn two_relays_on_one_redis_play_one_game_by_a_script() -> Result<()> {
    let Some((_redis, mut relays)) = shared()? else { return Ok(()) };
    let [one, other] = [relays[0].address(), relays[1].address()];
    let ask = async |relay: SocketAddr, path: &str, body: Value| -> Result<Value> {
        let answer = post(relay, path, "", &body.to_string()).await?.json()?;
        ensure!(answer["status"] == true, "{path} {body}: {answer}");
        Ok(answer["result"].clone())
    };
    let script = ask(one, "/load_script/", json!({ "script": SCRIPT })).await?["script_id"].clone();
    let order = json!({ "script_id": script, "play_as": "white", "user_id": 11 });
    let created = ask(one, "/create_game/", order).await?;
    let joined = ask(other, "/join_by_link/", json!({ "link": created["link"], "user_id": 12 })).await?;
    ensure!(joined["color"] == "black" && joined["game_id"] == created["id"], "{joined}");
    for (number, text) in MOVES.iter().enumerate() {
        let (relay, user) = if number % 2 == 0 { (one, 11) } else { (other, 12) };
        // Clients poll: this relay may not have heard of the other one's move yet.
        let turn = if number % 2 == 0 { "white" } else { "black" };
        let path = format!("/get_game_state/{}/{user}", created["id"]);
        while get(relay, &path).await?.json()?["result"]["turn"] != turn {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let ply: Ply = text.parse()?;
        let played = json!({
            "from_x": ply.from().file().index(), "from_y": ply.from().rank().index(),
            "to_x": ply.to().file().index(), "to_y": ply.to().rank().index(),
        });
        let answer =
            ask(relay, "/make_move/", json!({ "game_id": created["id"], "user_id": user, "move": played })).await?;
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
