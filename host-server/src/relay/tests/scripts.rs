//! Games whose rules are a script, on several relays. A function of the test stands for Python.

use chess::Color;
use rules::{Verdict, Why};

use super::world::{World, advance, code, mv, participant, received_facts};
use crate::relay::{ActError, Claim, Relay, RoomHandle, RulingError, SeatRequest};
use crate::room::{Act, Fact, ScriptTerms, SideChoice, Terms};
use crate::scripts::race::{RACE, Race};
use crate::scripts::{ScriptError, Scripts};

/// A room by the script, with Ann on one relay and Bob on the other.
async fn pair(one: &Relay, other: &Relay) -> (RoomHandle, RoomHandle) {
    let id = one.script_library().put(RACE, |_| Ok::<_, crate::relay::PutError>(())).await.unwrap();
    let start = one.try_script(RACE).await.unwrap();
    let terms = Terms::default().by_script(ScriptTerms { id, name: "Race".to_owned(), start });
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
