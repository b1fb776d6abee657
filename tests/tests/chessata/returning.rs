//! Lines break, and players come back; others do not get in instead.

use host_server::room::Terms;
use serde_json::json;

use crate::house::House;

#[tokio::test]
async fn a_player_comes_back_with_the_token() {
    let house = House::patient();
    let [white, mut black] = house.players("?extras=1").await;
    let (id, token) = (white.id.clone(), white.token.clone().expect("a player gets a token"));
    white.go().await;
    let away = json!({"type": "presence", "color": "white", "here": false, "grace_ms": 600_000});
    assert_eq!(black.hear().await, away);

    let mut again = house.client(&format!("/ws/api/anyone/game/?extras=1&token={token}")).await;
    let init = again.hear_only("init").await;
    assert_eq!((&init["user_id"], &init["role"], &init["name"]), (&json!(id), &json!("player"), &json!("anna")));
    assert_eq!(again.hear_kinds(3).await, ["join", "start", "game_state"]);
    assert_eq!(black.hear().await, json!({"type": "presence", "color": "white", "here": true}));
    again.hear_only("presence").await;
    again.play("e2e4").await;
    assert_eq!(black.hear_only("game_state").await["ply"], 1);
}

/// The same seat in two windows: one may be closed, and nothing happens.
#[tokio::test]
async fn a_player_may_look_through_two_windows() {
    let house = House::open();
    let [mut white, mut black] = house.players("?extras=1").await;
    let token = white.token.clone().unwrap();
    let mut other = house.client(&format!("/ws/api/anna/game/?extras=1&token={token}")).await;
    other.hear_until("game_state").await;
    other.play("e2e4").await;
    for client in [&mut white, &mut black, &mut other] {
        client.hear_until("game_state").await;
    }
    white.go().await;
    black.play("e7e5").await;
    assert_eq!(other.hear_only("game_state").await["ply"], 2);
    assert_eq!(black.hear_only("game_state").await["ply"], 2);
}

#[tokio::test]
async fn who_stays_away_for_too_long_has_left() {
    let house = House::open();
    let [white, mut black] = house.players("?extras=1").await;
    let ids = (white.id.clone(), black.id.clone());
    white.go().await;
    assert_eq!(black.hear_only("presence").await["grace_ms"], 300);
    let leave = black.hear_only("leave").await;
    assert_eq!((&leave["user_id"], &leave["color"]), (&json!(ids.0), &json!("white")));
    let end = black.hear_only("end_of_game").await;
    assert_eq!((&end["result"], &end["winner_id"]), (&json!("disconnect"), &json!(ids.1)));
    assert_eq!((&end["reason"], &end["result_text"]), (&json!("disconnect"), &json!("0-1")));
    black.hear_nothing().await;
}

#[tokio::test]
async fn who_leaves_is_not_waited_for() {
    let house = House::patient();
    let [mut white, mut black] = house.players("?extras=1").await;
    white.say(json!({"type": "leave"})).await;
    assert_eq!(black.hear_only("leave").await["username"], "anna");
    assert_eq!(black.hear_only("end_of_game").await["result"], "disconnect");
    white.hear_only("leave").await;
    white.hear_only("end_of_game").await;
    white.hear_goodbye(1000).await;
    black.hear_nothing().await;
}

#[tokio::test]
async fn a_wrong_token_opens_nothing_and_a_name_neither() {
    let house = House::patient();
    let [white, _black] = house.players("?extras=1").await;
    let id = white.id.clone();
    for token in ["", "x", "AAAAAAAAAAAAAAAAAAAAAA", "%00", id.as_str()] {
        let Err(refused) = house.try_client(&format!("/ws/api/anna/game/?token={token}")).await else {
            panic!("{token}")
        };
        assert_eq!(refused.status, 403);
        assert_eq!(refused.error["message"], "This token opens no seat in this match.");
    }
    white.go().await;
    // The seat is kept for the one who has the token, whatever others call themselves.
    let mut thief = house.client("/ws/api/anna/game/?extras=1").await;
    let init = thief.hear_only("init").await;
    assert_eq!(init["role"], "spectator");
    assert!(init.get("token").is_none() && init["user_id"] != id);
    thief.hear_until("watching").await;
    thief.play("e2e4").await;
    thief.hear_error(403).await;
}

#[tokio::test]
async fn a_relay_that_stops_says_so() {
    let house = House::patient();
    let [mut white, mut black] = house.players("?extras=1").await;
    let mut plain = house.client("/ws/api/sam/game/").await;
    plain.hear_until("game_state").await;
    for player in [&mut white, &mut black] {
        player.hear_until("watching").await;
    }
    house.shutdown.stop();
    for mut player in [white, black] {
        let reconnect = player.hear_only("reconnect").await;
        assert!((200..=2_000).contains(&reconnect["after_ms"].as_u64().unwrap()));
        player.hear_goodbye(1012).await;
    }
    plain.hear_goodbye(1012).await;
}

#[tokio::test]
async fn colours_can_be_chosen_and_a_taken_one_is_no_reason_to_watch() {
    let house = House::with(Terms::default(), &[]);
    let mut black = house.client("/ws/api/anna/game/?extras=1&color=black").await;
    assert_eq!(black.hear_only("init").await["color"], "black");
    assert_eq!(black.hear_until("game_state").await["player_turn_id"], json!(null));
    let mut white = house.client("/ws/api/billy/game/?extras=1&color=black").await;
    assert_eq!(white.hear_only("init").await["color"], "white");
    assert_eq!(white.hear_until("start").await["color"], "white");
    assert_eq!(black.hear_until("start").await["color"], "black");
}
