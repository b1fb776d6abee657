//! Logs that are loaded for clients which do not enter the room.

use std::sync::mpsc;
use std::sync::{Arc, Mutex};

use rules::Start;
use rules::genome::Setup;
use tokio::task::yield_now;

use super::world::{World, code, mv, pair};
use crate::relay::{LONG_LOG, Relay};
use crate::room::{Act, Code, Entry, Fact, RoomId, ScriptId, ScriptTerms, Terms, Time};
use crate::scripts::Scripts;
use crate::scripts::race::{RACE, Race};
use crate::store::{Created, StoreError};

/// A room with a log of a few more entries than this.
async fn lengthen(world: &World, relay: &Relay, entries: u64) {
    let (ann, bob) = pair(relay, relay).await;
    ann.act(mv("e2e4")).await.unwrap();
    for number in 0..entries {
        bob.act(Act::Hints { on: number % 2 == 0 }).await.unwrap();
    }
    assert!(world.log().await.len() as u64 > entries);
}

/// The client is refused by the length of the log, which costs nothing to read.
#[tokio::test(start_paused = true)]
async fn a_long_log_is_charged_before_it_is_loaded() {
    let world = World::default();
    let (relay, store) = world.silent_relay();
    lengthen(&world, &relay, LONG_LOG).await;
    let before = store.loads();
    let refused = relay.look_charged(&code(), Err).await.unwrap();
    assert_eq!(refused, Err(world.log().await.len() as u64));
    assert_eq!(store.loads(), before);
    assert!(relay.look_charged(&code(), |_| Ok::<_, u64>(())).await.unwrap().unwrap().is_some());
    assert_eq!(store.loads(), before + 1);
}

#[tokio::test(start_paused = true)]
async fn a_short_log_is_not_charged() {
    let world = World::default();
    let (relay, _) = world.silent_relay();
    relay.open(&code(), Terms::default()).await.unwrap();
    let room = relay.look_charged(&code(), |_| Err("charged")).await.unwrap().unwrap();
    assert!(room.is_some());
}

/// The entries of a game by a script are large, and the moves of GMO chess are slow to check.
#[tokio::test(start_paused = true)]
async fn a_log_costs_more_under_rules_that_take_longer() {
    let (relay, _) = World::default().silent_relay();
    relay.execute_scripts(Scripts::new(Race::default()));
    let start = relay.try_script(RACE).await.unwrap();
    let script = ScriptTerms { id: ScriptId(5), name: "Race".to_owned(), start };
    let genome = Start::Genome(Setup::default_preset(1).unwrap());
    let genome = Terms { start: Some(Box::new(genome)), ..Terms::default() };
    let kinds = [Terms::default(), genome, Terms::default().by_script(script)];
    let mut costs = Vec::new();
    for (number, (terms, length)) in
        (1..).zip(kinds.iter().flat_map(|terms| [100, 20_000, 70_000].map(|length| (terms.clone(), length))))
    {
        let (room, code): (_, Code) = (RoomId(number), format!("code{number}").parse().unwrap());
        let entry = |fact| Entry { at: Time(0), write_id: 1, from: None, fact };
        let mut log = vec![entry(Fact::Opened { room, code: code.clone(), terms, on: 0 })];
        log.resize(length, entry(Fact::CountdownStopped));
        assert_eq!(relay.store().create(room, &code, &log).await, Ok(Created::Done));
        let cost = relay.replay_cost(room).await.unwrap();
        assert_eq!(relay.replay_cost_under(room, &code).await, Ok(Some(cost)));
        costs.push(cost);
    }
    // However long the log is, a client can pay for it within a minute.
    assert_eq!(costs, [100, 20_000, 70_000, 500, 60_000, 70_000, 4_000, 60_000, 70_000]);
    assert_eq!(relay.replay_cost(RoomId(99)).await, Ok(0));
}

/// While both threads of the pool are busy, a log is neither decoded nor replayed, and the only thread of the runtime is free. The log is
/// damaged, so decoding it anywhere else would end the request.
#[tokio::test]
async fn a_log_is_decoded_where_it_is_replayed() {
    let world = World::default();
    let (relay, store) = world.silent_relay();
    relay.open(&code(), Terms::default()).await.unwrap();
    store.damage_logs();
    let (release, released) = mpsc::channel::<()>();
    let released = Arc::new(Mutex::new(released));
    let busy: Vec<_> = (0..2)
        .map(|_| {
            let (relay, released) = (relay.clone(), released.clone());
            tokio::spawn(async move { relay.replay(move || released.lock().unwrap().recv()).await })
        })
        .collect();
    let looking = tokio::spawn({
        let relay = relay.clone();
        async move { relay.look(&code()).await }
    });
    for _ in 0..1_000 {
        yield_now().await;
    }
    assert!(!looking.is_finished(), "it was decoded outside the pool");
    drop(release);
    for task in busy {
        assert!(task.await.unwrap().is_err(), "the channel is closed");
    }
    let found = looking.await.unwrap();
    assert!(matches!(found, Err(StoreError::Corrupt(_))), "{found:?}");
}
