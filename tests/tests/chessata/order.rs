//! Who hears what, in which order, as the Chessata document has it.

use serde_json::json;

use crate::house::House;

#[tokio::test]
async fn players_and_spectators_are_told_in_the_documents_order() {
    let house = House::open();
    let mut white = house.client("/ws/api/anna/abc/").await;
    let init = white.hear_only("init").await;
    assert_eq!(init, json!({"type": "init", "user_id": white.id, "role": "player"}));
    let id = white.id.clone();
    assert!(id.len() == 12 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{id}");
    let join = white.hear().await;
    assert_eq!(join, json!({"type": "join", "user_id": id, "username": "anna", "role": "player"}));
    let state = white.hear_only("game_state").await;
    assert_eq!((&state["player_turn_id"], state.as_object().unwrap().len()), (&json!(id), 6));

    let mut early = house.client("/ws/api/eve/abc/").await;
    // The second seat is free, so this is a player.
    assert_eq!(early.hear_kinds(4).await, ["init", "join", "start", "game_state"]);
    let join = white.hear().await;
    assert_eq!(join, json!({"type": "join", "user_id": early.id, "username": "eve", "role": "player"}));
    assert_eq!(white.hear().await, json!({"type": "start", "color": "white"}));
    white.hear_only("game_state").await;

    let mut spectator = house.client("/ws/api/sam/abc/").await;
    let init = spectator.hear().await;
    assert_eq!(init, json!({"type": "init", "user_id": spectator.id, "role": "spectator"}));
    let join = json!({"type": "join", "user_id": spectator.id, "username": "sam", "role": "spectator"});
    assert_eq!(spectator.hear().await, join);
    assert_eq!(spectator.hear().await, json!({"type": "start", "color": "undefined"}));
    spectator.hear_only("game_state").await;
    for player in [&mut white, &mut early] {
        assert_eq!(player.hear().await, join);
    }

    white.play("e2e4").await;
    let states = [white.hear_text().await, early.hear_text().await, spectator.hear_text().await];
    assert!(states[0].starts_with(&format!(r#"{{"type":"game_state","player_turn_id":"{}","board":["#, early.id)));
    assert!(states[0] == states[1] && states[1] == states[2]);

    spectator.say(json!({"type": "chat", "message": "hi"})).await;
    for client in [&mut white, &mut early, &mut spectator] {
        assert_eq!(client.hear().await, json!({"type": "chat", "username": "sam", "message": "hi"}));
        client.hear_nothing().await;
    }

    let gone = spectator.id.clone();
    spectator.go().await;
    let leave = json!({"type": "leave", "user_id": gone, "username": "sam", "role": "spectator"});
    for player in [&mut white, &mut early] {
        assert_eq!(player.hear().await, leave);
        player.hear_nothing().await;
    }
}

/// A spectator can only be there before the game if both seats are taken, as in a countdown.
#[tokio::test]
async fn spectators_hear_that_the_game_begins() {
    let house = House::open();
    let mut white = house.client("/ws/api/anna/abc/?countdown=300").await;
    white.hear_until("game_state").await;
    let mut black = house.client("/ws/api/billy/abc/").await;
    assert_eq!(black.hear_kinds(3).await, ["init", "join", "game_state"]);
    let mut spectator = house.client("/ws/api/sam/abc/?watch=1").await;
    assert_eq!(spectator.hear_kinds(3).await, ["init", "join", "game_state"]);
    for (client, color) in [(&mut white, "white"), (&mut black, "black"), (&mut spectator, "undefined")] {
        let start = client.hear_until("start").await;
        assert_eq!(start, json!({"type": "start", "color": color}));
        client.hear_only("game_state").await;
    }
}

#[tokio::test]
async fn the_last_player_to_leave_closes_the_room_and_frees_the_code() {
    let house = House::open();
    let [mut white, mut black] = house.players("").await;
    let mut spectator = house.client("/ws/api/sam/game/").await;
    spectator.hear_until("game_state").await;
    for player in [&mut white, &mut black] {
        player.hear_only("join").await;
    }

    let (white_id, black_id) = (white.id.clone(), black.id.clone());
    white.go().await;
    for client in [&mut black, &mut spectator] {
        let leave = json!({"type": "leave", "user_id": white_id, "username": "anna", "role": "player"});
        assert_eq!(client.hear().await, leave);
        let end = json!({"type": "end_of_game", "result": "disconnect", "winner_id": black_id});
        assert_eq!(client.hear().await, end);
        client.hear_nothing().await;
    }
    black.go().await;
    let leave = json!({"type": "leave", "user_id": black_id, "username": "billy", "role": "player"});
    assert_eq!(spectator.hear().await, leave);
    let close = json!({"type": "close", "message": "Both players have left the match."});
    assert_eq!(spectator.hear().await, close);
    spectator.hear_goodbye(1000).await;

    // Whoever comes now is in another match.
    let mut first = house.client("/ws/api/carl/game/").await;
    let init = first.hear().await;
    assert_eq!(init["role"], "player");
    assert_eq!(first.hear_kinds(2).await, ["join", "game_state"]);
    let mut second = house.client("/ws/api/dora/game/").await;
    assert_eq!(second.hear_kinds(4).await, ["init", "join", "start", "game_state"]);
    assert_eq!(first.hear_kinds(3).await, ["join", "start", "game_state"]);
    first.play("d2d4").await;
    second.hear_only("game_state").await;
}

#[tokio::test]
async fn a_player_alone_who_goes_frees_the_code_as_well() {
    let house = House::open();
    let mut alone = house.client("/ws/api/anna/abc/").await;
    let first = alone.hear_only("init").await;
    alone.go().await;
    let mut other = house.client("/ws/api/anna/abc/").await;
    let init = other.hear_only("init").await;
    assert_eq!(init["role"], "player");
    assert_ne!(init["user_id"], first["user_id"]);
    assert_eq!(other.hear_kinds(2).await, ["join", "game_state"]);
}
