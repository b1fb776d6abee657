//! Games over plain HTTP.

use serde_json::json;

use crate::house::House;

#[tokio::test]
async fn a_game_is_opened_played_and_kept() {
    let house = House::patient();
    let order = json!({"name": "Anna", "color": "black", "clock": {"base_ms": 300_000, "increment_ms": 2_000}});
    let answer = house.post("/games", &order.to_string()).await;
    assert_eq!(answer.status, 201);
    let opened = answer.json();
    let (code, token) = (opened["code"].as_str().unwrap(), opened["token"].as_str().unwrap());
    assert_eq!((code.len(), token.len(), &opened["color"]), (10, 22, &json!("black")));
    assert_eq!(opened["paths"]["play"], format!("/ws/api/Anna/{code}/"));

    let play = opened["paths"]["play"].as_str().unwrap();
    let mut black = house.client(&format!("{play}?extras=1&token={token}")).await;
    assert_eq!(black.hear_only("init").await["user_id"], opened["user_id"]);
    assert_eq!(house.get(&format!("/games/{code}.pgn")).await.status, 404, "nothing was begun");
    let mut white = house.client(&format!("/ws/api/billy/{code}/?extras=1")).await;
    black.hear_until("start").await;
    for (mover, mv) in [(0, "f2f3"), (1, "e7e5"), (0, "g2g4")] {
        let player = if mover == 0 { &mut white } else { &mut black };
        player.play(mv).await;
        while player.hear_until("game_state").await["last_move"]["uci"] != mv {}
    }
    let running = house.get(&format!("/games/{code}.json")).await.json();
    assert_eq!(
        (&running["is_over"], &running["result"], &running["ending"]),
        (&json!(false), &json!("*"), &json!(null))
    );
    black.play("d8h4").await;
    black.hear_until("end_of_game").await;

    let answer = house.get(&format!("/games/{code}.pgn")).await;
    assert!(answer.head.contains("content-type: application/vnd.chess-pgn"), "{}", answer.head);
    let pgn = answer.text();
    for line in [
        &format!("[Event \"Tabiya match {code}\"]"),
        "[Site \"?\"]",
        "[Round \"1\"]",
        "[White \"billy\"]",
        "[Black \"Anna\"]",
        "[Result \"0-1\"]",
        "[Termination \"normal\"]",
        "[TimeControl \"300+2\"]",
    ] {
        assert!(pgn.lines().any(|other| other == line), "{line} is not in\n{pgn}");
    }
    assert!(pgn.contains("1. f3 { [%clk 0:05:02] } 1... e5 { [%clk 0:05:0") && pgn.ends_with(" 0-1\n"), "{pgn}");

    let answer = house.get(&format!("/games/{code}.json?game=1")).await;
    let record = answer.json();
    assert_eq!(record["code"], code);
    assert_eq!((&record["white"], &record["black"], &record["game"]), (&json!("billy"), &json!("Anna"), &json!(1)));
    assert_eq!(record["clock"], json!({"base_ms": 300_000, "increment_ms": 2_000}));
    assert_eq!((&record["moves"][3]["uci"], &record["moves"][3]["san"]), (&json!("d8h4"), &json!("Qh4#")));
    assert_eq!(record["moves"][0]["clock_ms"], 302_000);
    assert_eq!(record["ending"], json!({"reason": "checkmate", "winner": "black"}));
    assert_eq!(record["fen"], "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    assert!(!answer.text().contains(token));

    let answer = house.get(&format!("/games/{code}.bin")).await;
    assert!(answer.head.contains("content-type: application/octet-stream"), "{}", answer.head);
    let mut game = Box::new(chess::Game::new());
    wire::layout::decode(&answer.body, &mut game).unwrap();
    assert_eq!(game.moves().len(), 4);

    black.say(json!({"type": "rematch", "action": "offer"})).await;
    white.hear_until("offer").await;
    white.say(json!({"type": "rematch", "action": "accept"})).await;
    black.hear_until("start").await;
    assert_eq!(house.get(&format!("/games/{code}.json")).await.json()["white"], "Anna");
    assert_eq!(house.get(&format!("/games/{code}.json?game=1")).await.json()["white"], "billy");
    assert_eq!(house.get(&format!("/games/{code}.json?game=3")).await.status, 404);
}

#[tokio::test]
async fn a_game_from_elsewhere_may_have_no_bytes() {
    let house = House::patient();
    let opened = house.post("/games", r#"{"start":"4k3/8/8/8/8/8/4P3/4K3 w - - 3 9"}"#).await.json();
    let code = opened["code"].as_str().unwrap();
    assert!(opened.get("token").is_none());
    let mut white = house.client(&format!("/ws/api/anna/{code}/")).await;
    let _black = house.client(&format!("/ws/api/billy/{code}/")).await;
    white.hear_until("start").await;
    let answer = house.get(&format!("/games/{code}.bin")).await;
    assert_eq!((answer.status, &answer.json()["type"]), (409, &json!("error")));
    let pgn = house.get(&format!("/games/{code}.pgn")).await;
    assert!(pgn.text().contains("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 3 9\"]\n[SetUp \"1\"]\n"), "{}", pgn.text());
}

#[tokio::test]
async fn what_is_not_there_is_not_there() {
    let house = House::open();
    for (path, status) in [
        ("/games/nothing.pgn", 404),
        ("/games/nothing", 404),
        ("/games/nothing.exe", 404),
        ("/games/..%2F..%2Fetc.pgn", 404),
        ("/games/nothing.pgn?game=x", 400),
        ("/games/nothing.pgn?game=0", 400),
    ] {
        let answer = house.get(path).await;
        assert_eq!((answer.status, &answer.json()["type"]), (status, &json!("error")), "{path}");
    }
    for body in ["[", "[]", r#"{"clock":5}"#, r#"{"start":"x"}"#] {
        let answer = house.post("/games", body).await;
        assert_eq!((answer.status, &answer.json()["status_code"]), (400, &json!(400)), "{body}");
    }
    assert_eq!(house.post("/games", &" ".repeat(100_000)).await.json()["status_code"], 413);
}
