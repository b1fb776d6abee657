//! Games of many thousands of plies.

use chess::MAX_PLIES;
use host_server::room::{Phase, Room, RoomId, Terms};
use host_server::store::{Created, Store};
use serde_json::json;
use tests::long_log::{long_log, longest_game, longest_log};

use crate::in_process_relay::InProcessRelay;

#[tokio::test(flavor = "multi_thread")]
async fn players_and_spectators_can_enter_the_longest_game() {
    let relay = InProcessRelay::with_long_grace();
    let (room, code) = (RoomId(1), "long".parse().unwrap());
    let log = long_log(room, &code, false);
    assert_eq!(longest_game().len(), MAX_PLIES);
    // The last ply would end the game.
    let plies = log.len() - 6;
    assert_eq!(plies, MAX_PLIES - 1);
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
        let log = long_log(room, &code, false);
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
    let log = long_log(room, &code, true);
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

/// The logs of other games are shorter than this one, which the benchmark of the relay opens.
#[test]
fn the_longest_log_of_a_game_is_bounded() {
    let (room, code) = (RoomId(1), "long".parse().unwrap());
    let log = longest_log(room, &code, false);
    let room = Room::from_log(&log).unwrap();
    assert_eq!((room.game().len(), room.phase()), (MAX_PLIES - 1, Phase::Playing));
    assert!((37_000..38_000).contains(&log.len()), "{}", log.len());
}

/// The store is asked once, and the client pays once, for a game that cannot change any more.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_in_a_closed_room_is_loaded_and_charged_once() {
    let relay = InProcessRelay::with(Terms::default(), &[("TABIYA_REQUESTS_PER_MINUTE", "300")]);
    let (room, code) = (RoomId(1), "long".parse().unwrap());
    assert_eq!(relay.store.create(room, &code, &long_log(room, &code, true)).await.unwrap(), Created::Done);
    let path = format!("/games/long.json?room={room}");
    let first = relay.get(&path).await;
    assert_eq!(first.status, 200, "{}", first.head);
    for is_unavailable in [false, true] {
        relay.store.set_unavailable(is_unavailable);
        for _ in 0..20 {
            let again = relay.get(&path).await;
            assert_eq!((again.status, again.text() == first.text()), (200, true), "{}", again.head);
        }
    }
}
