//! A client that does not read.

use std::time::Duration;

use host_server::room::Terms;
use rules::Start;
use tests::long_log::{long_game, long_start};

use crate::in_process_relay::InProcessRelay;

/// The game goes on without delay, and the client that does not read is disconnected in the end.
#[tokio::test]
async fn a_client_that_does_not_read_delays_no_other() {
    let terms = Terms { grace: 600_000, start: Some(Start::Chess(long_start()).into()), ..Terms::default() };
    let relay = InProcessRelay::with(terms, &[]);
    let [mut white, mut black] = relay.players("?extras=1").await;
    let mut deaf = relay.client("/ws/api/sam/game/?extras=1").await;
    deaf.receive_type("watching").await;
    deaf.shrink_receive_buffer();
    white.receive_type("watching").await;
    black.receive_type("watching").await;
    // Each move sends several kilobytes to the connection that is not read. A game has many more moves than that takes; the
    // number of takebacks is limited.
    let flood = async {
        let moves = long_game(long_start(), 1);
        for (ply, mv) in moves.iter().enumerate() {
            let player = if ply % 2 == 0 { &mut white } else { &mut black };
            player.play(&mv.to_string()).await;
            if white.leave_comes_before_state(&deaf.id).await {
                return;
            }
            black.receive_type("game_state").await;
        }
        // A fast machine plays the whole game before the relay's send timeout has passed.
        while white.receive_type("leave").await["user_id"] != deaf.id {}
    };
    tokio::time::timeout(Duration::from_mins(3), flood).await.expect("the connection that is not read is closed");
}
