//! The virtual board of a relay: paired at the first start, and found again by its key file.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use super::flash_file::FlashFile;
use super::machine::Identity;
use crate::boards::{BoardError, Paired, Registry};
use crate::store::StoreError;

/// Name of the board; with a number if another board has this name.
const NAME: &str = "virtual";
/// Highest number to try.
const MAX_NUMBER: u32 = 100;
/// File with the pairing key, in the directory of the store.
const KEY: &str = "virtual-board.key";
/// File with the journal.
const JOURNAL: &str = "virtual-board.journal";

pub(crate) struct EmbeddedBoard {
    pub(crate) identity: Identity,
    pub(crate) flash_file: FlashFile,
}

/// Why there is no virtual board.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EmbeddedBoardError {
    #[error("{0}: {1}")]
    File(&'static str, io::Error),
    #[error(transparent)]
    Board(#[from] BoardError),
}

impl From<StoreError> for EmbeddedBoardError {
    fn from(error: StoreError) -> Self {
        Self::Board(error.into())
    }
}

impl EmbeddedBoard {
    /// Finds the board of this directory, or pairs a new one.
    pub(crate) async fn find(registry: &Registry, folder: &Path) -> Result<Self, EmbeddedBoardError> {
        let flash_file =
            FlashFile::open(&folder.join(JOURNAL)).map_err(|error| EmbeddedBoardError::File(JOURNAL, error))?;
        let path = folder.join(KEY);
        let key = match std::fs::read_to_string(&path) {
            Ok(key) => Some(key),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(EmbeddedBoardError::File(KEY, error)),
        };
        // After `tabiya boards remove` the key is invalid, and the board is paired again.
        let known = match key {
            Some(key) => {
                let board_with = |board: Paired| {
                    board
                        .ids()
                        .collect::<Vec<_>>()
                        .into_iter()
                        .find_map(|id| board.clone().under(id).filter(|board| board.key.hex() == key.trim()))
                };
                registry.list().await?.into_iter().find_map(board_with)
            }
            None => None,
        };
        let board = if let Some(board) = known {
            board
        } else {
            let board = pair(registry).await?;
            write_secret(&path, &board.key.hex()).map_err(|error| EmbeddedBoardError::File(KEY, error))?;
            board
        };
        let identity = Identity {
            name: board.name.to_string(),
            key: Some(board.key.bytes()),
            asked: None,
            relay: None,
            code: Some(board.code.to_string()),
        };
        Ok(Self { identity, flash_file })
    }
}

async fn pair(registry: &Registry) -> Result<Paired, BoardError> {
    let names = std::iter::once(NAME.to_owned()).chain((2..=MAX_NUMBER).map(|number| format!("{NAME}-{number}")));
    let mut refused = BoardError::Unknown(NAME.to_owned());
    for name in names {
        match registry.add(&name).await {
            Err(error @ BoardError::Exists(_)) => refused = error,
            result => return result,
        }
    }
    Err(refused)
}

/// Writes a file with mode 0600.
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
    async fn is_paired_once_under_a_free_name() {
        let folder = std::env::temp_dir().join(format!("tabiya-embedded-board-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let registry = Registry::new(Arc::new(Memory::default()));
        let namesake = registry.add(NAME).await.unwrap();
        let first = EmbeddedBoard::find(&registry, &folder).await.unwrap().identity;
        assert_eq!(first.name, "virtual-2");
        assert_ne!(first.key, Some(namesake.key.bytes()));
        let again = EmbeddedBoard::find(&registry, &folder).await.unwrap().identity;
        assert_eq!((again.name, again.key, again.code), (first.name, first.key, first.code));
        registry.remove("virtual-2").await.unwrap();
        let other = EmbeddedBoard::find(&registry, &folder).await.unwrap().identity;
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
