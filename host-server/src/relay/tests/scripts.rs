//! Games whose rules are a script, on several relays. A function of the test stands for Python.

use chess::Color;
use rules::{Verdict, Why};
use wire::link::ClockRule;

use super::world::{World, advance, code, mv, participant, received_facts};
use crate::relay::{ActError, Claim, PutError, Relay, RoomHandle, RulingError, SeatRequest, script_id};
use crate::room::{Act, Fact, Room, ScriptId, ScriptTerms, SideChoice, Terms};
use crate::scripts::race::{Fault, RACE, Race};
use crate::scripts::{ScriptError, Scripts};

/// A room by the script, with Ann on one relay and Bob on the other.
async fn pair(one: &Relay, other: &Relay) -> (RoomHandle, RoomHandle) {
    let id = store_script(one).await;
    seat(one, other, id).await
}

async fn store_script(relay: &Relay) -> ScriptId {
    relay.script_library().put(RACE, |_| Ok::<_, PutError>(())).await.unwrap()
}

async fn seat(one: &Relay, other: &Relay, id: ScriptId) -> (RoomHandle, RoomHandle) {
    seat_with(Terms::default(), one, other, id).await
}

async fn seat_with(terms: Terms, one: &Relay, other: &Relay, id: ScriptId) -> (RoomHandle, RoomHandle) {
    let start = one.try_script(RACE).await.unwrap();
    let terms = terms.by_script(ScriptTerms { id, name: "Race".to_owned(), start });
    one.open(&code(), terms).await.unwrap();
    let white = Claim::Sit(SeatRequest::new(SideChoice::White));
    let ann = one.enter(&code(), participant("ann"), white, None).await.unwrap();
    let black = Claim::Sit(SeatRequest::new(SideChoice::Black));
    let bob = other.enter(&code(), participant("bob"), black, None).await.unwrap();
    advance(100).await;
    (ann, bob)
}

#[tokio::test(start_paused = true)]
async fn any_relay_executes_the_next_move() {
    let world = World::default();
    let ((one, _), (other, _)) = (world.relay().await, world.relay().await);
    let race = Race::default();
    one.execute_scripts(Scripts::new(race.clone()));
    other.execute_scripts(Scripts::new(race.clone()));
    let (mut ann, bob) = pair(&one, &other).await;
    ann.act(mv("a2a3")).await.unwrap();
    advance(100).await;
    bob.act(mv("h7h6")).await.unwrap();
    advance(100).await;
    ann.act(mv("a3a4")).await.unwrap();
    advance(100).await;
    // The start, and three moves.
    assert_eq!(race.calls(), 4);
    assert_eq!(world.room().await.game().len(), 3);
    received_facts(&mut ann).await;
    assert_eq!(ann.room().game().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn an_error_of_the_script_leaves_the_game_as_it_was() {
    let world = World::default();
    let ((one, _), (other, _)) = (world.relay().await, world.relay().await);
    one.execute_scripts(Scripts::new(Race::default()));
    other.execute_scripts(Scripts::new(Race::default()));
    let (ann, bob) = pair(&one, &other).await;
    for (player, text) in [(&ann, "a2a3"), (&bob, "h7h6"), (&ann, "a3a4")] {
        player.act(mv(text)).await.unwrap();
        advance(100).await;
    }
    let Err(ActError::Script(error)) = bob.act(mv("h6h5")).await else { panic!("the script fails") };
    assert_eq!(error.to_string(), "The script of this game failed: line 7: ValueError: h5.");
    assert!(error.is_of_script() && error.line() == Some(7));
    assert_eq!(world.room().await.game().len(), 3);
    bob.act(Act::Resign).await.unwrap();
    let won = Verdict::Won { winner: Color::White, why: Why::Resignation };
    assert_eq!(world.room().await.verdict(), Some(won));
}

#[tokio::test(start_paused = true)]
async fn a_relay_without_python_shows_and_ends_the_game() {
    let world = World::default();
    let ((one, _), (other, _)) = (world.relay().await, world.relay().await);
    one.execute_scripts(Scripts::new(Race::default()));
    let (ann, bob) = pair(&one, &other).await;
    ann.act(mv("a2a3")).await.unwrap();
    advance(100).await;
    let Err(ActError::Script(error)) = bob.act(mv("h7h6")).await else { panic!("there is no Python") };
    assert!(matches!(*error, RulingError::Script(ScriptError::Unavailable(_))), "{error}");
    assert_eq!(bob.look().await.unwrap().game().len(), 1);
    bob.act(Act::OfferDraw).await.unwrap();
    advance(100).await;
    ann.act(Act::OfferDraw).await.unwrap();
    assert_eq!(world.room().await.verdict(), Some(Verdict::Drawn(Why::Agreement)));
}

#[tokio::test(start_paused = true)]
async fn a_script_that_is_missing_in_the_store_is_reported_and_can_be_stored_again() {
    let world = World::default();
    let ((one, _), (other, _)) = (world.relay().await, world.relay().await);
    one.execute_scripts(Scripts::new(Race::default()));
    let id = script_id(RACE);
    let (ann, _bob) = seat(&one, &other, id).await;
    let Err(ActError::Script(error)) = ann.act(mv("a2a3")).await else { panic!("the script is not stored") };
    assert_eq!(*error, RulingError::Unknown(id));
    assert!(error.to_string().starts_with(&format!("The script {id} is not stored here")), "{error}");
    assert_eq!(store_script(&one).await, id);
    ann.act(mv("a2a3")).await.unwrap();
    assert_eq!(world.room().await.game().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_relay_that_dies_during_a_call_loses_nothing() {
    let world = World::default();
    let ((one, store), (other, _)) = (world.relay().await, world.relay().await);
    one.execute_scripts(Scripts::new(Race::default()));
    other.execute_scripts(Scripts::new(Race::default()));
    let (ann, _bob) = pair(&one, &other).await;
    let token = ann.token().unwrap().to_owned();
    // The script is being asked when the relay loses the store for good.
    let _lost = ann.act(mv("a2a3"));
    advance(5).await;
    store.cut_off(true);
    advance(10_000).await;
    assert_eq!(world.room().await.game().len(), 0);
    let again = other.enter(&code(), participant("ann"), Claim::Resume { token }, None).await.unwrap();
    again.act(mv("a2a3")).await.unwrap();
    assert_eq!(world.count(|fact| matches!(fact, Fact::Moved { .. })).await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_move_that_crosses_another_entry_is_ruled_on_once() {
    let world = World::default();
    let ((one, _), (other, _)) = (world.relay().await, world.relay().await);
    let race = Race::default();
    one.execute_scripts(Scripts::new(race.clone()));
    let (ann, bob) = pair(&one, &other).await;
    let moved = ann.act(mv("a2a3"));
    advance(5).await;
    bob.act(Act::Chat { text: "wait".to_owned() }).await.unwrap();
    moved.await.unwrap();
    assert_eq!(race.calls(), 2, "the start, and the move");
    assert_eq!(world.room().await.game().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_script_that_does_not_answer_holds_up_nothing_else_in_its_room() {
    let world = World::default();
    let (one, _) = world.relay().await;
    let race = Race::default();
    one.execute_scripts(Scripts::new(race.clone()));
    let (ann, bob) = pair(&one, &one).await;
    race.fail(Fault::Stuck);
    let mut moved = ann.act(mv("a2a3"));
    advance(100).await;
    one.enter(&code(), participant("vera"), Claim::Watch, None).await.unwrap();
    bob.act(Act::Chat { text: "still there?".to_owned() }).await.unwrap();
    bob.act(Act::Resign).await.unwrap();
    let won = Verdict::Won { winner: Color::White, why: Why::Resignation };
    assert_eq!(world.room().await.verdict(), Some(won));
    assert!(futures_util::poll!(&mut moved).is_pending());
    drop((ann, bob));
    one.stop().await;
    assert_eq!(moved.await, Err(ActError::Ended));
}

#[tokio::test(start_paused = true)]
async fn a_limited_number_of_commands_waits_for_a_script() {
    let world = World::default();
    let (one, _) = world.relay().await;
    let race = Race::default();
    one.execute_scripts(Scripts::new(race.clone()));
    let (ann, _bob) = pair(&one, &one).await;
    let mut answers = Vec::new();
    for _ in 0..20 {
        race.fail(Fault::Stuck);
        answers.push(ann.act(mv("a2a3")));
    }
    advance(100).await;
    let busy = RulingError::Script(ScriptError::Busy);
    assert_eq!(answers.pop().unwrap().await, Err(ActError::Script(Box::new(busy))));
    assert!(race.calls() < 20, "{}", race.calls());
}

#[tokio::test(start_paused = true)]
async fn a_move_that_was_received_in_time_stands_although_the_script_takes_longer() {
    let world = World::default();
    let (one, _) = world.relay().await;
    one.execute_scripts(Scripts::new(Race::default()));
    let id = store_script(&one).await;
    let clock = ClockRule { base_ms: 1_000, increment_ms: 0 };
    let terms = Terms { clock: Some(clock), ..Terms::default() };
    let (ann, bob) = seat_with(terms, &one, &one, id).await;
    for (player, text) in [(&ann, "a2a3"), (&bob, "h7h6")] {
        player.act(mv(text)).await.unwrap();
    }
    let left = |room: &Room| room.clock().unwrap().left(Color::White, ann.now());
    advance(left(&ann.look().await.unwrap()) - 10).await;
    assert_eq!(left(&ann.look().await.unwrap()), 10);
    let moved = ann.act(mv("a3a4"));
    advance(15).await;
    bob.act(Act::CheckTime).await.unwrap();
    moved.await.unwrap();
    let room = world.room().await;
    assert_eq!((room.game().len(), room.verdict()), (3, None));
    // The opponent's time is judged again.
    advance(2_000).await;
    let won = Verdict::Won { winner: Color::White, why: Why::Time };
    assert_eq!(world.room().await.verdict(), Some(won));
}

#[tokio::test(start_paused = true)]
async fn another_relay_requests_footprints_that_one_failed_to_get() {
    let world = World::default();
    let ((one, _), (other, _)) = (world.relay().await, world.relay().await);
    let race = Race::default();
    one.execute_scripts(Scripts::new(race.clone()));
    other.execute_scripts(Scripts::new(Race::default()));
    let (ann, bob) = pair(&one, &other).await;
    for fault in
        [Fault::Error(ScriptError::Unavailable("no Python".to_owned())), Fault::Error(ScriptError::Busy), Fault::Stuck]
    {
        race.fail(fault);
        let Err(ActError::Script(error)) = ann.act(Act::RequestFootprints { number: 0 }).await else {
            panic!("the relay fails")
        };
        assert!(!error.is_of_script(), "{error}");
        assert!(!world.room().await.has_footprints());
    }
    ann.act(Act::RequestFootprints { number: 0 }).await.unwrap();
    assert!(world.room().await.has_footprints());
    drop(bob);
}
