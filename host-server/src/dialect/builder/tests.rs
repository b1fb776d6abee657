//! The interface over HTTP, with the answers of the original.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode};
use axum::{Extension, Router};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::dialect::board::BoardServer;
use crate::dialect::{Services, routes};
use crate::relay::Relay;
use crate::room::Terms;
use crate::scripts::race::{Fault, RACE, Race};
use crate::scripts::{ScriptError, Scripts};
use crate::server::ClientContext;
use crate::store::memory::Memory;

fn server() -> Router {
    server_with(Some(Scripts::new(Race::default())))
}

fn server_with(scripts: Option<Scripts>) -> Router {
    let relay = Relay::new(Arc::new(Memory::default()));
    if let Some(scripts) = scripts {
        relay.execute_scripts(scripts);
    }
    let boards = BoardServer::new(relay.clone());
    let stopping = CancellationToken::new();
    let services = Services { relay, terms: Terms::default(), boards, tls: false, stopping };
    routes(&services).layer(Extension(ClientContext::for_tests()))
}

async fn request(server: &Router, method: Method, path: &str, body: String) -> (StatusCode, Value) {
    let request = Request::builder().method(method).uri(path).body(Body::from(body)).unwrap();
    let response = server.clone().oneshot(request).await.unwrap();
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, serde_json::from_slice(&body).unwrap_or_else(|_| json!(String::from_utf8_lossy(&body))))
}

async fn post(server: &Router, path: &str, body: &Value) -> Value {
    let (status, answer) = request(server, Method::POST, path, body.to_string()).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer
}

async fn state(server: &Router, game: &Value, user: u64) -> Value {
    let (_, answer) = request(server, Method::GET, &format!("/get_game_state/{game}/{user}"), String::new()).await;
    answer
}

fn step(x: u8, from: u8, to: u8) -> Value {
    json!({ "from_x": x, "from_y": from, "to_x": x, "to_y": to })
}

/// A game of Black, who has created it, and White, who has joined. Returns its id and the answer to the second player.
async fn game(server: &Router) -> (Value, Value) {
    let loaded = post(server, "/load_script/", &json!({ "script": RACE })).await;
    assert_eq!(loaded["status"], true, "{loaded}");
    let order = json!({ "script_id": loaded["result"]["script_id"], "play_as": "black", "user_id": 7 });
    let created = post(server, "/create_game/", &order).await;
    let link = created["result"]["link"].as_str().unwrap();
    assert!(link.len() == 8 && link.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{created}");
    let waiting = state(server, &created["result"]["id"], 7).await;
    assert_eq!(waiting["result"]["game_state"]["status"], "not started");
    assert_eq!(waiting["result"]["game_state"]["pieces"], json!([]));
    let joined = post(server, "/join_by_link/", &json!({ "link": link, "user_id": 8 })).await;
    assert_eq!(joined["status"], true, "{joined}");
    let again = post(server, "/join_by_link/", &json!({ "link": link, "user_id": 9 })).await;
    let used = format!("There is no game to which you can join by link {link}");
    assert_eq!(again, json!({ "status": false, "result": used }));
    (created["result"]["id"].clone(), joined["result"].clone())
}

#[tokio::test]
async fn a_game_is_created_joined_and_played() {
    let server = server();
    let (id, joined) = game(&server).await;
    assert_eq!((&joined["game_id"], &joined["color"], &joined["turn"]), (&id, &json!("white"), &json!("white")));
    assert_eq!(joined["game_state"]["possible_moves"], json!([step(0, 1, 2)]));
    assert_eq!(joined["game_state"]["pieces"][0], json!({ "color": "white", "name": "pawn", "x": 0, "y": 1 }));
    let played = post(&server, "/make_move/", &json!({ "game_id": id, "user_id": 8, "move": step(0, 1, 2) })).await;
    assert_eq!((&played["status"], &played["result"]["turn"]), (&json!(true), &json!("black")), "{played}");
    assert_eq!(played["result"]["game_state"]["possible_moves"], json!([step(7, 6, 5)]));
    let seen = state(&server, &id, 7).await;
    assert_eq!(seen["result"]["game_state"], played["result"]["game_state"]);
    assert_eq!(seen["result"]["color"], "black");
    let resigned = post(&server, "/make_move/", &json!({ "game_id": id, "user_id": 7, "move": "resign" })).await;
    assert_eq!(resigned["result"]["game_state"]["status"], "white won", "{resigned}");
}

#[tokio::test]
async fn a_player_who_joins_again_keeps_the_seat_and_does_not_take_the_other() {
    let server = server();
    let loaded = post(&server, "/load_script/", &json!({ "script": RACE })).await;
    let order = json!({ "script_id": loaded["result"]["script_id"], "play_as": "black", "user_id": 7 });
    let created = post(&server, "/create_game/", &order).await;
    let join = async |user: u64| {
        let joined =
            post(&server, "/join_by_link/", &json!({ "link": created["result"]["link"], "user_id": user })).await;
        assert_eq!((&joined["status"], &joined["result"]["game_id"]), (&json!(true), &created["result"]["id"]));
        (joined["result"]["color"].clone(), joined["result"]["game_state"]["status"].clone())
    };
    assert_eq!(join(7).await, (json!("black"), json!("not started")));
    assert_eq!(join(8).await, (json!("white"), json!("running")));
    assert_eq!(join(8).await, (json!("white"), json!("running")));
    assert_eq!(join(7).await, (json!("black"), json!("running")));
}

#[tokio::test]
async fn the_relay_checks_what_the_original_does_not() {
    let server = server();
    let (id, _) = game(&server).await;
    for (user, played, reason) in [
        (7, step(7, 6, 5), "It is not your turn."),
        (8, step(0, 1, 3), "a2a4 is an illegal move."),
        (8, step(7, 6, 5), "This is not your piece."),
    ] {
        let refused = post(&server, "/make_move/", &json!({ "game_id": id, "user_id": user, "move": played })).await;
        assert_eq!((&refused["status"], &refused["result"]["game_state"]), (&json!(false), &json!(reason)));
    }
    // A stranger has no seat.
    let stranger = post(&server, "/make_move/", &json!({ "game_id": id, "user_id": 9, "move": "resign" })).await;
    assert_eq!(stranger, json!({ "status": false, "result": "There is no game with this id" }));
    post(&server, "/make_move/", &json!({ "game_id": id, "user_id": 8, "move": "resign" })).await;
    let late = post(&server, "/make_move/", &json!({ "game_id": id, "user_id": 8, "move": step(0, 1, 2) })).await;
    assert_eq!(late["status"], false, "{late}");
}

#[tokio::test]
async fn an_error_of_the_script_is_shown_and_the_game_goes_on() {
    let server = server();
    let (id, _) = game(&server).await;
    for (user, played) in [(8, step(0, 1, 2)), (7, step(7, 6, 5)), (8, step(0, 2, 3))] {
        post(&server, "/make_move/", &json!({ "game_id": id, "user_id": user, "move": played })).await;
    }
    let failed = post(&server, "/make_move/", &json!({ "game_id": id, "user_id": 7, "move": step(7, 5, 4) })).await;
    assert_eq!(failed["status"], false);
    let text = failed["result"]["game_state"].as_str().unwrap();
    assert!(text.contains("line 7: ValueError: h5"), "{text}");
    let seen = state(&server, &id, 7).await;
    assert_eq!(seen["result"]["game_state"]["status"], "running");
    assert_eq!(seen["result"]["game_state"]["possible_moves"], json!([step(7, 5, 4)]));
}

#[tokio::test]
async fn errors_have_the_texts_of_the_original() {
    let server = server();
    let unknown = post(&server, "/create_game/", &json!({ "script_id": 5, "play_as": "white", "user_id": 1 })).await;
    assert_eq!(unknown, json!({ "status": false, "result": "There is no script with this script id: 5" }));
    for path in ["/get_game_state/1/2", "/get_game_state/%ff/2", "/get_game_state/1/x"] {
        let (_, none) = request(&server, Method::GET, path, String::new()).await;
        assert_eq!(none, json!({ "status": false, "result": "There is no game with this id" }), "{path}");
    }
    let large = json!({ "script": "#".repeat(1 << 20) }).to_string();
    let (status, answer) = request(&server, Method::POST, "/load_script/", large).await;
    assert_eq!((status, answer), (StatusCode::OK, json!({ "status": false, "message": "Data too large" })));
    for (path, body) in [
        ("/create_game/", r#"{"script_id":5,"play_as":"green","user_id":1}"#),
        ("/create_game/", r#"{"script_id":5}"#),
        ("/join_by_link/", "{"),
        ("/make_move/", r#"{"game_id":1,"user_id":2,"move":"draw"}"#),
    ] {
        let (status, answer) = request(&server, Method::POST, path, body.to_owned()).await;
        assert_eq!((status, &answer["status"]), (StatusCode::BAD_REQUEST, &json!(false)), "{path} {body}");
    }
}

#[tokio::test]
async fn a_relay_that_cannot_ask_a_script_says_nothing_of_it() {
    let server = server_with(None);
    let reason = "this relay cannot execute scripts: it was started without them";
    let body = json!({ "script": RACE }).to_string();
    let (status, answer) = request(&server, Method::POST, "/load_script/", body).await;
    assert_eq!((status, answer), (StatusCode::SERVICE_UNAVAILABLE, json!({ "status": false, "result": reason })));
    for path in ["/scripts", "/scripts/try"] {
        let (status, answer) = request(&server, Method::POST, path, RACE.to_owned()).await;
        assert_eq!((status, &answer["message"]), (StatusCode::SERVICE_UNAVAILABLE, &json!(reason)), "{path}");
    }
}

#[tokio::test]
async fn a_move_that_the_relay_could_not_ask_for_is_answered_as_its_failure() {
    let race = Race::default();
    let server = server_with(Some(Scripts::new(race.clone())));
    let (id, _) = game(&server).await;
    let order = json!({ "game_id": id, "user_id": 8, "move": step(0, 1, 2) }).to_string();
    for error in [ScriptError::Busy, ScriptError::Unavailable("no Python".to_owned())] {
        race.fail(Fault::Error(error.clone()));
        let (status, answer) = request(&server, Method::POST, "/make_move/", order.clone()).await;
        assert_eq!((status, &answer["status"]), (StatusCode::SERVICE_UNAVAILABLE, &json!(false)), "{answer}");
        let reason = answer["result"]["game_state"].as_str().unwrap();
        assert!(reason.contains(&error.to_string()), "{answer}");
    }
    race.fail(Fault::Error(ScriptError::Timeout { line: None }));
    let (status, answer) = request(&server, Method::POST, "/make_move/", order.clone()).await;
    assert_eq!((status, &answer["status"]), (StatusCode::OK, &json!(false)));
    let (_, answer) = request(&server, Method::POST, "/make_move/", order).await;
    assert_eq!(answer["status"], true, "{answer}");
}

#[tokio::test]
async fn scripts_are_tried_stored_and_played_over_http() {
    let server = server();
    let (_, tried) = request(&server, Method::POST, "/scripts/try", RACE.to_owned()).await;
    assert_eq!((&tried["start"]["moves"], &tried["start"]["is_over"]), (&json!(1), &json!(false)), "{tried}");
    assert_eq!(tried["start"]["placement"].as_str().map(str::len), Some(64));
    let (status, stored) = request(&server, Method::POST, "/scripts", RACE.to_owned()).await;
    assert_eq!(status, StatusCode::CREATED, "{stored}");
    let id = stored["id"].as_str().unwrap();
    let (_, text) = request(&server, Method::GET, &format!("/scripts/{id}"), String::new()).await;
    assert_eq!(text, RACE);
    let order = json!({ "rules": "script", "script": id, "title": "Race", "name": "Ann", "color": "white" });
    let (status, opened) = request(&server, Method::POST, "/games", order.to_string()).await;
    assert_eq!(status, StatusCode::CREATED, "{opened}");
    let unknown = json!({ "rules": "script", "script": "0000000000000001" });
    let (status, _) = request(&server, Method::POST, "/games", unknown.to_string()).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let (status, _) = request(&server, Method::POST, "/scripts", "#".repeat((1 << 20) + 1)).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
}
