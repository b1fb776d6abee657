//! What a player asks of a remote opponent by hand: a takeback, a draw, or the end of the game.

use board::Instant;
use chess::Color;
use wire::link::Event;

use super::super::tally::{FaultClass, Kind};
use super::{GivenUp, SimulatedGame};

/// What the board has sent beside moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Takeback(u8),
    Resigned(Color),
    Draw,
}

impl SimulatedGame {
    /// Undoes the opponent's last move by hand, which asks for a takeback of two plies. The opponent accepts or declines.
    pub(super) fn ask_for_takeback(&mut self) -> Result<(), GivenUp> {
        let (Some(before), Some(&last)) = (self.meant.before_last(), self.meant.moves().last()) else { return Ok(()) };
        self.open_burst();
        self.exchange = None;
        self.compares = false;
        self.requested = None;
        self.tally.takebacks += 1;
        let after = *self.meant.position();
        self.undo(&before, last);
        let is_read = self.wait_until(3000, |session| session.requested.is_some());
        self.compares = true;
        if self.requested.take() != Some(Request::Takeback(2)) {
            let unseen = before.occupied() != self.debounce.occupied();
            let (class, kind) = match (is_read, unseen) {
                (true, _) => (FaultClass::TakeBack, Kind::Misread),
                (false, true) => (FaultClass::OutOfReach, Kind::Unreadable),
                (false, false) => (FaultClass::TakeBack, Kind::Unread),
            };
            self.fault(class, kind, &format!("takeback of {last} requested"), 1);
            self.arrange(&after);
            return self.finish();
        }
        let accepted = self.random.happens(500);
        self.rest(500);
        self.receive(Event::TakebackAnswered { accepted });
        if accepted {
            self.meant.take_back();
            let (Some(before), Some(&own)) = (self.meant.before_last(), self.meant.moves().last()) else {
                return Ok(());
            };
            self.meant.take_back();
            self.open_burst();
            self.undo(&before, own);
        } else {
            self.open_burst();
            self.arrange(&after);
        }
        self.finish()
    }

    /// Ends a remote game, sometimes with the kings in the centre, and sets the pieces up again.
    pub(super) fn end_remote(&mut self, us: Color) -> Result<(), GivenUp> {
        self.compares = false;
        self.open_burst();
        self.requested = None;
        self.reply_at = None;
        // The last move has been let go of for long.
        self.table.skip(3500);
        if self.surface.play().verdict().is_none() {
            let shown = if self.random.happens(500) { self.place_kings() } else { None };
            if let Some((winner, targets)) = shown {
                self.wait_until(3000, |session| session.requested.is_some());
                let wanted = match winner {
                    Some(winner) if winner == us => None,
                    Some(_) => Some(Request::Resigned(us)),
                    None => Some(Request::Draw),
                };
                if self.requested != wanted {
                    let unseen = targets.without(self.table.closed()).any();
                    let class = if unseen { FaultClass::OutOfReach } else { FaultClass::Kings };
                    let kind = match self.requested {
                        Some(_) => Kind::Misread,
                        None if unseen => Kind::Unreadable,
                        None => Kind::Unread,
                    };
                    self.fault(class, kind, &format!("kings for {winner:?}: {:?}", self.requested), 1);
                    return Err(GivenUp);
                }
                if wanted == Some(Request::Draw) && self.surface.play().verdict().is_none() {
                    self.receive(Event::DrawAnswered { accepted: true });
                }
            }
        }
        if self.surface.play().verdict().is_none() {
            self.receive(Event::Resigned { color: !us });
        }
        self.set_up()
    }

    fn receive(&mut self, event: Event) {
        for effect in self.surface.apply(event, Instant::at(self.table.now())) {
            self.notice(effect);
        }
    }
}
