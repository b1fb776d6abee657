use super::world::{World, advance, code, mv, pair, participant, plays, received_facts, watches};
use crate::relay::{Claim, EnterError, SeatRequest, UpdatesEnded};
use crate::room::{Act, Fact, Participant, Phase, Refusal, Seated, SideChoice, Terms};
use crate::store::Created;
use chess::Color::{Black, White};

#[tokio::test(start_paused = true)]
async fn two_players_play() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (mut ann, bob) = pair(&relay, &relay).await;
    assert_eq!((ann.color(), bob.color()), (Some(White), Some(Black)));
    ann.act(mv("e2e4")).await.unwrap();
    bob.act(mv("e7e5")).await.unwrap();
    let facts = received_facts(&mut ann).await;
    assert!(
        matches!(facts[0], Fact::Connected { color: White, .. }),
        "a participant receives its own connect: {facts:?}"
    );
    assert_eq!(facts.iter().filter(|fact| matches!(fact, Fact::Moved { .. })).count(), 2);
    assert_eq!(ann.room().game().len(), 2);
    assert_eq!(*ann.look().await.unwrap(), world.room().await);
}

#[tokio::test(start_paused = true)]
async fn an_unknown_code_has_no_room() {
    let (relay, _) = World::default().relay().await;
    let refused = relay.enter(&code(), participant("ann"), Claim::Watch, None).await;
    assert_eq!(refused.unwrap_err(), EnterError::NoRoom);
    assert_eq!(relay.look(&code()).await.unwrap(), None);
    assert_eq!(relay.rooms(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_code_has_one_open_room() {
    let (relay, _) = World::default().relay().await;
    assert_eq!(relay.open(&code(), Terms::default()).await, Ok(Created::Done));
    let room = relay.look(&code()).await.unwrap().unwrap().id();
    assert_eq!(relay.open(&code(), Terms::default()).await, Ok(Created::Taken(room)));
}

#[tokio::test(start_paused = true)]
async fn a_third_participant_is_a_spectator() {
    let (relay, _) = World::default().relay().await;
    let (_ann, _bob) = pair(&relay, &relay).await;
    let eve = plays(&relay, "eve").await;
    assert_eq!((eve.color(), eve.token()), (None, None));
    assert_eq!(eve.act(Act::Resign).await, Err(Refusal::NoSeat.into()));
    let claim = Claim::Sit(SeatRequest::new(SideChoice::White));
    assert_eq!(relay.enter(&code(), participant("max"), claim, None).await.unwrap_err(), EnterError::Taken);
}

#[tokio::test(start_paused = true)]
async fn only_the_token_authenticates_a_player() {
    let (relay, _) = World::default().relay().await;
    let (ann, bob) = pair(&relay, &relay).await;
    let token = ann.token().unwrap().to_owned();
    let id = ann.participant().id.clone();
    drop(ann);
    let again = relay.enter(&code(), participant("x"), Claim::Resume { token }, None).await.unwrap();
    assert_eq!((again.participant().id.clone(), again.participant().name.as_str()), (id.clone(), "ann"));
    assert_eq!(again.room().seat_of(&id), Some(White));
    for token in ["", "guess", &id.to_string()] {
        let claim = Claim::Resume { token: token.to_owned() };
        assert_eq!(relay.enter(&code(), participant("ann"), claim, None).await.unwrap_err(), EnterError::WrongToken);
    }
    // The name and the id are public.
    let impostor = Participant { id: id.clone(), name: "ann".parse().unwrap() };
    for claim in [Claim::Watch, Claim::Play(SeatRequest::new(SideChoice::First))] {
        let impostor = relay.enter(&code(), impostor.clone(), claim, None).await.unwrap();
        assert_ne!(impostor.participant().id, id);
        assert_eq!(impostor.act(Act::Resign).await, Err(Refusal::NoSeat.into()));
    }
    assert_eq!(bob.look().await.unwrap().phase(), Phase::Playing);
}

#[tokio::test(start_paused = true)]
async fn a_second_connection_keeps_the_player_present() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (ann, _bob) = pair(&relay, &relay).await;
    let token = ann.token().unwrap().to_owned();
    let window = relay.enter(&code(), participant("ann"), Claim::Resume { token }, None).await.unwrap();
    drop(ann);
    advance(100).await;
    assert!(world.room().await.seat(White).unwrap().is_here());
    window.act(mv("e2e4")).await.unwrap();
    drop(window);
    advance(100).await;
    assert!(!world.room().await.seat(White).unwrap().is_here());
}

#[tokio::test(start_paused = true)]
async fn a_player_who_left_can_watch() {
    let (relay, _) = World::default().relay().await;
    let (ann, mut bob) = pair(&relay, &relay).await;
    ann.act(Act::Leave).await.unwrap();
    assert_eq!(ann.look().await.unwrap().seat_of(&ann.participant().id), None);
    assert_eq!(ann.act(Act::Resign).await, Err(Refusal::NoSeat.into()));
    ann.act(Act::Chat { text: "Good luck to the next one!".to_owned() }).await.unwrap();
    advance(100).await;
    let facts = received_facts(&mut bob).await;
    assert!(matches!(facts.last(), Some(Fact::Said { speaker, .. }) if speaker.color.is_none()));
}

#[tokio::test(start_paused = true)]
async fn the_room_closes_for_spectators_when_both_players_have_left() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (ann, bob) = pair(&relay, &relay).await;
    let mut eve = watches(&relay, "eve").await;
    let first = eve.room().id();
    ann.act(Act::Leave).await.unwrap();
    bob.act(Act::Leave).await.unwrap();
    assert_eq!(last_fact_until_gone(&mut eve).await, (Some(Fact::Closed), UpdatesEnded::Ended));
    advance(10).await;
    assert_eq!(relay.rooms(), 0);
    let refused = relay.enter(&code(), participant("eve"), Claim::Watch, None).await;
    assert_eq!(refused.unwrap_err(), EnterError::Closed);
    assert_eq!(relay.rooms(), 0);
    let again = plays(&relay, "ann").await;
    assert_ne!(again.room().id(), first);
}

async fn last_fact_until_gone(handle: &mut crate::relay::RoomHandle) -> (Option<Fact>, UpdatesEnded) {
    let mut last = None;
    loop {
        match handle.next().await {
            Ok(update) => {
                if let crate::relay::Update::Entry(entry) = &update.update {
                    last = Some(entry.fact.clone());
                }
            }
            Err(gone) => return (last, gone),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn concurrent_participants_enter_the_same_room() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let mut comers = tokio::task::JoinSet::new();
    for number in 0..50 {
        let relay = relay.clone();
        comers.spawn(async move { plays(&relay, &format!("participant {number}")).await });
    }
    let here = comers.join_all().await;
    let room = here[0].room().id();
    assert!(here.iter().all(|handle| handle.room().id() == room));
    assert_eq!(here.iter().filter(|handle| handle.token().is_some()).count(), 2);
    assert_eq!(relay.rooms(), 1);
    assert_eq!(world.room().await.phase(), Phase::Playing);
    assert_eq!(world.room().await.seat(Black).map(Seated::is_here), Some(true));
}
