use super::world::{World, code, hears_facts, mv, pair, passes, plays, visitor, watches};
use crate::relay::{Claim, EnterError, Gone, Invitation, Visitor};
use crate::room::{Command, Fact, Phase, Refusal, Seated, Terms, Wish};
use crate::store::Created;
use chess::Color::{Black, White};

#[tokio::test(start_paused = true)]
async fn two_who_come_play() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (mut ann, bob) = pair(&relay, &relay).await;
    assert_eq!((ann.color(), bob.color()), (Some(White), Some(Black)));
    ann.play(mv("e2e4")).await.unwrap();
    bob.play(mv("e7e5")).await.unwrap();
    let facts = hears_facts(&mut ann).await;
    assert!(matches!(facts[0], Fact::Came { color: White, .. }), "who comes hears of it, too: {facts:?}");
    assert_eq!(facts.iter().filter(|fact| matches!(fact, Fact::Moved { .. })).count(), 2);
    assert_eq!(ann.room().game().moves().len(), 2);
    assert_eq!(*ann.look().await.unwrap(), world.room().await);
}

#[tokio::test(start_paused = true)]
async fn there_is_no_room_where_nobody_has_opened_one() {
    let (relay, _) = World::default().relay().await;
    let refused = relay.enter(&code(), visitor("ann"), Claim::Watch, None).await;
    assert_eq!(refused.unwrap_err(), EnterError::NoRoom);
    assert_eq!(relay.look(&code()).await.unwrap(), None);
    assert_eq!(relay.rooms(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_code_opens_one_room_at_a_time() {
    let (relay, _) = World::default().relay().await;
    assert_eq!(relay.open(&code(), Terms::default()).await, Ok(Created::Done));
    let room = relay.look(&code()).await.unwrap().unwrap().id();
    assert_eq!(relay.open(&code(), Terms::default()).await, Ok(Created::Taken(room)));
}

#[tokio::test(start_paused = true)]
async fn a_third_watches_but_does_not_sit() {
    let (relay, _) = World::default().relay().await;
    let (_ann, _bob) = pair(&relay, &relay).await;
    let eve = plays(&relay, "eve").await;
    assert_eq!((eve.color(), eve.token()), (None, None));
    assert_eq!(eve.play(Command::Resign).await, Err(Refusal::NoSeat.into()));
    let claim = Claim::Sit(Invitation::new(Wish::White));
    assert_eq!(relay.enter(&code(), visitor("max"), claim, None).await.unwrap_err(), EnterError::Taken);
}

#[tokio::test(start_paused = true)]
async fn a_secret_opens_its_seat_and_nothing_else_does() {
    let (relay, _) = World::default().relay().await;
    let (ann, bob) = pair(&relay, &relay).await;
    let token = ann.token().unwrap().to_owned();
    let id = ann.visitor().id.clone();
    drop(ann);
    let again = relay.enter(&code(), visitor("x"), Claim::Resume { token }, None).await.unwrap();
    assert_eq!((again.visitor().id.clone(), again.visitor().name.as_str()), (id.clone(), "ann"));
    assert_eq!(again.room().seat_of(&id), Some(White));
    for token in ["", "guess", &id.to_string()] {
        let claim = Claim::Resume { token: token.to_owned() };
        assert_eq!(relay.enter(&code(), visitor("ann"), claim, None).await.unwrap_err(), EnterError::WrongToken);
    }
    // Everybody knows the name and the id.
    let impostor = Visitor { id: id.clone(), name: "ann".parse().unwrap() };
    for claim in [Claim::Watch, Claim::Play(Invitation::new(Wish::First))] {
        let impostor = relay.enter(&code(), impostor.clone(), claim, None).await.unwrap();
        assert_ne!(impostor.visitor().id, id);
        assert_eq!(impostor.play(Command::Resign).await, Err(Refusal::NoSeat.into()));
    }
    assert_eq!(bob.look().await.unwrap().phase(), Phase::Playing);
}

#[tokio::test(start_paused = true)]
async fn a_second_window_keeps_a_player_there() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (ann, _bob) = pair(&relay, &relay).await;
    let token = ann.token().unwrap().to_owned();
    let window = relay.enter(&code(), visitor("ann"), Claim::Resume { token }, None).await.unwrap();
    drop(ann);
    passes(100).await;
    assert!(world.room().await.seat(White).unwrap().is_here());
    window.play(mv("e2e4")).await.unwrap();
    drop(window);
    passes(100).await;
    assert!(!world.room().await.seat(White).unwrap().is_here());
}

#[tokio::test(start_paused = true)]
async fn who_leaves_for_good_may_still_watch() {
    let (relay, _) = World::default().relay().await;
    let (ann, mut bob) = pair(&relay, &relay).await;
    ann.play(Command::Leave).await.unwrap();
    assert_eq!(ann.look().await.unwrap().seat_of(&ann.visitor().id), None);
    assert_eq!(ann.play(Command::Resign).await, Err(Refusal::NoSeat.into()));
    ann.say("Good luck to the next one!".to_owned()).await.unwrap();
    passes(100).await;
    let facts = hears_facts(&mut bob).await;
    assert!(matches!(facts.last(), Some(Fact::Said { speaker, .. }) if speaker.color.is_none()));
}

#[tokio::test(start_paused = true)]
async fn when_both_have_left_the_room_closes_for_its_spectators_and_the_code_is_free() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (ann, bob) = pair(&relay, &relay).await;
    let mut eve = watches(&relay, "eve").await;
    let first = eve.room().id();
    ann.play(Command::Leave).await.unwrap();
    bob.play(Command::Leave).await.unwrap();
    assert_eq!(hears_until_gone(&mut eve).await, (Some(Fact::Closed), Gone::Ended));
    passes(10).await;
    assert_eq!(relay.rooms(), 0);
    let refused = relay.enter(&code(), visitor("eve"), Claim::Watch, None).await;
    assert_eq!(refused.unwrap_err(), EnterError::Closed);
    assert_eq!(relay.rooms(), 0);
    let again = plays(&relay, "ann").await;
    assert_ne!(again.room().id(), first);
}

async fn hears_until_gone(attendance: &mut crate::relay::Attendance) -> (Option<Fact>, Gone) {
    let mut last = None;
    loop {
        match attendance.next().await {
            Ok(happening) => {
                if let crate::relay::News::Entry(entry) = &happening.news {
                    last = Some(entry.fact.clone());
                }
            }
            Err(gone) => return (last, gone),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn many_who_come_at_once_find_one_room() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let mut comers = tokio::task::JoinSet::new();
    for number in 0..50 {
        let relay = relay.clone();
        comers.spawn(async move { plays(&relay, &format!("visitor {number}")).await });
    }
    let here = comers.join_all().await;
    let room = here[0].room().id();
    assert!(here.iter().all(|attendance| attendance.room().id() == room));
    assert_eq!(here.iter().filter(|attendance| attendance.token().is_some()).count(), 2);
    assert_eq!(relay.rooms(), 1);
    assert_eq!(world.room().await.phase(), Phase::Playing);
    assert_eq!(world.room().await.seat(Black).map(Seated::is_here), Some(true));
}
