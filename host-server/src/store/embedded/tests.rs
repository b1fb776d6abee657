//! After a power cut only that is certain to be there which the disk was asked to flush.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

use redb::{Database, StorageBackend};

use super::*;
use crate::room::Fact;
use crate::store::Head;

/// A disk that loses what it was not asked to flush.
#[derive(Clone, Debug, Default)]
struct Disk(Arc<Mutex<Sides>>);

#[derive(Debug, Default)]
struct Sides {
    written: Vec<u8>,
    kept: Vec<u8>,
}

impl Disk {
    fn sides(&self) -> MutexGuard<'_, Sides> {
        self.0.lock().unwrap()
    }

    /// What is left of it when the power comes back.
    fn after_a_power_cut(&self) -> Self {
        let kept = self.sides().kept.clone();
        Self(Arc::new(Mutex::new(Sides { written: kept.clone(), kept })))
    }

    fn database(&self) -> Database {
        Database::builder().create_with_backend(self.clone()).unwrap()
    }

    fn store(&self) -> Embedded {
        let database = self.database();
        let transaction = database.begin_write().unwrap();
        Tables::of(&transaction).create_all().unwrap();
        transaction.commit().unwrap();
        let file = Arc::new(File::on(PathBuf::new(), database));
        let clock = Arc::new(Clock::from(Time(0)));
        let writer = Writer::start(file.clone(), clock.clone(), Duration::MAX, 0).unwrap();
        Embedded { file, clock, writer, usage: Arc::default(), left_behind: parking_lot::Mutex::default() }
    }
}

fn range(offset: u64, length: usize) -> std::ops::Range<usize> {
    let offset = usize::try_from(offset).unwrap();
    offset..offset + length
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.sides().written.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        out.copy_from_slice(&self.sides().written[range(offset, out.len())]);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.sides().written.resize(usize::try_from(len).unwrap(), 0);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut sides = self.sides();
        sides.kept = sides.written.clone();
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.sides().written[range(offset, data.len())].copy_from_slice(data);
        Ok(())
    }
}

fn line(write_id: u64) -> Entry {
    Entry { at: Time(0), write_id, from: None, fact: Fact::CountdownStopped }
}

#[tokio::test]
async fn acknowledged_writes_survive_a_power_cut() {
    let disk = Disk::default();
    let store = disk.store();
    let (room, code) = (RoomId(1), "code".parse().unwrap());
    assert_eq!(store.create(room, &code, &[line(0)]).await, Ok(Created::Done));
    for after in 1..30 {
        let head = Head { version: after, write_id: after - 1 };
        let batch = Batch { after: head, entries: vec![line(after)], state: None, frees: None };
        assert_eq!(store.append(room, batch).await, Ok(Appended::Done));
        let version = store.write(Collection::Boards, "board", after - 1, &[after as u8]).await;
        assert_eq!(version, Ok(Some(after)));

        let left = disk.after_a_power_cut().store();
        let pens: Vec<u64> = left.load(room, 0).await.unwrap().iter().map(|entry| entry.write_id).collect();
        assert_eq!(pens, (0..=after).collect::<Vec<_>>());
        let record = left.read(Collection::Boards, "board").await.unwrap().unwrap();
        assert_eq!(record, Record { version: after, bytes: vec![after as u8] });
    }
}

#[tokio::test]
async fn the_end_of_the_writer_is_noticed() {
    let store = Disk::default().store();
    assert!(!store.writer.ended().is_cancelled());
    // As a damaged file can make the library do.
    let failed = store.change(|_, _| -> Result<(), Trouble> { panic!("a damaged page") }).await;
    assert!(matches!(failed, Err(StoreError::Unclear(_))), "{failed:?}");
    assert_eq!(store.ended().await, Ok(()));
    assert!(store.check().await.is_err());
}

#[tokio::test]
async fn many_changes_share_a_commit() {
    let store = Arc::new(Disk::default().store());
    let changes: Vec<_> = (0..500_u64)
        .map(|number| {
            let store = store.clone();
            tokio::spawn(async move { store.write(Collection::Sessions, &number.to_string(), 0, b"").await })
        })
        .collect();
    for change in changes {
        assert!(matches!(change.await.unwrap(), Ok(Some(_))));
    }
    let commits = store.file.read(look::commits).unwrap();
    assert!(commits < 250, "{commits} commits for 500 changes that came at once");
}
