use super::world::{World, code, hears_facts, mv, pair, passes, plays, visitor, watches};
use crate::relay::{Claim, Gone};
use crate::room::{Ending, Fact, Phase, Terms};
use chess::Color::{Black, White};

#[tokio::test(start_paused = true)]
async fn who_goes_is_waited_for_and_then_has_lost() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (ann, mut bob) = pair(&relay, &relay).await;
    drop(ann);
    passes(59_000).await;
    assert_eq!(world.room().await.phase(), Phase::Playing);
    passes(1_100).await;
    assert_eq!(world.room().await.ending(), Some(Ending::disconnect(Some(Black))));
    let facts = hears_facts(&mut bob).await;
    assert!(facts.iter().any(|fact| matches!(fact, Fact::Went { color: White, .. })));
    assert!(facts.contains(&Fact::Ended(Ending::disconnect(Some(Black)))));
}

#[tokio::test(start_paused = true)]
async fn who_is_back_in_time_plays_on() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (ann, _bob) = pair(&relay, &relay).await;
    let token = ann.token().unwrap().to_owned();
    drop(ann);
    passes(50_000).await;
    let ann = relay.enter(&code(), visitor("ann"), Claim::Resume { token }, None).await.unwrap();
    passes(100_000).await;
    ann.play(mv("e2e4")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_room_from_which_all_have_gone_is_looked_after_until_it_closes() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (ann, bob) = pair(&relay, &relay).await;
    let mut eve = watches(&relay, "eve").await;
    drop((ann, bob));
    passes(1_000).await;
    assert_eq!(relay.rooms(), 1);
    passes(80_000).await;
    assert_eq!(world.room().await.phase(), Phase::Closed);
    assert_eq!(relay.rooms(), 0);
    let mut gone = eve.next().await;
    while gone.is_ok() {
        gone = eve.next().await;
    }
    assert_eq!(gone.unwrap_err(), Gone::Ended);
}

#[tokio::test(start_paused = true)]
async fn a_room_to_which_nobody_comes_closes_by_itself() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    relay.open(&code(), Terms::default()).await.unwrap();
    passes(599_000).await;
    assert_eq!((world.room().await.phase(), relay.rooms()), (Phase::Waiting, 1));
    passes(2_000).await;
    assert_eq!((world.room().await.phase(), relay.rooms()), (Phase::Closed, 0));
}

#[tokio::test(start_paused = true)]
async fn a_relay_that_stops_says_who_goes_with_it() {
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
    let refused = relay.enter(&code(), visitor("eve"), Claim::Watch, None).await;
    assert_eq!(refused.unwrap_err(), crate::relay::EnterError::Stopping);
}

#[tokio::test(start_paused = true)]
async fn no_task_is_left_of_a_thousand_rooms() {
    let world = World::default();
    let (relay, _) = world.silent_relay();
    for number in 0..1_000 {
        let code = format!("ROOM{number}").parse().unwrap();
        let claim = || Claim::Play(crate::relay::Invitation::new(crate::room::Wish::First));
        let terms = Terms::default();
        let ann = relay.enter(&code, visitor("ann"), claim(), Some(&terms)).await.unwrap();
        let bob = relay.enter(&code, visitor("bob"), claim(), Some(&terms)).await.unwrap();
        if number % 2 == 0 {
            ann.play(mv("e2e4")).await.unwrap();
            ann.play(crate::room::Command::Leave).await.unwrap();
            bob.play(crate::room::Command::Leave).await.unwrap();
        }
    }
    passes(100_000).await;
    assert_eq!((relay.rooms(), relay.shared.tasks.len()), (0, 0));
    let again = plays(&relay, "ann").await;
    assert_eq!((relay.rooms(), relay.shared.tasks.len()), (1, 1));
    drop(again);
}
