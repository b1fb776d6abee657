//! Challenges that the player at a board accepts or declines.

use rules::Start;
use tokio::time::{advance, pause, resume};

use super::*;
use crate::boards::{BoardError, Invitation};
use crate::room::Time;
use crate::store::Store as _;

/// Vera plays White in a new room, and challenges the board.
async fn challenge(relay: &TestRelay, code: &str) -> (RoomHandle, Invitation) {
    challenge_since(relay, code, 0).await
}

/// As [`challenge`], with a challenge that is older by these milliseconds.
async fn challenge_since(relay: &TestRelay, code: &str, age: u64) -> (RoomHandle, Invitation) {
    challenge_with(relay, code, age, Terms::default()).await
}

/// As [`challenge`], to a game under these terms.
pub(super) async fn challenge_under(relay: &TestRelay, code: &str, terms: Terms) -> (RoomHandle, Invitation) {
    challenge_with(relay, code, 0, terms).await
}

async fn challenge_with(relay: &TestRelay, code: &str, age: u64, terms: Terms) -> (RoomHandle, Invitation) {
    let code: Code = code.parse().unwrap();
    relay.server.relay().open(&code, terms).await.unwrap();
    let vera = relay.visit(&code).await;
    let invitation = Invitation {
        number: 0xabcd_0000_0007,
        code,
        side: SideChoice::Black,
        clock: None,
        at: Time(relay.store.now().0 - age),
        challenger: Some(name("Vera")),
        accepted: None,
    };
    relay.server.registry().challenge(&name("Kitchen"), &invitation).await.unwrap();
    relay.server.registry_changed().notify_waiters();
    (vera, invitation)
}

async fn status(relay: &TestRelay, code: &Code) -> String {
    let (_, answer) = relay.get(&format!("/boards/Kitchen/challenge?code={code}")).await;
    answer["answer"].as_str().unwrap_or_default().to_owned()
}

async fn until_status(relay: &TestRelay, code: &Code, wanted: &str) {
    let begun = Instant::now();
    while status(relay, code).await != wanted {
        assert!(begun.elapsed() < PATIENCE, "the challenge is never {wanted}");
        sleep(Duration::from_millis(10)).await;
    }
}

async fn until_closed(relay: &TestRelay, code: &Code) {
    let begun = Instant::now();
    while relay.server.relay().look(code).await.unwrap().unwrap().phase() != Phase::Closed {
        assert!(begun.elapsed() < PATIENCE, "the room of the challenge is never closed");
        sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_challenge_is_withdrawn_when_its_challenger_leaves() {
    let relay = TestRelay::open().await;
    let (key, _) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.until(SimulatedBoard::is_online).await;
    let (vera, invitation) = challenge(&relay, "CHALLENGE").await;
    cable.until(|board| board.challenger().is_some()).await;
    vera.act(Act::Leave).await.unwrap();
    cable.until(|board| board.challenger().is_none()).await;
    assert_eq!(status(&relay, &invitation.code).await, "declined");
    // The next one need not wait until the answer would be due.
    challenge(&relay, "ANOTHER").await;
    cable.until(|board| board.challenger().is_some()).await;
}

#[tokio::test]
async fn the_player_at_the_board_accepts_a_challenge_with_the_king_of_the_offered_side() {
    let relay = TestRelay::open().await;
    let (key, _) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.until(SimulatedBoard::is_online).await;
    let (vera, invitation) = challenge(&relay, "CHALLENGE").await;
    cable.until(|board| board.challenger().as_deref() == Some("Vera")).await;
    assert_eq!(status(&relay, &invitation.code).await, "pending");
    // Another challenge has to wait.
    let other = Invitation { number: 9, ..invitation.clone() };
    assert!(relay.server.registry().challenge(&name("Kitchen"), &other).await.is_err());
    cable.board.hold(Square::E8, 1_200);
    cable.is_given(Seat::Black).await;
    until_status(&relay, &invitation.code, "accepted").await;
    until(&vera, |room| room.phase() == Phase::Playing).await;
    vera.act(make("e2e4")).await.unwrap();
    cable.sees("e2e4").await;
    cable.play("e7e5").await;
    until(&vera, |room| room.game().len() == 2).await;
}

#[tokio::test]
async fn the_player_at_the_board_declines_a_challenge_and_waits_for_others() {
    let relay = TestRelay::open().await;
    let (key, code) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.until(SimulatedBoard::is_online).await;
    let (_vera, invitation) = challenge(&relay, "CHALLENGE").await;
    cable.until(|board| board.challenger().is_some()).await;
    // A reconnect does not lose it.
    cable.connect().await;
    cable.until(|board| board.is_online() && board.challenger().is_some()).await;
    cable.board.hold(Square::E1, 1_200);
    cable.talk().await;
    until_status(&relay, &invitation.code, "declined").await;
    until_closed(&relay, &invitation.code).await;
    cable.until(|board| board.challenger().is_none()).await;
    assert_eq!(cable.board.seat(), Some(Seat::Both));
    let _other = relay.visit(&code).await;
    cable.is_given(Seat::White).await;
}

#[tokio::test]
async fn a_challenge_that_times_out_is_no_longer_shown_and_the_king_does_not_accept_it() {
    // The clock of the store begins at zero, and the challenge is older than the relay.
    let store = Arc::new(Memory::default());
    pause();
    advance(Duration::from_mins(1)).await;
    resume();
    let relay = TestRelay::open_on(store).await;
    let (key, code) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.until(SimulatedBoard::is_online).await;
    // It times out after a minute, which is over in three seconds.
    let (_vera, invitation) = challenge_since(&relay, "CHALLENGE", 57_000).await;
    cable.until(|board| board.challenger().is_some()).await;
    cable.until(|board| board.challenger().is_none()).await;
    assert_eq!(status(&relay, &invitation.code).await, "timeout");
    until_closed(&relay, &invitation.code).await;
    cable.board.hold(Square::E8, 1_200);
    cable.talk().await;
    assert_eq!(status(&relay, &invitation.code).await, "timeout");
    assert_eq!(cable.board.seat(), Some(Seat::Both));
    // The board can be challenged again.
    let _other = relay.visit(&code).await;
    cable.is_given(Seat::White).await;
}

/// After a game the pieces stand anywhere, and no light could ask the player.
#[tokio::test]
async fn a_board_is_challenged_only_while_its_pieces_are_set_up() {
    let relay = TestRelay::open().await;
    let (key, _) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.until(SimulatedBoard::is_online).await;
    for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        cable.play(text).await;
    }
    let is_listed = async |set_up: bool| {
        let (_, list) = relay.get("/boards").await;
        list["boards"].as_array().is_some_and(|boards| boards.iter().any(|board| board["set_up"] == set_up))
    };
    let askable = async || relay.server.registry().askable("Kitchen", &Start::CHESS, relay.server.relay()).await;
    let begun = Instant::now();
    while !is_listed(false).await {
        assert!(begun.elapsed() < PATIENCE, "the finished game is never listed");
        cable.talk().await;
    }
    assert_eq!(askable().await, Err(BoardError::NotSetUp(name("Kitchen"))));
    cable.board.set_up();
    while !is_listed(true).await {
        assert!(begun.elapsed() < PATIENCE, "the pieces are never set up");
        cable.talk().await;
    }
    assert!(askable().await.is_ok());
    challenge(&relay, "CHALLENGE").await;
    cable.until(|board| board.challenger().is_some()).await;
}

/// A misspelt name or code must not move the board to a room that no opponent can find.
#[tokio::test]
async fn a_board_is_not_sent_to_a_room_that_is_not_there_or_has_no_free_seat() {
    let relay = TestRelay::open().await;
    let (key, code) = relay.pair("Kitchen").await;
    let mut cable = ConnectedBoard::new(&relay, key, 3);
    cable.until(SimulatedBoard::is_online).await;
    let full: Code = "FULL".parse().unwrap();
    relay.server.relay().open(&full, Terms::default()).await.unwrap();
    let _players = (relay.visit(&full).await, relay.visit(&full).await);
    let play = async |board: &str, with: &str| {
        let (name, with) = (board.to_owned(), with.to_owned());
        relay.server.execute(BoardsRequest::Play { name, with, clock: None, side: SideChoice::First }).await
    };
    for (board, with, problem) in [
        ("Kitchen", "nope", "there is no board with the name nope, and no open game with this code"),
        ("Kitchen", "no pe", "there is no board with the name no pe"),
        ("Kitchen", "FULL", "both seats of the game FULL are taken"),
        ("Kitchen", "Kitchen", "the board Kitchen cannot play with itself"),
        ("Kitchen", code.as_str(), "the board Kitchen cannot play with itself"),
        ("Kitchn", "FULL", "there is no board with the name Kitchn"),
    ] {
        assert_eq!(play(board, with).await, BoardsAnswer::Failed(problem.to_owned()), "{board} {with}");
    }
    // The board still waits for opponents under its own code.
    assert_eq!(relay.get("/boards/Kitchen").await.1["code"], code.as_str());
    let _vera = relay.visit(&code).await;
    cable.is_given(Seat::White).await;
    assert_eq!(
        play("Kitchen", "nope").await,
        BoardsAnswer::Failed("a game is in progress on the board Kitchen".to_owned())
    );
}
