//! Where a command keeps rooms and boards, as it was told.

use std::sync::Arc;
use std::time::Duration;

use crate::config::StoreConfig;
use crate::failure::Failure;
use crate::store::Store;
use crate::store::embedded::Embedded;
use crate::store::redis::{Redis, RedisSettings};

/// What the file of the embedded store is called, in its directory.
const FILE: &str = "tabiya.redb";

/// Opens the store that the settings name. Finished games are kept in it for so long.
pub(super) async fn open(config: &StoreConfig, keep: Duration) -> Result<Arc<dyn Store>, Failure> {
    match config {
        StoreConfig::Embedded { data } => {
            let in_data = |error| Failure::Store(format!("{}: {error}", data.display()));
            std::fs::create_dir_all(data).map_err(in_data)?;
            let store = Embedded::open(data.join(FILE), keep);
            Ok(Arc::new(store.map_err(|error| Failure::Store(error.to_string()))?))
        }
        StoreConfig::Redis(redis) => {
            let settings = RedisSettings {
                host: redis.host.clone(),
                port: redis.port,
                prefix: redis.prefix.clone(),
                cluster: redis.cluster,
                username: redis.user.clone(),
                password: redis.password.as_ref().map(|password| password.reveal().to_owned()),
                database: redis.database,
                keep,
            };
            let store = Redis::connect(&settings).await;
            Ok(Arc::new(store.map_err(|error| Failure::Store(format!("Redis: {error}")))?))
        }
    }
}
