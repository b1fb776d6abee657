//! Where a board sits, and when it goes elsewhere.
//!
//! A board that is free sits in the room of its standing code, so that whoever knows the code can play with it. A board on
//! which somebody plays without anybody elsewhere sits nowhere. Setting up the pieces after a game is how one asks for
//! another one; moving one of them is how one leaves.

use chess::Color;

use super::super::place::Place;
use super::Agent;
use crate::room::{Phase, Room, RoomId};

/// A room of which the log is longer than this is left for a new one, when nobody is there. Lines come and go, and a board
/// can wait for months.
const LONG: u64 = 1_000;

/// What a board does about its seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Nothing.
    Stay,
    /// It would play again.
    PlayAgain,
    /// It goes.
    Leave,
    /// It follows its last invitation.
    Follow,
    /// It sits down where everybody can find it.
    SitDown,
}

impl Agent {
    /// What to do about the seat, in this room, if there is one, and with this invitation, if there is one.
    #[must_use]
    pub fn plan(&self, room: Option<&Room>, invitation: Option<u64>) -> Plan {
        if self.conversation.is_torn() || self.asked.is_some() || self.ahead {
            return Plan::Stay;
        }
        let is_invited = invitation.is_some_and(|invitation| invitation != self.invited);
        let (Some(room), Some(place)) = (room, &self.place) else {
            // Without a room there is a way to it yet, or there is none.
            return match (&self.place, self.mirror.is_free()) {
                (None, true) if is_invited => Plan::Follow,
                (None, true) => Plan::SitDown,
                _ => Plan::Stay,
            };
        };
        let Some(us) = room.seat_of(&place.user) else { return Plan::Stay };
        if room.phase() == Phase::Playing || self.is_behind(room, us) {
            return Plan::Stay;
        }
        let other = room.seat(!us);
        let is_worn = room.games() > 0 || room.version() > LONG;
        if !self.mirror.is_free() || is_invited || (other.is_none() && is_worn) {
            return Plan::Leave;
        }
        if self.asks_again(room, us) { Plan::PlayAgain } else { Plan::Stay }
    }

    /// Whether the pieces are set up, and the other has not heard of it, or waits for it.
    fn asks_again(&self, room: &Room, us: Color) -> bool {
        if room.phase() != Phase::Over || room.seat(!us).is_none() {
            return false;
        }
        match room.rematch() {
            Some(by) if by == us => false,
            // Pieces that have not been moved need not be set up.
            Some(_) => self.mirror.game.moves().is_empty(),
            // Nobody is asked twice.
            None => self.mirror.is_set_up() && self.again != Some(room.game_id()),
        }
    }

    /// The other has been asked for another game.
    pub fn asked_again(&mut self, room: &Room) {
        self.again = Some(room.game_id());
    }

    /// The board is about to sit down there.
    pub fn seek(&mut self, place: Place, invitation: Option<u64>) {
        self.place = Some(place);
        self.invited = invitation.unwrap_or(self.invited);
        self.shown = None;
        self.changed = true;
    }

    /// It has.
    pub fn sat_down(&mut self, room: RoomId) {
        if let Some(place) = &mut self.place
            && place.room != Some(room)
        {
            place.room = Some(room);
            self.changed = true;
        }
    }

    /// Where the board sits, or is about to.
    #[must_use]
    pub const fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// Which game the board has before it, if it is one with somebody elsewhere.
    #[must_use]
    pub const fn shared_game(&self) -> Option<u64> {
        if self.mirror.is_shared() { Some(self.mirror.card.game) } else { None }
    }
}
