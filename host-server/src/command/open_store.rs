//! Opens the store that the settings name.

use std::fs::DirBuilder;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use std::{io, panic};

use crate::config::{RedisConfig, StoreConfig};
use crate::failure::Failure;
use crate::store::Store;
use crate::store::embedded::Embedded;
use crate::store::redis::{Redis, RedisSettings, SentinelSettings, Trust};

/// File name of the embedded store, in its directory.
pub(super) const FILE: &str = "tabiya.redb";

/// Opens the store. `keep` is the retention time of finished games.
pub(super) async fn open(config: &StoreConfig, keep: Duration) -> Result<Arc<dyn Store>, Failure> {
    match config {
        StoreConfig::Embedded { data } => {
            let in_data = |error| Failure::Store(format!("{}: {error}", data.display()));
            create_directory(data).map_err(in_data)?;
            let store = without_panic_messages(|| Embedded::open(data.join(FILE), keep));
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
                tls: trust(redis)?,
                keep,
                sentinels: redis.sentinels.as_ref().map(|addresses| SentinelSettings {
                    addresses: addresses.clone(),
                    master: redis.master_name.clone(),
                }),
                wait_replicas: redis.wait_replicas,
            };
            let store = Redis::connect(&settings).await;
            Ok(Arc::new(store.map_err(|error| Failure::Store(format!("Redis: {error}")))?))
        }
    }
}

/// Runs `work`, which turns panics into errors, without the message that a panic prints.
pub(super) fn without_panic_messages<T>(work: impl FnOnce() -> T) -> T {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = work();
    panic::set_hook(hook);
    result
}

/// The trusted certificate authorities, if Redis is connected with TLS.
fn trust(redis: &RedisConfig) -> Result<Option<Trust>, Failure> {
    let read = |path: &Path| {
        let pem = std::fs::read(path).map_err(|error| Failure::Store(format!("{}: {error}", path.display())))?;
        Ok(Trust::Authority(pem))
    };
    match &redis.authority {
        Some(path) => read(path).map(Some),
        None => Ok(redis.tls.then_some(Trust::Machine)),
    }
}

/// Creates the directory of the embedded store with mode 0700, since it contains pairing keys.
fn create_directory(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::{env, fs, process};

    use super::*;

    #[test]
    fn a_new_directory_is_private_and_an_existing_one_keeps_its_mode() {
        let root = env::temp_dir().join(format!("tabiya-open-store-{}", process::id()));
        let path = root.join("data");
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        create_directory(&path).unwrap();
        assert_eq!(mode(), 0o700);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
        create_directory(&path).unwrap();
        assert_eq!(mode(), 0o750);
        fs::remove_dir_all(root).unwrap();
    }
}
