//! The order of messages for each client, as the Chessata document has it.

use serde_json::json;

use crate::in_process_relay::InProcessRelay;

#[tokio::test]
async fn messages_come_in_the_documented_order() {
    let relay = InProcessRelay::start();
    let mut white = relay.client("/ws/api/anna/abc/").await;
    let init = white.expect_type("init").await;
    assert_eq!(init, json!({"type": "init", "user_id": white.id, "role": "player"}));
    let id = white.id.clone();
    assert!(id.len() == 12 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{id}");
    let join = white.receive().await;
    assert_eq!(join, json!({"type": "join", "user_id": id, "username": "anna", "role": "player"}));
    let state = white.expect_type("game_state").await;
    assert_eq!((&state["player_turn_id"], state.as_object().unwrap().len()), (&json!(id), 6));

    let mut early = relay.client("/ws/api/eve/abc/").await;
    // The second seat is free, so this client is a player.
    assert_eq!(early.receive_types(4).await, ["init", "join", "start", "game_state"]);
    let join = white.receive().await;
    assert_eq!(join, json!({"type": "join", "user_id": early.id, "username": "eve", "role": "player"}));
    assert_eq!(white.receive().await, json!({"type": "start", "color": "white"}));
    white.expect_type("game_state").await;

    let mut spectator = relay.client("/ws/api/sam/abc/").await;
    let init = spectator.receive().await;
    assert_eq!(init, json!({"type": "init", "user_id": spectator.id, "role": "spectator"}));
    let join = json!({"type": "join", "user_id": spectator.id, "username": "sam", "role": "spectator"});
    assert_eq!(spectator.receive().await, join);
    assert_eq!(spectator.receive().await, json!({"type": "start", "color": "undefined"}));
    spectator.expect_type("game_state").await;
    for player in [&mut white, &mut early] {
        assert_eq!(player.receive().await, join);
    }

    white.play("e2e4").await;
    let states = [white.receive_text().await, early.receive_text().await, spectator.receive_text().await];
    assert!(states[0].starts_with(&format!(r#"{{"type":"game_state","player_turn_id":"{}","board":["#, early.id)));
    assert!(states[0] == states[1] && states[1] == states[2]);

    spectator.send(json!({"type": "chat", "message": "hi"})).await;
    for client in [&mut white, &mut early, &mut spectator] {
        assert_eq!(client.receive().await, json!({"type": "chat", "username": "sam", "message": "hi"}));
        client.expect_silence().await;
    }

    let gone = spectator.id.clone();
    spectator.close().await;
    let leave = json!({"type": "leave", "user_id": gone, "username": "sam", "role": "spectator"});
    for player in [&mut white, &mut early] {
        assert_eq!(player.receive().await, leave);
        player.expect_silence().await;
    }
}

/// A spectator can join before the game only if both seats are taken, as during a countdown.
#[tokio::test]
async fn spectators_receive_the_start() {
    let relay = InProcessRelay::start();
    let mut white = relay.client("/ws/api/anna/abc/?countdown=300").await;
    white.receive_type("game_state").await;
    let mut black = relay.client("/ws/api/billy/abc/").await;
    assert_eq!(black.receive_types(3).await, ["init", "join", "game_state"]);
    let mut spectator = relay.client("/ws/api/sam/abc/?watch=1").await;
    assert_eq!(spectator.receive_types(3).await, ["init", "join", "game_state"]);
    for (client, color) in [(&mut white, "white"), (&mut black, "black"), (&mut spectator, "undefined")] {
        let start = client.receive_type("start").await;
        assert_eq!(start, json!({"type": "start", "color": color}));
        client.expect_type("game_state").await;
    }
}

#[tokio::test]
async fn the_last_player_to_leave_closes_the_room() {
    let relay = InProcessRelay::start();
    let [mut white, mut black] = relay.players("").await;
    let mut spectator = relay.client("/ws/api/sam/game/").await;
    spectator.receive_type("game_state").await;
    for player in [&mut white, &mut black] {
        player.expect_type("join").await;
    }

    let (white_id, black_id) = (white.id.clone(), black.id.clone());
    white.close().await;
    for client in [&mut black, &mut spectator] {
        let leave = json!({"type": "leave", "user_id": white_id, "username": "anna", "role": "player"});
        assert_eq!(client.receive().await, leave);
        let end = json!({"type": "end_of_game", "result": "disconnect", "winner_id": black_id});
        assert_eq!(client.receive().await, end);
        client.expect_silence().await;
    }
    black.close().await;
    let leave = json!({"type": "leave", "user_id": black_id, "username": "billy", "role": "player"});
    assert_eq!(spectator.receive().await, leave);
    let close = json!({"type": "close", "message": "Both players have left the match."});
    assert_eq!(spectator.receive().await, close);
    spectator.expect_close(1000).await;

    // A client that joins now is in another room.
    let mut first = relay.client("/ws/api/carl/game/").await;
    let init = first.receive().await;
    assert_eq!(init["role"], "player");
    assert_eq!(first.receive_types(2).await, ["join", "game_state"]);
    let mut second = relay.client("/ws/api/dora/game/").await;
    assert_eq!(second.receive_types(4).await, ["init", "join", "start", "game_state"]);
    assert_eq!(first.receive_types(3).await, ["join", "start", "game_state"]);
    first.play("d2d4").await;
    second.expect_type("game_state").await;
}

#[tokio::test]
async fn a_lone_player_who_leaves_frees_the_code() {
    let relay = InProcessRelay::start();
    let mut alone = relay.client("/ws/api/anna/abc/").await;
    let first = alone.expect_type("init").await;
    alone.close().await;
    let mut other = relay.client("/ws/api/anna/abc/").await;
    let init = other.expect_type("init").await;
    assert_eq!(init["role"], "player");
    assert_ne!(init["user_id"], first["user_id"]);
    assert_eq!(other.receive_types(2).await, ["join", "game_state"]);
}
