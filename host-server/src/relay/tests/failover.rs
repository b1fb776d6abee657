//! Failovers of the store that lose confirmed entries: no relay keeps another history than the store.

use super::world::{
    FaultyStore, World, advance, code, mv, participant, plays, received_facts, received_updates, watches,
};
use crate::relay::{ActError, Claim, Relay, RoomHandle, UpdatesEnded};
use crate::room::{Act, Fact, Phase, Room};

async fn returns(relay: &Relay, token: &str) -> RoomHandle {
    relay.enter(&code(), participant("back"), Claim::Resume { token: token.to_owned() }, None).await.unwrap()
}

struct Table {
    world: World,
    relays: [Relay; 2],
    stores: [std::sync::Arc<FaultyStore>; 2],
    white: RoomHandle,
    black: RoomHandle,
}

/// White on the first relay, Black on the second; the game has three plies.
async fn table() -> Table {
    let world = World::default();
    let (one, first_store) = world.relay().await;
    let (other, second_store) = world.relay().await;
    let (white, black) = (plays(&one, "ann").await, plays(&other, "bob").await);
    advance(10).await;
    white.act(mv("e2e4")).await.unwrap();
    advance(10).await;
    black.act(mv("e7e5")).await.unwrap();
    advance(10).await;
    white.act(mv("g1f3")).await.unwrap();
    advance(10).await;
    Table { world, relays: [one, other], stores: [first_store, second_store], white, black }
}

fn plies(room: &Room) -> usize {
    room.game().len()
}

#[tokio::test(start_paused = true)]
async fn another_entry_in_the_place_of_a_lost_one_reloads_the_room() {
    let Table { world, relays, mut white, black, .. } = table().await;
    let token = white.token().unwrap().to_owned();
    world.lose_entries(1);
    // The relay of Black finds the loss when it writes.
    assert_eq!(black.act(Act::Chat { text: "hm".to_owned() }).await, Err(ActError::Ended));
    let black = returns(&relays[1], black.token().unwrap()).await;
    assert_eq!(plies(black.room()), 2);
    black.act(Act::Chat { text: "where is your knight?".to_owned() }).await.unwrap();
    advance(10).await;
    // The log is as long as before, and the relay of White gets the conflict. It must not keep its own history.
    assert_eq!(received_updates(&mut white).await.unwrap_err(), UpdatesEnded::Ended);
    let white = returns(&relays[0], &token).await;
    advance(10).await;
    assert_eq!(plies(white.room()), 2);
    white.act(mv("g1f3")).await.unwrap();
    assert_eq!(*white.look().await.unwrap(), world.room().await);
}

#[tokio::test(start_paused = true)]
async fn lost_entries_are_noticed_when_signals_were_lost() {
    let Table { world, relays, stores, mut white, mut black } = table().await;
    world.lose_entries(1);
    for store in &stores {
        // Every failover breaks the subscription.
        store.lose_signals();
    }
    advance(10).await;
    for handle in [&mut white, &mut black] {
        assert_eq!(received_updates(handle).await.unwrap_err(), UpdatesEnded::Ended);
    }
    for (relay, handle) in relays.iter().zip([&white, &black]) {
        assert_eq!(plies(returns(relay, handle.token().unwrap()).await.room()), 2);
    }
}

/// The relay that closes a room deletes its chat: an entry that another relay knows as the last one.
#[tokio::test(start_paused = true)]
async fn chat_that_was_deleted_with_a_closed_room_is_no_lost_entry() {
    for is_signalled in [true, false] {
        let world = World::default();
        let (one, _) = world.relay().await;
        let (other, store) = world.relay().await;
        let ann = plays(&one, "ann").await;
        let mut sam = watches(&other, "sam").await;
        sam.act(Act::Chat { text: "is nobody here?".to_owned() }).await.unwrap();
        advance(10).await;
        received_facts(&mut sam).await;
        store.drop_signals();
        ann.act(Act::Leave).await.unwrap();
        advance(10).await;
        assert_eq!(world.facts().await.last(), Some(&Fact::Closed));
        if is_signalled {
            store.lose_signals();
        } else {
            // The relay finds it out when it writes.
            let refused = sam.act(Act::Chat { text: "hello?".to_owned() }).await;
            assert_eq!(refused, Err(ActError::Ended));
        }
        let mut last = None;
        while let Ok(update) = sam.next().await {
            last = Some(update.room.phase());
        }
        assert_eq!(last, Some(Phase::Closed));
    }
}
