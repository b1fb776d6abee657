//! What followers of a board see, as pages that speak LiveChess do.

use rules::Start;

use super::challenges::challenge_under;
use super::*;

/// The placement of the last game of chess would otherwise look certain during a game whose pieces stand elsewhere.
#[tokio::test]
async fn a_board_that_plays_other_rules_is_disconnected_for_followers_of_chess() {
    let relay = TestRelay::open().await;
    let (key, _) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.until(SimulatedBoard::is_online).await;
    let views = relay.server.feed().subscribe();
    let is_online = || views.borrow().values().any(|view| view.is_online);
    cable.until(|_| is_online()).await;

    let terms = Terms { start: Some(Box::new(Start::Breakthrough)), ..Terms::default() };
    let (vera, _) = challenge_under(&relay, "CHALLENGE", terms).await;
    cable.until(|board| board.challenger().is_some()).await;
    cable.board.hold(Square::E8, 1_200);
    cable.until(|board| board.any_game().is_some_and(|game| game.start() == Start::Breakthrough)).await;
    until(&vera, |room| room.phase() == Phase::Playing).await;
    cable.until(|_| !is_online()).await;
}
