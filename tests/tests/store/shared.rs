//! Tests of stores that several relays share.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use host_server::room::{RelayId, RoomId};
use host_server::store::redis::{ConnectError, Redis, RedisSettings};
use host_server::store::{Created, Listener, Signal, Store, StoreError};
use tokio::time::{sleep, timeout};

use crate::entries::{add, batch, close_room, fresh, fresh_code, head, line, open_room, opening, write_ids};

type Stores = [Arc<dyn Store>; 2];
/// Runs a Redis command, bypassing the store.
type Cli<'a> = &'a (dyn Fn(&[&str]) -> Result<String> + Sync);

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

const POLL: Duration = Duration::from_millis(20);

/// Far longer than a lease or a test lasts, in milliseconds.
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

pub(crate) async fn all(stores: &Stores, settings: &RedisSettings, cli: Cli<'_>) -> Result<()> {
    rejects_a_prefix_with_braces(settings).await;
    stores_agree_on_the_time(stores).await?;
    time_stands_still_while_no_relay_runs(settings, cli).await?;
    signals_appended_entries_to_other_stores(stores).await?;
    uses_the_documented_keys(stores, cli).await?;
    loads_a_log_without_decoding_it(stores, cli).await?;
    reloads_scripts_after_a_flush(stores, cli).await?;
    completes_what_a_dead_relay_left_unfinished(stores, cli).await?;
    reuses_a_code_whose_claim_was_abandoned(stores, cli).await?;
    expires_finished_games(settings).await?;
    adopts_the_rooms_of_a_dead_relay_once(stores, cli).await
}

async fn rejects_a_prefix_with_braces(settings: &RedisSettings) {
    for prefix in ["{", "a}", "{x}:"] {
        let settings = RedisSettings { prefix: prefix.to_owned(), ..settings.clone() };
        let refused = Redis::connect(&settings).await;
        assert!(matches!(refused, Err(ConnectError::BadPrefix(_))), "{refused:?}");
    }
}

/// A store that Redis has answered slowly is wrong by up to half of that time, until a quicker answer corrects it.
async fn stores_agree_on_the_time([one, other]: &Stores) -> Result<()> {
    let agree = || {
        (0..10).all(|_| {
            let (first, second, third) = (one.now(), other.now(), one.now());
            second.0 + 100 >= first.0 && second.0 <= third.0 + 100
        })
    };
    let agreed = async {
        while !agree() {
            sleep(POLL).await;
        }
    };
    timeout(TIMEOUT, agreed).await.with_context(|| format!("the stores disagree: {:?}, {:?}", one.now(), other.now()))
}

/// The clock of Redis has gone on since the last relay asked for the time: all relays or Redis were down, or the clock has jumped.
async fn time_stands_still_while_no_relay_runs(settings: &RedisSettings, cli: Cli<'_>) -> Result<()> {
    const HOUR_MS: u64 = 3_600_000;
    /// How far a clock goes on by itself after the last answer of Redis, and how much time between two answers counts.
    const COASTING_MS: u64 = 1_500;
    const LONGEST_GAP_MS: u64 = 2_000;
    let settings = RedisSettings { prefix: "outage:".to_owned(), ..settings.clone() };
    for outage in [LONGEST_GAP_MS + 500, HOUR_MS] {
        let before = Redis::connect(&settings).await?.now();
        // As if everything since then had happened that long ago.
        cli(&["hincrby", "outage:{relays}:time", "last", &format!("-{outage}")])?;
        let after = Redis::connect(&settings).await?.now();
        let expected = before.0 - outage;
        assert!((expected - COASTING_MS..=expected + COASTING_MS).contains(&after.0), "{after:?}, expected {expected}");
        // From then on time passes as usual.
        let again = Redis::connect(&settings).await?.now();
        let longest = LONGEST_GAP_MS + COASTING_MS;
        assert!((after.0 - COASTING_MS..=after.0 + longest).contains(&again.0), "{again:?} after {after:?}");
    }
    Ok(())
}

async fn next(listener: &mut Listener) -> Result<Signal> {
    loop {
        match timeout(TIMEOUT, listener.signals.recv()).await? {
            // May come after the first connection.
            Some(Signal::Lost) => {}
            Some(signal) => return Ok(signal),
            None => bail!("the signal channel is closed"),
        }
    }
}

async fn signals_appended_entries_to_other_stores([one, other]: &Stores) -> Result<()> {
    let (room, _) = open_room(&**one).await?;
    let (quiet, _) = open_room(&**one).await?;
    let mut listener = other.listen(room).await?;
    let mut second = other.listen(room).await?;
    let mut own = one.listen(room).await?;
    let mut elsewhere = other.listen(quiet).await?;

    add(&**one, room, head(1, 0), 1).await?;
    assert_eq!(next(&mut listener).await?, Signal::Grown(head(2, 1)));
    assert_eq!(next(&mut second).await?, Signal::Grown(head(2, 1)));
    one.append(room, batch(head(2, 1), vec![line(2), line(3)])).await?;
    assert_eq!(next(&mut listener).await?, Signal::Grown(head(4, 3)));

    let payload: Arc<[u8]> = Arc::from(&b"+\0\xff payload"[..]);
    one.publish(room, payload.clone());
    assert_eq!(next(&mut listener).await?, Signal::Transient(payload));
    // A store does not receive its own transient messages.
    let answer: Arc<[u8]> = Arc::from(&b"yes?"[..]);
    other.publish(room, answer.clone());
    assert_eq!(next(&mut own).await?, Signal::Transient(answer));
    assert!(elsewhere.signals.try_recv().is_err());

    // A new listener gets signals after all earlier ones were dropped.
    drop((listener, second));
    let mut again = other.listen(room).await?;
    add(&**one, room, head(4, 3), 5).await?;
    assert_eq!(next(&mut again).await?, Signal::Grown(head(5, 5)));
    Ok(())
}

/// A line that cannot be decoded is an error of the thread that replays the log, and not of the connection that loads it.
async fn loads_a_log_without_decoding_it([one, _]: &Stores, cli: Cli<'_>) -> Result<()> {
    let (room, _) = open_room(&**one).await?;
    add(&**one, room, head(1, 0), 1).await?;
    assert_eq!(write_ids(&one.read_log(room).await?.decode()?), [0, 1]);
    let log = format!("test:{{{room}}}:log");
    cli(&["xadd", &log, "3-0", "line", "{"])?;
    assert_eq!(one.length(room).await?, 3);
    let decoded = one.read_log(room).await?.decode();
    assert!(matches!(decoded, Err(StoreError::Corrupt(_))), "{decoded:?}");
    cli(&["xdel", &log, "3-0"])?;
    Ok(())
}

async fn uses_the_documented_keys([one, _]: &Stores, cli: Cli<'_>) -> Result<()> {
    let (room, code) = open_room(&**one).await?;
    add(&**one, room, head(1, 0), 1).await?;
    let log = format!("test:{{{room}}}:log");
    let state = format!("test:{{{room}}}:state");
    assert_eq!(cli(&["xlen", &log])?, "2");
    assert!(cli(&["xrange", &log, "2-0", "2-0"])?.starts_with("2-0\nline\n{"));
    assert_eq!(cli(&["strlen", &state])?, "4");
    assert_eq!(cli(&["get", &format!("test:code:{code}")])?, format!("open {room}"));
    assert_eq!(cli(&["pttl", &log])?, "-1");

    close_room(&**one, room, &code, head(2, 1)).await?;
    assert_eq!(cli(&["get", &format!("test:code:{code}")])?, format!("free {room}"));
    assert_eq!(cli(&["zscore", "test:{relays}:leases", &room.to_string()])?, "");
    for key in [log, state, format!("test:code:{code}")] {
        let left: i64 = cli(&["pttl", &key])?.parse()?;
        assert!(left > 0, "{key} is kept for {left}");
    }
    Ok(())
}

async fn reloads_scripts_after_a_flush([one, _]: &Stores, cli: Cli<'_>) -> Result<()> {
    let (room, _) = open_room(&**one).await?;
    cli(&["script", "flush", "sync"])?;
    assert_eq!(add(&**one, room, head(1, 0), 1).await?, head(2, 1));
    Ok(())
}

/// A relay closed a room, and died before it freed the code and dropped the lease.
async fn completes_what_a_dead_relay_left_unfinished([one, other]: &Stores, cli: Cli<'_>) -> Result<()> {
    let revert = |room: RoomId, code: &str| -> Result<()> {
        cli(&["set", &format!("test:code:{code}"), &format!("open {room}")])?;
        cli(&["zadd", "test:{relays}:leases", "1", &room.to_string()])?;
        Ok(())
    };
    let (room, code) = open_room(&**one).await?;
    close_room(&**one, room, &code, head(1, 0)).await?;
    revert(room, code.as_str())?;
    // The code can be used for another room.
    let next = RoomId(fresh());
    assert_eq!(other.create(next, &code, &[opening(next, &code)]).await?, Created::Done);

    let (room, code) = open_room(&**one).await?;
    close_room(&**one, room, &code, head(1, 0)).await?;
    revert(room, code.as_str())?;
    // A heartbeat frees the code and drops the lease.
    let relay = RelayId(fresh());
    let heartbeat = other.heartbeat(relay, &[]).await?;
    assert!(!heartbeat.orphans.contains(&room), "a closed room is not orphaned");
    assert_eq!(cli(&["get", &format!("test:code:{code}")])?, format!("free {room}"));
    assert_eq!(cli(&["zscore", "test:{relays}:leases", &room.to_string()])?, "");
    other.deregister(relay).await?;
    Ok(())
}

/// A relay claimed a code, and died before it created the room.
async fn reuses_a_code_whose_claim_was_abandoned([one, _]: &Stores, cli: Cli<'_>) -> Result<()> {
    let (code, abandoned, room) = (fresh_code(), RoomId(fresh()), RoomId(fresh()));
    cli(&["set", &format!("test:code:{code}"), &format!("claimed {abandoned}"), "px", "1000"])?;
    assert_eq!(one.find(&code).await?, None);
    assert_eq!(one.create(room, &code, &[opening(room, &code)]).await?, Created::Done);
    Ok(())
}

async fn expires_finished_games(settings: &RedisSettings) -> Result<()> {
    let settings = RedisSettings { keep: Duration::from_millis(300), ..settings.clone() };
    let store = Redis::connect(&settings).await?;
    let (room, code) = open_room(&store).await?;
    close_room(&store, room, &code, head(1, 0)).await?;
    let expired = async {
        while !store.load(room, 0).await?.is_empty() || store.find(&code).await?.is_some() {
            sleep(POLL).await;
        }
        anyhow::Ok(())
    };
    timeout(TIMEOUT, expired).await?
}

/// Moves the expiry of a lease or a heartbeat in Redis, so that the test does not depend on how much time passes.
fn shift_expiry(cli: Cli<'_>, key: &str, milliseconds: i64, member: &str) -> Result<()> {
    cli(&["zincrby", &format!("test:{{relays}}:{key}"), &milliseconds.to_string(), member]).map(drop)
}

async fn adopts_the_rooms_of_a_dead_relay_once([one, other]: &Stores, cli: Cli<'_>) -> Result<()> {
    let relays = [(); 4].map(|()| RelayId(fresh()));
    let [dead, alive, rival, retired] = relays;
    let (orphaned, _) = open_room(&**one).await?;
    let (kept, _) = open_room(&**one).await?;
    let (closed, code) = open_room(&**one).await?;
    let (handed_over, _) = open_room(&**one).await?;

    one.heartbeat(dead, &[orphaned, closed]).await?;
    close_room(&**one, closed, &code, head(1, 0)).await?;
    shift_expiry(cli, "leases", DAY_MS, &orphaned.to_string())?;
    shift_expiry(cli, "beats", DAY_MS, &dead.to_string())?;
    let heartbeat = other.heartbeat(alive, &[kept]).await?;
    // The clock of Redis was set back by a day: the times of the dead relay do not stay in the future.
    for (key, member) in [("beats", dead.to_string()), ("leases", orphaned.to_string())] {
        let score = cli(&["zscore", &format!("test:{{relays}}:{key}"), &member])?;
        let ahead = score.trim().trim_matches('"').parse::<i64>()? - i64::try_from(one.now().0)?;
        assert!(ahead < DAY_MS / 2, "{key} of a dead relay are {ahead} ms in the future");
    }
    assert!(heartbeat.relays.contains(&dead) && heartbeat.relays.contains(&alive), "{heartbeat:?}");
    assert!(!heartbeat.orphans.contains(&orphaned), "the lease of a live relay has not expired");

    // The rooms of a relay that deregisters are orphaned at once.
    one.heartbeat(retired, &[handed_over]).await?;
    one.deregister(retired).await?;
    let heartbeat = other.heartbeat(alive, &[kept]).await?;
    assert!(!heartbeat.relays.contains(&retired), "{heartbeat:?}");
    assert!(heartbeat.orphans.contains(&handed_over), "{heartbeat:?}");

    // Those of a relay that died are orphaned when their leases expire.
    shift_expiry(cli, "leases", -DAY_MS, &orphaned.to_string())?;
    shift_expiry(cli, "beats", -DAY_MS, &dead.to_string())?;
    let own = [kept, handed_over];
    let mut adopted = Vec::new();
    let mut live = Vec::new();
    // The second round would adopt the room a second time.
    for _ in 0..2 {
        loop {
            let (first, second) = tokio::join!(one.heartbeat(rival, &[]), other.heartbeat(alive, &own));
            let (first, second) = (first?, second?);
            // A heartbeat adopts a limited number of rooms; earlier tests may have left some.
            let is_done = first.orphans.is_empty() && second.orphans.is_empty();
            adopted.extend(first.orphans);
            adopted.extend(second.orphans);
            live = second.relays;
            if is_done {
                break;
            }
        }
    }
    assert!(live.contains(&rival) && !live.contains(&dead), "{live:?}");
    let count = |room| adopted.iter().filter(|&&adopted| adopted == room).count();
    assert_eq!(count(orphaned), 1, "{adopted:?}");
    assert_eq!(count(closed) + count(kept) + count(handed_over), 0, "{adopted:?}");
    Ok(())
}
