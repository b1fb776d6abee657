use std::fmt;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use super::invitation::Invitation;
use super::paired::{Key, Paired};
use crate::room::{BadName, Code, Name};
use crate::store::{Drawer, Record, Store, StoreError};

/// The boards in a store.
#[derive(Clone, Debug)]
pub struct Registry {
    store: Arc<dyn Store>,
}

/// Why something could not be done with a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// No board can be called that.
    Name(BadName),
    /// Another board is called that.
    Exists(Name),
    /// No board is called that.
    Unknown(String),
    /// The board is not connected.
    Offline(Name),
    /// Somebody plays on it.
    Busy(Name),
    /// A board cannot play with itself.
    Itself(Name),
    /// The store does not do what it should.
    Store(StoreError),
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(error) => error.fmt(f),
            Self::Exists(name) => write!(f, "there is a board with the name {name} already"),
            Self::Unknown(name) => write!(f, "there is no board with the name {}", name.escape_debug()),
            Self::Offline(name) => write!(f, "the board {name} is not connected"),
            Self::Busy(name) => write!(f, "on the board {name} a game is played"),
            Self::Itself(name) => write!(f, "the board {name} cannot play with itself"),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BoardError {}

impl From<StoreError> for BoardError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<BadName> for BoardError {
    fn from(error: BadName) -> Self {
        Self::Name(error)
    }
}

impl Registry {
    /// Of this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store }
    }

    /// The store.
    #[must_use]
    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// Pairs a new board.
    pub async fn add(&self, name: &str) -> Result<Paired, BoardError> {
        let name: Name = name.trim().parse()?;
        let added = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let board = Paired { name, key: Key::new(), code: crate::dice::code(), added, invitation: None };
        match self.write(&board, 0).await? {
            Some(_) => Ok(board),
            None => Err(BoardError::Exists(board.name)),
        }
    }

    /// A board by its name, and the version of its record.
    pub async fn read(&self, name: &str) -> Result<Option<(Paired, u64)>, StoreError> {
        let record = self.store.read(Drawer::Boards, name).await?;
        record.map(|record| Ok((board_of(&record)?, record.version))).transpose()
    }

    /// All boards, by name.
    pub async fn list(&self) -> Result<Vec<Paired>, StoreError> {
        let records = self.store.list(Drawer::Boards).await?;
        records.iter().map(|(_, record)| board_of(record)).collect()
    }

    /// Forgets a board, and all that was said to it.
    pub async fn remove(&self, name: &str) -> Result<Paired, BoardError> {
        let unknown = || BoardError::Unknown(name.to_owned());
        let (board, _) = self.read(name).await?.ok_or_else(unknown)?;
        if !self.store.remove(Drawer::Boards, name).await? {
            return Err(unknown());
        }
        self.store.remove(Drawer::Sessions, &board.id().to_string()).await?;
        Ok(board)
    }

    /// Asks a board to play somewhere. It will, as soon as it is free.
    pub async fn invite(&self, name: &Name, invitation: &Invitation) -> Result<(), BoardError> {
        // Nobody else writes to it but others who invite, and the last of them counts.
        loop {
            let found = self.read(name.as_str()).await?;
            let (mut board, version) = found.ok_or_else(|| BoardError::Unknown(name.to_string()))?;
            board.invitation = Some(invitation.clone());
            if self.write(&board, version).await?.is_some() {
                return Ok(());
            }
        }
    }

    /// A code under which nobody plays.
    pub(crate) fn fresh_code() -> Code {
        crate::dice::code()
    }

    async fn write(&self, board: &Paired, version: u64) -> Result<Option<u64>, StoreError> {
        let bytes = serde_json::to_vec(board).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        self.store.write(Drawer::Boards, board.name.as_str(), version, &bytes).await
    }
}

fn board_of(record: &Record) -> Result<Paired, StoreError> {
    serde_json::from_slice(&record.bytes).map_err(|error| StoreError::Corrupt(format!("a board: {error}")))
}
