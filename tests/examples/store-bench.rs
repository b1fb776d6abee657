//! Measures throughput and latency of appends to the stores: `cargo run --release -p tests --example
//! store-bench`. Every room appends one entry after the other, as a game does, and all rooms in parallel.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use host_server::room::{Code, Entry, Fact, RoomId, Terms, Time};
use host_server::store::embedded::Embedded;
use host_server::store::redis::{Redis as RedisStore, RedisSettings};
use host_server::store::{Appended, Batch, Head, Store};
use tests::redis::{Cluster, Redis};
use tests::temp_dir::TempDir;
use tokio::task::JoinSet;

const KEEP: Duration = Duration::from_hours(1);
const LASTS: Duration = Duration::from_secs(5);

#[tokio::main]
async fn main() -> Result<()> {
    println!("store      rooms   lines/s    p50 ms    p99 ms    max ms");
    for rooms in [1, 100, 2000] {
        let folder = TempDir::new()?;
        let store = Arc::new(Embedded::open(folder.path().join("store"), KEEP)?);
        measure("embedded", store, rooms).await?;
    }
    for (name, extra) in [("redis", &[][..]), ("everysec", &["--appendfsync", "everysec"])] {
        for rooms in [1, 100, 2000] {
            let redis = Redis::start_with(extra)?;
            measure(name, Arc::new(RedisStore::connect(&settings(redis.port(), false)).await?), rooms).await?;
        }
    }
    for rooms in [1, 100, 2000] {
        let cluster = Cluster::start()?;
        measure("cluster", Arc::new(RedisStore::connect(&settings(cluster.port(), true)).await?), rooms).await?;
    }
    Ok(())
}

fn settings(port: u16, cluster: bool) -> RedisSettings {
    RedisSettings { port, prefix: "bench:".to_owned(), cluster, keep: KEEP, ..RedisSettings::default() }
}

async fn measure(name: &str, store: Arc<dyn Store>, rooms: u64) -> Result<()> {
    let mut tasks = JoinSet::new();
    for number in 0..rooms {
        let store = store.clone();
        tasks.spawn(async move {
            // Spreads the ids over all hash slots.
            let room = RoomId(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let code: Code = format!("room_{number}").parse()?;
            let fact = Fact::Opened { room, code: code.clone(), terms: Terms::default(), on: 0 };
            store.create(room, &code, &[entry(store.now(), fact)]).await?;
            Ok::<_, anyhow::Error>(room)
        });
    }
    let rooms: Vec<RoomId> = tasks.join_all().await.into_iter().collect::<Result<_>>()?;

    let began = Instant::now();
    let mut tasks = JoinSet::new();
    for &room in &rooms {
        let store = store.clone();
        tasks.spawn(async move {
            let mut waits = Vec::new();
            while began.elapsed() < LASTS {
                let entries = vec![entry(store.now(), Fact::CountdownStopped)];
                let state = store.shows_state().then(|| vec![7; 200]);
                let asked = Instant::now();
                let batch =
                    Batch { after: Head { version: 1 + waits.len() as u64, write_id: 1 }, entries, state, frees: None };
                ensure!(store.append(room, batch).await? == Appended::Done);
                waits.push(asked.elapsed());
            }
            Ok(waits)
        });
    }
    let mut waits = Vec::new();
    for one in tasks.join_all().await {
        waits.extend(one?);
    }
    let seconds = began.elapsed().as_secs_f64();
    waits.sort_unstable();
    let at = |part: usize| waits[(waits.len() * part / 1000).min(waits.len() - 1)].as_secs_f64() * 1000.0;
    #[expect(clippy::cast_precision_loss, reason = "there are not that many")]
    let rate = waits.len() as f64 / seconds;
    println!("{name:9} {:6} {rate:9.0} {:9.2} {:9.2} {:9.2}", rooms.len(), at(500), at(990), at(1000));
    Ok(())
}

fn entry(at: Time, fact: Fact) -> Entry {
    Entry { at, write_id: 1, from: None, fact }
}
