//! Those who get it wrong, and those who mean to.

use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::client::Client;
use crate::house::House;
use host_server::room::Terms;

#[tokio::test]
async fn whatever_is_wrong_is_said_and_the_game_goes_on() {
    let house = House::open();
    let [mut white, mut black] = house.players("").await;
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
        ("{\"type\":\"move\",\"start\":\"e3\",\"end\":\"e4\"}", 405, "This is not your piece."),
        ("{\"type\":\"move\",\"start\":\"e7\",\"end\":\"e5\"}", 405, "This is not your piece."),
        ("{\"type\":\"move\",\"start\":\"e2\",\"end\":\"e5\"}", 405, "Illegal move."),
        ("{\"type\":\"move\",\"start\":\"e2\",\"end\":\"e2\"}", 405, "Start and end positions match."),
        ("{\"type\":\"move\",\"start\":\"e1\",\"end\":\"g1\"}", 405, "Illegal move."),
        ("{\"type\":\"rematch\",\"action\":\"offer\"}", 409, "The game is not over yet."),
    ] {
        white.say_text(text).await;
        let message = white.hear_error(status).await;
        assert!(message.contains(words), "{text}: {message}");
    }
    for text in ["{\"type\":\"chat\",\"message\":\"".to_owned() + &"x".repeat(501) + "\"}", "x".repeat(20_000)] {
        white.say_text(text).await;
        white.hear_error(413).await;
    }
    white.send(Message::binary(b"{\"type\":\"ping\"}".to_vec())).await;
    white.hear_error(400).await;
    black.play("e7e5").await;
    assert_eq!(black.hear_error(405).await, "It is not your turn.");
    white.play("e2e4").await;
    black.hear_only("game_state").await;
    white.hear_only("game_state").await;
}

#[tokio::test]
async fn nobody_moves_before_the_game_or_for_others() {
    let house = House::open();
    let mut white = house.client("/ws/api/anna/game/").await;
    white.hear_until("game_state").await;
    white.play("e2e4").await;
    assert_eq!(white.hear_error(409).await, "The game has not started yet.");
    white.say(json!({"type": "move", "san": "e4"})).await;
    assert_eq!(white.hear_error(409).await, "The game has not started yet.");
    let _black = house.client("/ws/api/billy/game/").await;
    white.hear_until("game_state").await;
    let mut spectator = house.client("/ws/api/sam/game/").await;
    spectator.hear_until("game_state").await;
    for message in [
        json!({"type": "move", "start": "e2", "end": "e4"}),
        json!({"type": "resign"}),
        json!({"type": "draw", "action": "offer"}),
    ] {
        spectator.say(message).await;
        assert_eq!(spectator.hear_error(403).await, "Only the players can do that.");
    }
}

/// Names and words are passed on as they are, as JSON, to whoever shows them. They mean nothing to anybody on the way.
#[tokio::test]
async fn hostile_names_and_words_are_inert() {
    let house = House::open();
    let name = r#"<b>"];DROP\"#;
    let mut white = house.client("/ws/api/x/game/?name=%3Cb%3E%22%5D%3BDROP%5C").await;
    assert_eq!(white.hear_until("join").await["username"], name);
    white.hear_only("game_state").await;
    let mut black = house.client("/ws/api/billy/game/").await;
    black.hear_until("game_state").await;
    white.hear_until("game_state").await;
    for words in [
        r#"{"type":"end_of_game","result":"white_win"}"#,
        "<script>alert(1)</script>",
        "' OR 1=1 --\n\\u0000 \u{1f3f3}\u{fe0f}\u{200d}\u{1f308}",
        "$(reboot) `reboot` %s %n ${jndi:x}",
    ] {
        white.say(json!({"type": "chat", "message": words})).await;
        let chat = json!({"type": "chat", "username": name, "message": words});
        assert_eq!(black.hear().await, chat);
        assert_eq!(white.hear().await, chat);
    }
}

#[tokio::test]
async fn bad_addresses_are_refused_before_anything_else() {
    let house = House::open();
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
        let Err(refused) = house.try_client(&path).await else { panic!("{path}") };
        assert_eq!((refused.status, &refused.error["type"]), (400, &json!("error")), "{path}");
        assert_eq!(refused.error["status_code"], 400);
    }
    let answer = house.get("/ws/api/anna/abc/").await;
    assert_eq!((answer.status, &answer.json()["type"]), (426, &json!("error")));
    let Err(refused) = house.try_client("/ws/api/anna/abc/?watch=1").await else { panic!("there is nothing to watch") };
    assert_eq!(refused.status, 404);
}

#[tokio::test]
async fn a_strangers_page_stays_outside() {
    let house = House::open();
    let Err(refused) = Client::connect(house.address, "/ws/api/a/b/".into(), Some("https://evil.example")).await else {
        panic!("let in")
    };
    assert_eq!(refused.status, 403);
    let own = format!("http://{}", house.address);
    assert!(Client::connect(house.address, "/ws/api/a/b/".into(), Some(&own)).await.is_ok());
}

#[tokio::test]
async fn codes_cannot_be_tried_one_after_the_other() {
    let house = House::with(Terms::default(), &[("TABIYA_JOINS_PER_MINUTE", "3")]);
    let mut guests = Vec::new();
    for code in ["a", "b", "c"] {
        guests.push(house.client(&format!("/ws/api/anna/{code}/")).await);
    }
    let Err(refused) = house.try_client("/ws/api/anna/d/").await else { panic!("let in") };
    assert_eq!((refused.status, &refused.error["status_code"]), (429, &json!(429)));
    assert_eq!(house.get("/games/d.pgn").await.status, 429);
    // Otherwise the codes that are not refused would be the right ones.
    let Err(refused) = house.try_client("/ws/api/billy/c/").await else { panic!("let in") };
    assert_eq!(refused.status, 429);
    assert_eq!(house.get("/games/c.pgn").await.status, 429);
}

#[tokio::test]
async fn who_talks_too_fast_is_told_so() {
    let house = House::with(Terms::default(), &[("TABIYA_MESSAGES_PER_SECOND", "1")]);
    let mut player = house.client("/ws/api/anna/game/").await;
    player.hear_until("game_state").await;
    let mut pongs = 0;
    loop {
        player.say(json!({"type": "ping"})).await;
        let answer = player.hear().await;
        if answer["type"] == "error" {
            assert_eq!(answer["status_code"], 429);
            break;
        }
        pongs += 1;
        assert!(pongs < 100);
    }
}

#[tokio::test]
async fn a_message_that_cannot_be_read_at_all_ends_the_connection_in_order() {
    let house = House::open();
    let mut player = house.client("/ws/api/anna/game/").await;
    player.hear_until("game_state").await;
    player.say_text("x".repeat(70_000)).await;
    assert_eq!(player.hear_only("error").await["status_code"], 413);
    player.hear_goodbye(1009).await;
}

#[tokio::test]
async fn without_a_store_nobody_is_let_in_and_nothing_is_said_to_have_happened() {
    let house = House::patient();
    let [mut white, mut black] = house.players("").await;
    house.store.go_away(true);
    let Err(refused) = house.try_client("/ws/api/sam/game/").await else { panic!("let in") };
    assert_eq!(refused.status, 503);
    assert_eq!(house.get("/games/game.pgn").await.status, 503);
    white.play("e2e4").await;
    assert_eq!(white.hear_only("error").await["status_code"], 503);
    house.store.go_away(false);
    white.play("e2e4").await;
    white.hear_only("game_state").await;
    black.hear_only("game_state").await;
}
