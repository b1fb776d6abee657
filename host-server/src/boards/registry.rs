use std::fmt;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use wire::link::BoardId;

use super::invitation::Invitation;
use super::paired::{ChallengePolicy, Key, Paired};
use crate::room::{BadName, Code, Name};
use crate::store::{Collection, Record, Store, StoreError};

/// The boards in a store.
#[derive(Clone, Debug)]
pub struct Registry {
    store: Arc<dyn Store>,
}

/// Why a request about a board failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// The name is invalid.
    Name(BadName),
    /// Another board has the name.
    Exists(Name),
    /// No board has the name.
    Unknown(String),
    /// The board is not connected.
    Offline(Name),
    /// A game is in progress on the board.
    Busy(Name),
    /// The owner of the board has switched challenges off.
    Refuses(Name),
    /// The pieces of the board stand as its last game has left them.
    NotSetUp(Name),
    /// The software of the board does not know these rules.
    Rules(Name, &'static str),
    /// A board cannot play with itself.
    Itself(Name),
    /// There is no open game with the code.
    NoGame(Code),
    /// The game with the code has no free seat.
    NoSeat(Code),
    /// The store failed.
    Store(StoreError),
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(error) => error.fmt(f),
            Self::Exists(name) => write!(f, "a board with the name {name} exists already"),
            Self::Unknown(name) => write!(f, "there is no board with the name {}", name.escape_debug()),
            Self::Offline(name) => write!(f, "the board {name} is not connected"),
            Self::Busy(name) => write!(f, "a game is in progress on the board {name}"),
            Self::Refuses(name) => write!(f, "the board {name} accepts no challenges"),
            Self::NotSetUp(name) => write!(f, "the pieces on the board {name} are not set up"),
            Self::Rules(name, rules) => {
                write!(f, "the board {name} cannot play by the rules {rules:?}: its software is too old")
            }
            Self::Itself(name) => write!(f, "the board {name} cannot play with itself"),
            Self::NoGame(code) => write!(f, "there is no board with the name {code}, and no open game with this code"),
            Self::NoSeat(code) => write!(f, "both seats of the game {code} are taken"),
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
    /// The registry of a store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store }
    }

    #[must_use]
    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// Pairs a new board.
    pub async fn add(&self, name: &str) -> Result<Paired, BoardError> {
        let name: Name = name.trim().parse()?;
        let added = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let board = Paired {
            name,
            key: Key::new(),
            next_key: None,
            code: crate::random::code(),
            added,
            invitation: None,
            challenges: ChallengePolicy::default(),
            replaces: None,
        };
        match self.write(&board, 0).await? {
            Some(_) => Ok(board),
            None => Err(BoardError::Exists(board.name)),
        }
    }

    /// A board by its name, and the version of its record.
    pub async fn read(&self, name: &str) -> Result<Option<(Paired, u64)>, StoreError> {
        let record = self.store.read(Collection::Boards, name).await?;
        record.map(|record| Ok((board_of(&record)?, record.version))).transpose()
    }

    /// All boards, by name.
    pub async fn list(&self) -> Result<Vec<Paired>, StoreError> {
        let records = self.store.list(Collection::Boards).await?;
        records.iter().map(|(_, record)| board_of(record)).collect()
    }

    /// Removes a board and its link session.
    pub async fn remove(&self, name: &str) -> Result<Paired, BoardError> {
        let unknown = || BoardError::Unknown(name.to_owned());
        let (board, _) = self.read(name).await?.ok_or_else(unknown)?;
        if !self.store.remove(Collection::Boards, name).await? {
            return Err(unknown());
        }
        self.store.remove(Collection::Sessions, &board.id().to_string()).await?;
        self.store.remove(Collection::BoardGames, board.code.as_str()).await?;
        Ok(board)
    }

    /// Gives a board another key. The old one stays valid until the board has used the new one. Returns the board as it uses the
    /// new key.
    pub async fn rekey(&self, name: &str) -> Result<Paired, BoardError> {
        let key = Key::new();
        loop {
            let (mut board, version) = self.read(name).await?.ok_or_else(|| BoardError::Unknown(name.to_owned()))?;
            board.next_key = Some(key.clone());
            if self.write(&board, version).await?.is_some() {
                return Ok(Paired { key, next_key: None, replaces: Some(board.id()), ..board });
            }
        }
    }

    /// Makes the next key of a board its only one, after the board has used it.
    pub(crate) async fn promote_key(&self, name: &Name, used: BoardId) -> Result<(), StoreError> {
        loop {
            let Some((board, version)) = self.read(name.as_str()).await? else { return Ok(()) };
            // Another relay may have done it.
            let Some(board) = board.under(used).filter(|board| board.replaces.is_some()) else { return Ok(()) };
            if self.write(&board, version).await?.is_some() {
                return Ok(());
            }
        }
    }

    /// Invites a board to a room. It enters as soon as it is free.
    pub async fn invite(&self, name: &Name, invitation: &Invitation) -> Result<(), BoardError> {
        // Only concurrent invitations can conflict, and the last of them wins.
        loop {
            let found = self.read(name.as_str()).await?;
            let (mut board, version) = found.ok_or_else(|| BoardError::Unknown(name.to_string()))?;
            board.invitation = Some(invitation.clone());
            if self.write(&board, version).await?.is_some() {
                return Ok(());
            }
        }
    }

    /// Gives a board another name. Key, code, session and games stay.
    pub(crate) async fn rename(&self, name: &str, new: &str) -> Result<Name, BoardError> {
        let new: Name = new.trim().parse()?;
        let (board, _) = self.read(name).await?.ok_or_else(|| BoardError::Unknown(name.to_owned()))?;
        if board.name == new {
            return Ok(new);
        }
        // The new record is written first: if the relay stops in between, the board has both names, and never none.
        if self.write(&Paired { name: new.clone(), ..board }, 0).await?.is_none() {
            return Err(BoardError::Exists(new));
        }
        self.store.remove(Collection::Boards, name).await?;
        Ok(new)
    }

    /// Sets who may challenge a board.
    pub(crate) async fn set_challenges(&self, name: &str, challenges: ChallengePolicy) -> Result<Name, BoardError> {
        loop {
            let (mut board, version) = self.read(name).await?.ok_or_else(|| BoardError::Unknown(name.to_owned()))?;
            board.challenges = challenges;
            if self.write(&board, version).await?.is_some() {
                return Ok(board.name);
            }
        }
    }

    /// A new random code.
    pub(crate) fn fresh_code() -> Code {
        crate::random::code()
    }

    pub(super) async fn write(&self, board: &Paired, version: u64) -> Result<Option<u64>, StoreError> {
        let bytes = serde_json::to_vec(board).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        self.store.write(Collection::Boards, board.name.as_str(), version, &bytes).await
    }
}

fn board_of(record: &Record) -> Result<Paired, StoreError> {
    serde_json::from_slice(&record.bytes).map_err(|error| StoreError::Corrupt(format!("record of a board: {error}")))
}
