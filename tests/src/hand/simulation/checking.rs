//! Checks the readings of the board, and answers its questions.

use board::{Looking, Reading, Stance};
use chess::{Bitboard, Move, Promotion, Square};
use rules::Ply;

use super::action::{Intent, PendingAction};
use super::{HandSimulation, PlayersAtBoard, Stuck, before};
use crate::hand::counters::{CHOICE_REST, DelayClass, HandFault};
use crate::hand::gesture;
use crate::hand::reeds::{self, Magnet, ReedEvent};
use crate::hand::scanned_board;

/// Time within which a complete move must be read, in milliseconds.
const TIMEOUT: u64 = 2000;

impl HandSimulation {
    /// Waits until the board has read everything, and answers its questions.
    pub(super) fn finish(&mut self) -> Result<(), Stuck> {
        while !(self.unread.is_empty() && self.board.is_quiet()) {
            self.tick()?;
            if let Some(action) = self.unread.first_mut()
                && matches!(self.board.stance(), Stance::Asking(_))
                && action.delay_class != DelayClass::Chosen
            {
                action.delay_class = DelayClass::Asked;
            }
            if self.board.is_quiet() && !self.unread.is_empty() {
                self.look_at_the_lights()?;
            }
        }
        Ok(())
    }

    /// Advances the time by a millisecond.
    pub(super) fn tick(&mut self) -> Result<(), Stuck> {
        self.board.tick(&mut self.random).map_or(Ok(()), |reading| self.take(reading))
    }

    /// Compares a reading with the next intended action.
    fn take(&mut self, reading: Reading) -> Result<(), Stuck> {
        let meant = Intent::by(reading);
        let ends = self.ends_with(&meant);
        for meant in meant {
            let action = (!self.unread.is_empty()).then(|| self.unread.remove(0));
            let Some(action) = action.as_ref().filter(|action| action.meant == meant) else {
                self.counters.misread += 1;
                self.classify(action.as_ref());
                let what = match action {
                    Some(action) => format!("{action} was read as {reading:?}"),
                    None => format!("{reading:?} was read, and nothing was done"),
                };
                return Err(self.stuck(what));
            };
            // Where both hands are at it, or the board has asked, what counts is the time since the last touch.
            let last_touch = match action.delay_class {
                DelayClass::Asked | DelayClass::Answered => self.board.touched_at(),
                _ => action.last_touch,
            };
            // What was read before the hand was done had to wait for nothing.
            if let Some(delay) = self.board.now().checked_sub(last_touch) {
                let class = if ends && action.delay_class != DelayClass::Chosen {
                    DelayClass::Ends
                } else {
                    action.delay_class
                };
                self.counters.delays.entry((class, self.magnets)).or_default().add(delay);
                if delay > class.limit_ms(self.magnets) {
                    self.note(format!("{action} was read after {delay} ms"));
                }
            }
            self.apply(meant);
        }
        Ok(())
    }

    /// Whether these moves end the game by mate or stalemate.
    fn ends_with(&self, meant: &[Intent]) -> bool {
        let mut position = *self.read.position();
        for intent in meant {
            if let Intent::Correction(_) = intent {
                position = before(&self.read).map_or(position, |(earlier, _)| earlier);
            }
            let (Intent::Move(mv) | Intent::Correction(mv)) = *intent else { return false };
            let Ok(next) = position.play(mv) else { return false };
            position = next;
        }
        !meant.is_empty() && position.legal_moves().is_empty()
    }

    fn apply(&mut self, meant: Intent) {
        match meant {
            Intent::Move(mv) => self.read.play(mv).expect("what was meant is legal"),
            Intent::Correction(mv) => {
                self.read.take_back();
                self.read.play(mv).expect("what was meant is legal");
            }
            Intent::TakeBack => _ = self.read.take_back(),
            Intent::Kings(_) | Intent::Start => {}
        }
        self.settle(None);
    }

    /// Sets the position of the board, and a remote move to repeat.
    pub(super) fn settle(&mut self, shown: Option<Move>) {
        let position = *self.read.position();
        let looking = match (self.at_board, shown) {
            _ if self.read.outcome().is_some() => Looking::ForNothing,
            (PlayersAtBoard::Shared, _) => Looking::ForMoves,
            (PlayersAtBoard::Alone(_), Some(mv)) => Looking::ForThis(Ply::of_move(mv)),
            (PlayersAtBoard::Alone(color), None) if color == position.turn() => Looking::ForOwnMove,
            (PlayersAtBoard::Alone(_), None) => Looking::ForNothing,
        };
        let before = before(&self.read).filter(|_| shown.is_none());
        self.board.settle(&position, before, looking);
    }

    /// Reacts to an unread action: answers a question, touches a piece again, or records a fault.
    fn look_at_the_lights(&mut self) -> Result<(), Stuck> {
        let rested = self.board.now() - self.board.last_touch();
        let stance = self.board.stance();
        if let Stance::Choosing { to } = stance
            && self.asked < 3
            // A player does not look up sooner, and what was touched last may not be read yet. A choice that was made is not made again because a
            // magnet flickers meanwhile.
            && rested > if self.has_chosen(to) { 500 + CHOICE_REST } else { 150 }
            && let Some(promotion) = self.awaited(to)
        {
            self.asked += 1;
            // Eyes see a piece also while its magnet has released the switch.
            let seen = (self.board.occupied() | self.weak.map_or(Bitboard::EMPTY, Bitboard::of), self.weak);
            let (touches, behaviour) = gesture::choose(to, promotion, seen, self.board.now(), &mut self.random);
            self.count(behaviour.as_slice());
            self.answer(&touches);
            // A move before it that is not read yet waits as well.
            if self.unread.iter().any(|action| action.promotes_on(to)) {
                for action in &mut self.unread {
                    action.delay_class = DelayClass::Chosen;
                }
            }
            return Ok(());
        }
        let capture = self.unread.iter().find_map(|action| match action.meant {
            Intent::Move(mv) | Intent::Correction(mv) if action.takes => Some(mv),
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
                *if unseen { &mut self.counters.touched_again } else { &mut self.counters.questions } += 1;
                let magnet = if self.weak == Some(mv.to()) { Magnet::Weak } else { Magnet::Strong };
                let touches = gesture::touch_again(mv.to(), magnet, self.board.now(), &mut self.random);
                self.answer(&touches);
                self.unread[0].delay_class = DelayClass::Asked;
                return Ok(());
            }
        }
        // What rests for long is given as long.
        let limit = self.unread.iter().map(|action| action.delay_class.limit_ms(self.magnets)).max().unwrap_or(0);
        if rested > TIMEOUT + limit {
            self.counters.unread += 1;
            let first = self.unread.first().cloned();
            self.classify(first.as_ref());
            let actions: Vec<String> = self.unread.iter().map(PendingAction::to_string).collect();
            let what = format!("{} was not read: {}", actions.join(", then "), scanned_board::in_words(stance));
            return Err(self.stuck(what));
        }
        Ok(())
    }

    /// The intended promotion on this square.
    fn awaited(&self, to: Square) -> Option<Promotion> {
        self.unread.iter().find_map(|action| match action.meant {
            Intent::Move(mv) if mv.to() == to => mv.promotion(),
            _ => None,
        })
    }

    fn answer(&mut self, touches: &[ReedEvent]) {
        self.weak = reeds::weak_after(self.weak, touches);
        self.board.expect(touches);
        let last_touch = self.board.last_touch();
        for action in &mut self.unread {
            action.last_touch = last_touch;
        }
    }

    /// Whether a square was touched for the promotion on this one.
    fn has_chosen(&self, to: Square) -> bool {
        self.unread.iter().any(|action| action.promotes_on(to) && action.delay_class == DelayClass::Chosen)
    }

    /// Counts a fault for each behaviour of the action.
    fn classify(&mut self, action: Option<&PendingAction>) {
        for &behaviour in action.into_iter().flat_map(|action| &action.behaviours) {
            *self.counters.fault_classes.entry(behaviour).or_default() += 1;
        }
    }

    fn stuck(&mut self, what: String) -> Stuck {
        self.note(what);
        Stuck
    }

    /// Records a fault with what is needed to reproduce it.
    fn note(&mut self, what: String) {
        let moves: Vec<String> = self.read.moves().iter().map(Move::to_string).collect();
        let (game, log) = (self.number, self.board.log());
        self.counters.faults.push(HandFault { game, what, moves: moves.join(" "), log });
    }
}
