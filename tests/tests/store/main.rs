//! The store contract: the same suite for the embedded store, Redis and Redis Cluster.
//!
//! - `conformance.rs`: all stores; `shared.rs`: stores that several relays share.
//! - `failover.rs`: replicas that take over, Sentinel.
//! - `damaged.rs`: a damaged file, and other users of the machine.
//! - `killed.rs`: durability when processes are killed; `full.rs`: a full disk; `tls.rs`: Redis over TLS.

mod conformance;
mod damaged;
mod entries;
mod failover;
mod full;
mod killed;
mod shared;
mod tls;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use host_server::store::Store;
use host_server::store::embedded::Embedded;
use host_server::store::redis::{Redis as RedisStore, RedisSettings};
use tests::parts;
use tests::redis::{Cluster, Redis};
use tests::temp_dir::TempDir;

const DAY: Duration = Duration::from_hours(24);

fn settings(port: u16, cluster: bool) -> RedisSettings {
    RedisSettings { port, prefix: "test:".to_owned(), cluster, keep: DAY, ..RedisSettings::default() }
}

/// Two connections to the same Redis, as two relays have them.
async fn two_stores(settings: &RedisSettings) -> Result<[Arc<dyn Store>; 2]> {
    Ok([Arc::new(RedisStore::connect(settings).await?), Arc::new(RedisStore::connect(settings).await?)])
}

#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_store_conforms() -> Result<()> {
    let folder = TempDir::new()?;
    let store: Arc<dyn Store> = Arc::new(Embedded::open(folder.path().join("store"), DAY)?);
    conformance::all(&[store.clone(), store]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_conforms() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let redis = Redis::start()?;
    let settings = settings(redis.port(), false);
    let stores = two_stores(&settings).await?;
    conformance::all(&stores).await?;
    shared::all(&stores, &settings, &|words| redis.cli(words)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_cluster_conforms() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let cluster = Cluster::start()?;
    let settings = settings(cluster.port(), true);
    let stores = two_stores(&settings).await?;
    conformance::all(&stores).await?;
    shared::all(&stores, &settings, &|words| cluster.cli(words)).await
}
