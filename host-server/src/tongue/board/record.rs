use board::session::Memory;
use serde::{Deserialize, Serialize};
use wire::link::{Said, Seen};

use super::form;
use super::mirror::{Mirror, MirrorForm};
use super::place::Place;
use crate::room::RelayId;

/// All that a relay must not forget about a board, in one piece: it is written before anything of it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    stream: u64,
    acknowledged: u32,
    floor: u32,
    said: u32,
    renewed: u32,
    seen_stream: u64,
    seen_last: u32,
    #[serde(default, with = "form::said")]
    pending: Vec<Said>,
    mirror: MirrorForm,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    /// The last invitation that was followed.
    #[serde(default)]
    invited: u64,
    /// Through which relay the board is connected, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    relay: Option<RelayId>,
}

/// The same, as it is used.
pub(super) struct Remembered {
    pub(super) memory: Memory,
    pub(super) pending: Vec<Said>,
    pub(super) mirror: Mirror,
    pub(super) place: Option<Place>,
    pub(super) invited: u64,
}

impl Record {
    pub(super) fn new(
        memory: &Memory,
        pending: Vec<Said>,
        mirror: &Mirror,
        place: Option<&Place>,
        invited: u64,
    ) -> Self {
        let &Memory { stream, acknowledged, floor, said, renewed, seen } = memory;
        Self {
            stream,
            acknowledged,
            floor,
            said,
            renewed,
            seen_stream: seen.stream,
            seen_last: seen.last,
            pending,
            mirror: mirror.into(),
            place: place.cloned(),
            invited,
            relay: None,
        }
    }

    /// The board is connected through this relay.
    #[must_use]
    pub(crate) const fn through(mut self, relay: Option<RelayId>) -> Self {
        self.relay = relay;
        self
    }

    /// Through which relay the board is connected, if it is and that relay is alive.
    pub(crate) const fn relay(&self) -> Option<RelayId> {
        self.relay
    }

    /// Whether somebody who comes can have a game, and whether a game with somebody elsewhere is going on.
    pub(crate) fn engagement(&self) -> Option<(bool, bool)> {
        let mirror = self.mirror.clone().read()?;
        Some((mirror.is_free(), mirror.is_shared() && mirror.outcome.is_none()))
    }

    pub(super) fn memory(&self) -> Memory {
        let Self { stream, acknowledged, floor, said, renewed, seen_stream, seen_last, .. } = *self;
        Memory { stream, acknowledged, floor, said, renewed, seen: Seen { stream: seen_stream, last: seen_last } }
    }

    /// What can be made of it; nothing, if it makes no sense.
    pub(super) fn read(self) -> Option<Remembered> {
        let memory = self.memory();
        let Self { pending, mirror, place, invited, .. } = self;
        Some(Remembered { memory, pending, mirror: mirror.read()?, place, invited })
    }
}
