//! The virtual board that lives with a relay: it is paired when the relay is first started, and the same one ever after.

use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use super::machine::Identity;
use super::vault::Vault;
use crate::boards::{BoardError, Paired, Registry};
use crate::store::StoreError;

/// What it is called, if no other board is. Otherwise it is numbered.
const NAME: &str = "virtual";
/// So many others may be called that.
const NAMESAKES: u32 = 100;
/// Where the key is, in the folder of the store.
const KEY: &str = "virtual-board.key";
/// Where the journal is.
const JOURNAL: &str = "virtual-board.journal";

/// The board, and what it does not lose with its power.
pub(crate) struct Resident {
    pub(crate) identity: Identity,
    pub(crate) vault: Vault,
}

/// Why there is no virtual board.
#[derive(Debug)]
pub(crate) enum ResidentError {
    /// One of its files cannot be used.
    File(&'static str, io::Error),
    /// It cannot be paired.
    Board(BoardError),
}

impl fmt::Display for ResidentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(name, error) => write!(f, "{name}: {error}"),
            Self::Board(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ResidentError {}

impl From<BoardError> for ResidentError {
    fn from(error: BoardError) -> Self {
        Self::Board(error)
    }
}

impl From<StoreError> for ResidentError {
    fn from(error: StoreError) -> Self {
        Self::Board(error.into())
    }
}

impl Resident {
    /// Finds the board of this folder, or pairs one.
    pub(crate) async fn find(registry: &Registry, folder: &Path) -> Result<Self, ResidentError> {
        let vault = Vault::open(&folder.join(JOURNAL)).map_err(|error| ResidentError::File(JOURNAL, error))?;
        let path = folder.join(KEY);
        let key = match std::fs::read_to_string(&path) {
            Ok(key) => Some(key),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(ResidentError::File(KEY, error)),
        };
        // Whoever has removed the board has removed what it could do with its key. It is paired anew then.
        let known = match key {
            Some(key) => registry.list().await?.into_iter().find(|board| board.key.hex() == key.trim()),
            None => None,
        };
        let board = if let Some(board) = known {
            board
        } else {
            let board = pair(registry).await?;
            write_secret(&path, &board.key.hex()).map_err(|error| ResidentError::File(KEY, error))?;
            board
        };
        let identity = Identity {
            name: board.name.to_string(),
            key: board.key.bytes(),
            relay: None,
            code: Some(board.code.to_string()),
        };
        Ok(Self { identity, vault })
    }
}

async fn pair(registry: &Registry) -> Result<Paired, BoardError> {
    let names = std::iter::once(NAME.to_owned()).chain((2..=NAMESAKES).map(|number| format!("{NAME}-{number}")));
    let mut refused = BoardError::Unknown(NAME.to_owned());
    for name in names {
        match registry.add(&name).await {
            Err(error @ BoardError::Exists(_)) => refused = error,
            result => return result,
        }
    }
    Err(refused)
}

/// Writes a file that nobody else may read.
fn write_secret(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    writeln!(file, "{text}")?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::store::memory::Memory;

    #[tokio::test]
    async fn it_is_paired_once_and_keeps_out_of_the_way_of_namesakes() {
        let folder = std::env::temp_dir().join(format!("tabiya-resident-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let registry = Registry::new(Arc::new(Memory::default()));
        let namesake = registry.add(NAME).await.unwrap();
        let first = Resident::find(&registry, &folder).await.unwrap().identity;
        assert_eq!(first.name, "virtual-2");
        assert_ne!(first.key, namesake.key.bytes());
        let again = Resident::find(&registry, &folder).await.unwrap().identity;
        assert_eq!((again.name, again.key, again.code), (first.name, first.key, first.code));
        registry.remove("virtual-2").await.unwrap();
        let other = Resident::find(&registry, &folder).await.unwrap().identity;
        assert_ne!(other.key, first.key);
        assert_eq!(registry.list().await.unwrap().len(), 2);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            for file in [KEY, JOURNAL] {
                let mode = std::fs::metadata(folder.join(file)).unwrap().permissions().mode();
                assert_eq!(mode & 0o777, 0o600, "{file}");
            }
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
