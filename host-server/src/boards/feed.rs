//! The current state of the boards that are connected to this relay, for clients that follow a board and not a room.

use std::collections::BTreeMap;
use std::sync::Arc;

use chess::{Bitboard, Move, Position};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use wire::link::BoardId;

use crate::room::Name;

/// A number that identifies a board, as digits: the serial number in the protocols of other boards.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Serial(String);

impl Serial {
    /// The serial number of a board.
    #[must_use]
    pub fn of(id: BoardId) -> Self {
        let digits: u64 = id.to_string().bytes().fold(0, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
        Self(format!("{:010}", digits % 10_000_000_000))
    }

    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a board shows at this moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "BoardViewRepr", into = "BoardViewRepr")]
pub struct BoardView {
    /// The name of the board.
    pub name: Name,
    /// Its serial number.
    pub serial: Serial,
    /// Whether it is connected.
    pub is_online: bool,
    /// The start of its game.
    pub start: Position,
    /// The moves of its game.
    pub moves: Vec<Move>,
    /// The position after them.
    pub position: Position,
    /// The occupied squares.
    pub occupied: Bitboard,
    /// Whether no piece is in a hand or misplaced.
    pub is_settled: bool,
    /// Whether the newest move came from an opponent elsewhere, so that no hand at this board can correct it.
    pub is_newest_remote: bool,
}

impl BoardView {
    /// Whether the pieces on the board are certainly those of the game's position.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.is_online && self.is_settled && self.occupied == self.position.occupied()
    }
}

/// The JSON form of a view.
#[derive(Serialize, Deserialize)]
struct BoardViewRepr {
    name: Name,
    serial: Serial,
    online: bool,
    /// FEN.
    start: String,
    /// UCI, separated by spaces.
    moves: String,
    /// Hexadecimal, because many readers have only 53 bits for a number.
    occupied: String,
    settled: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    remote: bool,
}

impl From<BoardView> for BoardViewRepr {
    fn from(view: BoardView) -> Self {
        let moves: Vec<_> = view.moves.iter().map(ToString::to_string).collect();
        Self {
            name: view.name,
            serial: view.serial,
            online: view.is_online,
            start: view.start.fen().to_string(),
            moves: moves.join(" "),
            occupied: format!("{:016x}", view.occupied.0),
            settled: view.is_settled,
            remote: view.is_newest_remote,
        }
    }
}

/// A text that is no position, and moves from the first illegal one on, are left out: the view is then not exact.
impl From<BoardViewRepr> for BoardView {
    fn from(repr: BoardViewRepr) -> Self {
        let start = repr.start.parse().unwrap_or(Position::start());
        let mut position = start;
        let mut moves = Vec::new();
        for mv in repr.moves.split_ascii_whitespace().map_while(|mv| mv.parse::<Move>().ok()) {
            let Ok(after) = position.play(mv) else { break };
            moves.push(mv);
            position = after;
        }
        let occupied = u64::from_str_radix(&repr.occupied, 16).map_or(Bitboard::EMPTY, Bitboard);
        Self {
            name: repr.name,
            serial: repr.serial,
            is_online: repr.online,
            start,
            moves,
            position,
            occupied,
            is_settled: repr.settled,
            is_newest_remote: repr.remote,
        }
    }
}

/// All views, by serial number.
pub type BoardViews = Arc<BTreeMap<Serial, BoardView>>;

/// Publishes the views of boards to their followers.
#[derive(Clone, Debug)]
pub struct BoardFeed {
    views: watch::Sender<BoardViews>,
}

impl Default for BoardFeed {
    fn default() -> Self {
        Self { views: watch::Sender::new(BoardViews::default()) }
    }
}

impl BoardFeed {
    /// Publishes a view, if it has changed.
    pub fn publish(&self, view: BoardView) {
        self.views.send_if_modified(|views| {
            let is_new = views.get(&view.serial) != Some(&view);
            if is_new {
                Arc::make_mut(views).insert(view.serial.clone(), view);
            }
            is_new
        });
    }

    /// Marks a board as disconnected, or as one that plays other rules than chess. Its last game of chess stays.
    pub fn disconnected(&self, serial: &Serial) {
        self.views.send_if_modified(|views| {
            let is_new = views.get(serial).is_some_and(|view| view.is_online);
            if is_new && let Some(view) = Arc::make_mut(views).get_mut(serial) {
                view.is_online = false;
            }
            is_new
        });
    }

    /// The views, now and after each change.
    #[must_use]
    pub fn subscribe(&self) -> watch::Receiver<BoardViews> {
        self.views.subscribe()
    }
}
