use std::mem;
use std::time::Duration;

use tokio::time::Instant;

use super::super::happening::{Watcher, Whisper};
use super::super::visitor::Visitor;
use super::Host;

/// For so long those who come and go are gathered before the others are told.
const GATHER: Duration = Duration::from_millis(30);

/// The same in a crowd. Everybody there is told of everybody, so a few who come and go all the time would keep a relay busy
/// with nothing else.
const GATHER_IN_CROWD: Duration = Duration::from_secs(1);

/// Only so many watchers are told of by name. Where there are more, nobody could read it.
const NAMED_WATCHERS: usize = 64;

/// Those who have come and gone, and have not been told of yet.
#[derive(Default)]
pub(super) struct Gathering {
    came: Vec<Watcher>,
    went: Vec<Watcher>,
    /// When to tell the others about them.
    pub(super) tell_at: Option<Instant>,
}

impl Host {
    /// Somebody who only watches has come or gone.
    pub(super) fn gather(&mut self, visitor: &Visitor, came: bool) {
        if !came && let Some(place) = self.gathering.came.iter().position(|watcher| watcher.id == visitor.id) {
            // Nobody has heard of them yet, so nobody need hear that they have gone. A player who leaves and goes is such a one.
            self.gathering.came.remove(place);
            if self.gathering.came.is_empty() && self.gathering.went.is_empty() {
                self.gathering.tell_at = None;
            }
            return;
        }
        let watcher = Watcher { id: visitor.id.clone(), name: visitor.name.clone() };
        let gathered = if came { &mut self.gathering.came } else { &mut self.gathering.went };
        if gathered.len() < NAMED_WATCHERS {
            gathered.push(watcher);
        }
        let gather = if self.present.len() > NAMED_WATCHERS { GATHER_IN_CROWD } else { GATHER };
        self.gathering.tell_at.get_or_insert_with(|| Instant::now() + gather);
    }

    pub(super) fn tell_of_watchers(&mut self) {
        let Gathering { mut came, mut went, .. } = mem::take(&mut self.gathering);
        let count = self.present.values().filter(|visitor| self.room.seat_of(&visitor.id).is_none()).count();
        if count > NAMED_WATCHERS {
            came.clear();
            went.clear();
        }
        self.watching = count;
        self.whisper(Whisper::Watching { came, went, count });
    }
}
