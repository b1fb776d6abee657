//! Reconnecting with a token, and protection of seats from other clients.

use host_server::room::Terms;
use serde_json::json;

use crate::client::ChessataClient;
use crate::in_process_relay::InProcessRelay;

#[tokio::test]
async fn a_player_reconnects_with_the_token() {
    let relay = InProcessRelay::with_long_grace();
    let [white, mut black] = relay.players("?extras=1").await;
    let (id, token) = (white.id.clone(), white.token.clone().expect("a player gets a token"));
    white.close().await;
    let away = json!({"type": "presence", "color": "white", "here": false});
    assert_eq!(black.receive().await, away, "a game without a clock is not lost by absence");

    let mut again = relay.try_client_with_token("/ws/api/anyone/game/?extras=1", &token).await.unwrap();
    let init = again.expect_type("init").await;
    assert_eq!((&init["user_id"], &init["role"], &init["name"]), (&json!(id), &json!("player"), &json!("anna")));
    assert_eq!(again.receive_types(3).await, ["join", "start", "game_state"]);
    assert_eq!(black.receive().await, json!({"type": "presence", "color": "white", "here": true}));
    again.expect_type("presence").await;
    again.play("e2e4").await;
    assert_eq!(black.expect_type("game_state").await["ply"], 1);
}

/// Clients from before the subprotocol send the token in the query.
#[tokio::test]
async fn a_player_reconnects_with_the_token_in_the_query() {
    let relay = InProcessRelay::with_long_grace();
    let [white, mut black] = relay.players("?extras=1").await;
    let token = white.token.clone().expect("a player gets a token");
    white.close().await;
    let mut again = relay.client(&format!("/ws/api/anyone/game/?extras=1&token={token}")).await;
    assert_eq!(again.expect_type("init").await["role"], "player");
    again.receive_type("game_state").await;
    again.receive_type("presence").await;
    again.play("e2e4").await;
    assert_eq!(black.receive_type("game_state").await["ply"], 1);
}

/// The same seat over two connections: closing one of them changes nothing.
#[tokio::test]
async fn a_player_may_have_two_connections() {
    let relay = InProcessRelay::start();
    let [mut white, mut black] = relay.players("?extras=1").await;
    let token = white.token.clone().unwrap();
    let mut other = relay.try_client_with_token("/ws/api/anna/game/?extras=1", &token).await.unwrap();
    other.receive_type("game_state").await;
    other.play("e2e4").await;
    for client in [&mut white, &mut black, &mut other] {
        client.receive_type("game_state").await;
    }
    white.close().await;
    black.play("e7e5").await;
    assert_eq!(other.expect_type("game_state").await["ply"], 2);
    assert_eq!(black.expect_type("game_state").await["ply"], 2);
}

/// Plays a move of each side.
async fn move_pawns(players: &mut [ChessataClient; 2]) {
    for (player, mv) in [(0, "e2e4"), (1, "e7e5")] {
        players[player].play(mv).await;
        for client in &mut *players {
            while client.receive_type("game_state").await["last_move"]["uci"] != mv {}
        }
    }
}

#[tokio::test]
async fn the_opponent_of_an_absent_player_claims_the_win() {
    let relay = InProcessRelay::start();
    let mut players = relay.players("?extras=1&clock=300").await;
    move_pawns(&mut players).await;
    let [white, mut black] = players;
    let (ids, token) = ((white.id.clone(), black.id.clone()), white.token.clone().unwrap());
    black.send(json!({"type": "claim_win"})).await;
    assert_eq!(black.expect_error(409).await, "Your opponent is connected.");
    white.close().await;
    let grace = black.expect_type("presence").await["grace_ms"].as_u64().unwrap();
    assert_eq!(grace, 1_000, "the shortest grace period");
    let claimed = loop {
        black.send(json!({"type": "claim_win"})).await;
        let answer = black.receive().await;
        if answer["type"] != "error" {
            break answer;
        }
        assert_eq!(answer["message"], "Your opponent still has time to come back.");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    assert_eq!(
        (&claimed["type"], &claimed["user_id"], &claimed["color"]),
        (&json!("leave"), &json!(ids.0), &json!("white"))
    );
    let end = black.expect_type("end_of_game").await;
    assert_eq!((&end["result"], &end["winner_id"]), (&json!("disconnect"), &json!(ids.1)));
    assert_eq!((&end["reason"], &end["result_text"]), (&json!("disconnect"), &json!("0-1")));
    black.expect_silence().await;
    // The player who comes back too late is shown the game.
    let mut again = relay.try_client_with_token("/ws/api/anna/game/?extras=1", &token).await.unwrap();
    assert_eq!(again.expect_type("init").await["color"], "white");
    assert_eq!(again.receive_type("end_of_game").await["winner_id"], ids.1);
}

#[tokio::test]
async fn a_game_without_a_clock_cannot_be_claimed() {
    let relay = InProcessRelay::start();
    let mut players = relay.players("?extras=1").await;
    move_pawns(&mut players).await;
    let [white, mut black] = players;
    white.close().await;
    assert_eq!(black.expect_type("presence").await.get("grace_ms"), None);
    black.send(json!({"type": "claim_win"})).await;
    assert_eq!(black.expect_error(409).await, "A game without a clock is not lost by absence.");
}

/// A client of the plain protocol has no token, so it cannot come back. It has not left all the same if its connection breaks.
#[tokio::test]
async fn a_connection_that_breaks_without_a_close_frame_is_not_a_player_who_left() {
    let relay = InProcessRelay::start();
    let mut white = relay.client("/ws/api/anna/game/").await;
    white.receive_type("init").await;
    let mut black = relay.client("/ws/api/billy/game/?extras=1").await;
    black.receive_type("start").await;
    white.break_connection();
    // The grace period begins, and only its end is the end of the game.
    let presence = black.receive_type("presence").await;
    assert_eq!((&presence["here"], &presence["grace_ms"]), (&json!(false), &json!(1_000)), "the shortest grace period");
    black.receive_type("leave").await;
    assert_eq!(black.expect_type("end_of_game").await["result"], "disconnect");
}

#[tokio::test]
async fn leaving_loses_the_game_at_once() {
    let relay = InProcessRelay::with_long_grace();
    let mut players = relay.players("?extras=1").await;
    move_pawns(&mut players).await;
    let [mut white, mut black] = players;
    white.send(json!({"type": "leave"})).await;
    assert_eq!(black.expect_type("leave").await["username"], "anna");
    let end = black.expect_type("end_of_game").await;
    assert_eq!((&end["result"], &end["winner_id"]), (&json!("disconnect"), &json!(black.id)));
    white.expect_type("leave").await;
    white.expect_type("end_of_game").await;
    white.expect_close(1000).await;
    black.expect_silence().await;
}

/// The document has the departure first, and the end of the game after it.
#[tokio::test]
async fn leaving_before_each_side_has_moved_aborts_the_game() {
    let relay = InProcessRelay::with_long_grace();
    let [mut white, mut black] = relay.players("?extras=1").await;
    let mut sam = relay.client("/ws/api/sam/game/?watch=1").await;
    sam.receive_type("game_state").await;
    black.receive_type("watching").await;
    white.send(json!({"type": "leave"})).await;
    for client in [&mut black, &mut sam] {
        assert_eq!(client.expect_type("leave").await["username"], "anna");
        let end = client.expect_type("end_of_game").await;
        assert_eq!((&end["result"], &end["winner_id"]), (&json!("disconnect"), &json!(null)));
    }
    black.expect_silence().await;
}

#[tokio::test]
async fn neither_a_wrong_token_nor_a_name_takes_a_seat() {
    let relay = InProcessRelay::with_long_grace();
    let [white, _black] = relay.players("?extras=1").await;
    let id = white.id.clone();
    for token in ["", "x", "AAAAAAAAAAAAAAAAAAAAAA", "%00", id.as_str()] {
        let Err(refused) = relay.try_client(&format!("/ws/api/anna/game/?token={token}")).await else {
            panic!("{token}")
        };
        assert_eq!(refused.status, 403);
        assert_eq!(refused.error["message"], "This token opens no seat in this game.");
        let subprotocol = token.trim_start_matches('%');
        let Err(refused) = relay.try_client_with_token("/ws/api/anna/game/", subprotocol).await else {
            panic!("{token}")
        };
        assert_eq!(refused.status, 403);
    }
    white.close().await;
    // Only the token gives the seat; a name does not.
    let mut thief = relay.client("/ws/api/anna/game/?extras=1").await;
    let init = thief.expect_type("init").await;
    assert_eq!(init["role"], "spectator");
    assert!(init.get("token").is_none() && init["user_id"] != id);
    thief.receive_type("watching").await;
    thief.play("e2e4").await;
    thief.expect_error(403).await;
}

#[tokio::test]
async fn announces_a_shutdown() {
    let relay = InProcessRelay::with_long_grace();
    let [mut white, mut black] = relay.players("?extras=1").await;
    let mut plain = relay.client("/ws/api/sam/game/").await;
    plain.receive_type("game_state").await;
    for player in [&mut white, &mut black] {
        player.receive_type("watching").await;
    }
    relay.shutdown.stop();
    for mut player in [white, black] {
        let reconnect = player.expect_type("reconnect").await;
        assert!((200..=2_000).contains(&reconnect["after_ms"].as_u64().unwrap()));
        player.expect_close(1012).await;
    }
    plain.expect_close(1012).await;
}

#[tokio::test]
async fn a_taken_colour_does_not_make_a_player_a_spectator() {
    let relay = InProcessRelay::with(Terms::default(), &[]);
    let mut black = relay.client("/ws/api/anna/game/?extras=1&color=black").await;
    assert_eq!(black.expect_type("init").await["color"], "black");
    assert_eq!(black.receive_type("game_state").await["player_turn_id"], json!(null));
    let mut white = relay.client("/ws/api/billy/game/?extras=1&color=black").await;
    assert_eq!(white.expect_type("init").await["color"], "white");
    assert_eq!(white.receive_type("start").await["color"], "white");
    assert_eq!(black.receive_type("start").await["color"], "black");
}
