//! What `tabiya boards` can ask for. The same words go through the control socket of a relay that runs, or straight to the
//! store.

use serde::{Deserialize, Serialize};
use wire::link::ClockRule;

use super::invitation::Invitation;
use super::registry::{BoardError, Registry};
use crate::relay::Relay;
use crate::room::{Code, Name, Wish};

/// What can be asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "boards", rename_all = "snake_case")]
pub(crate) enum Order {
    /// To pair a board.
    Add { name: String },
    /// Which boards there are.
    List,
    /// To forget a board.
    Remove { name: String },
    /// To seat a board in a room: that of another board, by its name, or any, by its code.
    Play {
        name: String,
        with: String,
        #[serde(default)]
        clock: Option<ClockRule>,
        #[serde(default)]
        wish: Wish,
    },
}

/// What comes of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    /// The board is paired. The key is told this once.
    Added { name: Name, id: String, key: String, code: Code },
    /// These boards there are.
    Boards(Vec<Listed>),
    /// The board is forgotten.
    Removed { name: Name, id: String },
    /// The board goes there; and another one as well, if one was named.
    Playing { code: Code, boards: Vec<Name> },
    /// It could not be done.
    Failed(String),
}

/// A board in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Listed {
    pub(crate) name: Name,
    pub(crate) id: String,
    pub(crate) code: Code,
    /// When it was paired, in seconds since 1970.
    pub(crate) added: u64,
    pub(crate) online: bool,
    pub(crate) free: bool,
    pub(crate) playing: bool,
}

impl Registry {
    /// Does what is asked for. A relay that runs knows more than the store does.
    pub(crate) async fn obey(&self, order: Order, relay: Option<&Relay>) -> Answer {
        self.try_to_obey(order, relay).await.unwrap_or_else(|error| Answer::Failed(error.to_string()))
    }

    async fn try_to_obey(&self, order: Order, relay: Option<&Relay>) -> Result<Answer, BoardError> {
        Ok(match order {
            Order::Add { name } => {
                let board = self.add(&name).await?;
                let (id, key) = (board.id().to_string(), board.key.hex());
                Answer::Added { name: board.name, id, key, code: board.code }
            }
            Order::List => {
                let mut boards = Vec::new();
                for board in self.list().await? {
                    let standing = self.standing(&board, relay).await?;
                    boards.push(Listed {
                        id: board.id().to_string(),
                        online: standing.is_online,
                        free: standing.is_online && standing.is_free,
                        playing: standing.is_playing,
                        name: board.name,
                        code: board.code,
                        added: board.added,
                    });
                }
                Answer::Boards(boards)
            }
            Order::Remove { name } => {
                let board = self.remove(&name).await?;
                Answer::Removed { id: board.id().to_string(), name: board.name }
            }
            Order::Play { name, with, clock, wish } => self.seat(&name, &with, clock, wish, relay).await?,
        })
    }

    async fn seat(
        &self,
        name: &str,
        partner: &str,
        clock: Option<ClockRule>,
        wish: Wish,
        relay: Option<&Relay>,
    ) -> Result<Answer, BoardError> {
        let board = self.ready(name, relay).await?;
        let opponent = match self.read(partner).await? {
            Some((found, _)) if found.name == board.name => return Err(BoardError::Itself(board.name)),
            Some(_) => Some(self.ready(partner, relay).await?),
            None => None,
        };
        // Two boards meet in a room of their own, where the clock is what was asked for, whatever there is at their codes.
        let code = match &opponent {
            Some(_) => Self::fresh_code(),
            None => partner.parse().map_err(|_| BoardError::Unknown(partner.to_owned()))?,
        };
        let invitation =
            |wish| Invitation { number: crate::dice::roll(), code: code.clone(), wish, clock, at: self.store().now() };
        self.invite(&board.name, &invitation(wish)).await?;
        let mut boards = vec![board.name];
        if let Some(opponent) = opponent {
            self.invite(&opponent.name, &invitation(opposite(wish))).await?;
            boards.push(opponent.name);
        }
        Ok(Answer::Playing { code, boards })
    }
}

/// What is left for the other one, whoever comes first.
const fn opposite(wish: Wish) -> Wish {
    match wish {
        Wish::White | Wish::First => Wish::Black,
        Wish::Black => Wish::White,
        Wish::Random => wish,
    }
}
