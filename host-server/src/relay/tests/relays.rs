//! Several relays on one store.

use super::world::{
    Fault, World, advance, code, mv, pair, participant, plays, received_facts, received_updates, watches,
};
use crate::relay::{Claim, EnterError, Relay, RoomUpdate, SeatRequest, Transient, Update};
use crate::room::{Act, Fact, Phase, Refusal, SideChoice, Terms};
use crate::store::StoreError;
use chess::Color::{Black, White};
use rules::{Verdict, Why};
use std::sync::Arc;

#[tokio::test(start_paused = true)]
async fn all_participants_receive_the_log_in_order() {
    let world = World::default();
    let (one, _) = world.relay().await;
    let (other, _) = world.relay().await;
    let (mut ann, mut bob) = pair(&one, &other).await;
    advance(10).await;
    received_updates(&mut ann).await.unwrap();
    received_updates(&mut bob).await.unwrap();
    let before = world.facts().await.len();
    // Both append at the same time, so that one of them has a version conflict each time.
    for number in 0..10 {
        let (first, second) = tokio::join!(
            ann.act(Act::Chat { text: format!("a{number}") }),
            bob.act(Act::Chat { text: format!("b{number}") })
        );
        first.unwrap();
        second.unwrap();
    }
    ann.act(mv("e2e4")).await.unwrap();
    advance(10).await;
    bob.act(mv("e7e5")).await.unwrap();
    advance(10).await;
    let log = world.facts().await[before..].to_vec();
    assert_eq!(log.len(), 22);
    assert_eq!(received_facts(&mut ann).await, log);
    assert_eq!(received_facts(&mut bob).await, log);
    assert_eq!(ann.room(), bob.room());
}

#[tokio::test(start_paused = true)]
async fn transient_updates_reach_other_relays() {
    let world = World::default();
    let (one, _) = world.relay().await;
    let (other, _) = world.relay().await;
    let (_ann, mut bob) = pair(&one, &other).await;
    let _eve = watches(&one, "eve").await;
    advance(100).await;
    let updates = received_updates(&mut bob).await.unwrap();
    let watching =
        updates.iter().filter(|update| matches!(update.update, Update::Transient(Transient::Spectators { .. })));
    assert_eq!(watching.count(), 1);
}

/// A piece of a promotion is chosen outside the log, so those who enter meanwhile would not know of it.
#[tokio::test(start_paused = true)]
async fn a_promotion_that_is_being_chosen_is_sent_to_participants_who_enter() {
    let world = World::default();
    let (one, _) = world.relay().await;
    let (other, _) = world.relay().await;
    let (ann, bob) = pair(&one, &one).await;
    let [white, black] = [&ann, &bob].map(|player| player.token().unwrap().to_owned());
    ann.act(mv("e2e4")).await.unwrap();
    ann.announce_promotion("a7a8".parse().unwrap());
    advance(10).await;
    let enter = async |relay: &Relay, token: &str| {
        let claim = Claim::Resume { token: token.to_owned() };
        let mut handle = relay.enter(&code(), participant("x"), claim, None).await.unwrap();
        advance(100).await;
        let updates = received_updates(&mut handle).await.unwrap();
        let promoting =
            |update: &Arc<RoomUpdate>| matches!(update.update, Update::Transient(Transient::Promoting { .. }));
        (updates.iter().filter(|update| promoting(update)).count(), handle)
    };
    // Another connection of the same player, and the opponent, through either relay.
    for (relay, token) in [(&one, &white), (&one, &black), (&other, &black), (&other, &white)] {
        assert!(enter(relay, token).await.0 >= 1);
    }
    // A move, or the disconnection of the player, ends it.
    bob.act(mv("e7e5")).await.unwrap();
    advance(10).await;
    assert_eq!(enter(&one, &black).await.0, 0);
    ann.announce_promotion("a7a8".parse().unwrap());
    drop(ann);
    advance(100).await;
    assert_eq!(enter(&one, &black).await.0, 0);
}

#[tokio::test(start_paused = true)]
async fn a_player_of_a_dead_relay_reconnects_through_another() {
    let world = World::default();
    let (one, store) = world.relay().await;
    let (other, _) = world.relay().await;
    let (ann, mut bob) = pair(&one, &other).await;
    let token = ann.token().unwrap().to_owned();
    advance(3_000).await;
    store.cut_off(true);
    advance(8_000).await;
    assert!(received_facts(&mut bob).await.contains(&Fact::Disconnected { color: White, relay: one.id() }));
    assert!(!world.room().await.seat(White).unwrap().is_here());
    let again = other.enter(&code(), participant("ann"), Claim::Resume { token }, None).await.unwrap();
    again.act(mv("e2e4")).await.unwrap();
    assert!(bob.look().await.unwrap().seat(White).unwrap().is_here());
}

#[tokio::test(start_paused = true)]
async fn a_relay_that_was_cut_off_logs_its_players_as_connected() {
    let world = World::default();
    let (one, store) = world.relay().await;
    let (other, _) = world.relay().await;
    let (ann, _bob) = pair(&one, &other).await;
    advance(3_000).await;
    store.cut_off(true);
    advance(10_000).await;
    assert!(!world.room().await.seat(White).unwrap().is_here());
    store.cut_off(false);
    advance(3_000).await;
    assert!(world.room().await.seat(White).unwrap().is_here_through(one.id()));
    ann.act(mv("e2e4")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_version_conflict_shows_a_relay_that_it_was_cut_off() {
    let world = World::default();
    let (one, store) = world.relay().await;
    let (other, _) = world.relay().await;
    let (ann, bob) = pair(&one, &other).await;
    advance(3_000).await;
    store.cut_off(true);
    advance(10_000).await;
    assert!(!world.room().await.seat(White).unwrap().is_here());
    // The relay gets no signal of the loss. The move of its player meets a version conflict.
    store.reconnect_silently();
    ann.act(mv("e2e4")).await.unwrap();
    advance(10).await;
    assert!(bob.look().await.unwrap().seat(White).unwrap().is_here_through(one.id()));
}

#[tokio::test(start_paused = true)]
async fn a_new_relay_is_not_taken_for_dead() {
    let world = World::default();
    let (old, _) = world.relay().await;
    advance(3_100).await;
    // It starts between two heartbeats of the old relay.
    let (new, _) = world.relay().await;
    let ann = plays(&new, "ann").await;
    let _eve = watches(&old, "eve").await;
    advance(10_000).await;
    assert_eq!(world.count(|fact| matches!(fact, Fact::Disconnected { .. })).await, 0);
    drop(ann);
}

#[tokio::test(start_paused = true)]
async fn orphaned_rooms_are_adopted() {
    let world = World::default();
    let (one, store) = world.relay().await;
    let (_ann, _bob) = pair(&one, &one).await;
    advance(3_000).await;
    store.cut_off(true);
    let (other, _) = world.relay().await;
    advance(10_000).await;
    assert_eq!(other.rooms(), 1);
    let room = world.room().await;
    assert!(!room.seat(White).unwrap().is_here() && !room.seat(Black).unwrap().is_here());
    advance(80_000).await;
    let room = world.room().await;
    assert_eq!((room.phase(), room.verdict()), (Phase::Closed, Some(Verdict::Abandoned)));
    assert_eq!(other.rooms(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_relay_without_participants_stops_the_task_of_the_room() {
    let world = World::default();
    let (one, _) = world.relay().await;
    let (other, _) = world.relay().await;
    let (_ann, _bob) = pair(&one, &one).await;
    let eve = watches(&other, "eve").await;
    assert_eq!(other.rooms(), 1);
    drop(eve);
    advance(100).await;
    assert_eq!((one.rooms(), other.rooms()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn an_act_after_an_unseen_swap_of_sides_counts_for_the_right_player() {
    let world = World::default();
    let (one, store) = world.relay().await;
    let (other, _) = world.relay().await;
    let (ann, bob) = pair(&one, &other).await;
    advance(10).await;
    bob.act(Act::Resign).await.unwrap();
    advance(10).await;
    ann.act(Act::OfferRematch).await.unwrap();
    advance(10).await;
    // Bob accepts while Ann's relay receives no signals. Then Ann leaves; her relay still has her as White.
    store.drop_signals();
    bob.act(Act::OfferRematch).await.unwrap();
    assert_eq!(ann.look().await.unwrap().seat_of(&ann.participant().id), Some(White));
    assert_eq!(ann.act(Act::DeclineRematch).await, Err(Refusal::NoOffer.into()));
    ann.act(Act::Leave).await.unwrap();
    let room = world.room().await;
    assert_eq!(room.seat(White).unwrap().player.name.as_str(), "bob");
    assert_eq!((room.verdict(), room.seat(Black)), (Some(Verdict::Won { winner: White, why: Why::Abandonment }), None));
}

#[tokio::test(start_paused = true)]
async fn entering_shows_every_entry_that_another_relay_announced() {
    let world = World::default();
    let (one, store) = world.relay().await;
    let (other, _) = world.relay().await;
    let (ann, mut bob) = pair(&one, &other).await;
    let _carl = watches(&one, "carl").await;
    advance(10).await;
    ann.act(mv("e2e4")).await.unwrap();
    advance(10).await;
    // Ann's relay does not learn of Bob's move.
    store.drop_signals();
    bob.act(mv("e7e5")).await.unwrap();
    let newest = received_updates(&mut bob).await.unwrap().last().unwrap().room.version();
    assert!(ann.look().await.unwrap().version() < newest);
    let token = ann.token().unwrap().to_owned();
    let eve = watches(&one, "eve").await;
    assert_eq!(eve.room().version(), newest);
    let again = one.enter(&code(), participant("ann"), Claim::Resume { token }, None).await.unwrap();
    assert_eq!(again.room().version(), newest);
    assert_eq!(*again.look().await.unwrap(), world.room().await);
}

#[tokio::test(start_paused = true)]
async fn entering_fails_while_the_log_may_be_out_of_date() {
    let world = World::default();
    let (one, store) = world.relay().await;
    let (_ann, bob) = pair(&one, &one).await;
    store.inject([Fault::UnclearButDone]);
    store.inject(std::iter::repeat_n(Fault::Unavailable, 10));
    assert!(bob.act(Act::Resign).await.is_err());
    store.cut_off(true);
    let room = world.room().await.id();
    let refused = one.enter_room(room, participant("eve"), Claim::Watch).await;
    assert!(matches!(refused, Err(EnterError::Store(StoreError::Unavailable(_)))));
    store.cut_off(false);
    let eve = one.enter_room(room, participant("eve"), Claim::Watch).await.unwrap();
    assert_eq!(*eve.room().as_ref(), world.room().await);
}

#[tokio::test(start_paused = true)]
async fn a_seat_has_one_player_across_relays() {
    let world = World::default();
    let (one, _) = world.relay().await;
    let (other, faulty) = world.relay().await;
    one.open(&code(), Terms::default()).await.unwrap();
    faulty.inject([Fault::UnclearAndNotDone]);
    let claim = || Claim::Sit(SeatRequest::new(SideChoice::White));
    let code = code();
    let (ann, bob) = tokio::join!(
        one.enter(&code, participant("ann"), claim(), None),
        other.enter(&code, participant("bob"), claim(), None)
    );
    assert_ne!(ann.is_ok(), bob.is_ok());
}

/// It is larger than the entries that do not change it.
#[tokio::test(start_paused = true)]
async fn the_state_is_written_with_the_entries_that_change_the_game() {
    let world = World::default();
    let (relay, store) = world.silent_relay();
    let (ann, bob) = pair(&relay, &relay).await;
    advance(10).await;
    assert_eq!((world.room().await.phase(), store.states()), (Phase::Playing, 1), "the game has begun");
    ann.act(Act::Chat { text: "hello".to_owned() }).await.unwrap();
    bob.act(Act::Hints { on: true }).await.unwrap();
    ann.act(Act::OfferDraw).await.unwrap();
    assert_eq!(store.states(), 1);
    ann.act(mv("e2e4")).await.unwrap();
    assert_eq!(store.states(), 2);
    bob.act(Act::AskTakeback { plies: 1 }).await.unwrap();
    assert_eq!(store.states(), 2);
    ann.act(Act::AcceptTakeback { plies: 1 }).await.unwrap();
    assert_eq!(store.states(), 3);
    bob.act(Act::Resign).await.unwrap();
    assert_eq!(store.states(), 3);
    ann.act(Act::OfferRematch).await.unwrap();
    bob.act(Act::AcceptRematch).await.unwrap();
    assert_eq!(store.states(), 4, "the next game has begun");
}
