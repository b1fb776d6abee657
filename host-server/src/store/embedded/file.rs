//! The file: opened, read, and opened again when it must be.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use redb::{Database, DatabaseError, ReadTransaction, ReadableDatabase, ReadableTable, StorageError};

use super::look;
use super::tables::{COMMITS, FORMAT, NUMBERS, OPEN, TIME, Tables};
use crate::room::{RoomId, Time};
use crate::store::StoreError;

/// Which format this is. A file of a newer one is left alone.
const CURRENT_FORMAT: u64 = 1;

/// So much of the file is kept in memory. What is played right now is far less.
const CACHE_BYTES: usize = 64 << 20;

/// Why the file could not be opened. Each names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// Another process has it open.
    InUse(PathBuf),
    /// It is no store of this program, or it is damaged.
    NotAStore(PathBuf, String),
    /// A newer version of this program has written it.
    TooNew(PathBuf),
    /// The system does not let us.
    Unreadable(PathBuf, String),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InUse(path) => write!(f, "{} is in use: is another relay running on it?", path.display()),
            Self::NotAStore(path, why) => write!(f, "{} is not a store of this program: {why}", path.display()),
            Self::TooNew(path) => write!(f, "{} was written by a newer version of this program", path.display()),
            Self::Unreadable(path, why) => write!(f, "{} cannot be opened: {why}", path.display()),
        }
    }
}

impl std::error::Error for OpenError {}

/// Why something in the file did not work.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The library or the disk. It ends the whole transaction.
    Storage(redb::Error),
    /// What was read makes no sense. It concerns only whoever has read it.
    Corrupt(String),
}

impl<E: Into<redb::Error>> From<E> for Trouble {
    fn from(error: E) -> Self {
        Self::Storage(error.into())
    }
}

impl From<Trouble> for StoreError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Corrupt(why) | Trouble::Storage(redb::Error::Corrupted(why)) => Self::Corrupt(why),
            Trouble::Storage(redb::Error::Io(error)) if is_full(&error) => Self::Full(error.to_string()),
            Trouble::Storage(error) => Self::Unavailable(error.to_string()),
        }
    }
}

fn is_full(error: &io::Error) -> bool {
    // A limit on the size of a file is as good as a full disk to us.
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
}

/// How the file was found.
#[derive(Debug)]
pub(super) struct Start {
    pub(super) time: Time,
    pub(super) commits: u64,
    pub(super) open_rooms: Vec<RoomId>,
}

/// The file. After the disk has failed once the library refuses everything, so it is closed then and opened again.
#[derive(Debug)]
pub(super) struct File {
    path: PathBuf,
    /// Nothing while it could not be opened again.
    database: RwLock<Option<Database>>,
}

impl File {
    pub(super) fn open(path: &Path) -> Result<(Self, Start), OpenError> {
        if !path.try_exists().map_err(|error| unreadable(path, &error))? {
            make(path)?;
        }
        let database = database(path).map_err(|error| sort(path, error))?;
        let start = start(path, &database)?;
        Ok((Self::on(path.to_owned(), database), start))
    }

    pub(super) fn on(path: PathBuf, database: Database) -> Self {
        Self { path, database: RwLock::new(Some(database)) }
    }

    /// Does something with the open file.
    pub(super) fn with<T>(&self, work: impl FnOnce(&Database) -> Result<T, Trouble>) -> Result<T, Trouble> {
        let database = self.database.read().unwrap_or_else(PoisonError::into_inner);
        let Some(database) = database.as_ref() else { return Err(Trouble::Storage(redb::Error::PreviousIo)) };
        work(database)
    }

    pub(super) fn read<T>(&self, look: impl FnOnce(&ReadTransaction) -> Result<T, Trouble>) -> Result<T, StoreError> {
        Ok(self.with(|database| look(&database.begin_read()?))?)
    }

    /// Closes the file, once nobody reads any more, and opens it again. Returns how many commits it has seen.
    pub(super) fn reopen(&self) -> Result<u64, StoreError> {
        let mut held = self.database.write().unwrap_or_else(PoisonError::into_inner);
        // It is locked against others as long as it is open, and we would be others.
        *held = None;
        let opened = database(&self.path).map_err(|error| StoreError::from(Trouble::from(error)))?;
        let commits = opened.begin_read().map_err(Trouble::from).and_then(|file| look::commits(&file))?;
        *held = Some(opened);
        Ok(commits)
    }
}

fn database(path: &Path) -> Result<Database, DatabaseError> {
    Database::builder().set_cache_size(CACHE_BYTES).open(path)
}

/// Makes the file under another name first, so that a power cut does not leave half of one that nobody can open.
fn make(path: &Path) -> Result<(), OpenError> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{:x}.new", crate::dice::roll()));
    let draft = PathBuf::from(draft);
    let made = prepare(&draft).map_err(|error| match error {
        Trouble::Storage(error) => OpenError::Unreadable(path.to_owned(), error.to_string()),
        Trouble::Corrupt(why) => OpenError::Unreadable(path.to_owned(), why),
    });
    // A link does not replace what somebody else has made in the meantime; not all file systems have them.
    let placed = made.and_then(|()| match std::fs::hard_link(&draft, path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(_) => std::fs::rename(&draft, path).map_err(|error| unreadable(path, &error)),
    });
    // After a rename it is gone already.
    let _ = std::fs::remove_file(&draft);
    placed?;
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        // Some systems cannot do that with a folder, and need not.
        let _ = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

fn prepare(path: &Path) -> Result<(), Trouble> {
    let database = Database::create(path)?;
    let transaction = database.begin_write()?;
    let mut tables = Tables::open(&transaction)?;
    tables.numbers.insert(FORMAT, CURRENT_FORMAT)?;
    tables.finish(Time(0), 0)?;
    drop(tables);
    transaction.commit()?;
    Ok(())
}

fn start(path: &Path, database: &Database) -> Result<Start, OpenError> {
    let not_a_store = |error: Trouble| match error {
        Trouble::Storage(error) => OpenError::NotAStore(path.to_owned(), error.to_string()),
        Trouble::Corrupt(why) => OpenError::NotAStore(path.to_owned(), why),
    };
    let read = || -> Result<(u64, Start), Trouble> {
        let transaction = database.begin_read()?;
        let numbers = transaction.open_table(NUMBERS)?;
        let number = |name: &str| -> Result<u64, Trouble> {
            let number = numbers.get(name)?.map(|number| number.value());
            number.ok_or_else(|| Trouble::Corrupt(format!("it does not say its {name}")))
        };
        let mut open_rooms = Vec::new();
        for room in transaction.open_table(OPEN)?.iter()? {
            open_rooms.push(RoomId(room?.0.value()));
        }
        Ok((number(FORMAT)?, Start { time: Time(number(TIME)?), commits: number(COMMITS)?, open_rooms }))
    };
    let (format, start) = read().map_err(not_a_store)?;
    if format > CURRENT_FORMAT { Err(OpenError::TooNew(path.to_owned())) } else { Ok(start) }
}

fn sort(path: &Path, error: DatabaseError) -> OpenError {
    match error {
        DatabaseError::DatabaseAlreadyOpen => OpenError::InUse(path.to_owned()),
        DatabaseError::Storage(StorageError::Io(error)) if error.kind() != io::ErrorKind::InvalidData => {
            unreadable(path, &error)
        }
        error => OpenError::NotAStore(path.to_owned(), error.to_string()),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> OpenError {
    OpenError::Unreadable(path.to_owned(), error.to_string())
}
