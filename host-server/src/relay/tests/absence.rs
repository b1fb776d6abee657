use super::world::{World, advance, code, mv, pair, participant, plays, received_facts, watches};
use crate::relay::{Claim, Gone};
use crate::room::{Act, Fact, Phase, Terms};
use chess::Color::{Black, White};
use rules::{Verdict, Why};

#[tokio::test(start_paused = true)]
async fn an_absent_player_loses_after_the_grace_period() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (ann, mut bob) = pair(&relay, &relay).await;
    drop(ann);
    advance(59_000).await;
    assert_eq!(world.room().await.phase(), Phase::Playing);
    advance(1_100).await;
    assert_eq!(world.room().await.verdict(), Some(Verdict::Won { winner: Black, why: Why::Abandonment }));
    let facts = received_facts(&mut bob).await;
    assert!(facts.iter().any(|fact| matches!(fact, Fact::Disconnected { color: White, .. })));
    assert!(facts.contains(&Fact::Ended(Verdict::Won { winner: Black, why: Why::Abandonment })));
}

#[tokio::test(start_paused = true)]
async fn a_player_who_reconnects_within_the_grace_period_plays_on() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (ann, _bob) = pair(&relay, &relay).await;
    let token = ann.token().unwrap().to_owned();
    drop(ann);
    advance(50_000).await;
    let ann = relay.enter(&code(), participant("ann"), Claim::Resume { token }, None).await.unwrap();
    advance(100_000).await;
    ann.act(mv("e2e4")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_task_of_an_empty_room_runs_until_the_room_closes() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (ann, bob) = pair(&relay, &relay).await;
    let mut eve = watches(&relay, "eve").await;
    drop((ann, bob));
    advance(1_000).await;
    assert_eq!(relay.rooms(), 1);
    advance(80_000).await;
    assert_eq!(world.room().await.phase(), Phase::Closed);
    assert_eq!(relay.rooms(), 0);
    let mut gone = eve.next().await;
    while gone.is_ok() {
        gone = eve.next().await;
    }
    assert_eq!(gone.unwrap_err(), Gone::Ended);
}

#[tokio::test(start_paused = true)]
async fn a_room_without_players_closes_by_itself() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    relay.open(&code(), Terms::default()).await.unwrap();
    advance(599_000).await;
    assert_eq!((world.room().await.phase(), relay.rooms()), (Phase::Waiting, 1));
    advance(2_000).await;
    assert_eq!((world.room().await.phase(), relay.rooms()), (Phase::Closed, 0));
}

#[tokio::test(start_paused = true)]
async fn a_stopping_relay_logs_the_disconnect_of_its_players() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (mut ann, _bob) = pair(&relay, &relay).await;
    relay.stop().await;
    let room = world.room().await;
    assert!(!room.seat(White).unwrap().is_here() && !room.seat(Black).unwrap().is_here());
    assert_eq!(room.phase(), Phase::Playing);
    let mut gone = ann.next().await;
    while gone.is_ok() {
        gone = ann.next().await;
    }
    assert_eq!(gone.unwrap_err(), Gone::Ended);
    assert_eq!(relay.rooms(), 0);
    let refused = relay.enter(&code(), participant("eve"), Claim::Watch, None).await;
    assert_eq!(refused.unwrap_err(), crate::relay::EnterError::Stopping);
}

#[tokio::test(start_paused = true)]
async fn closed_rooms_leave_no_tasks() {
    let world = World::default();
    let (relay, _) = world.silent_relay();
    for number in 0..1_000 {
        let code = format!("ROOM{number}").parse().unwrap();
        let claim = || Claim::Play(crate::relay::SeatRequest::new(crate::room::SideChoice::First));
        let terms = Terms::default();
        let ann = relay.enter(&code, participant("ann"), claim(), Some(&terms)).await.unwrap();
        let bob = relay.enter(&code, participant("bob"), claim(), Some(&terms)).await.unwrap();
        if number % 2 == 0 {
            ann.act(mv("e2e4")).await.unwrap();
            ann.act(Act::Leave).await.unwrap();
            bob.act(Act::Leave).await.unwrap();
        }
    }
    advance(100_000).await;
    assert_eq!((relay.rooms(), relay.shared.tasks.len()), (0, 0));
    let again = plays(&relay, "ann").await;
    assert_eq!((relay.rooms(), relay.shared.tasks.len()), (1, 1));
    drop(again);
}
