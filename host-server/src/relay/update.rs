use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use rules::Ply;
use serde::{Deserialize, Serialize};
use wire::link::Occupancy;

use crate::room::ply_text;
use crate::room::{Entry, Fact, Name, Participant, Room, UserId};

/// An update that is broadcast to all participants of a room.
pub struct RoomUpdate {
    /// What happened.
    pub update: Update,
    /// The room after it.
    pub room: Arc<Room>,
    /// When this relay learned of it.
    pub since: Instant,
    derived: Mutex<Vec<Arc<dyn Any + Send + Sync>>>,
}

/// What happened in a room.
#[derive(Clone, Debug)]
pub enum Update {
    /// The log has a new entry.
    Entry(Arc<Entry>),
    /// Something that is not persisted.
    Transient(Transient),
}

/// An update that is not persisted. Relays send it to each other as JSON through the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transient {
    /// Spectators have entered or left.
    #[serde(rename = "watching")]
    Spectators {
        /// Those who have entered; empty if there are too many to name.
        #[serde(rename = "came")]
        entered: Vec<Spectator>,
        /// Those who have left; empty if there are too many to name.
        #[serde(rename = "went")]
        left: Vec<Spectator>,
        /// The number of spectators who are connected through the relay that sends this.
        count: usize,
    },
    /// The occupancy of a player's board.
    Occupancy {
        /// Whose board it is.
        id: UserId,
        /// Which squares are occupied.
        #[serde(with = "occupancy")]
        occupancy: Occupancy,
    },
    /// A player has moved a pawn to the last rank and is choosing the piece. The move is played when the choice is made.
    Promoting {
        /// Who is choosing.
        id: UserId,
        /// The ply, without the choice.
        #[serde(rename = "mv", with = "ply_text")]
        ply: Ply,
    },
}

/// A spectator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spectator {
    /// The public id.
    pub id: UserId,
    /// The display name.
    pub name: Name,
}

impl From<&Participant> for Spectator {
    fn from(participant: &Participant) -> Self {
        Self { id: participant.id.clone(), name: participant.name.clone() }
    }
}

impl RoomUpdate {
    pub(super) fn new(update: Update, room: Arc<Room>) -> Self {
        Self { update, room, since: Instant::now(), derived: Mutex::default() }
    }

    /// An update that no task of a room has made, for tests and the fuzzer.
    pub(crate) fn detached(update: Update, room: Arc<Room>) -> Self {
        Self::new(update, room)
    }

    /// Whether the update is a move.
    #[must_use]
    pub fn is_move(&self) -> bool {
        matches!(&self.update, Update::Entry(entry) if matches!(entry.fact, Fact::Moved { .. }))
    }

    /// A value of type `T` that is derived from this update, computed once for all receivers. A dialect caches its encoded
    /// frames here, in a type of its own.
    pub fn derive<T: Any + Send + Sync>(&self, compute: impl FnOnce() -> T) -> Arc<T> {
        let mut derived = self.derived.lock();
        if let Some(found) = derived.iter().find_map(|value| value.clone().downcast().ok()) {
            return found;
        }
        let value = Arc::new(compute());
        derived.push(value.clone());
        value
    }
}

impl fmt::Debug for RoomUpdate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RoomUpdate").field("update", &self.update).field("room", &self.room).finish_non_exhaustive()
    }
}

/// Serde form of an occupancy: three sets of squares.
mod occupancy {
    use chess::Bitboard;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use wire::link::Occupancy;

    pub(super) fn serialize<S: Serializer>(occupancy: &Occupancy, serializer: S) -> Result<S::Ok, S::Error> {
        [occupancy.occupied.0, occupancy.in_hand.0, occupancy.misplaced.0].serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Occupancy, D::Error> {
        let [occupied, in_hand, misplaced] = <[u64; 3]>::deserialize(deserializer)?.map(Bitboard);
        Ok(Occupancy { occupied, in_hand, misplaced })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::{RoomId, Terms, Time};

    #[test]
    fn a_derived_value_is_computed_once_for_each_type() {
        let fact = Fact::Opened { room: RoomId(1), code: "A".parse().unwrap(), terms: Terms::default(), on: 0 };
        let entry = Entry { at: Time(0), write_id: 1, from: None, fact };
        let room = Room::from_log(std::slice::from_ref(&entry)).unwrap();
        let update = RoomUpdate::new(Update::Entry(Arc::new(entry)), Arc::new(room));
        assert_eq!(*update.derive(|| 1_u8), 1);
        assert_eq!(*update.derive(|| 2_u16), 2);
        assert_eq!(*update.derive(|| 3_u8), 1);
    }
}
