//! The link of a game shows the game as long as it is stored.

use serde_json::{Value, json};

use crate::client::ChessataClient;
use crate::in_process_relay::InProcessRelay;

/// A game of two clients under a generated code.
struct Match {
    code: String,
    white: ChessataClient,
    black: ChessataClient,
    token: String,
}

async fn begin(relay: &InProcessRelay) -> Match {
    let opened = relay.post("/games", r#"{"name":"Anna","color":"white"}"#).await.json().unwrap();
    let (code, token) = (opened["code"].as_str().unwrap().to_owned(), opened["token"].as_str().unwrap().to_owned());
    let white = relay.client(&format!("/ws/api/anna/{code}/?extras=1&token={token}")).await;
    let mut black = relay.client(&format!("/ws/api/billy/{code}/?extras=1")).await;
    black.receive_type("start").await;
    Match { code, white, black, token }
}

impl Match {
    async fn plays(&mut self, moves: &[&str]) {
        for (at, mv) in moves.iter().enumerate() {
            let player = if at % 2 == 0 { &mut self.white } else { &mut self.black };
            player.play(mv).await;
            for client in [&mut self.white, &mut self.black] {
                while client.receive_type("game_state").await["last_move"]["uci"] != *mv {}
            }
        }
    }

    async fn ends(&mut self) {
        self.plays(&["f2f3", "e7e5", "g2g4", "d8h4"]).await;
        for client in [&mut self.white, &mut self.black] {
            client.receive_type("end_of_game").await;
        }
    }

    /// Both players leave. Returns the code, and the token of White.
    async fn leave(mut self) -> (String, String) {
        self.white.send(json!({"type": "leave"})).await;
        self.white.wait_for_close().await;
        self.black.send(json!({"type": "leave"})).await;
        self.black.wait_for_close().await;
        (self.code, self.token)
    }
}

/// What a client is shown before the connection is closed.
async fn shown(relay: &InProcessRelay, path: &str) -> Vec<Value> {
    let mut client = relay.client(path).await;
    let mut messages = Vec::new();
    for kind in ["init", "start", "game_state", "note", "end_of_game"] {
        messages.push(client.expect_type(kind).await);
    }
    client.expect_close(1000).await;
    messages
}

#[tokio::test]
async fn a_game_is_shown_after_both_players_have_left() {
    let relay = InProcessRelay::with_long_grace();
    let mut game = begin(&relay).await;
    game.ends().await;
    let (code, token) = game.leave().await;
    for query in ["?extras=1&watch=1", "?extras=1&open=0", "?extras=1&watch=1&game=1"] {
        let [init, start, state, _, end] =
            shown(&relay, &format!("/ws/api/eve/{code}/{query}")).await.try_into().unwrap();
        assert_eq!(init["review"], json!({"game": 1, "games": 1, "is_open": false}), "{query}");
        assert_eq!((&init["role"], &init["color"]), (&json!("spectator"), &json!("undefined")));
        assert_eq!(init["players"]["white"]["username"], "Anna");
        assert_eq!(init["players"]["white"].get("left"), None, "the match is over for both");
        assert_eq!(start["game"], 1);
        assert_eq!((&state["phase"], state["moves"].as_array().unwrap().len()), (&json!("over"), 4));
        assert_eq!((&end["reason"], &end["result_text"]), (&json!("checkmate"), &json!("0-1")));
    }
    // A player sees it from the own side, also with the token of the lost seat.
    let path = format!("/ws/api/anna/{code}/?extras=1&token={token}");
    let messages = shown(&relay, &path).await;
    assert_eq!((&messages[0]["role"], &messages[0]["color"]), (&json!("player"), &json!("white")));
    // The document has no such messages.
    let Err(refused) = relay.try_client(&format!("/ws/api/eve/{code}/?watch=1")).await else { panic!() };
    assert_eq!(refused.status, 409);
    for query in ["?extras=1&game=2", "?extras=1&game=1&room=00000000000000ff"] {
        let Err(refused) = relay.try_client(&format!("/ws/api/eve/{code}/{query}")).await else { panic!("{query}") };
        assert_eq!(refused.status, 404, "{query}");
    }
}

#[tokio::test]
async fn an_earlier_game_is_shown_while_the_next_one_is_played() {
    let relay = InProcessRelay::with_long_grace();
    let mut game = begin(&relay).await;
    game.ends().await;
    game.white.send(json!({"type": "rematch", "action": "offer"})).await;
    game.black.receive_type("offer").await;
    game.black.send(json!({"type": "rematch", "action": "accept"})).await;
    game.white.receive_type("start").await;
    let code = &game.code;
    let messages = shown(&relay, &format!("/ws/api/eve/{code}/?extras=1&watch=1&game=1")).await;
    assert_eq!(messages[0]["review"], json!({"game": 1, "games": 2, "is_open": true}));
    assert_eq!(messages[0]["players"]["white"]["username"], "Anna", "the colours are those of the first game");
    // The game that is played is watched.
    let mut live = relay.client(&format!("/ws/api/eve/{code}/?extras=1&watch=1&game=2")).await;
    assert_eq!(live.expect_type("init").await.get("review"), None);
    assert_eq!(live.receive_type("game_state").await["phase"], "playing");
}

#[tokio::test]
async fn a_player_without_a_seat_is_shown_the_game_and_not_seated_again() {
    let relay = InProcessRelay::with_long_grace();
    let mut game = begin(&relay).await;
    game.plays(&["e2e4", "e7e5"]).await;
    game.white.send(json!({"type": "leave"})).await;
    game.black.receive_type("end_of_game").await;
    let mut back = relay.client(&format!("/ws/api/anna/{}/?extras=1&token={}", game.code, game.token)).await;
    let init = back.expect_type("init").await;
    assert_eq!((&init["review"]["is_open"], &init["color"]), (&json!(true), &json!("white")));
    assert_eq!(init["players"]["white"]["left"], true);
    assert_eq!(back.receive_type("end_of_game").await["reason"], "disconnect");
    back.expect_close(1000).await;
}
