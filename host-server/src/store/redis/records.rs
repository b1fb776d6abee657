//! Records: one hash per collection, with the version in front of the bytes.

use super::error::corrupt;
use super::{Redis, script};
use crate::store::{Collection, Record, StoreError};

/// Number of records per scan step.
const PAGE: usize = 500;

impl Redis {
    pub(super) async fn read_record(&self, collection: Collection, name: &str) -> Result<Option<Record>, StoreError> {
        let key = self.keys.collection(collection);
        let record: Option<Vec<u8>> = self.connection.ask(redis::cmd("HGET").arg(&key).arg(name)).await?;
        record.map(|record| parse(&key, &record)).transpose()
    }

    pub(super) async fn write_record(
        &self,
        collection: Collection,
        name: &str,
        version: u64,
        bytes: &[u8],
    ) -> Result<Option<u64>, StoreError> {
        let writer = format!("{:x}", crate::random::roll());
        script::WRITE
            .on(&[&self.keys.collection(collection), &self.keys.version(collection)])
            .with(name)
            .with(version)
            .with(writer)
            .with(bytes)
            .run(&self.connection)
            .await
    }

    pub(super) async fn remove_record(&self, collection: Collection, name: &str) -> Result<bool, StoreError> {
        self.connection.ask(redis::cmd("HDEL").arg(self.keys.collection(collection)).arg(name)).await
    }

    pub(super) async fn list_records(&self, collection: Collection) -> Result<Vec<(String, Record)>, StoreError> {
        let key = self.keys.collection(collection);
        // A scan may return a record twice during writes.
        let mut list = std::collections::BTreeMap::new();
        let mut cursor = 0_u64;
        loop {
            let mut scan = redis::cmd("HSCAN");
            scan.arg(&key).arg(cursor).arg("COUNT").arg(PAGE);
            let (next, page): (u64, Vec<(String, Vec<u8>)>) = self.connection.ask(&scan).await?;
            for (name, record) in page {
                let record = parse(&key, &record)?;
                list.insert(name, record);
            }
            if next == 0 {
                return Ok(list.into_iter().collect());
            }
            cursor = next;
        }
    }
}

/// `<version>:<who wrote it>:<bytes>`
fn parse(key: &str, record: &[u8]) -> Result<Record, StoreError> {
    let mut parts = record.splitn(3, |&byte| byte == b':');
    let version = parts.next().and_then(|version| std::str::from_utf8(version).ok()?.parse().ok());
    match (version, parts.nth(1)) {
        (Some(version), Some(bytes)) => Ok(Record { version, bytes: bytes.to_vec() }),
        _ => Err(corrupt(key, "a field is not a record")),
    }
}
