//! The registry of paired boards.
//!
//! Adding a board gives it a pairing key, which is entered on the board, and a permanent code, by which opponents join its
//! room. The link sessions with boards are stored separately, by their dialect; this module reads only their [`Status`], seat and
//! [`FollowedGame`].
//!
//! - `registry.rs`: the boards in the store; `index.rs`: finds a board by its link id; `paired.rs`: the stored record.
//! - `status.rs`: whether a board is connected and free; `lobby.rs`: the public lists of boards.
//! - `followed_game.rs`: the room that follows a game of two people at a board.
//! - `reservation.rs`: codes under which only a board, or no client, may open a room.
//! - `feed.rs`: the current state of connected boards, for their followers.
//! - `console.rs`: passes console lines of the owner to connected boards.
//! - `games.rs`: the list of the games of each board.
//! - `invitation.rs`: asks a board to play in a room.
//! - `order.rs`: the requests of `tabiya boards`, to a running relay or to the store itself.

mod console;
mod feed;
mod followed_game;
mod games;
mod index;
mod invitation;
mod lobby;
mod paired;
mod registry;
mod request;
mod reservation;
mod status;

pub(crate) use console::{BoardConsole, ConsoleEndpoint, ConsoleError, ConsoleRequest, Consoles, LiveBoard};
pub use feed::{BoardFeed, BoardView, BoardViews, Serial};
pub use followed_game::FollowedGame;
pub(crate) use games::ListedGame;
pub(crate) use index::Index;
pub use invitation::Invitation;
pub(crate) use invitation::{ChallengeStatus, GRACE_WITH_BOARD, terms};
#[cfg(test)]
pub(crate) use lobby::StoredSeat;
pub(crate) use lobby::{Lobby, Standing};
pub use paired::{ChallengePolicy, Paired};
pub use registry::{BoardError, Registry};
pub(crate) use request::{BoardsAnswer, BoardsRequest, Listed};
pub(crate) use reservation::BoardAway;
pub use status::Status;
