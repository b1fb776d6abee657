//! Announces spectators who enter and leave, batched.

use std::mem;
use std::time::Duration;

use tokio::time::Instant;

use super::super::update::{Spectator, Transient};
use super::RoomTask;
use crate::room::Participant;

/// How long arrivals and departures are batched before they are announced.
const BATCH_FOR: Duration = Duration::from_millis(30);

/// The same with many participants: each announcement goes to all of them, so a few who enter and leave all the time would
/// keep a relay busy.
const BATCH_FOR_CROWD: Duration = Duration::from_secs(1);

/// With more spectators than this, only their number is announced.
const NAMED_SPECTATORS: usize = 64;

/// Arrivals and departures that have not been announced yet.
#[derive(Default)]
pub(super) struct Announcement {
    entered: Vec<Spectator>,
    left: Vec<Spectator>,
    /// When to announce them.
    pub(super) at: Option<Instant>,
}

impl RoomTask {
    pub(super) fn spectator_entered(&mut self, participant: &Participant) {
        let spectator = Spectator::from(participant);
        push_bounded(&mut self.announcement.entered, spectator);
        self.schedule_announcement();
    }

    pub(super) fn spectator_left(&mut self, participant: &Participant) {
        let entered = &mut self.announcement.entered;
        if let Some(place) = entered.iter().position(|spectator| spectator.id == participant.id) {
            // The arrival has not been announced, so neither is needed.
            entered.remove(place);
            if self.announcement.entered.is_empty() && self.announcement.left.is_empty() {
                self.announcement.at = None;
            }
            return;
        }
        push_bounded(&mut self.announcement.left, Spectator::from(participant));
        self.schedule_announcement();
    }

    fn schedule_announcement(&mut self) {
        let delay = if self.present.len() > NAMED_SPECTATORS { BATCH_FOR_CROWD } else { BATCH_FOR };
        self.announcement.at.get_or_insert_with(|| Instant::now() + delay);
    }

    pub(super) fn announce_spectators(&mut self) {
        let Announcement { mut entered, mut left, .. } = mem::take(&mut self.announcement);
        let count = self.present.all().filter(|participant| self.room.seat_of(&participant.id).is_none()).count();
        if count > NAMED_SPECTATORS {
            entered.clear();
            left.clear();
        }
        self.spectators = count;
        self.broadcast_transient(Transient::Spectators { entered, left, count });
    }
}

fn push_bounded(spectators: &mut Vec<Spectator>, spectator: Spectator) {
    if spectators.len() < NAMED_SPECTATORS {
        spectators.push(spectator);
    }
}
