//! Invalid and hostile messages.

use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::client::ChessataClient;
use crate::in_process_relay::InProcessRelay;
use host_server::room::Terms;

#[tokio::test]
async fn reports_invalid_messages_and_keeps_the_game() {
    let relay = InProcessRelay::start();
    let [mut white, mut black] = relay.players("").await;
    for (text, status, words) in [
        ("", 400, "could not be parsed"),
        ("e2e4", 400, "could not be parsed"),
        ("{\"type\":\"move\"", 400, "could not be parsed"),
        ("\u{0}", 400, "could not be parsed"),
        ("[]", 400, "object"),
        ("[\"move\",\"e2\",\"e4\"]", 400, "object"),
        ("null", 400, "object"),
        ("17", 400, "object"),
        ("{}", 400, "\"type\""),
        ("{\"type\":[]}", 400, "\"type\""),
        ("{\"type\":\"surrender\"}", 400, "Unsupported message type"),
        ("{\"type\":\"move\"}", 400, "\"start\""),
        ("{\"type\":\"move\",\"start\":\"e2\"}", 400, "\"end\""),
        ("{\"type\":\"move\",\"start\":{},\"end\":\"e4\"}", 400, "\"start\""),
        ("{\"type\":\"move\",\"start\":\"e2\",\"end\":\"i9\"}", 400, "\"end\""),
        ("{\"type\":\"move\",\"start\":\"e2\",\"end\":\"e4\",\"promotion\":1}", 400, "\"promotion\""),
        ("{\"type\":\"move\",\"start\":\"e2\",\"end\":\"e4\",\"ply\":\"0\"}", 400, "\"ply\""),
        ("{\"type\":\"chat\"}", 400, "\"message\""),
        ("{\"type\":\"chat\",\"message\":\"\"}", 400, "1 to 500"),
        ("{\"type\":\"chat\",\"message\":\" \\u0007 \"}", 400, "1 to 500"),
        ("{\"type\":\"draw\"}", 400, "\"action\""),
        ("{\"type\":\"draw\",\"action\":\"demand\"}", 400, "\"action\""),
        ("{\"type\":\"move\",\"start\":\"e3\",\"end\":\"e4\"}", 405, "There is no piece on this square."),
        ("{\"type\":\"move\",\"start\":\"e7\",\"end\":\"e5\"}", 405, "This is not your piece."),
        ("{\"type\":\"move\",\"start\":\"e2\",\"end\":\"e5\"}", 405, "Illegal move."),
        ("{\"type\":\"move\",\"start\":\"e2\",\"end\":\"e2\"}", 405, "Start and end positions match."),
        ("{\"type\":\"move\",\"start\":\"e1\",\"end\":\"g1\"}", 405, "Illegal move."),
        ("{\"type\":\"rematch\",\"action\":\"offer\"}", 409, "The game is not over yet."),
    ] {
        white.send_text(text).await;
        let message = white.expect_error(status).await;
        assert!(message.contains(words), "{text}: {message}");
    }
    for text in ["{\"type\":\"chat\",\"message\":\"".to_owned() + &"x".repeat(501) + "\"}", "x".repeat(20_000)] {
        white.send_text(text).await;
        white.expect_error(413).await;
    }
    white.send_frame(Message::binary(b"{\"type\":\"ping\"}".to_vec())).await;
    white.expect_error(400).await;
    black.play("e7e5").await;
    assert_eq!(black.expect_error(405).await, "It is not your turn.");
    white.play("e2e4").await;
    black.expect_type("game_state").await;
    white.expect_type("game_state").await;
}

#[tokio::test]
async fn rejects_moves_before_the_game_and_out_of_turn() {
    let relay = InProcessRelay::start();
    let mut white = relay.client("/ws/api/anna/game/").await;
    white.receive_type("game_state").await;
    white.play("e2e4").await;
    assert_eq!(white.expect_error(409).await, "The game has not started yet.");
    white.send(json!({"type": "move", "san": "e4"})).await;
    assert_eq!(white.expect_error(409).await, "The game has not started yet.");
    let _black = relay.client("/ws/api/billy/game/").await;
    white.receive_type("game_state").await;
    let mut spectator = relay.client("/ws/api/sam/game/").await;
    spectator.receive_type("game_state").await;
    for message in [
        json!({"type": "move", "start": "e2", "end": "e4"}),
        json!({"type": "resign"}),
        json!({"type": "draw", "action": "offer"}),
    ] {
        spectator.send(message).await;
        assert_eq!(spectator.expect_error(403).await, "Only the players can do that.");
    }
}

/// Names and chat messages are passed on unchanged as JSON strings.
#[tokio::test]
async fn passes_hostile_names_and_chat_on_as_text() {
    let relay = InProcessRelay::start();
    let name = r#"<b>"];DROP\"#;
    let mut white = relay.client("/ws/api/x/game/?name=%3Cb%3E%22%5D%3BDROP%5C").await;
    assert_eq!(white.receive_type("join").await["username"], name);
    white.expect_type("game_state").await;
    let mut black = relay.client("/ws/api/billy/game/").await;
    black.receive_type("game_state").await;
    white.receive_type("game_state").await;
    for words in [
        r#"{"type":"end_of_game","result":"white_win"}"#,
        "<script>alert(1)</script>",
        "' OR 1=1 --\n\\u0000 \u{1f3f3}\u{fe0f}\u{200d}\u{1f308}",
        "$(reboot) `reboot` %s %n ${jndi:x}",
    ] {
        white.send(json!({"type": "chat", "message": words})).await;
        let chat = json!({"type": "chat", "username": name, "message": words});
        assert_eq!(black.receive().await, chat);
        assert_eq!(white.receive().await, chat);
    }
}

#[tokio::test]
async fn refuses_invalid_paths_before_the_upgrade() {
    let relay = InProcessRelay::start();
    let long = "a".repeat(33);
    for path in [
        format!("/ws/api/{long}/abc/"),
        format!("/ws/api/anna/{long}/"),
        "/ws/api/an%20na/abc/".to_owned(),
        "/ws/api/%FF/abc/".to_owned(),
        "/ws/api/anna/a-b/".to_owned(),
        "/ws/api/anna/abc/?clock=soon".to_owned(),
        "/ws/api/anna/abc/?name=%0A".to_owned(),
    ] {
        let Err(refused) = relay.try_client(&path).await else { panic!("{path}") };
        assert_eq!((refused.status, &refused.error["type"]), (400, &json!("error")), "{path}");
        assert_eq!(refused.error["status_code"], 400);
    }
    let answer = relay.get("/ws/api/anna/abc/").await;
    assert_eq!((answer.status, &answer.json().unwrap()["type"]), (426, &json!("error")));
    let Err(refused) = relay.try_client("/ws/api/anna/abc/?watch=1").await else { panic!("there is nothing to watch") };
    assert_eq!(refused.status, 404);
}

#[tokio::test]
async fn refuses_foreign_origins() {
    let relay = InProcessRelay::start();
    let Err(refused) = ChessataClient::connect(
        relay.address,
        "/ws/api/a/b/".into(),
        vec![("origin", "https://evil.example".to_owned())],
    )
    .await
    else {
        panic!("let in")
    };
    assert_eq!(refused.status, 403);
    let own = format!("http://{}", relay.address);
    assert!(ChessataClient::connect(relay.address, "/ws/api/a/b/".into(), vec![("origin", own)]).await.is_ok());
}

#[tokio::test]
async fn limits_attempts_to_guess_codes() {
    let relay = InProcessRelay::with(Terms::default(), &[("TABIYA_JOINS_PER_MINUTE", "3")]);
    let mut guests = Vec::new();
    for code in ["a", "b", "c"] {
        guests.push(relay.client(&format!("/ws/api/anna/{code}/")).await);
    }
    let Err(refused) = relay.try_client("/ws/api/anna/d/").await else { panic!("let in") };
    assert_eq!((refused.status, &refused.error["status_code"]), (429, &json!(429)));
    assert_eq!(relay.get("/games/d.pgn").await.status, 429);
    // Otherwise an accepted code would be a right one.
    let Err(refused) = relay.try_client("/ws/api/billy/c/").await else { panic!("let in") };
    assert_eq!(refused.status, 429);
    assert_eq!(relay.get("/games/c.pgn").await.status, 429);
}

#[tokio::test]
async fn limits_the_message_rate() {
    let relay = InProcessRelay::with(Terms::default(), &[("TABIYA_MESSAGES_PER_SECOND", "1")]);
    let mut player = relay.client("/ws/api/anna/game/").await;
    player.receive_type("game_state").await;
    let mut pongs = 0;
    loop {
        player.send(json!({"type": "ping"})).await;
        let answer = player.receive().await;
        if answer["type"] == "error" {
            assert_eq!(answer["status_code"], 429);
            break;
        }
        pongs += 1;
        assert!(pongs < 100);
    }
}

#[tokio::test]
async fn closes_the_connection_after_an_unreadable_frame() {
    let relay = InProcessRelay::start();
    let mut player = relay.client("/ws/api/anna/game/").await;
    player.receive_type("game_state").await;
    player.send_text("x".repeat(70_000)).await;
    assert_eq!(player.expect_type("error").await["status_code"], 413);
    player.expect_close(1009).await;
}

#[tokio::test]
async fn refuses_clients_and_moves_without_a_store() {
    let relay = InProcessRelay::with_long_grace();
    let [mut white, mut black] = relay.players("").await;
    relay.store.set_unavailable(true);
    let Err(refused) = relay.try_client("/ws/api/sam/game/").await else { panic!("let in") };
    assert_eq!(refused.status, 503);
    assert_eq!(relay.get("/games/game.pgn").await.status, 503);
    white.play("e2e4").await;
    assert_eq!(white.expect_type("error").await["status_code"], 503);
    relay.store.set_unavailable(false);
    white.play("e2e4").await;
    white.expect_type("game_state").await;
    black.expect_type("game_state").await;
}
