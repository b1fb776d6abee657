//! What the board makes of it all: read, asked, or left lying.

use board::{Looking, Reading, Stance};
use chess::{Move, Promotion, Square};

use super::deed::{Deed, Meant};
use super::{Manner, Sitting, Stuck, before};
use crate::hand::gesture;
use crate::hand::reeds::{self, Magnet, Touch};
use crate::hand::table;
use crate::hand::tally::{Fault, Pace};

/// A move that is complete must be read within so many milliseconds.
const PATIENCE: u64 = 2000;

impl Sitting {
    /// Waits until the board has read everything, and answers its questions.
    pub(super) fn finish(&mut self) -> Result<(), Stuck> {
        while !(self.unread.is_empty() && self.table.is_quiet()) {
            self.tick()?;
            if let Some(deed) = self.unread.first_mut()
                && matches!(self.table.stance(), Stance::Asking(_))
            {
                deed.pace = Pace::Asked;
            }
            if self.table.is_quiet() && !self.unread.is_empty() {
                self.look_at_the_lights()?;
            }
        }
        Ok(())
    }

    /// A millisecond passes.
    pub(super) fn tick(&mut self) -> Result<(), Stuck> {
        self.table.tick(&mut self.chance).map_or(Ok(()), |reading| self.take(reading))
    }

    /// What was read must be what was meant.
    fn take(&mut self, reading: Reading) -> Result<(), Stuck> {
        for meant in Meant::by(reading) {
            let deed = (!self.unread.is_empty()).then(|| self.unread.remove(0));
            let Some(deed) = deed.as_ref().filter(|deed| deed.meant == meant) else {
                self.tally.misread += 1;
                let what = match deed {
                    Some(deed) => format!("{deed} was read as {reading:?}"),
                    None => format!("{reading:?} was read, and nothing was done"),
                };
                return Err(self.stuck(what));
            };
            // Where both hands are at it, or the board has asked, what counts is how long nobody has touched anything.
            let last_touch = match deed.pace {
                Pace::Asked | Pace::Answered => self.table.touched_at(),
                _ => deed.last_touch,
            };
            // What was read before the hand was done had to wait for nothing.
            if let Some(delay) = self.table.now().checked_sub(last_touch) {
                self.tally.delays.entry((deed.pace, self.magnets)).or_default().add(delay);
                if delay > deed.pace.limit(self.magnets) {
                    self.note(format!("{deed} was read after {delay} ms"));
                }
            }
            self.apply(meant);
        }
        Ok(())
    }

    fn apply(&mut self, meant: Meant) {
        match meant {
            Meant::Move(mv) => self.read.play(mv).expect("what was meant is legal"),
            Meant::Correction(mv) => {
                self.read.take_back();
                self.read.play(mv).expect("what was meant is legal");
            }
            Meant::TakeBack => _ = self.read.take_back(),
            Meant::Kings(_) | Meant::Start => {}
        }
        self.settle(None);
    }

    /// Tells the board where the game stands, and which move was made elsewhere, if one was.
    pub(super) fn settle(&mut self, shown: Option<Move>) {
        let position = *self.read.position();
        let looking = match (self.manner, shown) {
            _ if self.read.outcome().is_some() => Looking::ForNothing,
            (Manner::Shared, _) => Looking::ForMoves,
            (Manner::Alone(_), Some(mv)) => Looking::ForThis(mv),
            (Manner::Alone(color), None) if color == position.turn() => Looking::ForOwnMove,
            (Manner::Alone(_), None) => Looking::ForNothing,
        };
        let before = before(&self.read).filter(|_| shown.is_none());
        self.table.settle(&position, before, looking);
    }

    /// The board has not read something yet: it has a question, or has not noticed anything, or fails.
    fn look_at_the_lights(&mut self) -> Result<(), Stuck> {
        let rested = self.table.now() - self.table.last_touch();
        let stance = self.table.stance();
        if let Stance::Choosing { to } = stance
            && self.asked < 3
            // Nobody looks up sooner, and what was touched last may not be read yet.
            && rested > 150
            && let Some(promotion) = self.awaited(to)
        {
            self.asked += 1;
            let seen = (self.table.occupied(), self.weak);
            let (touches, habit) = gesture::choose(to, promotion, seen, self.table.now(), &mut self.chance);
            self.count(habit.as_slice());
            self.answer(&touches);
            return Ok(());
        }
        let capture = self.unread.iter().find_map(|deed| match deed.meant {
            Meant::Move(mv) | Meant::Correction(mv) if deed.takes => Some(mv),
            _ => None,
        });
        if let Some(mv) = capture
            && rested > 500
            && self.asked < 3
        {
            let unseen = match stance {
                // A piece that pushed another off without a gap is still in the air, as far as the board can tell.
                Stance::InHand { missing } => missing == mv.from().into(),
                Stance::HalfDone { fill, clear } => (fill | clear).is_empty(),
                _ => false,
            };
            if unseen || matches!(stance, Stance::Asking(_)) {
                self.asked += 1;
                *if unseen { &mut self.tally.unseen } else { &mut self.tally.asked } += 1;
                let magnet = if self.weak == Some(mv.to()) { Magnet::Weak } else { Magnet::Sound };
                let touches = gesture::touch_again(mv.to(), magnet, self.table.now(), &mut self.chance);
                self.answer(&touches);
                self.unread[0].pace = Pace::Asked;
                return Ok(());
            }
        }
        if rested > PATIENCE {
            self.tally.unread += 1;
            let deeds: Vec<String> = self.unread.iter().map(Deed::to_string).collect();
            let what = format!("{} was not read: {}", deeds.join(", then "), table::in_words(stance));
            return Err(self.stuck(what));
        }
        Ok(())
    }

    /// What the pawn on this square is meant to become.
    fn awaited(&self, to: Square) -> Option<Promotion> {
        self.unread.iter().find_map(|deed| match deed.meant {
            Meant::Move(mv) if mv.to() == to => mv.promotion(),
            _ => None,
        })
    }

    fn answer(&mut self, touches: &[Touch]) {
        self.weak = reeds::weak_after(self.weak, touches);
        self.table.expect(touches);
        let last_touch = self.table.last_touch();
        for deed in &mut self.unread {
            deed.last_touch = last_touch;
        }
    }

    fn stuck(&mut self, what: String) -> Stuck {
        self.note(what);
        Stuck
    }

    /// Keeps what is needed to see a fault again.
    fn note(&mut self, what: String) {
        let moves: Vec<String> = self.read.moves().iter().map(Move::to_string).collect();
        let (game, log) = (self.number, self.table.log());
        self.tally.faults.push(Fault { game, what, moves: moves.join(" "), log });
    }
}
