//! Logs that are loaded for clients which do not enter the room.

use std::sync::mpsc;
use std::sync::{Arc, Mutex};

use tokio::task::yield_now;

use super::world::{World, code, mv, pair};
use crate::relay::{LONG_LOG, Relay};
use crate::room::{Act, Terms};
use crate::store::StoreError;

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
