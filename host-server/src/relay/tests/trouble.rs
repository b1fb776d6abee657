//! The store does not always do what it is asked to.

use std::iter::repeat_n;

use super::world::{Fault, World, code, mv, pair, passes, plays, visitor};
use crate::relay::{Claim, CommandError, EnterError, Gone, Invitation};
use crate::room::{Command, Ending, Fact, Phase, Terms, Time, Wish};
use crate::store::StoreError;
use chess::Color::{Black, White};
use wire::link::ClockRule;

async fn moves(world: &World) -> usize {
    world.count(|fact| matches!(fact, Fact::Moved { .. })).await
}

#[tokio::test(start_paused = true)]
async fn a_move_waits_for_a_store_that_is_away_and_is_made_once() {
    let world = World::default();
    let (relay, side) = world.relay().await;
    let (ann, _bob) = pair(&relay, &relay).await;
    side.suffers(repeat_n(Fault::Unavailable, 5));
    ann.play(mv("e2e4")).await.unwrap();
    assert_eq!(moves(&world).await, 1);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_lost_does_not_double_a_move() {
    let world = World::default();
    let (relay, side) = world.relay().await;
    let (ann, bob) = pair(&relay, &relay).await;
    side.suffers([Fault::UnclearButDone]);
    ann.play(mv("e2e4")).await.unwrap();
    assert_eq!(moves(&world).await, 1);
    side.suffers([Fault::UnclearButDone, Fault::Unavailable, Fault::UnclearAndNotDone]);
    bob.play(mv("e7e5")).await.unwrap();
    assert_eq!(moves(&world).await, 2);
    assert_eq!(*bob.look().await.unwrap(), world.room().await);
}

#[tokio::test(start_paused = true)]
async fn what_was_not_done_is_done_once() {
    let world = World::default();
    let (relay, side) = world.relay().await;
    let (ann, _bob) = pair(&relay, &relay).await;
    side.suffers([Fault::UnclearAndNotDone, Fault::UnclearAndNotDone]);
    ann.say("Hello!".to_owned()).await.unwrap();
    assert_eq!(world.count(|fact| matches!(fact, Fact::Said { .. })).await, 1);
}

#[tokio::test(start_paused = true)]
async fn what_was_done_without_an_answer_is_known_before_anything_else_happens() {
    let world = World::default();
    let (relay, side) = world.relay().await;
    let (ann, bob) = pair(&relay, &relay).await;
    side.suffers([Fault::UnclearButDone]);
    side.suffers(repeat_n(Fault::Unavailable, 10));
    assert!(matches!(ann.play(mv("e2e4")).await, Err(CommandError::Store(_))));
    // It happened all the same.
    bob.play(mv("e7e5")).await.unwrap();
    assert_eq!(moves(&world).await, 2);
}

#[tokio::test(start_paused = true)]
async fn a_full_store_refuses_and_everything_goes_on_when_there_is_room() {
    let world = World::default();
    let (relay, side) = world.relay().await;
    let (ann, bob) = pair(&relay, &relay).await;
    let before = world.room().await;
    side.suffers([Fault::Full]);
    let full = StoreError::Full("no space".to_owned());
    assert_eq!(ann.play(mv("e2e4")).await, Err(CommandError::Store(full)));
    assert_eq!(*bob.look().await.unwrap(), before);
    ann.play(mv("e2e4")).await.unwrap();
    bob.play(mv("e7e5")).await.unwrap();
    assert_eq!(moves(&world).await, 2);
}

#[tokio::test(start_paused = true)]
async fn that_somebody_has_gone_is_written_down_as_soon_as_it_can_be() {
    let world = World::default();
    let (relay, side) = world.relay().await;
    let (ann, _bob) = pair(&relay, &relay).await;
    side.suffers(repeat_n(Fault::Full, 3));
    drop(ann);
    passes(1_000).await;
    assert!(world.room().await.seat(White).unwrap().is_here());
    passes(2_000).await;
    assert!(!world.room().await.seat(White).unwrap().is_here());
}

#[tokio::test(start_paused = true)]
async fn what_is_due_happens_when_the_store_is_back_and_nobody_asks_it_all_the_time() {
    let world = World::default();
    let (relay, side) = world.relay().await;
    let (ann, _bob) = pair(&relay, &relay).await;
    drop(ann);
    passes(59_000).await;
    side.suffers(repeat_n(Fault::Full, 1_000));
    let before = side.appends();
    passes(11_000).await;
    assert!(side.appends() - before < 30, "{}", side.appends() - before);
    side.heals();
    passes(1_000).await;
    assert_eq!(world.room().await.ending(), Some(Ending::disconnect(Some(Black))));
}

#[tokio::test(start_paused = true)]
async fn nobody_loses_on_time_with_a_move_that_has_to_wait_behind_others() {
    let world = World::default();
    let (relay, side) = world.relay().await;
    let terms = Terms { clock: Some(ClockRule { base_ms: 10_000, increment_ms: 0 }), ..Terms::default() };
    let claim = || Claim::Play(Invitation::new(Wish::First));
    let ann = relay.enter(&code(), visitor("ann"), claim(), Some(&terms)).await.unwrap();
    let bob = relay.enter(&code(), visitor("bob"), claim(), Some(&terms)).await.unwrap();
    ann.play(mv("e2e4")).await.unwrap();
    passes(9_000).await;
    side.suffers([Fault::Slow(4_000), Fault::Slow(4_000), Fault::Slow(4_000)]);
    // Somebody talks, somebody comes, and Bob moves with a second left. All of it waits for the store.
    let say = ann.say("Hurry!".to_owned());
    let watcher = tokio::spawn({
        let relay = relay.clone();
        async move { plays(&relay, "eve").await }
    });
    passes(1).await;
    let moved = bob.play(mv("e7e5"));
    say.await.unwrap();
    moved.await.unwrap();
    watcher.await.unwrap();
    let room = world.room().await;
    assert_eq!((room.phase(), room.game().moves().len()), (Phase::Playing, 2));
    let left = room.clock().unwrap().left(Black, Time(0));
    assert_eq!(left, 999);
}

#[tokio::test(start_paused = true)]
async fn a_log_that_cannot_be_read_is_left_to_others() {
    let world = World::default();
    let (relay, side) = world.relay().await;
    let (mut ann, bob) = pair(&relay, &relay).await;
    side.suffers([Fault::Corrupt]);
    assert!(matches!(bob.play(Command::Resign).await, Err(CommandError::Store(StoreError::Corrupt(_)))));
    let mut gone = ann.next().await;
    while gone.is_ok() {
        gone = ann.next().await;
    }
    assert_eq!(gone.unwrap_err(), Gone::Ended);
    assert_eq!(relay.rooms(), 0);
    assert_eq!(ann.play(mv("e2e4")).await, Err(CommandError::Ended));
}

#[tokio::test(start_paused = true)]
async fn who_comes_while_the_store_is_away_is_told_so() {
    let world = World::default();
    let (relay, side) = world.relay().await;
    side.cut_off(true);
    let claim = Claim::Play(Invitation::new(Wish::First));
    let refused = relay.enter(&code(), visitor("ann"), claim, Some(&Terms::default())).await;
    assert!(matches!(refused, Err(EnterError::Store(StoreError::Unavailable(_)))));
    side.cut_off(false);
    plays(&relay, "ann").await;
}

#[tokio::test(start_paused = true)]
async fn a_relay_stops_even_if_the_store_is_away() {
    let world = World::default();
    let (relay, side) = world.relay().await;
    let (_ann, _bob) = pair(&relay, &relay).await;
    side.cut_off(true);
    let begun = tokio::time::Instant::now();
    relay.stop().await;
    assert!(begun.elapsed().as_secs() < 5);
    assert!(world.room().await.seat(White).unwrap().is_here());
}

#[tokio::test(start_paused = true)]
async fn the_longest_wait_is_no_wait_that_overflows() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let terms = Terms { countdown: u64::MAX, grace: u64::MAX, ..Terms::default() };
    let claim = || Claim::Play(Invitation::new(Wish::First));
    let ann = relay.enter(&code(), visitor("ann"), claim(), Some(&terms)).await.unwrap();
    let bob = relay.enter(&code(), visitor("bob"), claim(), Some(&terms)).await.unwrap();
    passes(4_000_000).await;
    drop(bob);
    passes(4_000_000).await;
    assert_eq!(ann.look().await.unwrap().phase(), Phase::Waiting);
    assert_eq!(ann.look().await.unwrap().ending(), None::<Ending>);
}
