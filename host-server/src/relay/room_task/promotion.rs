//! A promotion whose piece is being chosen. It is not in the log, so participants who enter meanwhile receive it again.

use rules::Ply;

use super::RoomTask;
use crate::relay::update::{Transient, Update};
use crate::room::{Fact, Phase, Seated, UserId};

/// What was announced, and the number of plies before it.
pub(super) struct Choosing {
    id: UserId,
    ply: Ply,
    plies: usize,
}

impl RoomTask {
    /// Remembers a promotion that is announced, until it is played or lost. The room is the one after the update.
    pub(super) fn note_promotion(&mut self, update: &Update) {
        if let Update::Transient(Transient::Promoting { id, ply }) = update {
            let plies = self.room.game().len();
            self.choosing = Some(Box::new(Choosing { id: id.clone(), ply: *ply, plies }));
        } else if let (Some(choosing), Update::Entry(entry)) = (&self.choosing, update) {
            let is_pending = self.room.phase() == Phase::Playing && self.room.game().len() == choosing.plies;
            // The choice of a player who is disconnected is lost.
            let seat = self.room.seat_of(&choosing.id).and_then(|color| self.room.seat(color));
            let is_here = seat.is_some_and(Seated::is_here);
            match entry.fact {
                _ if !is_pending || !is_here => self.choosing = None,
                // The relay through which the participant has entered may not know.
                Fact::Connected { relay, .. } if relay != self.relay.id => {
                    self.publish(&Transient::Promoting { id: choosing.id.clone(), ply: choosing.ply });
                }
                _ => {}
            }
        }
    }

    /// Tells a participant who has just entered through this relay. Clients that know it already ignore it.
    pub(super) fn repeat_promotion(&mut self) {
        if let Some(choosing) = &self.choosing {
            let (id, ply) = (choosing.id.clone(), choosing.ply);
            self.broadcast(Update::Transient(Transient::Promoting { id, ply }));
        }
    }
}
