//! Games over plain HTTP: creation and downloads.

use host_server::boards::Registry;
use host_server::store::Store as _;
use serde_json::json;

use crate::in_process_relay::InProcessRelay;

#[tokio::test]
async fn creates_plays_and_downloads_a_game() {
    let relay = InProcessRelay::with_long_grace();
    let order = json!({"name": "Anna", "color": "black", "clock": {"base_ms": 300_000, "increment_ms": 2_000}});
    let answer = relay.post("/games", &order.to_string()).await;
    assert_eq!(answer.status, 201);
    let opened = answer.json().unwrap();
    let (code, token) = (opened["code"].as_str().unwrap(), opened["token"].as_str().unwrap());
    assert_eq!((code.len(), token.len(), &opened["color"]), (10, 22, &json!("black")));
    assert_eq!(opened["paths"]["play"], format!("/ws/api/Anna/{code}/"));

    let play = opened["paths"]["play"].as_str().unwrap();
    let mut black = relay.client(&format!("{play}?extras=1&token={token}")).await;
    assert_eq!(black.expect_type("init").await["user_id"], opened["user_id"]);
    assert_eq!(relay.get(&format!("/games/{code}.pgn")).await.status, 404, "nothing was begun");
    let mut white = relay.client(&format!("/ws/api/billy/{code}/?extras=1")).await;
    black.receive_type("start").await;
    for (mover, mv) in [(0, "f2f3"), (1, "e7e5"), (0, "g2g4")] {
        let player = if mover == 0 { &mut white } else { &mut black };
        player.play(mv).await;
        while player.receive_type("game_state").await["last_move"]["uci"] != mv {}
    }
    let running = relay.get(&format!("/games/{code}.json")).await.json().unwrap();
    assert_eq!(
        (&running["is_over"], &running["result"], &running["ending"]),
        (&json!(false), &json!("*"), &json!(null))
    );
    black.play("d8h4").await;
    black.receive_type("end_of_game").await;

    let answer = relay.get(&format!("/games/{code}.pgn")).await;
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

    let answer = relay.get(&format!("/games/{code}.json?game=1")).await;
    let record = answer.json().unwrap();
    assert_eq!(record["code"], code);
    assert_eq!((&record["white"], &record["black"], &record["game"]), (&json!("billy"), &json!("Anna"), &json!(1)));
    assert_eq!(record["clock"], json!({"base_ms": 300_000, "increment_ms": 2_000}));
    assert_eq!((&record["moves"][3]["uci"], &record["moves"][3]["san"]), (&json!("d8h4"), &json!("Qh4#")));
    assert_eq!(record["moves"][0]["clock_ms"], 302_000);
    assert_eq!(record["ending"], json!({"reason": "checkmate", "winner": "black"}));
    assert_eq!(record["fen"], "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    assert!(!answer.text().contains(token));

    let answer = relay.get(&format!("/games/{code}.bin")).await;
    assert!(answer.head.contains("content-type: application/octet-stream"), "{}", answer.head);
    let mut game = Box::new(chess::Game::new());
    wire::layout::decode(&answer.body, &mut game).unwrap();
    assert_eq!(game.moves().len(), 4);

    black.send(json!({"type": "rematch", "action": "offer"})).await;
    white.receive_type("offer").await;
    white.send(json!({"type": "rematch", "action": "accept"})).await;
    black.receive_type("start").await;
    assert_eq!(relay.get(&format!("/games/{code}.json")).await.json().unwrap()["white"], "Anna");
    assert_eq!(relay.get(&format!("/games/{code}.json?game=1")).await.json().unwrap()["white"], "billy");
    assert_eq!(relay.get(&format!("/games/{code}.json?game=3")).await.status, 404);
}

#[tokio::test]
async fn a_game_from_a_position_may_have_no_binary_form() {
    let relay = InProcessRelay::with_long_grace();
    let opened = relay.post("/games", r#"{"start":"4k3/8/8/8/8/8/4P3/4K3 w - - 3 9"}"#).await.json().unwrap();
    let code = opened["code"].as_str().unwrap();
    assert!(opened.get("token").is_none());
    let mut white = relay.client(&format!("/ws/api/anna/{code}/")).await;
    let _black = relay.client(&format!("/ws/api/billy/{code}/")).await;
    white.receive_type("start").await;
    let answer = relay.get(&format!("/games/{code}.bin")).await;
    assert_eq!((answer.status, &answer.json().unwrap()["type"]), (409, &json!("error")));
    let pgn = relay.get(&format!("/games/{code}.pgn")).await;
    assert!(pgn.text().contains("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 3 9\"]\n[SetUp \"1\"]\n"), "{}", pgn.text());
}

#[tokio::test]
async fn unknown_games_are_not_found() {
    let relay = InProcessRelay::start();
    for (path, status) in [
        ("/games/nothing.pgn", 404),
        ("/games/nothing", 404),
        ("/games/nothing.exe", 404),
        ("/games/..%2F..%2Fetc.pgn", 404),
        ("/games/nothing.pgn?game=x", 400),
        ("/games/nothing.pgn?game=0", 400),
    ] {
        let answer = relay.get(path).await;
        assert_eq!((answer.status, &answer.json().unwrap()["type"]), (status, &json!("error")), "{path}");
    }
    for body in ["[", "[]", r#"{"clock":5}"#, r#"{"start":"x"}"#] {
        let answer = relay.post("/games", body).await;
        assert_eq!((answer.status, &answer.json().unwrap()["status_code"]), (400, &json!(400)), "{body}");
    }
    assert_eq!(relay.post("/games", &" ".repeat(100_000)).await.json().unwrap()["status_code"], 413);
}

/// Plays the fool's mate under a code, and waits until both players have left and the room is closed.
async fn play_and_leave(relay: &InProcessRelay, white: &str, black: &str) -> String {
    let mut white = relay.client(white).await;
    let room = white.expect_type("init").await["room"].as_str().expect("an init has a room").to_owned();
    let mut black = relay.client(black).await;
    black.receive_type("start").await;
    white.receive_type("start").await;
    for (ply, mv) in ["f2f3", "e7e5", "g2g4", "d8h4"].into_iter().enumerate() {
        let mover = if ply % 2 == 0 { &mut white } else { &mut black };
        mover.play(mv).await;
        for player in [&mut white, &mut black] {
            while player.receive_type("game_state").await["ply"] != ply + 1 {}
        }
    }
    for mut player in [white, black] {
        player.receive_type("end_of_game").await;
        player.send(json!({"type": "leave"})).await;
        player.wait_for_close().await;
    }
    room
}

/// No new match can be opened under the generated code of a finished game, and so replace its record.
#[tokio::test]
async fn the_record_of_a_finished_game_cannot_be_overwritten() {
    let relay = InProcessRelay::start();
    let opened = relay.post("/games", "").await.json().unwrap();
    let code = opened["code"].as_str().unwrap();
    let path = |name: &str| format!("/ws/api/{name}/{code}/?extras=1");
    play_and_leave(&relay, &path("vera"), &path("ana")).await;
    let record = relay.get(&format!("/games/{code}.pgn")).await.text().to_owned();
    assert!(record.contains("Qh4#"), "{record}");
    for query in ["", "&open=1", "&clock=60", "&watch=1"] {
        let Err(refused) = relay.try_client(&format!("/ws/api/vera/{code}/?x{query}")).await else {
            panic!("{query}: a new match was opened")
        };
        assert_eq!((refused.status, &refused.error["message"]), (409, &json!("This game has ended.")), "{query}");
        // With the extensions the game is shown.
        let mut shown = relay.client(&format!("/ws/api/vera/{code}/?extras=1{query}")).await;
        let init = shown.expect_type("init").await;
        assert_eq!((&init["review"]["game"], &init["review"]["is_open"]), (&json!(1), &json!(false)), "{query}");
        shown.wait_for_close().await;
    }
    assert_eq!(relay.get(&format!("/games/{code}.pgn")).await.text(), record);
}

/// A code that people chose may be used again. The earlier games stay under the id of their room.
#[tokio::test]
async fn earlier_games_of_a_code_stay_under_the_id_of_their_room() {
    let relay = InProcessRelay::start();
    let first = play_and_leave(&relay, "/ws/api/anna/hall/?extras=1", "/ws/api/billy/hall/?extras=1").await;
    let record = relay.get("/games/hall.pgn").await.text().to_owned();
    let second = play_and_leave(&relay, "/ws/api/carl/hall/?extras=1", "/ws/api/dora/hall/?extras=1").await;
    assert_ne!(first, second);
    assert!(relay.get("/games/hall.pgn").await.text().contains("[White \"carl\"]"));
    assert_eq!(relay.get(&format!("/games/hall.pgn?room={first}")).await.text(), record);
    assert_eq!(relay.get(&format!("/games/hall.json?game=1&room={first}")).await.json().unwrap()["white"], "anna");
    assert_eq!(relay.get(&format!("/games/other.pgn?room={first}")).await.status, 404);
    assert_eq!(relay.get("/games/hall.pgn?room=1234567890abcdef").await.status, 404);
    assert_eq!(relay.get("/games/hall.pgn?room=nonsense").await.status, 400);
}

/// Only a board opens a room under its code. While it is not connected, the link says so.
#[tokio::test]
async fn the_code_of_a_board_is_opened_by_the_board_only() {
    let relay = InProcessRelay::start();
    let board = Registry::new(relay.store.clone()).add("Kitchen").await.unwrap();
    for query in ["", "?open=0", "?watch=1", "?name=Kitchen"] {
        let Err(refused) = relay.try_client(&format!("/ws/api/eve/{}/{query}", board.code)).await else {
            panic!("{query}: the code was opened")
        };
        let message = "The board Kitchen is not connected. Its game opens when it is.";
        assert_eq!((refused.status, &refused.error["message"]), (503, &json!(message)), "{query}");
    }
    assert!(relay.store.find(&board.code).await.unwrap().is_none());
}

#[tokio::test]
async fn a_table_says_what_a_code_leads_to() {
    let relay = InProcessRelay::with_long_grace();
    let order = json!({"name": "Anna", "color": "black", "clock": {"base_ms": 300_000, "increment_ms": 2_000}});
    let opened = relay.post("/games", &order.to_string()).await.json().unwrap();
    let (code, token) = (opened["code"].as_str().unwrap(), opened["token"].as_str().unwrap());
    let path = format!("/games/{code}.table");
    let clock = json!({"base_ms": 300_000, "increment_ms": 2_000});
    assert_eq!(
        relay.get(&path).await.json().unwrap(),
        json!({"phase": "waiting", "white": null, "black": {"name": "Anna", "here": false}, "free": "white",
            "clock": clock, "games": 0})
    );
    let mut black = relay.client(&format!("/ws/api/anna/{code}/?extras=1&token={token}")).await;
    let mut white = relay.client(&format!("/ws/api/billy/{code}/?extras=1")).await;
    black.receive_type("start").await;
    let both = json!({"phase": "playing", "white": {"name": "billy", "here": true}, "black": {"name": "Anna", "here": true},
        "clock": clock, "games": 1});
    assert_eq!(relay.get(&path).await.json().unwrap(), both);
    for mv in ["e2e4", "e7e5"] {
        let player = if mv == "e2e4" { &mut white } else { &mut black };
        player.play(mv).await;
        while player.receive_type("game_state").await["last_move"]["uci"] != mv {}
    }
    white.send(json!({"type": "leave"})).await;
    black.receive_type("end_of_game").await;
    let over = relay.get(&path).await.json().unwrap();
    assert_eq!((&over["phase"], over.get("free")), (&json!("over"), None));
    assert_eq!(over["white"], json!({"name": "billy", "here": false, "left": true}));
    // No opponent is seated against the player who looks at the game.
    let mut eve = relay.client(&format!("/ws/api/eve/{code}/?extras=1")).await;
    assert_eq!(eve.expect_type("init").await["role"], "spectator");
    black.send(json!({"type": "leave"})).await;
    black.receive_type("close").await;
    assert_eq!(relay.get(&path).await.json().unwrap()["phase"], "closed");
    assert_eq!(relay.get("/games/nothing.table").await.status, 404);
}

#[tokio::test]
async fn trying_codes_by_their_tables_is_limited() {
    let relay = InProcessRelay::with(host_server::room::Terms::default(), &[("TABIYA_JOINS_PER_MINUTE", "3")]);
    let mut statuses = Vec::new();
    for number in 0..8 {
        statuses.push(relay.get(&format!("/games/guess{number}.table")).await.status);
    }
    assert_eq!(statuses[0], 404);
    assert_eq!(statuses[7], 429);
}

#[tokio::test]
async fn several_games_are_listed_and_downloaded_in_one_request() {
    let relay = InProcessRelay::with_long_grace();
    let mut asked = Vec::new();
    for name in ["Anna", "Bernd"] {
        let order = json!({"name": name, "color": "white"});
        let opened = relay.post("/games", &order.to_string()).await.json().unwrap();
        let (code, token) = (opened["code"].as_str().unwrap(), opened["token"].as_str().unwrap());
        let mut white = relay.client(&format!("/ws/api/{name}/{code}/?extras=1&token={token}")).await;
        let room = white.expect_type("init").await["room"].clone();
        asked.push(json!({"code": code, "room": room}));
        if name == "Anna" {
            let mut black = relay.client(&format!("/ws/api/Vera/{code}/?extras=1")).await;
            black.receive_type("start").await;
            white.play("e2e4").await;
            white.receive_type("game_state").await;
            while black.receive_type("game_state").await["last_move"]["uci"] != "e2e4" {}
        }
    }
    let mut body = json!({"games": asked});
    body["games"].as_array_mut().unwrap().push(json!({"code": asked[0]["code"], "room": "1"}));
    let answer = relay.post("/games/status", &body.to_string()).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let found = answer.json().unwrap()["games"].clone();
    let fields = |at: usize| {
        let game = &found[at];
        [&game["phase"], &game["white"], &game["black"], &game["turn"], &game["plies"], &game["result"], &game["game"]]
    };
    let [black, star] = [json!("black"), json!("*")];
    assert_eq!(fields(0), [&json!("playing"), &json!("Anna"), &json!("Vera"), &black, &json!(1), &star, &json!(1)]);
    let [waiting, bernd] = [json!("waiting"), json!("Bernd")];
    assert_eq!(fields(1), [&waiting, &bernd, &json!(null), &json!("white"), &json!(0), &star, &json!(0)]);
    assert_eq!(found[2], json!(null), "the room of another code");
    let pgn = relay.post("/games/pgn", &body.to_string()).await;
    assert_eq!((pgn.status, pgn.text().matches("[Event ").count()), (200, 1), "one game was begun");
    assert!(pgn.text().contains("1. e4"));
    let many: Vec<_> = (0..51).map(|_| asked[0].clone()).collect();
    for (path, body) in [("/games/status", json!({"games": many})), ("/games/pgn", json!({"games": [{}]}))] {
        assert_eq!(relay.post(path, &body.to_string()).await.status, 400, "{body}");
    }
}

#[tokio::test]
async fn a_table_that_waits_is_found_by_the_first_six_characters_of_its_code() {
    let relay = InProcessRelay::with_long_grace();
    let opened = relay.post("/games", r#"{"name":"anna","color":"white"}"#).await.json().unwrap();
    let code = opened["code"].as_str().unwrap();
    let short = &code[..6];
    for told in [short.to_owned(), short.to_ascii_lowercase()] {
        let table = relay.get(&format!("/games/{told}.table")).await.json().unwrap();
        assert_eq!(
            (&table["code"], &table["white"]["name"], &table["free"]),
            (&json!(code), &json!("anna"), &json!("black"))
        );
    }
    let other = if short.starts_with('A') { "B" } else { "A" };
    let wrong = format!("{other}{}", &short[1..]);
    assert_eq!(relay.get(&format!("/games/{wrong}.table")).await.status, 404);
    // Only the whole code is the permanent address.
    assert_eq!(relay.get(&format!("/games/{short}.json")).await.status, 404);
    let token = opened["token"].as_str().unwrap();
    let mut anna = relay.client(&format!("/ws/api/anna/{code}/?extras=1&token={token}")).await;
    let mut ben = relay.client(&format!("/ws/api/ben/{}/?extras=1", short.to_ascii_lowercase())).await;
    anna.receive_type("start").await;
    ben.receive_type("start").await;
    assert_eq!(relay.get(&format!("/games/{short}.table")).await.status, 404, "the game has begun");
    assert_eq!(relay.get(&format!("/games/{code}.table")).await.status, 200);
}
