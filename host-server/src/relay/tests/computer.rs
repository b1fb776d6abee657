//! Rooms in which the computer plays. Its threads run in real time, so these tests do not pause the clock; they wait for conditions.

use std::time::Duration;

use chess::Color::{Black, White};
use engine::Level;
use rules::Verdict;
use tokio::time::timeout;

use super::world::{World, advance, code, mv, participant};
use crate::computer::Computers;
use crate::relay::{Claim, Relay, RoomHandle, SeatRequest};
use crate::room::{Act, Computer, EngineName, Fact, Phase, Room, SideChoice, Terms};

fn terms(computer: Computer) -> Terms {
    Terms { computer: Some(computer), ..Terms::default() }
}

fn level(number: u8) -> Terms {
    terms(Computer::Level(Level::new(number).unwrap()))
}

async fn sits(relay: &Relay, side: SideChoice, terms: &Terms) -> (RoomHandle, String) {
    let request = SeatRequest::new(side);
    let token = request.token.clone();
    let handle = relay.enter(&code(), participant("ann"), Claim::Sit(request), Some(terms)).await.unwrap();
    (handle, token)
}

async fn resumes(relay: &Relay, token: &str) -> RoomHandle {
    let claim = Claim::Resume { token: token.to_owned() };
    relay.enter(&code(), participant("ann"), claim, None).await.unwrap()
}

/// Waits until the room is as expected.
async fn until(handle: &mut RoomHandle, is_expected: impl Fn(&Room) -> bool) {
    let waits = async {
        while !is_expected(handle.room()) {
            handle.next().await.expect("the room is open");
        }
    };
    timeout(Duration::from_mins(2), waits).await.unwrap_or_else(|_| panic!("not reached: {:?}", handle.room()));
}

async fn until_plies(handle: &mut RoomHandle, plies: usize) {
    until(handle, |room| room.game().len() == plies).await;
}

#[tokio::test]
async fn the_computer_answers_moves_offers_and_rematches() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (mut ann, _) = sits(&relay, SideChoice::White, &level(2)).await;
    until(&mut ann, |room| room.phase() == Phase::Playing).await;
    ann.act(mv("e2e4")).await.unwrap();
    until_plies(&mut ann, 2).await;

    ann.act(Act::OfferDraw).await.unwrap();
    until(&mut ann, |room| room.draw_offer().is_none()).await;
    assert_eq!(ann.room().phase(), Phase::Playing, "it declines a draw in the opening");

    ann.act(Act::AskTakeback { plies: 2 }).await.unwrap();
    until_plies(&mut ann, 0).await;
    ann.act(mv("d2d4")).await.unwrap();
    // A takeback while it thinks cancels the search.
    ann.act(Act::AskTakeback { plies: 1 }).await.unwrap();
    until_plies(&mut ann, 0).await;
    ann.act(mv("c2c4")).await.unwrap();
    until_plies(&mut ann, 2).await;
    // A takeback of its own move lets it move again.
    ann.act(Act::AskTakeback { plies: 1 }).await.unwrap();
    until(&mut ann, |room| room.takeback().is_none()).await;
    until_plies(&mut ann, 2).await;

    ann.act(Act::Resign).await.unwrap();
    until(&mut ann, |room| room.phase() == Phase::Over).await;
    ann.act(Act::OfferRematch).await.unwrap();
    until(&mut ann, |room| room.games() == 2 && room.computer() == Some(White)).await;
    until_plies(&mut ann, 1).await;
    relay.stop().await;
}

#[tokio::test]
async fn one_of_two_relays_moves_and_the_other_takes_over() {
    let world = World::default();
    let (one, store) = world.relay().await;
    let (other, _) = world.relay().await;
    let (mut ann, token) = sits(&one, SideChoice::White, &level(1)).await;
    let _eve = other.enter(&code(), participant("eve"), Claim::Watch, None).await.unwrap();
    ann.act(mv("e2e4")).await.unwrap();
    until_plies(&mut ann, 2).await;
    ann.act(mv("d2d4")).await.unwrap();
    until_plies(&mut ann, 4).await;

    // The relay of the player is cut off from the store while the computer thinks; the player reconnects through the other one.
    ann.act(mv("c2c4")).await.unwrap();
    store.cut_off(true);
    let mut ann = resumes(&other, &token).await;
    until_plies(&mut ann, 6).await;
    store.cut_off(false);
    ann.act(mv("g1f3")).await.unwrap();
    until_plies(&mut ann, 8).await;
    let moves = world.count(|fact| matches!(fact, Fact::Moved { .. })).await;
    assert_eq!(moves, 8, "no move was played twice");
    one.stop().await;
    other.stop().await;
}

#[tokio::test]
async fn a_search_continues_after_a_restart() {
    let world = World::default();
    let (before, _) = world.relay().await;
    let (ann, token) = sits(&before, SideChoice::White, &level(10)).await;
    ann.act(mv("a2a3")).await.unwrap();
    before.stop().await;
    assert_eq!(world.count(|fact| matches!(fact, Fact::Moved { .. })).await, 1, "it was thinking");
    let (after, _) = world.relay().await;
    let mut ann = resumes(&after, &token).await;
    until_plies(&mut ann, 2).await;
    after.stop().await;
}

#[tokio::test]
async fn a_room_without_its_person_needs_no_task_for_ever() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (ann, _) = sits(&relay, SideChoice::White, &level(1)).await;
    ann.leave();
    let closes = async {
        while relay.rooms() > 0 {
            advance(5).await;
        }
    };
    timeout(Duration::from_mins(1), closes).await.expect("the room is closed");
    assert_eq!(world.room().await.phase(), Phase::Closed);
    relay.stop().await;
}

/// The player gets an error that says what is wrong with an engine that fails again and again, and the game ends.
#[tokio::test]
async fn an_engine_that_keeps_failing_gives_up() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    relay.use_computers(Computers::new(None, vec!["broken=/bin/false".parse().unwrap()]));
    let name: EngineName = "broken".parse().unwrap();
    let (mut ann, _) = sits(&relay, SideChoice::White, &terms(Computer::Engine(name))).await;
    ann.act(mv("e2e4")).await.unwrap();
    until(&mut ann, |room| room.phase() == Phase::Over).await;
    assert_eq!(ann.room().verdict(), Some(Verdict::Aborted));
    let said: Vec<(Option<chess::Color>, &str)> =
        ann.room().chat().map(|line| (line.speaker.color, line.text.as_str())).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].1.contains("I try again") && said[1].1.contains("I cannot go on"), "{said:?}");
    assert!(said.iter().all(|&(color, _)| color == Some(Black)));
    relay.stop().await;
}

#[tokio::test]
async fn an_engine_that_this_relay_does_not_have_aborts_the_game() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (mut ann, _) = sits(&relay, SideChoice::Black, &terms(Computer::Engine("gone".parse().unwrap()))).await;
    until(&mut ann, |room| room.phase() == Phase::Over).await;
    assert_eq!(ann.room().verdict(), Some(Verdict::Aborted));
    assert!(ann.room().chat().any(|line| line.text.contains("no engine of that name")));
    relay.stop().await;
}
