//! Games of two people at a board, which rooms follow.

use rules::Verdict;

use super::*;
use crate::room::{Code, Room};

/// The room that follows the game on the only board, with its code.
async fn followed(relay: &TestRelay) -> Option<(Code, Room)> {
    let registry = relay.server.registry();
    let [board] = &registry.list().await.unwrap()[..] else { panic!("one board") };
    let code = registry.local_game(board).await.unwrap()?.code;
    let room = relay.server.relay().look(&code).await.unwrap()?;
    Some((code, room))
}

/// Waits until a condition holds for the room that follows the game.
async fn until_followed(relay: &TestRelay, is_so: impl Fn(&Room) -> bool) -> (Code, Room) {
    let begun = Instant::now();
    loop {
        if let Some((code, room)) = followed(relay).await
            && is_so(&room)
        {
            return (code, room);
        }
        assert!(begun.elapsed() < PATIENCE, "the condition never holds");
        sleep(Duration::from_millis(10)).await;
    }
}

/// Waits until the room with a code is closed.
async fn until_closed(relay: &TestRelay, code: &Code) -> Room {
    let begun = Instant::now();
    loop {
        let room = relay.server.relay().look(code).await.unwrap().unwrap();
        if room.phase() == Phase::Closed {
            return room;
        }
        assert!(begun.elapsed() < PATIENCE, "the room is never closed");
        sleep(Duration::from_millis(10)).await;
    }
}

/// Waits until the board follows no game, and the last one is listed with its ending, which is stored after its room is closed.
async fn until_listed(relay: &TestRelay, board_code: &Code) -> serde_json::Value {
    let begun = Instant::now();
    loop {
        let (status, list) = relay.get(&format!("/boards/{board_code}/games")).await;
        assert_eq!(status, 200);
        let is_ended = list["games"].as_array().unwrap().last().is_some_and(|game| !game["ending"].is_null());
        if is_ended && followed(relay).await.is_none() {
            return list;
        }
        assert!(begun.elapsed() < PATIENCE, "the game is never listed: {list}");
        sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_game_of_two_people_at_the_board_is_followed_and_can_be_watched() {
    let relay = TestRelay::open().await;
    let (key, board_code) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.until(SimulatedBoard::is_online).await;
    cable.play("e2e4").await;
    assert!(followed(&relay).await.is_none(), "a single ply may only be tried out");
    cable.play("e7e5").await;
    let (code, room) = until_followed(&relay, |room| room.game().len() == 2).await;
    assert_eq!(room.seat(Color::White).unwrap().player.name, name("Kitchen"));
    let claim = Claim::Play(SeatRequest::new(SideChoice::First));
    let mut watcher =
        relay.server.relay().enter(&code, Participant::new(name("Vera")), claim, None).await.expect("a spectator");
    assert_eq!(watcher.color(), None, "both seats are at the board");
    cable.play("g1f3").await;
    until(&watcher, |room| room.game().len() == 3).await;
    assert!(watcher.next().await.is_ok(), "spectators are notified");
    // The move is taken back by hand, and another one made.
    cable.board.undo();
    cable.play("b1c3").await;
    until(&watcher, |room| room.game().sheet().last() == Some(&"b1c3".parse().unwrap())).await;
    // The pieces are set up again without a result.
    cable.board.set_up();
    cable.talk().await;
    let room = until_closed(&relay, &code).await;
    assert_eq!((room.verdict(), room.game().len()), (Some(Verdict::Abandoned), 3));
    let list = until_listed(&relay, &board_code).await;
    assert!(followed(&relay).await.is_none());
    assert_eq!(list["board"], "Kitchen");
    let [game] = &list["games"].as_array().unwrap()[..] else { panic!("one game: {list}") };
    assert_eq!((&game["code"], &game["plies"]), (&code.as_str().into(), &3.into()));
    assert_eq!((&game["result"], game["ending"].is_null()), (&"*".into(), false));
    assert_eq!(relay.get("/boards/NOBOARD/games").await.0, 404);
    // The next game gets another room.
    for text in ["d2d4", "d7d5"] {
        cable.play(text).await;
    }
    let (next, _) = until_followed(&relay, |room| room.game().len() == 2).await;
    assert_ne!(next, code);
}

#[tokio::test]
async fn a_result_at_the_board_is_the_result_of_the_room() {
    let relay = TestRelay::open().await;
    let (key, _) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.until(SimulatedBoard::is_online).await;
    for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        cable.play(text).await;
    }
    let (code, room) = until_followed(&relay, |room| room.phase() == Phase::Over).await;
    assert_eq!(room.verdict(), Some(Verdict::Won { winner: Color::Black, why: Why::Checkmate }));
    cable.board.set_up();
    cable.talk().await;
    let room = until_closed(&relay, &code).await;
    assert_eq!(room.verdict(), Some(Verdict::Won { winner: Color::Black, why: Why::Checkmate }));
}

#[tokio::test]
async fn a_followed_game_goes_on_across_restarts_of_board_and_relay() {
    let store = Arc::new(Memory::default());
    let mut relay = TestRelay::open_on(store.clone()).await;
    let (key, _) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.until(SimulatedBoard::is_online).await;
    for text in ["e2e4", "e7e5"] {
        cable.play(text).await;
    }
    let (code, _) = until_followed(&relay, |room| room.game().len() == 2).await;
    // The relay restarts, and the board plays on meanwhile.
    let next = TestRelay::open_on(store.clone()).await;
    relay.server.stop().await;
    relay.server.relay().stop().await;
    relay = next;
    cable.send_goodbye();
    cable.address = relay.address;
    cable.board.play("g1f3".parse().unwrap());
    cable.until(|board| board.is_online() && board.pending() == 0).await;
    let (same, _) = until_followed(&relay, |room| room.game().len() == 3).await;
    assert_eq!(same, code);
    // The board restarts.
    cable.send_goodbye();
    cable.board.restart(true);
    cable.play("b8c6").await;
    let (same, _) = until_followed(&relay, |room| room.game().len() == 4).await;
    assert_eq!(same, code);
    // Without a connection a whole game ends, and another begins, with the same first moves.
    cable.send_goodbye();
    cable.board.set_up();
    for text in ["e2e4", "e7e5"] {
        cable.board.play(text.parse().unwrap());
    }
    cable.until(|board| board.is_online() && board.pending() == 0).await;
    let room = until_closed(&relay, &code).await;
    assert_eq!((room.verdict(), room.game().len()), (Some(Verdict::Abandoned), 4), "it is not overwritten");
    let (next, _) = until_followed(&relay, |room| room.game().len() == 2).await;
    assert_ne!(next, code);
}

#[tokio::test]
async fn a_game_with_a_remote_opponent_ends_the_followed_one() {
    let relay = TestRelay::open().await;
    let (key, code) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.until(SimulatedBoard::is_online).await;
    for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        cable.play(text).await;
    }
    let (followed, _) = until_followed(&relay, |room| room.phase() == Phase::Over).await;
    // After the end of its game the board is free.
    let _vera = relay.visit(&code).await;
    cable.is_given(Seat::White).await;
    until_closed(&relay, &followed).await;
    let list = relay.get(&format!("/boards/{code}/games")).await.1;
    let games: Vec<_> = list["games"].as_array().unwrap().iter().map(|game| game["black"].as_str()).collect();
    assert_eq!(games, [Some("Vera"), Some("Kitchen")], "the newest first");
}
