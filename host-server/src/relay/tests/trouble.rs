//! Faults of the store.

use rules::{Verdict, Why};
use std::iter::repeat_n;

use super::world::{Fault, World, advance, code, mv, pair, participant, plays};
use crate::relay::{ActError, Claim, EnterError, SeatRequest, UpdatesEnded};
use crate::room::{Act, Fact, Phase, SideChoice, Terms, Time};
use crate::store::StoreError;
use chess::Color::{Black, White};
use wire::link::ClockRule;

async fn moves(world: &World) -> usize {
    world.count(|fact| matches!(fact, Fact::Moved { .. })).await
}

#[tokio::test(start_paused = true)]
async fn a_move_is_retried_while_the_store_is_unavailable() {
    let world = World::default();
    let (relay, store) = world.relay().await;
    let (ann, _bob) = pair(&relay, &relay).await;
    store.inject(repeat_n(Fault::Unavailable, 5));
    ann.act(mv("e2e4")).await.unwrap();
    assert_eq!(moves(&world).await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_lost_answer_of_the_store_does_not_repeat_a_move() {
    let world = World::default();
    let (relay, store) = world.relay().await;
    let (ann, bob) = pair(&relay, &relay).await;
    store.inject([Fault::UnclearButDone]);
    ann.act(mv("e2e4")).await.unwrap();
    assert_eq!(moves(&world).await, 1);
    store.inject([Fault::UnclearButDone, Fault::Unavailable, Fault::UnclearAndNotDone]);
    bob.act(mv("e7e5")).await.unwrap();
    assert_eq!(moves(&world).await, 2);
    assert_eq!(*bob.look().await.unwrap(), world.room().await);
}

#[tokio::test(start_paused = true)]
async fn a_failed_append_is_retried_once_it_is_known_to_have_failed() {
    let world = World::default();
    let (relay, store) = world.relay().await;
    let (ann, _bob) = pair(&relay, &relay).await;
    store.inject([Fault::UnclearAndNotDone, Fault::UnclearAndNotDone]);
    ann.act(Act::Chat { text: "Hello!".to_owned() }).await.unwrap();
    assert_eq!(world.count(|fact| matches!(fact, Fact::Said { .. })).await, 1);
}

#[tokio::test(start_paused = true)]
async fn an_unclear_append_is_resolved_before_the_next_act() {
    let world = World::default();
    let (relay, store) = world.relay().await;
    let (ann, bob) = pair(&relay, &relay).await;
    store.inject([Fault::UnclearButDone]);
    store.inject(repeat_n(Fault::Unavailable, 10));
    assert!(matches!(ann.act(mv("e2e4")).await, Err(ActError::Store(_))));
    // The move was stored all the same.
    bob.act(mv("e7e5")).await.unwrap();
    assert_eq!(moves(&world).await, 2);
}

#[tokio::test(start_paused = true)]
async fn a_full_store_refuses_acts_until_it_has_room() {
    let world = World::default();
    let (relay, store) = world.relay().await;
    let (ann, bob) = pair(&relay, &relay).await;
    let before = world.room().await;
    store.inject([Fault::Full]);
    let full = StoreError::Full("no space".to_owned());
    assert_eq!(ann.act(mv("e2e4")).await, Err(ActError::Store(full)));
    assert_eq!(*bob.look().await.unwrap(), before);
    ann.act(mv("e2e4")).await.unwrap();
    bob.act(mv("e7e5")).await.unwrap();
    assert_eq!(moves(&world).await, 2);
}

#[tokio::test(start_paused = true)]
async fn a_disconnect_is_logged_when_the_store_recovers() {
    let world = World::default();
    let (relay, store) = world.relay().await;
    let (ann, _bob) = pair(&relay, &relay).await;
    store.inject(repeat_n(Fault::Full, 3));
    drop(ann);
    advance(1_000).await;
    assert!(world.room().await.seat(White).unwrap().is_here());
    advance(2_000).await;
    assert!(!world.room().await.seat(White).unwrap().is_here());
}

#[tokio::test(start_paused = true)]
async fn a_due_tick_is_retried_with_backoff() {
    let world = World::default();
    let (relay, store) = world.relay().await;
    let (ann, _bob) = pair(&relay, &relay).await;
    drop(ann);
    advance(59_000).await;
    store.inject(repeat_n(Fault::Full, 1_000));
    let before = store.appends();
    advance(11_000).await;
    assert!(store.appends() - before < 30, "{}", store.appends() - before);
    store.clear_faults();
    advance(1_000).await;
    assert_eq!(world.room().await.verdict(), Some(Verdict::Won { winner: Black, why: Why::Abandonment }));
}

#[tokio::test(start_paused = true)]
async fn a_move_queued_behind_slow_writes_counts_from_its_arrival() {
    let world = World::default();
    let (relay, store) = world.relay().await;
    let terms = Terms { clock: Some(ClockRule { base_ms: 10_000, increment_ms: 0 }), ..Terms::default() };
    let claim = || Claim::Play(SeatRequest::new(SideChoice::First));
    let ann = relay.enter(&code(), participant("ann"), claim(), Some(&terms)).await.unwrap();
    let bob = relay.enter(&code(), participant("bob"), claim(), Some(&terms)).await.unwrap();
    ann.act(mv("e2e4")).await.unwrap();
    advance(9_000).await;
    store.inject([Fault::Slow(4_000), Fault::Slow(4_000), Fault::Slow(4_000)]);
    // A chat message, a new participant and Bob's move, with a second left, wait for the store in this order.
    let say = ann.act(Act::Chat { text: "Hurry!".to_owned() });
    let watcher = tokio::spawn({
        let relay = relay.clone();
        async move { plays(&relay, "eve").await }
    });
    advance(1).await;
    let moved = bob.act(mv("e7e5"));
    say.await.unwrap();
    moved.await.unwrap();
    watcher.await.unwrap();
    let room = world.room().await;
    assert_eq!((room.phase(), room.game().len()), (Phase::Playing, 2));
    let left = room.clock().unwrap().left(Black, Time(0));
    assert_eq!(left, 999);
}

#[tokio::test(start_paused = true)]
async fn a_corrupt_log_ends_the_room_task() {
    let world = World::default();
    let (relay, store) = world.relay().await;
    let (mut ann, bob) = pair(&relay, &relay).await;
    store.inject([Fault::Corrupt]);
    assert!(matches!(bob.act(Act::Resign).await, Err(ActError::Store(StoreError::Corrupt(_)))));
    let mut gone = ann.next().await;
    while gone.is_ok() {
        gone = ann.next().await;
    }
    assert_eq!(gone.unwrap_err(), UpdatesEnded::Ended);
    assert_eq!(relay.rooms(), 0);
    assert_eq!(ann.act(mv("e2e4")).await, Err(ActError::Ended));
}

#[tokio::test(start_paused = true)]
async fn entering_reports_an_unavailable_store() {
    let world = World::default();
    let (relay, store) = world.relay().await;
    store.cut_off(true);
    let claim = Claim::Play(SeatRequest::new(SideChoice::First));
    let refused = relay.enter(&code(), participant("ann"), claim, Some(&Terms::default())).await;
    assert!(matches!(refused, Err(EnterError::Store(StoreError::Unavailable(_)))));
    store.cut_off(false);
    plays(&relay, "ann").await;
}

#[tokio::test(start_paused = true)]
async fn a_relay_stops_without_the_store() {
    let world = World::default();
    let (relay, store) = world.relay().await;
    let (_ann, _bob) = pair(&relay, &relay).await;
    store.cut_off(true);
    let begun = tokio::time::Instant::now();
    relay.stop().await;
    assert!(begun.elapsed().as_secs() < 5);
    assert!(world.room().await.seat(White).unwrap().is_here());
}

#[tokio::test(start_paused = true)]
async fn the_longest_grace_and_countdown_do_not_overflow() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let terms = Terms { countdown: u64::MAX, grace: u64::MAX, ..Terms::default() };
    let claim = || Claim::Play(SeatRequest::new(SideChoice::First));
    let ann = relay.enter(&code(), participant("ann"), claim(), Some(&terms)).await.unwrap();
    let bob = relay.enter(&code(), participant("bob"), claim(), Some(&terms)).await.unwrap();
    advance(4_000_000).await;
    drop(bob);
    advance(4_000_000).await;
    assert_eq!(ann.look().await.unwrap().phase(), Phase::Waiting);
    assert_eq!(ann.look().await.unwrap().verdict(), None);
}
