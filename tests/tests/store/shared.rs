//! What is true of stores that relays share.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use host_server::room::{RelayId, RoomId};
use host_server::store::redis::{ConnectError, Redis, RedisSettings};
use host_server::store::{Created, Listener, Signal, Store};
use tokio::time::{sleep, timeout};

use crate::lines::{add, batch, close_room, fresh, fresh_code, line, open_room, opening};

type Stores = [Arc<dyn Store>; 2];
/// Tells Redis something past the store.
type Cli<'a> = &'a (dyn Fn(&[&str]) -> Result<String> + Sync);

/// So long a relay, and its care for a room, is believed in.
const LEASE: Duration = Duration::from_secs(10);

pub(crate) async fn all(stores: &Stores, settings: &RedisSettings, cli: Cli<'_>) -> Result<()> {
    a_prefix_cannot_have_braces(settings).await;
    they_agree_on_the_time(stores);
    others_hear_when_a_log_grows(stores).await?;
    what_is_kept_has_the_documented_names(stores, cli).await?;
    scripts_that_are_forgotten_are_told_again(stores, cli).await?;
    what_a_relay_left_undone_is_done_by_the_next(stores, cli).await?;
    a_claim_that_is_never_made_good_does_not_block(stores, cli).await?;
    finished_games_run_out(settings).await?;
    rooms_that_nobody_looks_after_are_adopted_once(stores).await
}

async fn a_prefix_cannot_have_braces(settings: &RedisSettings) {
    for prefix in ["{", "a}", "{x}:"] {
        let settings = RedisSettings { prefix: prefix.to_owned(), ..settings.clone() };
        let refused = Redis::connect(&settings).await;
        assert!(matches!(refused, Err(ConnectError::BadPrefix(_))), "{refused:?}");
    }
}

fn they_agree_on_the_time([one, other]: &Stores) {
    for _ in 0..10 {
        let (first, second, third) = (one.now(), other.now(), one.now());
        assert!(second.0 + 100 >= first.0 && second.0 <= third.0 + 100, "{first:?} {second:?} {third:?}");
    }
}

async fn next(listener: &mut Listener) -> Result<Signal> {
    loop {
        match timeout(Duration::from_secs(5), listener.signals.recv()).await? {
            // It does no harm, and may come when the connection was new.
            Some(Signal::Lost) => {}
            Some(signal) => return Ok(signal),
            None => bail!("nothing will ever come"),
        }
    }
}

async fn others_hear_when_a_log_grows([one, other]: &Stores) -> Result<()> {
    let (room, _) = open_room(&**one).await?;
    let (quiet, _) = open_room(&**one).await?;
    let mut listener = other.listen(room).await?;
    let mut second = other.listen(room).await?;
    let mut own = one.listen(room).await?;
    let mut elsewhere = other.listen(quiet).await?;

    add(&**one, room, 1, 1).await?;
    assert_eq!(next(&mut listener).await?, Signal::Grown(2));
    assert_eq!(next(&mut second).await?, Signal::Grown(2));
    one.append(room, batch(2, vec![line(2), line(3)])).await?;
    assert_eq!(next(&mut listener).await?, Signal::Grown(4));

    let words: Arc<[u8]> = Arc::from(&b"+\0\xff whatever"[..]);
    one.whisper(room, words.clone());
    assert_eq!(next(&mut listener).await?, Signal::Whisper(words));
    // Others whisper to us; we do not hear ourselves.
    let answer: Arc<[u8]> = Arc::from(&b"yes?"[..]);
    other.whisper(room, answer.clone());
    assert_eq!(next(&mut own).await?, Signal::Whisper(answer));
    assert!(elsewhere.signals.try_recv().is_err());

    // Whoever comes back after everybody has gone hears again.
    drop((listener, second));
    let mut again = other.listen(room).await?;
    add(&**one, room, 4, 5).await?;
    assert_eq!(next(&mut again).await?, Signal::Grown(5));
    Ok(())
}

async fn what_is_kept_has_the_documented_names([one, _]: &Stores, cli: Cli<'_>) -> Result<()> {
    let (room, code) = open_room(&**one).await?;
    add(&**one, room, 1, 1).await?;
    let log = format!("test:{{{room}}}:log");
    let state = format!("test:{{{room}}}:state");
    assert_eq!(cli(&["xlen", &log])?, "2");
    assert!(cli(&["xrange", &log, "2-0", "2-0"])?.starts_with("2-0\nline\n{"));
    assert_eq!(cli(&["strlen", &state])?, "4");
    assert_eq!(cli(&["get", &format!("test:code:{code}")])?, format!("open {room}"));
    assert_eq!(cli(&["pttl", &log])?, "-1");

    close_room(&**one, room, &code, 2).await?;
    assert_eq!(cli(&["get", &format!("test:code:{code}")])?, format!("free {room}"));
    assert_eq!(cli(&["zscore", "test:{relays}:leases", &room.to_string()])?, "");
    for key in [log, state, format!("test:code:{code}")] {
        let left: i64 = cli(&["pttl", &key])?.parse()?;
        assert!(left > 0, "{key} is kept for {left}");
    }
    Ok(())
}

async fn scripts_that_are_forgotten_are_told_again([one, _]: &Stores, cli: Cli<'_>) -> Result<()> {
    let (room, _) = open_room(&**one).await?;
    cli(&["script", "flush", "sync"])?;
    assert_eq!(add(&**one, room, 1, 1).await?, 2);
    Ok(())
}

/// A relay has closed a room, and died before it could say so to the code and the lease.
async fn what_a_relay_left_undone_is_done_by_the_next([one, other]: &Stores, cli: Cli<'_>) -> Result<()> {
    let undo = |room: RoomId, code: &str| -> Result<()> {
        cli(&["set", &format!("test:code:{code}"), &format!("open {room}")])?;
        cli(&["zadd", "test:{relays}:leases", "1", &room.to_string()])?;
        Ok(())
    };
    let (room, code) = open_room(&**one).await?;
    close_room(&**one, room, &code, 1).await?;
    undo(room, code.as_str())?;
    // Whoever wants the code gets it.
    let next = RoomId(fresh());
    assert_eq!(other.create(next, &code, &[opening(next, &code)]).await?, Created::Done);

    let (room, code) = open_room(&**one).await?;
    close_room(&**one, room, &code, 1).await?;
    undo(room, code.as_str())?;
    // Or whoever looks after what was left behind.
    let relay = RelayId(fresh());
    let pulse = other.beat(relay, &[]).await?;
    assert!(!pulse.orphans.contains(&room), "a closed room needs nobody");
    assert_eq!(cli(&["get", &format!("test:code:{code}")])?, format!("free {room}"));
    assert_eq!(cli(&["zscore", "test:{relays}:leases", &room.to_string()])?, "");
    other.retire(relay).await?;
    Ok(())
}

/// A relay has claimed a code, and died before it could open the room.
async fn a_claim_that_is_never_made_good_does_not_block([one, _]: &Stores, cli: Cli<'_>) -> Result<()> {
    let (code, ghost, room) = (fresh_code(), RoomId(fresh()), RoomId(fresh()));
    cli(&["set", &format!("test:code:{code}"), &format!("claimed {ghost}"), "px", "1000"])?;
    assert_eq!(one.find(&code).await?, None);
    assert_eq!(one.create(room, &code, &[opening(room, &code)]).await?, Created::Done);
    Ok(())
}

async fn finished_games_run_out(settings: &RedisSettings) -> Result<()> {
    let settings = RedisSettings { keep: Duration::from_millis(300), ..settings.clone() };
    let store = Redis::connect(&settings).await?;
    let (room, code) = open_room(&store).await?;
    close_room(&store, room, &code, 1).await?;
    sleep(Duration::from_millis(800)).await;
    assert_eq!(store.load(room, 0).await?, []);
    assert_eq!(store.find(&code).await?, None);
    Ok(())
}

async fn rooms_that_nobody_looks_after_are_adopted_once([one, other]: &Stores) -> Result<()> {
    let relays = [(); 4].map(|()| RelayId(fresh()));
    let [dead, alive, rival, retired] = relays;
    let (left_behind, _) = open_room(&**one).await?;
    let (kept, _) = open_room(&**one).await?;
    let (closed, code) = open_room(&**one).await?;
    let (handed_over, _) = open_room(&**one).await?;

    one.beat(dead, &[left_behind, closed]).await?;
    close_room(&**one, closed, &code, 1).await?;
    let pulse = other.beat(alive, &[kept]).await?;
    assert!(pulse.relays.contains(&dead) && pulse.relays.contains(&alive), "{pulse:?}");
    assert!(!pulse.orphans.contains(&left_behind));

    // Who says goodbye is missed at once.
    one.beat(retired, &[handed_over]).await?;
    one.retire(retired).await?;
    let pulse = other.beat(alive, &[kept]).await?;
    assert!(!pulse.relays.contains(&retired), "{pulse:?}");
    assert!(pulse.orphans.contains(&handed_over), "{pulse:?}");

    // Who does not, after a while. In the meantime the others go on.
    let mut adopted = Vec::new();
    let mine = [kept, handed_over];
    for _ in 0..3 {
        sleep(LEASE / 4).await;
        adopted.extend(other.beat(alive, &mine).await?.orphans);
    }
    assert!(!adopted.contains(&left_behind), "it is too early: {adopted:?}");
    let mut last = Vec::new();
    for _ in 0..35 {
        sleep(LEASE / 100).await;
        let (first, second) = tokio::join!(one.beat(rival, &[]), other.beat(alive, &mine));
        let (first, second) = (first?, second?);
        adopted.extend(first.orphans);
        adopted.extend(second.orphans);
        last = second.relays;
    }
    assert!(last.contains(&rival) && !last.contains(&dead), "{last:?}");
    let count = |room| adopted.iter().filter(|&&adopted| adopted == room).count();
    assert_eq!(count(left_behind), 1, "{adopted:?}");
    assert_eq!(count(closed) + count(kept) + count(handed_over), 0, "{adopted:?}");
    Ok(())
}
