use super::world::{World, hears, mv, pair, passes, watches};
use crate::relay::{Claim, Gone, News, Whisper};
use crate::room::Fact;

/// A game of sixty plies in which nothing happens.
const SHUFFLE: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

#[tokio::test(start_paused = true)]
async fn those_who_come_and_go_together_are_told_of_together() {
    let (relay, _) = World::default().relay().await;
    let (mut ann, _bob) = pair(&relay, &relay).await;
    hears(&mut ann).await.unwrap();
    let mut crowd = Vec::new();
    for number in 0..10 {
        crowd.push(watches(&relay, &format!("watcher {number}")).await);
    }
    passes(100).await;
    let heard = hears(&mut ann).await.unwrap();
    assert_eq!(heard.len(), 1);
    let News::Whisper(Whisper::Watching { came, went, count }) = &heard[0].news else { panic!("{heard:?}") };
    assert_eq!((came.len(), went.len(), *count), (10, 0, 10));
    drop(crowd);
    passes(100).await;
    let heard = hears(&mut ann).await.unwrap();
    let News::Whisper(Whisper::Watching { came, went, count }) = &heard[0].news else { panic!("{heard:?}") };
    assert_eq!((came.len(), went.len(), *count), (0, 10, 0));
}

#[tokio::test(start_paused = true)]
async fn who_comes_back_knows_at_once_how_many_watch() {
    let world = World::default();
    let (relay, _) = world.relay().await;
    let (ann, _bob) = pair(&relay, &relay).await;
    assert_eq!(ann.watching(), 0);
    let crowd = [watches(&relay, "sam").await, watches(&relay, "tess").await];
    passes(100).await;
    let again = || relay.enter_room(ann.room().id(), ann.visitor().clone(), Claim::Watch);
    assert_eq!(again().await.unwrap().watching(), 2);
    // Also if those who watch do so through another relay.
    let (other, _) = world.relay().await;
    let vera = watches(&other, "vera").await;
    passes(100).await;
    assert_eq!((vera.watching(), again().await.unwrap().watching()), (0, 1));
    drop((crowd, vera));
}

#[tokio::test(start_paused = true)]
async fn those_who_do_not_listen_keep_nobody_waiting() {
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
                let happening = watcher.next().await.expect("who listens is not behind");
                if let News::Entry(entry) = &happening.news
                    && matches!(entry.fact, Fact::Moved { .. } | Fact::Said { .. })
                {
                    moves += 1;
                }
            }
        });
    }
    passes(100).await;
    let begun = tokio::time::Instant::now();
    for ply in 0..16 {
        let player = if ply % 2 == 0 { &ann } else { &bob };
        player.play(mv(SHUFFLE[ply % 4])).await.unwrap();
    }
    for number in 0..40 {
        bob.say(format!("line {number}")).await.unwrap();
    }
    readers.join_all().await;
    // Nothing of this has waited for anything.
    assert_eq!(begun.elapsed().as_millis(), 0);
    for sleeper in &mut sleepers {
        assert_eq!(sleeper.next().await.unwrap_err(), Gone::Behind);
    }
}

#[tokio::test(start_paused = true)]
async fn a_crowd_is_counted_and_not_named() {
    let (relay, _) = World::default().relay().await;
    let (mut ann, _bob) = pair(&relay, &relay).await;
    let mut crowd = Vec::new();
    for number in 0..200 {
        crowd.push(watches(&relay, &format!("watcher {number}")).await);
    }
    passes(100).await;
    let heard = hears(&mut ann).await.unwrap();
    let News::Whisper(Whisper::Watching { came, count, .. }) = &heard.last().unwrap().news else { panic!("{heard:?}") };
    assert_eq!((came.len(), *count), (0, 200));
}

#[tokio::test(start_paused = true)]
async fn only_players_show_their_wood() {
    let (relay, _) = World::default().relay().await;
    let (ann, mut bob) = pair(&relay, &relay).await;
    let eve = watches(&relay, "eve").await;
    passes(100).await;
    hears(&mut bob).await.unwrap();
    let wood = wire::link::Wood {
        occupied: chess::Bitboard(1),
        in_hand: chess::Bitboard(2),
        astray: chess::Bitboard(u64::MAX),
    };
    eve.show_wood(wood);
    ann.show_wood(wood);
    passes(10).await;
    let heard = hears(&mut bob).await.unwrap();
    assert_eq!(heard.len(), 1);
    let News::Whisper(shown) = &heard[0].news else { panic!("{heard:?}") };
    assert_eq!(*shown, Whisper::Wood { id: ann.visitor().id.clone(), wood });
    let written = serde_json::to_string(shown).unwrap();
    assert_eq!(serde_json::from_str::<Whisper>(&written).unwrap(), *shown);
}

#[test]
fn a_room_that_waits_is_small() {
    let (relay, _) = World::default().silent_relay();
    let (_, mailbox) = tokio::sync::mpsc::unbounded_channel();
    let task = crate::relay::host::look_after(relay.shared.clone(), crate::room::RoomId(1), mailbox);
    // The task itself, which is there for every room, however long nobody moves in it.
    assert!(size_of_val(&task) <= 1_200, "{}", size_of_val(&task));
    // And its copy of the room, most of which are the keys of the game's positions.
    assert!(size_of::<crate::room::Room>() <= 2_048, "{}", size_of::<crate::room::Room>());
}
