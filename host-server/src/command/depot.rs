//! Where a command keeps rooms and boards, as it was told.

use std::fs::DirBuilder;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::config::{RedisConfig, StoreConfig};
use crate::failure::Failure;
use crate::store::Store;
use crate::store::embedded::Embedded;
use crate::store::redis::{Redis, RedisSettings, Trust};

/// What the file of the embedded store is called, in its directory.
const FILE: &str = "tabiya.redb";

/// Opens the store that the settings name. Finished games are kept in it for so long.
pub(super) async fn open(config: &StoreConfig, keep: Duration) -> Result<Arc<dyn Store>, Failure> {
    match config {
        StoreConfig::Embedded { data } => {
            let in_data = |error| Failure::Store(format!("{}: {error}", data.display()));
            make_folder(data).map_err(in_data)?;
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
                tls: trust(redis)?,
                keep,
            };
            let store = Redis::connect(&settings).await;
            Ok(Arc::new(store.map_err(|error| Failure::Store(format!("Redis: {error}")))?))
        }
    }
}

/// Whom to believe, if TLS is spoken with Redis.
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

/// Makes the folder of the embedded store, if it is not there. Pairing keys are in it, so nobody else looks into it.
fn make_folder(path: &Path) -> io::Result<()> {
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
    fn nobody_else_looks_into_a_new_folder_and_one_that_is_there_stays_as_it_is() {
        let root = env::temp_dir().join(format!("tabiya-depot-{}", process::id()));
        let path = root.join("data");
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        make_folder(&path).unwrap();
        assert_eq!(mode(), 0o700);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
        make_folder(&path).unwrap();
        assert_eq!(mode(), 0o750);
        fs::remove_dir_all(root).unwrap();
    }
}
