//! Decides when a board takes a seat, leaves it, or offers a rematch.
//!
//! A free board waits in the room of its permanent code. A board with a local game has no seat. After a game, setting up the
//! pieces offers a rematch, and moving one of them leaves the room.

use chess::Color;
use rules::Verdict;

use super::super::board_seat::BoardSeat;
use super::RelaySession;
use crate::room::{Phase, Room, RoomId};

/// A waiting board replaces its room when the log has more entries than this: reconnections add entries, and a board can wait
/// for months.
const LONG: u64 = 1_000;

/// The next step of a board about its seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// No change.
    Stay,
    /// Offer or accept a rematch.
    PlayAgain,
    /// Give up the seat.
    Leave,
    /// Enter the room of the last invitation.
    Follow,
    /// Enter the room of the permanent code.
    SitDown,
}

impl RelaySession {
    /// Decides the next step, given the room and the number of the current invitation.
    #[must_use]
    pub fn plan(&self, room: Option<&Room>, invitation: Option<u64>) -> Plan {
        if self.session.is_half_loaded() || self.unanswered.is_some() || self.ahead {
            return Plan::Stay;
        }
        let is_invited = invitation.is_some_and(|invitation| invitation != self.invited);
        let (Some(room), Some(seat)) = (room, &self.seat) else {
            // A stored seat is about to be entered.
            return match (&self.seat, self.replica.is_free()) {
                (None, true) if is_invited => Plan::Follow,
                (None, true) => Plan::SitDown,
                _ => Plan::Stay,
            };
        };
        let Some(us) = room.seat_of(&seat.user) else { return Plan::Stay };
        if room.phase() == Phase::Playing || self.is_behind(room, us) {
            return Plan::Stay;
        }
        let other = room.seat(!us);
        let is_worn = room.games() > 0 || room.version() > LONG;
        if !self.replica.is_free() || is_invited || (other.is_none() && is_worn) {
            return Plan::Leave;
        }
        if self.asks_again(room, us) { Plan::PlayAgain } else { Plan::Stay }
    }

    /// Whether a set-up board offers or accepts a rematch.
    fn asks_again(&self, room: &Room, us: Color) -> bool {
        if room.phase() != Phase::Over || room.seat(!us).is_none() {
            return false;
        }
        match room.rematch() {
            Some(by) if by == us => false,
            // Without moves the pieces are still set up.
            Some(_) => self.replica.game.is_empty(),
            // One offer per game. After a game without moves the pieces are set up already, without a gesture of the player.
            None => {
                let was_played = !room.game().is_empty() && room.verdict() != Some(Verdict::Aborted);
                was_played && self.replica.is_set_up() && self.again != Some(room.game_id())
            }
        }
    }

    /// Notes that a rematch was offered.
    pub fn asked_again(&mut self, room: &Room) {
        self.again = Some(room.game_id());
    }

    /// Sets the seat to take. It must be stored before it is taken.
    pub fn seek(&mut self, seat: BoardSeat, invitation: Option<u64>) {
        self.seat = Some(seat);
        self.invited = invitation.unwrap_or(self.invited);
        self.shown = None;
        self.changed = true;
    }

    /// Notes that the seat was taken.
    pub fn sat_down(&mut self, room: RoomId) {
        if let Some(seat) = &mut self.seat
            && seat.room != Some(room)
        {
            seat.room = Some(room);
            self.changed = true;
        }
    }

    /// The seat of the board, or the one that it is about to take.
    #[must_use]
    pub const fn seat(&self) -> Option<&BoardSeat> {
        self.seat.as_ref()
    }

    /// The id of the game on the board, if it is shared with a remote opponent.
    #[must_use]
    pub const fn shared_game(&self) -> Option<u64> {
        if self.replica.is_shared() { Some(self.replica.info.game) } else { None }
    }
}
