//! Opens the database file, and reopens it after a disk failure.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use parking_lot::RwLock;
use redb::{Database, DatabaseError, ReadTransaction, ReadableDatabase, ReadableTable, StorageError};

use super::look;
use super::tables::{COMMITS, FORMAT, NUMBERS, OPEN, TIME, Tables};
use crate::room::{RoomId, Time};
use crate::store::StoreError;

/// Version of the file format. A file with a newer version is not opened.
const CURRENT_FORMAT: u64 = 1;

/// Size of the page cache, in bytes: a page for each of four thousand games in progress. The system caches the file as well, so a page
/// that is not here costs a system call and no access to the disk.
const CACHE_BYTES: usize = 16 << 20;

/// Why the file could not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// Another process has locked it.
    InUse(PathBuf),
    /// It is not a store of this program.
    NotAStore(PathBuf, String),
    /// It is damaged.
    Damaged(PathBuf, String),
    /// It has a newer format version.
    TooNew(PathBuf),
    /// The operating system refused.
    Unreadable(PathBuf, String),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InUse(path) => write!(f, "{} is in use: is another relay running on it?", path.display()),
            Self::NotAStore(path, why) => write!(f, "{} is not a store of this program: {why}", path.display()),
            Self::Damaged(path, why) => write!(f, "{} is damaged, restore a backup: {why}", path.display()),
            Self::TooNew(path) => write!(f, "{} was written by a newer version of this program", path.display()),
            Self::Unreadable(path, why) => write!(f, "{} cannot be opened: {why}", path.display()),
        }
    }
}

impl std::error::Error for OpenError {}

/// Why a transaction failed.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The library or the disk failed, which aborts the whole transaction.
    Storage(redb::Error),
    /// Stored data cannot be read. Only the operation that reads it fails.
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
    // A file size limit has the same effect as a full disk.
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
}

/// The state of the file when it was opened.
#[derive(Debug)]
pub(super) struct Start {
    pub(super) time: Time,
    pub(super) commits: u64,
    pub(super) open_rooms: Vec<RoomId>,
}

/// The open database. After an I/O error the library refuses all operations, so the file is closed and reopened.
#[derive(Debug)]
pub(super) struct File {
    path: PathBuf,
    /// `None` while reopening fails.
    database: RwLock<Option<Database>>,
}

impl File {
    pub(super) fn open(path: &Path) -> Result<(Self, Start), OpenError> {
        if !path.try_exists().map_err(|error| unreadable(path, &error))? {
            make(path)?;
        }
        warn_if_readable(path);
        let database = database(path).map_err(|error| sort(path, error))?;
        let start = start(path, &database)?;
        Ok((Self::on(path.to_owned(), database), start))
    }

    pub(super) fn on(path: PathBuf, database: Database) -> Self {
        Self { path, database: RwLock::new(Some(database)) }
    }

    pub(super) fn with<T>(&self, work: impl FnOnce(&Database) -> Result<T, Trouble>) -> Result<T, Trouble> {
        let database = self.database.read();
        let Some(database) = database.as_ref() else { return Err(Trouble::Storage(redb::Error::PreviousIo)) };
        work(database)
    }

    pub(super) fn read<T>(&self, look: impl FnOnce(&ReadTransaction) -> Result<T, Trouble>) -> Result<T, StoreError> {
        Ok(self.with(|database| look(&database.begin_read()?))?)
    }

    /// Size of the file, in bytes.
    pub(super) fn size(&self) -> io::Result<u64> {
        std::fs::metadata(&self.path).map(|data| data.len())
    }

    /// Closes the file after all reads have ended, and reopens it. Returns its number of commits.
    pub(super) fn reopen(&self) -> Result<u64, StoreError> {
        let mut held = self.database.write();
        // The lock of the open file also excludes this process.
        *held = None;
        let opened = database(&self.path).map_err(|error| StoreError::from(Trouble::from(error)))?;
        let commits = opened.begin_read().map_err(Trouble::from).and_then(|file| look::commits(&file))?;
        *held = Some(opened);
        Ok(commits)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let database = self.database.get_mut().take();
        // After a panic in the middle of a change the library may panic again when it closes the file. The relay is about to report the first one.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(database)));
    }
}

/// Opens a file that must exist.
pub(super) fn open_existing(path: &Path) -> Result<Database, OpenError> {
    if !path.try_exists().map_err(|error| unreadable(path, &error))? {
        return Err(unreadable(path, &io::ErrorKind::NotFound.into()));
    }
    let database = database(path).map_err(|error| sort(path, error))?;
    start(path, &database).map(|_| database)
}

/// Turns a panic into an error: the library may panic on a damaged file.
pub(super) fn guard<T>(path: &Path, work: impl FnOnce() -> Result<T, OpenError>) -> Result<T, OpenError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let why = panic.downcast_ref::<&str>().map(|why| (*why).to_owned());
        let why = why.or_else(|| panic.downcast_ref::<String>().cloned());
        let why = why.as_deref().and_then(|why| why.lines().next()).unwrap_or("unreadable page").to_owned();
        Err(OpenError::Damaged(path.to_owned(), why))
    })
}

/// Warns if other users of the machine can read the file, which contains pairing keys and seat tokens.
#[cfg(unix)]
fn warn_if_readable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;

    let mode = std::fs::metadata(path).map_or(0, |metadata| metadata.permissions().mode() & 0o777);
    if mode & 0o077 != 0 {
        let mode = format!("{mode:o}");
        tracing::warn!(file = %path.display(), mode, "other users can read the store, which contains the keys of boards: chmod 600");
    }
}

#[cfg(not(unix))]
fn warn_if_readable(_: &Path) {}

/// Creates an empty file that only its owner can read.
fn create_private(path: &Path) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

fn database(path: &Path) -> Result<Database, DatabaseError> {
    Database::builder().set_cache_size(CACHE_BYTES).open(path)
}

/// Creates the file under a temporary name and renames it, so that a power cut leaves no incomplete file.
fn make(path: &Path) -> Result<(), OpenError> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{:x}.new", crate::random::roll()));
    let draft = PathBuf::from(draft);
    let made = prepare(&draft).map_err(|error| match error {
        Trouble::Storage(error) => OpenError::Unreadable(path.to_owned(), error.to_string()),
        Trouble::Corrupt(why) => OpenError::Unreadable(path.to_owned(), why),
    });
    // A hard link does not replace a file that another process has created meanwhile. Not all file systems have them.
    let placed = made.and_then(|()| match std::fs::hard_link(&draft, path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(_) => std::fs::rename(&draft, path).map_err(|error| unreadable(path, &error)),
    });
    // After a rename it does not exist.
    let _ = std::fs::remove_file(&draft);
    placed?;
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        // Some systems cannot fsync a directory, and do not need it.
        let _ = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

fn prepare(path: &Path) -> Result<(), Trouble> {
    create_private(path).map_err(|error| Trouble::Storage(redb::Error::Io(error)))?;
    let database = Database::create(path)?;
    let transaction = database.begin_write()?;
    let mut tables = Tables::of(&transaction);
    tables.create_all()?;
    tables.numbers.open()?.insert(FORMAT, CURRENT_FORMAT)?;
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
            number.ok_or_else(|| Trouble::Corrupt(format!("the number {name} is missing")))
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

pub(super) fn sort(path: &Path, error: DatabaseError) -> OpenError {
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
