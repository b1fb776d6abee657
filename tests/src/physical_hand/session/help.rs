//! What a person does when the board has not read a move: centres what is not seen, lifts and puts down again, follows the lights and
//! repeats; and takes back by hand what it has read wrongly.

use board::{Meaning, Stance};
use chess::{Move, Position, Square};

use super::super::gesture::Hands;
use super::super::style::Style;
use super::{GivenUp, Players, SimulatedGame};
use crate::random::Random;

impl SimulatedGame {
    /// Gets the game going again. If nothing helps, the game is wedged.
    pub(super) fn get_help(&mut self) -> Result<(), GivenUp> {
        let remote = self.players != Players::Shared;
        let diverges = |session: &Self| session.surface.play().sheet() != session.meant.moves();
        if remote && self.surface.play().sheet().iter().zip(self.meant.moves()).any(|(read, meant)| read != meant) {
            // The opponent has been told. Players would ask for a takeback.
            return Err(GivenUp);
        }
        let habits = std::mem::replace(&mut self.hands, Hands::new(Style::Ideal, Random::new(self.random.number())));
        self.deeds = super::Deeds::NONE;
        let helped = self.centre() || self.touch_again() || self.follow_the_lights();
        self.hands = habits;
        if self.is_lost {
            return Err(GivenUp);
        }
        if !helped {
            self.tally.wedged += 1;
            let class = super::super::tally::FaultClass::Other;
            let text = format!("wedged, game differs: {}", diverges(self));
            self.fault(class, super::super::tally::Kind::Unreadable, &text, 0);
            return Err(GivenUp);
        }
        self.diverged = None;
        Ok(())
    }

    /// Waits for the board to have what is meant, and answers its questions.
    fn settles(&mut self, ms: u64) -> bool {
        let mut since = self.table.now();
        let mut answers = 0;
        loop {
            self.tick();
            if self.is_lost {
                return false;
            }
            if !self.table.is_still() {
                since = self.table.now();
                continue;
            }
            if self.is_right() {
                return true;
            }
            let rested = self.table.now() - since;
            if rested > 700 && answers < 4 && self.answer() {
                answers += 1;
            }
            if rested > ms {
                return false;
            }
        }
    }

    pub(super) fn centre(&mut self) -> bool {
        let unseen = self.expected().occupied().without(self.table.closed());
        for square in unseen {
            if let Some(piece) = self.table.piece_on(square) {
                let now = self.table.now();
                let mut motion = self.table.motion(piece, now);
                motion.go(super::super::physics::Point::middle(square), 200);
                self.table.perform(motion);
            }
        }
        self.settles(1800)
    }

    fn touch_again(&mut self) -> bool {
        let squares: Vec<Square> = self.open().iter().map(|mv| mv.to()).collect();
        for square in squares {
            let now = self.table.now();
            let end = self.hands.tap(&mut self.table, square, now);
            while self.table.now() < end + 200 {
                self.tick();
            }
        }
        self.settles(2200)
    }

    /// Brings the pieces to what the board shows, takes back what is wrong, and makes the missing moves again.
    fn follow_the_lights(&mut self) -> bool {
        for _ in 0..8 {
            let Some(shown) = self.shown() else { return false };
            self.arrange(&shown);
            if !self.comes_to_rest() {
                continue;
            }
            let read = self.surface.play().sheet().to_vec();
            let common = read.iter().zip(self.meant.moves()).take_while(|(read, meant)| read == meant).count();
            if read.len() > common {
                self.undo_last();
                continue;
            }
            let missing: Vec<Move> = self.meant.moves()[common..].to_vec();
            let mut position = shown;
            // The remote opponent's move is in the game already, and not on the board.
            if let Some(game) = self.surface.play().chess()
                && game.position() != &shown
                && let Some(&last) = game.moves().last()
            {
                let now = self.table.now();
                self.hands.make(&mut self.table, &position, last, now);
                self.choosing = None;
                self.to_repeat = None;
                position = position.after(last);
                if !self.reads(&position.clone()) {
                    return false;
                }
            }
            for mv in missing {
                let now = self.table.now();
                let made = self.hands.make(&mut self.table, &position, mv, now);
                self.choosing = made.promotion;
                position = position.after(mv);
                let wanted = position;
                if !self.reads(&wanted) {
                    return false;
                }
            }
            if self.settles(3000) {
                return true;
            }
        }
        false
    }

    /// The position that the pieces should show: that of the board's game, or the one before a move that is to be repeated.
    fn shown(&self) -> Option<Position> {
        let game = self.surface.play().chess()?;
        let now = board::Instant::at(self.table.now());
        let scene = self.surface.referee().scene(now);
        // Where a piece is taken, the light says to remove it.
        let repeats = (scene.squares(Meaning::OpponentTo) | scene.squares(Meaning::Remove)).any();
        if repeats { game.before_last() } else { Some(*game.position()) }
    }

    /// Puts every piece where a position has it.
    pub(super) fn arrange(&mut self, position: &Position) {
        let wrong = |session: &Self, square: Square| {
            let stands = session.table.piece_on(square).map(|piece| session.table.piece(piece).piece);
            stands != position.piece_at(square)
        };
        let mut start = self.table.now();
        for square in Square::all() {
            if wrong(self, square)
                && let Some(piece) = self.table.piece_on(square)
            {
                start = self.hands.carry_off(&mut self.table, piece, start) + 50;
            }
        }
        start += 700;
        for square in Square::all() {
            if wrong(self, square)
                && let Some(wanted) = position.piece_at(square)
                && let Some(piece) = self.table.spare(wanted).or_else(|| self.table.spare_carved(wanted))
            {
                self.table.relabel(piece, wanted);
                start = self.hands.carry(&mut self.table, piece, square, start, &[]);
            }
        }
    }

    /// Waits until all motions are over and the board is content with what stands on it.
    fn comes_to_rest(&mut self) -> bool {
        let mut since = self.table.now();
        loop {
            self.tick();
            if !self.table.is_still() {
                since = self.table.now();
            }
            if self.table.is_still() && self.stance() == Stance::Settled {
                return true;
            }
            if self.table.now() - since > 4000 {
                return false;
            }
        }
    }

    /// Waits until the board has read its way to this position.
    fn reads(&mut self, position: &Position) -> bool {
        let mut since = self.table.now();
        let mut answers = 0;
        loop {
            self.tick();
            if !self.table.is_still() {
                since = self.table.now();
                continue;
            }
            let read = self.surface.play().chess().map(|game| game.position().occupied());
            if read == Some(position.occupied()) && self.stance() == Stance::Settled {
                return true;
            }
            let rested = self.table.now() - since;
            if rested > 700 && answers < 4 && self.answer() {
                answers += 1;
            }
            if rested > 4000 || self.is_lost {
                return false;
            }
        }
    }

    /// Takes back the board's last move by hand, of any kind.
    fn undo_last(&mut self) {
        let Some(game) = self.surface.play().chess() else { return };
        let Some(before) = game.before_last() else { return };
        let Some(&last) = game.moves().last() else { return };
        let len = game.moves().len();
        self.undo(&before, last);
        let mut since = self.table.now();
        loop {
            self.tick();
            if !self.table.is_still() {
                since = self.table.now();
            }
            if self.surface.play().len() < len || self.table.now() - since > 3500 {
                return;
            }
        }
    }

    /// Moves the pieces of a move back. Returns when they stand.
    pub(super) fn undo(&mut self, before: &Position, mv: Move) -> u64 {
        let mut start = self.table.now() + 10;
        if let Some(piece) = self.table.piece_on(mv.to()) {
            if let Some(pawn) = mv.promotion().and(before.piece_at(mv.from())) {
                self.table.relabel(piece, pawn);
            }
            start = self.hands.carry(&mut self.table, piece, mv.from(), start, &[]);
        }
        if let Some((from, to)) = before.castling_rook(mv)
            && let Some(rook) = self.table.piece_on(to)
        {
            start = self.hands.carry(&mut self.table, rook, from, start + 100, &[]);
        }
        if let Some(victim) = before.victim(mv)
            && let Some(wanted) = before.piece_at(victim)
            && let Some(piece) = self.table.spare(wanted)
        {
            start = self.hands.carry(&mut self.table, piece, victim, start + 100, &[]);
        }
        start
    }
}
