use std::sync::{Arc, OnceLock};
use std::time::Instant;

use axum::extract::ws::Utf8Bytes;
use serde::{Deserialize, Serialize};
use wire::link::Wood;

use crate::room::{Entry, Fact, Name, Room, UserId};

/// Something that everybody in a room learns, and the room after it.
#[derive(Debug)]
pub struct Happening {
    /// What.
    pub news: News,
    /// The room after it.
    pub room: Arc<Room>,
    /// When this relay heard of it.
    pub since: Instant,
    /// How each tongue says it: found only once, however many listen.
    said: [OnceLock<Words>; 3],
}

/// Frames that are the same for all who listen in a tongue.
pub type Words = Arc<[Utf8Bytes]>;

/// A tongue that says the same to all who listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tongue {
    /// The JSON of `/ws/api`, as its document says.
    Chessata,
    /// The same with everything that was added.
    ChessataExtras,
    /// Socket.IO.
    SocketIo,
}

/// What can happen.
#[derive(Clone, Debug)]
pub enum News {
    /// The log has a new line.
    Entry(Arc<Entry>),
    /// Something that nobody needs to remember.
    Whisper(Whisper),
}

/// What nobody needs to remember.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Whisper {
    /// People have come to watch, or no longer do. Those who come in great numbers are only counted.
    Watching {
        /// Who has come.
        came: Vec<Watcher>,
        /// Who has gone.
        went: Vec<Watcher>,
        /// How many watch through the relay that says so.
        count: usize,
    },
    /// The wood of a player looks like this.
    Wood {
        /// Whose.
        id: UserId,
        /// How.
        #[serde(with = "wood")]
        wood: Wood,
    },
}

/// Somebody who watches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watcher {
    /// Who.
    pub id: UserId,
    /// What they are called.
    pub name: Name,
}

impl Happening {
    pub(super) fn new(news: News, room: Arc<Room>) -> Self {
        Self { news, room, since: Instant::now(), said: Default::default() }
    }

    /// Whether it is a move.
    #[must_use]
    pub fn is_move(&self) -> bool {
        matches!(&self.news, News::Entry(entry) if matches!(entry.fact, Fact::Moved { .. }))
    }

    /// How a tongue says this. It is asked once, and the answer is good for all who listen.
    pub fn said_in(&self, tongue: Tongue, say: impl FnOnce() -> Vec<Utf8Bytes>) -> Words {
        self.said[tongue as usize].get_or_init(|| say().into()).clone()
    }
}

/// Three sets of squares.
mod wood {
    use chess::Bitboard;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use wire::link::Wood;

    pub(super) fn serialize<S: Serializer>(wood: &Wood, serializer: S) -> Result<S::Ok, S::Error> {
        [wood.occupied.0, wood.in_hand.0, wood.astray.0].serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Wood, D::Error> {
        let [occupied, in_hand, astray] = <[u64; 3]>::deserialize(deserializer)?.map(Bitboard);
        Ok(Wood { occupied, in_hand, astray })
    }
}
