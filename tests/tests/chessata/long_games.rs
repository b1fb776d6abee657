//! Games of many thousands of plies.

use host_server::room::{RoomId, Terms};
use host_server::store::{Created, Store};
use serde_json::json;
use tests::long_log::long_log;

use crate::in_process_relay::InProcessRelay;

#[tokio::test(flavor = "multi_thread")]
async fn players_and_spectators_can_enter_the_longest_game() {
    let relay = InProcessRelay::with_long_grace();
    let (room, code) = (RoomId(1), "long".parse().unwrap());
    let log = long_log(room, &code, 0, 0, false);
    let plies = log.len() - 6;
    assert!(plies > 12_000, "{plies}");
    assert_eq!(relay.store.create(room, &code, &log).await.unwrap(), Created::Done);
    let mut spectator = relay.client("/ws/api/sam/long/?extras=1&watch=1").await;
    let mut player = relay.try_client_with_token("/ws/api/ann/long/?extras=1", "ann").await.unwrap();
    for client in [&mut spectator, &mut player] {
        let state = client.receive_type("game_state").await;
        assert_eq!(state["ply"], plies);
        assert_eq!(state["moves"].as_array().map(Vec::len), Some(plies));
    }
    // A client of the plain protocol, too.
    let mut plain = relay.client("/ws/api/pat/long/").await;
    plain.receive_type("game_state").await;
    let record = relay.get("/games/long.json").await;
    assert_eq!(record.status, 200);
    assert_eq!(record.json().unwrap()["moves"].as_array().map(Vec::len), Some(plies));
}

/// A client that enters a long game again and again pays for each time, whether the room has to be loaded or not.
#[tokio::test(flavor = "multi_thread")]
async fn entering_a_long_game_is_limited_by_its_length() {
    for stays in [false, true] {
        let terms = Terms { grace: 600_000, ..Terms::default() };
        let relay = InProcessRelay::with(terms, &[("TABIYA_REQUESTS_PER_MINUTE", "300")]);
        let (room, code) = (RoomId(1), "long".parse().unwrap());
        let log = long_log(room, &code, 0, 0, false);
        assert_eq!(relay.store.create(room, &code, &log).await.unwrap(), Created::Done);
        let (mut entered, mut refused) = (Vec::new(), None);
        for _ in 0..20 {
            match relay.try_client("/ws/api/sam/long/?extras=1&watch=1").await {
                Ok(mut client) => {
                    client.receive_type("game_state").await;
                    if stays {
                        entered.push(client);
                    } else {
                        client.close().await;
                    }
                }
                Err(error) => {
                    refused = Some(error.status);
                    break;
                }
            }
        }
        assert_eq!(refused, Some(429), "entering costs nothing");
    }
}

/// A request costs by the length of the logs that it replays, and a game that it names again costs nothing.
#[tokio::test(flavor = "multi_thread")]
async fn replays_of_long_games_are_limited_by_their_length() {
    let relay = InProcessRelay::with(Terms::default(), &[("TABIYA_REQUESTS_PER_MINUTE", "300")]);
    let (room, code) = (RoomId(1), "long".parse().unwrap());
    let log = long_log(room, &code, 0, 0, true);
    assert_eq!(relay.store.create(room, &code, &log).await.unwrap(), Created::Done);
    let asked = json!({"code": "long", "room": room.to_string()});
    let body = json!({"games": vec![asked; 50]}).to_string();
    let answer = relay.post("/games/status", &body).await;
    assert_eq!(answer.status, 200, "{}", answer.head);
    let games = answer.json().unwrap()["games"].as_array().unwrap().clone();
    assert_eq!(games.len(), 50);
    assert!(games.iter().all(|game| *game == games[0] && game["phase"] == "over"), "{}", games[0]);
    // Each of them is another entry of the cache of finished games.
    let mut statuses = Vec::new();
    for kind in ["json?game=1", "pgn?game=1", "json", "pgn", "bin", "bin?game=1", "analysis"] {
        statuses.push(relay.get(&format!("/games/long.{kind}")).await.status);
    }
    assert_eq!((statuses[0], statuses.last()), (200, Some(&429)), "{statuses:?}");
}
