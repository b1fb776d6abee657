//! Several relays on one store.

use super::world::{Fault, World, code, hears, hears_facts, mv, pair, passes, plays, visitor, watches};
use crate::relay::{Claim, EnterError, Invitation, News, Whisper};
use crate::room::{Command, Ending, Fact, Phase, Refusal, Terms, Wish};
use crate::store::StoreError;
use chess::Color::{Black, White};

#[tokio::test(start_paused = true)]
async fn all_see_the_same_in_the_same_order() {
    let world = World::default();
    let (one, _) = world.relay().await;
    let (other, _) = world.relay().await;
    let (mut ann, mut bob) = pair(&one, &other).await;
    passes(10).await;
    hears(&mut ann).await.unwrap();
    hears(&mut bob).await.unwrap();
    let before = world.facts().await.len();
    // Both speak at the same time, again and again, and one of them is always behind.
    for number in 0..10 {
        let (first, second) = tokio::join!(ann.say(format!("a{number}")), bob.say(format!("b{number}")));
        first.unwrap();
        second.unwrap();
    }
    ann.play(mv("e2e4")).await.unwrap();
    passes(10).await;
    bob.play(mv("e7e5")).await.unwrap();
    passes(10).await;
    let log = world.facts().await[before..].to_vec();
    assert_eq!(log.len(), 22);
    assert_eq!(hears_facts(&mut ann).await, log);
    assert_eq!(hears_facts(&mut bob).await, log);
    assert_eq!(ann.room(), bob.room());
}

#[tokio::test(start_paused = true)]
async fn a_whisper_is_heard_everywhere() {
    let world = World::default();
    let (one, _) = world.relay().await;
    let (other, _) = world.relay().await;
    let (_ann, mut bob) = pair(&one, &other).await;
    let _eve = watches(&one, "eve").await;
    passes(100).await;
    let heard = hears(&mut bob).await.unwrap();
    let watching = heard.iter().filter(|happening| matches!(happening.news, News::Whisper(Whisper::Watching { .. })));
    assert_eq!(watching.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn who_was_there_through_a_relay_that_died_is_away_and_can_come_back_through_another() {
    let world = World::default();
    let (one, side) = world.relay().await;
    let (other, _) = world.relay().await;
    let (ann, mut bob) = pair(&one, &other).await;
    let token = ann.token().unwrap().to_owned();
    passes(3_000).await;
    side.cut_off(true);
    passes(8_000).await;
    assert!(hears_facts(&mut bob).await.contains(&Fact::Went { color: White, relay: one.id() }));
    assert!(!world.room().await.seat(White).unwrap().is_here());
    let again = other.enter(&code(), visitor("ann"), Claim::Resume { token }, None).await.unwrap();
    again.play(mv("e2e4")).await.unwrap();
    assert!(bob.look().await.unwrap().seat(White).unwrap().is_here());
}

#[tokio::test(start_paused = true)]
async fn a_relay_that_was_cut_off_says_that_its_players_are_there() {
    let world = World::default();
    let (one, side) = world.relay().await;
    let (other, _) = world.relay().await;
    let (ann, _bob) = pair(&one, &other).await;
    passes(3_000).await;
    side.cut_off(true);
    passes(10_000).await;
    assert!(!world.room().await.seat(White).unwrap().is_here());
    side.cut_off(false);
    passes(3_000).await;
    assert!(world.room().await.seat(White).unwrap().is_here_through(one.id()));
    ann.play(mv("e2e4")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn so_it_does_if_it_learns_of_it_by_being_behind() {
    let world = World::default();
    let (one, side) = world.relay().await;
    let (other, _) = world.relay().await;
    let (ann, bob) = pair(&one, &other).await;
    passes(3_000).await;
    side.cut_off(true);
    passes(10_000).await;
    assert!(!world.room().await.seat(White).unwrap().is_here());
    // It hears no signal that something was lost, but its player moves.
    side.reconnect_silently();
    ann.play(mv("e2e4")).await.unwrap();
    passes(10).await;
    assert!(bob.look().await.unwrap().seat(White).unwrap().is_here_through(one.id()));
}

#[tokio::test(start_paused = true)]
async fn a_relay_that_others_do_not_know_yet_is_not_taken_for_dead() {
    let world = World::default();
    let (old, _) = world.relay().await;
    passes(3_100).await;
    // It came between two beats of the old one.
    let (new, _) = world.relay().await;
    let ann = plays(&new, "ann").await;
    let _eve = watches(&old, "eve").await;
    passes(10_000).await;
    assert_eq!(world.count(|fact| matches!(fact, Fact::Went { .. })).await, 0);
    drop(ann);
}

#[tokio::test(start_paused = true)]
async fn rooms_that_are_left_behind_are_taken_over() {
    let world = World::default();
    let (one, side) = world.relay().await;
    let (_ann, _bob) = pair(&one, &one).await;
    passes(3_000).await;
    side.cut_off(true);
    let (other, _) = world.relay().await;
    passes(10_000).await;
    assert_eq!(other.rooms(), 1);
    let room = world.room().await;
    assert!(!room.seat(White).unwrap().is_here() && !room.seat(Black).unwrap().is_here());
    passes(80_000).await;
    let room = world.room().await;
    assert_eq!((room.phase(), room.ending()), (Phase::Closed, Some(Ending::disconnect(None))));
    assert_eq!(other.rooms(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_relay_with_whom_nobody_is_leaves_the_room_to_those_of_the_players() {
    let world = World::default();
    let (one, _) = world.relay().await;
    let (other, _) = world.relay().await;
    let (_ann, _bob) = pair(&one, &one).await;
    let eve = watches(&other, "eve").await;
    assert_eq!(other.rooms(), 1);
    drop(eve);
    passes(100).await;
    assert_eq!((one.rooms(), other.rooms()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn a_player_who_has_changed_sides_elsewhere_does_not_speak_for_the_other() {
    let world = World::default();
    let (one, side) = world.relay().await;
    let (other, _) = world.relay().await;
    let (ann, bob) = pair(&one, &other).await;
    passes(10).await;
    bob.play(Command::Resign).await.unwrap();
    passes(10).await;
    ann.play(|color| Command::OfferRematch { color, dice: 5 }).await.unwrap();
    passes(10).await;
    // Bob agrees while Ann's relay hears nothing. Then she wants to leave: as White, for all that her relay knows.
    side.deafen();
    bob.play(|color| Command::OfferRematch { color, dice: 6 }).await.unwrap();
    assert_eq!(ann.look().await.unwrap().seat_of(&ann.visitor().id), Some(White));
    assert_eq!(ann.play(Command::DeclineRematch).await, Err(Refusal::NoOffer.into()));
    ann.play(Command::Leave).await.unwrap();
    let room = world.room().await;
    assert_eq!(room.seat(White).unwrap().player.name.as_str(), "bob");
    assert_eq!((room.ending(), room.seat(Black)), (Some(Ending::disconnect(Some(White))), None));
}

#[tokio::test(start_paused = true)]
async fn nobody_who_comes_is_shown_less_than_others_were_told() {
    let world = World::default();
    let (one, side) = world.relay().await;
    let (other, _) = world.relay().await;
    let (ann, mut bob) = pair(&one, &other).await;
    let _carl = watches(&one, "carl").await;
    passes(10).await;
    ann.play(mv("e2e4")).await.unwrap();
    passes(10).await;
    // What Bob does is known to everybody but Ann's relay.
    side.deafen();
    bob.play(mv("e7e5")).await.unwrap();
    let told = hears(&mut bob).await.unwrap().last().unwrap().room.version();
    assert!(ann.look().await.unwrap().version() < told);
    let token = ann.token().unwrap().to_owned();
    let eve = watches(&one, "eve").await;
    assert_eq!(eve.room().version(), told);
    let again = one.enter(&code(), visitor("ann"), Claim::Resume { token }, None).await.unwrap();
    assert_eq!(again.room().version(), told);
    assert_eq!(*again.look().await.unwrap(), world.room().await);
}

#[tokio::test(start_paused = true)]
async fn nobody_is_shown_what_may_be_out_of_date() {
    let world = World::default();
    let (one, side) = world.relay().await;
    let (_ann, bob) = pair(&one, &one).await;
    side.suffers([Fault::UnclearButDone]);
    side.suffers(std::iter::repeat_n(Fault::Unavailable, 10));
    assert!(bob.play(Command::Resign).await.is_err());
    side.cut_off(true);
    let room = world.room().await.id();
    let refused = one.enter_room(room, visitor("eve"), Claim::Watch).await;
    assert!(matches!(refused, Err(EnterError::Store(StoreError::Unavailable(_)))));
    side.cut_off(false);
    let eve = one.enter_room(room, visitor("eve"), Claim::Watch).await.unwrap();
    assert_eq!(*eve.room().as_ref(), world.room().await);
}

#[tokio::test(start_paused = true)]
async fn one_seat_is_given_to_one() {
    let world = World::default();
    let (one, _) = world.relay().await;
    let (other, slow) = world.relay().await;
    one.open(&code(), Terms::default()).await.unwrap();
    slow.suffers([Fault::UnclearAndNotDone]);
    let claim = || Claim::Sit(Invitation::new(Wish::White));
    let code = code();
    let (ann, bob) = tokio::join!(
        one.enter(&code, visitor("ann"), claim(), None),
        other.enter(&code, visitor("bob"), claim(), None)
    );
    assert_ne!(ann.is_ok(), bob.is_ok());
}
