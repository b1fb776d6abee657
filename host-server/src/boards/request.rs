//! The requests of `tabiya boards`, executed by a running relay through its control socket, or on the store itself.

use rules::Start;
use serde::{Deserialize, Serialize};
use wire::link::ClockRule;

use super::invitation::Invitation;
use super::lobby::StoredSeat;
use super::paired::ChallengePolicy;
use super::registry::{BoardError, Registry};
use crate::relay::{Claim, EnterError, Relay};
use crate::room::{Act, Code, Name, Participant, Phase, SideChoice};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "boards", rename_all = "snake_case")]
pub(crate) enum BoardsRequest {
    /// Pairs a board.
    Add { name: String },
    /// Lists all boards.
    List,
    /// Gives a board another key.
    Rekey { name: String },
    /// Sets who may challenge a board.
    Challenges { name: String, challenges: ChallengePolicy },
    /// Removes a board.
    Remove { name: String },
    /// Invites a board to a room: that of another board, by its name, or any, by its code.
    Play {
        name: String,
        with: String,
        #[serde(default)]
        clock: Option<ClockRule>,
        #[serde(default)]
        side: SideChoice,
    },
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BoardsAnswer {
    /// The board is paired. The key is shown only once.
    Added {
        name: Name,
        id: String,
        key: String,
        code: Code,
        /// The port of the relay for boards, if a running relay has answered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        port: Option<u16>,
    },
    /// The board has another key, shown only once. The old one stays valid until the board has used it.
    Rekeyed { name: Name, id: String, key: String, code: Code },
    /// All boards.
    Boards(Vec<Listed>),
    /// Who may challenge the board is set.
    Challenges { name: Name, challenges: ChallengePolicy },
    /// The board is removed.
    Removed { name: Name, id: String },
    /// The boards that were invited, and the code of the room.
    Playing { code: Code, boards: Vec<Name> },
    /// The request failed.
    Failed(String),
}

/// A board in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "it is a row of a list, and JSON for scripts")]
pub(crate) struct Listed {
    pub(crate) name: Name,
    pub(crate) id: String,
    pub(crate) code: Code,
    /// When it was paired, in seconds since 1970.
    pub(crate) added: u64,
    pub(crate) online: bool,
    pub(crate) free: bool,
    pub(crate) playing: bool,
    /// The opponent in the game over the relay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) opponent: Option<Name>,
    /// Whether the board has another key that it has not used yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) rekeyed: bool,
}

impl Registry {
    /// Executes a request. Only a running relay knows which relays are alive.
    pub(crate) async fn execute(&self, request: BoardsRequest, relay: Option<&Relay>) -> BoardsAnswer {
        self.try_to_execute(request, relay).await.unwrap_or_else(|error| BoardsAnswer::Failed(error.to_string()))
    }

    async fn try_to_execute(&self, request: BoardsRequest, relay: Option<&Relay>) -> Result<BoardsAnswer, BoardError> {
        Ok(match request {
            BoardsRequest::Add { name } => {
                let board = self.add(&name).await?;
                let (id, key) = (board.id().to_string(), board.key.hex());
                BoardsAnswer::Added { name: board.name, id, key, code: board.code, port: None }
            }
            BoardsRequest::Rekey { name } => {
                let board = self.rekey(&name).await?;
                let (id, key) = (board.id().to_string(), board.key.hex());
                BoardsAnswer::Rekeyed { name: board.name, id, key, code: board.code }
            }
            BoardsRequest::List => {
                let mut boards = Vec::new();
                for board in self.list().await? {
                    let standing = self.standing(&board, relay).await?;
                    let opponent = match standing.seat.as_ref().filter(|_| standing.is_playing) {
                        Some(seat) => self.opponent(seat, relay).await?,
                        None => None,
                    };
                    boards.push(Listed {
                        opponent,
                        id: board.id().to_string(),
                        online: standing.is_online,
                        free: standing.is_online && standing.is_free,
                        playing: standing.is_playing,
                        rekeyed: board.next_key.is_some(),
                        name: board.name,
                        code: board.code,
                        added: board.added,
                    });
                }
                BoardsAnswer::Boards(boards)
            }
            BoardsRequest::Challenges { name, challenges } => {
                let name = self.set_challenges(&name, challenges).await?;
                BoardsAnswer::Challenges { name, challenges }
            }
            BoardsRequest::Remove { name } => {
                let standing = match self.read(&name).await? {
                    Some((board, _)) => Some(self.standing(&board, relay).await?),
                    None => None,
                };
                let board = self.remove(&name).await?;
                // A connected board leaves its game when its connection finds that it was removed.
                if let (Some(relay), Some(seat)) =
                    (relay, standing.filter(|one| !one.is_online).and_then(|one| one.seat))
                {
                    leave(relay, seat, &board.name).await;
                }
                BoardsAnswer::Removed { id: board.id().to_string(), name: board.name }
            }
            BoardsRequest::Play { name, with, clock, side } => self.seat(&name, &with, clock, side, relay).await?,
        })
    }

    /// Refuses a code without an open game, and a game without a free seat: a board would wait there for ever.
    pub(super) async fn check_free_seat(&self, code: &Code, relay: Option<&Relay>) -> Result<(), BoardError> {
        match self.room(code, relay).await? {
            Some(room) if room.open_seat().is_some() => Ok(()),
            Some(room) if room.phase() != Phase::Closed => Err(BoardError::NoSeat(code.clone())),
            _ => Err(BoardError::NoGame(code.clone())),
        }
    }

    async fn seat(
        &self,
        name: &str,
        partner: &str,
        clock: Option<ClockRule>,
        side: SideChoice,
        relay: Option<&Relay>,
    ) -> Result<BoardsAnswer, BoardError> {
        let board = self.ready(name, &Start::CHESS, relay).await?;
        let opponent = match self.read(partner).await? {
            Some((found, _)) if found.name == board.name => return Err(BoardError::Itself(board.name)),
            Some(_) => Some(self.ready(partner, &Start::CHESS, relay).await?),
            None => None,
        };
        // Two boards get a new room, so that the requested time control applies.
        let code = if opponent.is_some() {
            Self::fresh_code()
        } else {
            let code: Code = partner.parse().map_err(|_| BoardError::Unknown(partner.to_owned()))?;
            if code == board.code {
                return Err(BoardError::Itself(board.name));
            }
            self.check_free_seat(&code, relay).await?;
            code
        };
        let invitation = |side| Invitation {
            number: crate::random::roll(),
            code: code.clone(),
            side,
            clock,
            at: self.store().now(),
            challenger: None,
            accepted: None,
        };
        self.invite(&board.name, &invitation(side)).await?;
        let mut boards = vec![board.name];
        if let Some(opponent) = opponent {
            self.invite(&opponent.name, &invitation(opposite(side))).await?;
            boards.push(opponent.name);
        }
        Ok(BoardsAnswer::Playing { code, boards })
    }
}

/// Leaves the game of a board that will not come back, so that its opponent does not wait for it.
async fn leave(relay: &Relay, StoredSeat { code, user, token }: StoredSeat, name: &Name) {
    let board = Participant { id: user, name: name.clone() };
    let failed = match relay.enter(&code, board, Claim::Resume { token }, None).await {
        Ok(handle) => handle.act(Act::Leave).await.err().map(|error| error.to_string()),
        // It has no seat any more.
        Err(EnterError::NoRoom | EnterError::Closed | EnterError::WrongToken) => None,
        Err(error) => Some(error.to_string()),
    };
    if let Some(error) = failed {
        tracing::warn!(board = %name, %code, error, "removed board cannot leave its game, the opponent has to leave it");
    }
}

/// The side of the second board.
const fn opposite(side: SideChoice) -> SideChoice {
    match side {
        SideChoice::White | SideChoice::First => SideChoice::Black,
        SideChoice::Black => SideChoice::White,
        SideChoice::Random => side,
    }
}
