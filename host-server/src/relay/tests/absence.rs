use super::world::{World, advance, code, mv, pair, participant, plays, received_facts, watches};
use crate::relay::{Claim, Relay, RoomHandle, SeatRequest, UpdatesEnded};
use crate::room::{Act, Fact, Phase, SideChoice, Terms};
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
    assert!(facts.contains(&Fact::Ended(Verdict::Won { winner: Black, why: Why::Abandonment }.into())));
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
    assert_eq!(gone.unwrap_err(), UpdatesEnded::Ended);
}

#[tokio::test(start_paused = true)]
async fn a_room_without_players_closes_by_itself() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    relay.open(&code(), Terms::default()).await.unwrap();
    advance(590_000).await;
    assert_eq!((world.room().await.phase(), relay.rooms(), parked(&relay)), (Phase::Waiting, 0, 1));
    advance(15_000).await;
    assert_eq!((world.room().await.phase(), relay.rooms(), parked(&relay)), (Phase::Closed, 0, 0));
}

fn parked(relay: &Relay) -> usize {
    relay.shared.rooms().parked.len()
}

const HOUR: u64 = 3_600_000;

/// Opens a room by invitation, with a player who is connected.
async fn invites(relay: &Relay) -> RoomHandle {
    relay.open(&code(), Terms { by_invitation: true, ..Terms::default() }).await.unwrap();
    let claim = Claim::Sit(SeatRequest::claiming(SideChoice::White));
    relay.enter(&code(), participant("ann"), claim, None).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn an_invitation_needs_no_task_while_its_host_is_away() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let ann = invites(&relay).await;
    let token = ann.token().unwrap().to_owned();
    drop(ann);
    advance(10_000).await;
    assert_eq!((relay.rooms(), relay.shared.tasks.len(), parked(&relay)), (0, 1, 1), "only the heartbeat has a task");
    advance(10 * HOUR).await;
    let claim = Claim::Play(SeatRequest::claiming(SideChoice::First));
    let bob = relay.enter(&code(), participant("bob"), claim, None).await.unwrap();
    assert_eq!((bob.color(), relay.rooms(), parked(&relay)), (Some(Black), 1, 0));
    let ann = relay.enter(&code(), participant("ann"), Claim::Resume { token }, None).await.unwrap();
    ann.act(mv("e2e4")).await.unwrap();
    // Both go: the game without a clock waits.
    drop((ann, bob));
    advance(10 * HOUR).await;
    assert_eq!((world.room().await.phase(), relay.rooms(), parked(&relay)), (Phase::Playing, 0, 1));
}

#[tokio::test(start_paused = true)]
async fn an_invitation_expires_after_a_day() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    drop(invites(&relay).await);
    advance(23 * HOUR).await;
    assert_eq!(world.room().await.phase(), Phase::Waiting);
    advance(HOUR + 5_000).await;
    assert_eq!((world.room().await.phase(), relay.rooms(), parked(&relay)), (Phase::Closed, 0, 0));
}

/// The relay that parked a room keeps its lease, so it has to notice that the relay of a player has died.
#[tokio::test(start_paused = true)]
async fn a_player_of_a_parked_room_is_disconnected_with_the_dead_relay() {
    let world = World::default();
    let (first, _) = world.relay().await;
    let (second, store) = world.relay().await;
    let ann = invites(&first).await;
    let token = ann.token().unwrap().to_owned();
    drop(ann);
    advance(10_000).await;
    assert_eq!(parked(&first), 1);
    let _ann = second.enter(&code(), participant("ann"), Claim::Resume { token }, None).await.unwrap();
    advance(5_000).await;
    assert!(world.room().await.seat(White).unwrap().is_here());
    store.cut_off(true);
    advance(30_000).await;
    assert!(!world.room().await.seat(White).unwrap().is_here());
    assert_eq!(parked(&first), 1);
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
    assert_eq!(gone.unwrap_err(), UpdatesEnded::Ended);
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
        let claim = || Claim::Play(SeatRequest::new(SideChoice::First));
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

#[tokio::test(start_paused = true)]
async fn two_thousand_reconnects_leave_a_short_log_and_a_long_absence_is_still_noticed() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (mut ann, _bob) = pair(&relay, &relay).await;
    let token = ann.token().unwrap().to_owned();
    for _ in 0..2_000 {
        drop(ann);
        advance(1).await;
        let claim = Claim::Resume { token: token.clone() };
        ann = relay.enter(&code(), participant("ann"), claim, None).await.unwrap();
    }
    let entries = world.log().await.len();
    assert!(entries < 250, "{entries} entries");
    ann.act(mv("e2e4")).await.unwrap();
    drop(ann);
    advance(1_000).await;
    assert!(world.room().await.seat(White).unwrap().is_here(), "the player may be back soon");
    advance(10_000).await;
    assert!(!world.room().await.seat(White).unwrap().is_here());
    advance(60_000).await;
    assert_eq!(world.room().await.verdict(), Some(Verdict::Won { winner: Black, why: Why::Abandonment }));
}

/// What waits to be written is written when the relay stops: otherwise the player would count as connected.
#[tokio::test(start_paused = true)]
async fn a_relay_that_stops_disconnects_players_at_once() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (mut ann, _bob) = pair(&relay, &relay).await;
    let token = ann.token().unwrap().to_owned();
    for _ in 0..200 {
        drop(ann);
        advance(1).await;
        let claim = Claim::Resume { token: token.clone() };
        ann = relay.enter(&code(), participant("ann"), claim, None).await.unwrap();
    }
    drop(ann);
    advance(1).await;
    relay.stop().await;
    assert!(!world.room().await.seat(White).unwrap().is_here());
}
