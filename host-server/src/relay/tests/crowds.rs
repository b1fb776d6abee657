use super::world::{World, advance, mv, pair, received_updates, watches};
use crate::relay::{Claim, Transient, Update, UpdatesEnded};
use crate::room::{Act, Fact};

/// Knight moves that return to the start position.
const SHUFFLE: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

#[tokio::test(start_paused = true)]
async fn spectators_are_announced_in_batches() {
    let (relay, _) = World::default().relay().await;
    let (mut ann, _bob) = pair(&relay, &relay).await;
    received_updates(&mut ann).await.unwrap();
    let mut crowd = Vec::new();
    for number in 0..10 {
        crowd.push(watches(&relay, &format!("watcher {number}")).await);
    }
    advance(100).await;
    let updates = received_updates(&mut ann).await.unwrap();
    assert_eq!(updates.len(), 1);
    let Update::Transient(Transient::Spectators { entered, left, count }) = &updates[0].update else {
        panic!("{updates:?}")
    };
    assert_eq!((entered.len(), left.len(), *count), (10, 0, 10));
    drop(crowd);
    advance(100).await;
    let updates = received_updates(&mut ann).await.unwrap();
    let Update::Transient(Transient::Spectators { entered, left, count }) = &updates[0].update else {
        panic!("{updates:?}")
    };
    assert_eq!((entered.len(), left.len(), *count), (0, 10, 0));
}

#[tokio::test(start_paused = true)]
async fn entering_returns_the_number_of_spectators() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (ann, _bob) = pair(&relay, &relay).await;
    assert_eq!(ann.spectators(), 0);
    let crowd = [watches(&relay, "sam").await, watches(&relay, "tess").await];
    advance(100).await;
    let again = || relay.enter_room(ann.room().id(), ann.participant().clone(), Claim::Watch);
    assert_eq!(again().await.unwrap().spectators(), 2);
    // Each relay counts the spectators that it has announced or received.
    let (other, _) = world.relay().await;
    let vera = watches(&other, "vera").await;
    advance(100).await;
    assert_eq!((vera.spectators(), again().await.unwrap().spectators()), (0, 1));
    drop((crowd, vera));
}

#[tokio::test(start_paused = true)]
async fn a_spectator_that_does_not_read_delays_no_participant() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (ann, bob) = pair(&relay, &relay).await;
    let mut readers = tokio::task::JoinSet::new();
    let mut sleepers = Vec::new();
    for number in 0..500 {
        let mut watcher = watches(&relay, &format!("watcher {number}")).await;
        if number % 2 == 0 {
            sleepers.push(watcher);
            continue;
        }
        readers.spawn(async move {
            let mut moves = 0;
            while moves < 16 + 40 {
                let update = watcher.next().await.expect("a spectator that reads does not lag");
                if let Update::Entry(entry) = &update.update
                    && matches!(entry.fact, Fact::Moved { .. } | Fact::Said { .. })
                {
                    moves += 1;
                }
            }
        });
    }
    advance(100).await;
    let begun = tokio::time::Instant::now();
    for ply in 0..16 {
        let player = if ply % 2 == 0 { &ann } else { &bob };
        player.act(mv(SHUFFLE[ply % 4])).await.unwrap();
    }
    for number in 0..40 {
        bob.act(Act::Chat { text: format!("line {number}") }).await.unwrap();
    }
    readers.join_all().await;
    // No time has passed: no act waited for a spectator.
    assert_eq!(begun.elapsed().as_millis(), 0);
    for sleeper in &mut sleepers {
        assert_eq!(sleeper.next().await.unwrap_err(), UpdatesEnded::Lagged);
    }
}

#[tokio::test(start_paused = true)]
async fn many_spectators_are_counted_without_names() {
    let (relay, _) = World::default().relay().await;
    let (mut ann, _bob) = pair(&relay, &relay).await;
    let mut crowd = Vec::new();
    for number in 0..200 {
        crowd.push(watches(&relay, &format!("watcher {number}")).await);
    }
    advance(100).await;
    let updates = received_updates(&mut ann).await.unwrap();
    let Update::Transient(Transient::Spectators { entered, count, .. }) = &updates.last().unwrap().update else {
        panic!("{updates:?}")
    };
    assert_eq!((entered.len(), *count), (0, 200));
}

#[tokio::test(start_paused = true)]
async fn only_players_report_occupancy() {
    let (relay, _) = World::default().relay().await;
    let (ann, mut bob) = pair(&relay, &relay).await;
    let eve = watches(&relay, "eve").await;
    advance(100).await;
    received_updates(&mut bob).await.unwrap();
    let occupancy = wire::link::Occupancy {
        occupied: chess::Bitboard(1),
        in_hand: chess::Bitboard(2),
        misplaced: chess::Bitboard(u64::MAX),
    };
    eve.report_occupancy(occupancy);
    ann.report_occupancy(occupancy);
    advance(10).await;
    let updates = received_updates(&mut bob).await.unwrap();
    assert_eq!(updates.len(), 1);
    let Update::Transient(shown) = &updates[0].update else { panic!("{updates:?}") };
    assert_eq!(*shown, Transient::Occupancy { id: ann.participant().id.clone(), occupancy });
    let written = serde_json::to_string(shown).unwrap();
    assert_eq!(serde_json::from_str::<Transient>(&written).unwrap(), *shown);
}

#[test]
fn an_idle_room_is_small() {
    let (relay, _) = World::default().silent_relay();
    let (_, mailbox) = tokio::sync::mpsc::channel(1);
    let task = crate::relay::room_task::run(relay.shared.clone(), crate::room::RoomId(1), mailbox);
    // The future of the task, which lives as long as the room.
    assert!(size_of_val(&task) <= 1_200, "{}", size_of_val(&task));
    // The task's copy of the room. Keys and undo records of a game of chess, and genomes of a game of GMO chess, are most of it.
    assert!(size_of::<crate::room::Room>() <= 6_144, "{}", size_of::<crate::room::Room>());
}
