//! Boards that are offline during a game.

use rules::Verdict;

use super::*;

/// Vera opens the room of a board with these terms, has White, and plays e2e4, which the board sees.
async fn opened_by_vera(relay: &TestRelay, seat: SeatRequest, terms: Terms) -> (RoomHandle, ConnectedBoard, Code) {
    let (key, code) = relay.pair("Kitchen").await;
    let claim = Claim::Sit(seat);
    let vera = relay.server.relay().enter(&code, Participant::new(name("Vera")), claim, Some(&terms)).await.unwrap();
    let mut cable = ConnectedBoard::new(relay, key, 3);
    cable.is_given(Seat::Black).await;
    vera.act(make("e2e4")).await.unwrap();
    cable.sees("e2e4").await;
    (vera, cable, code)
}

#[tokio::test]
async fn a_board_absent_beyond_the_grace_period_receives_the_end_of_the_game() {
    let relay = TestRelay::open().await;
    let terms = Terms { grace: 300, ..Terms::default() };
    let (vera, mut cable, code) = opened_by_vera(&relay, SeatRequest::new(SideChoice::White), terms).await;
    cable.send_goodbye();
    until(&vera, |room| room.verdict().is_some() && room.seat(Color::Black).is_none()).await;
    assert_eq!(vera.look().await.unwrap().verdict().unwrap().winner(), Some(Color::White));
    vera.act(Act::Leave).await.unwrap();
    drop(vera);
    cable.until(|board| board.outcome().is_some()).await;
    assert_eq!(cable.board.outcome().unwrap().winner(), Some(Color::White));
    // The board is free again for the next opponent.
    let next = relay.visit(&code).await;
    cable.until(|board| board.game().is_some_and(|game| game.outcome().is_none())).await;
    assert_eq!(cable.plies(), Some(0));
    assert_eq!(next.look().await.unwrap().games(), 1);
}

#[tokio::test]
async fn a_board_that_was_offline_plays_on_in_a_game_without_a_clock() {
    let relay = TestRelay::open().await;
    let terms = Terms { grace: 0, ..Terms::default() };
    let (vera, mut cable, _) = opened_by_vera(&relay, SeatRequest::claiming(SideChoice::White), terms).await;
    cable.send_goodbye();
    until(&vera, |room| room.seat(Color::Black).is_some_and(|seated| !seated.is_here())).await;
    let room = vera.look().await.unwrap();
    assert_eq!((room.absence_ends(Color::Black), room.due()), (None, None), "absence has no consequence");
    cable.is_given(Seat::Black).await;
    cable.play("e7e5").await;
    until(&vera, |room| room.game().len() == 2).await;
}

#[tokio::test]
async fn a_board_that_is_removed_while_it_is_offline_leaves_its_game() {
    let relay = TestRelay::open().await;
    let seat = SeatRequest::claiming(SideChoice::White);
    let (vera, mut cable, _) = opened_by_vera(&relay, seat, Terms::default()).await;
    cable.play("e7e5").await;
    cable.send_goodbye();
    drop(cable);
    until(&vera, |room| room.seat(Color::Black).is_some_and(|seated| !seated.is_here())).await;
    let begun = Instant::now();
    while !matches!(relay.server.execute(BoardsRequest::List).await, BoardsAnswer::Boards(boards) if !boards[0].online)
    {
        assert!(begun.elapsed() < PATIENCE, "the board is still listed as connected");
        sleep(Duration::from_millis(10)).await;
    }
    assert!(matches!(
        relay.server.execute(BoardsRequest::Remove { name: "Kitchen".to_owned() }).await,
        BoardsAnswer::Removed { .. }
    ));
    let left = Verdict::Won { winner: Color::White, why: Why::Abandonment };
    until(&vera, |room| room.verdict() == Some(left)).await;
}
