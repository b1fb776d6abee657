//! Games of many thousands of plies.

use host_server::room::RoomId;
use host_server::store::{Created, Store};
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
