//! Whatever keeps the rooms keeps its promises: the same suite for the embedded store, for a Redis, and for a Cluster.
//!
//! - `conformance.rs`: what is true of all of them; `shared.rs`: what is true of those that relays share.
//! - `killed.rs`: what is left when one of them dies; `full.rs`: what happens when the disk is full; `sealed.rs`: TLS.

mod conformance;
mod full;
mod killed;
mod lines;
mod sealed;
mod shared;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use host_server::store::Store;
use host_server::store::embedded::Embedded;
use host_server::store::redis::{Redis as RedisStore, RedisSettings};
use tests::parts;
use tests::redis::{Cluster, Folder, Redis};

const DAY: Duration = Duration::from_hours(24);

fn settings(port: u16, cluster: bool) -> RedisSettings {
    RedisSettings {
        host: "127.0.0.1".to_owned(),
        port,
        prefix: "test:".to_owned(),
        cluster,
        username: None,
        password: None,
        database: 0,
        tls: None,
        keep: DAY,
    }
}

/// Two stores, as two relays have them.
async fn two_stores(settings: &RedisSettings) -> Result<[Arc<dyn Store>; 2]> {
    Ok([Arc::new(RedisStore::connect(settings).await?), Arc::new(RedisStore::connect(settings).await?)])
}

#[tokio::test(flavor = "multi_thread")]
async fn embedded_keeps_its_promises() -> Result<()> {
    let folder = Folder::new()?;
    let store: Arc<dyn Store> = Arc::new(Embedded::open(folder.path().join("store"), DAY)?);
    conformance::all(&[store.clone(), store]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_keeps_its_promises() -> Result<()> {
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
async fn a_cluster_keeps_its_promises() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let cluster = Cluster::start()?;
    let settings = settings(cluster.port(), true);
    let stores = two_stores(&settings).await?;
    conformance::all(&stores).await?;
    shared::all(&stores, &settings, &|words| cluster.cli(words)).await
}
