//! Castling: the king first, the rook first, or both at once.

use chess::Square;

use super::super::behaviour::Behaviour;
use super::super::geometry;
use super::GestureBuilder;

type Step = (Square, Square);

impl GestureBuilder<'_> {
    pub(super) fn castle(&mut self, king: Step, rook: Step) {
        match self.random.within(0..=2) {
            0 => {
                self.behaviour(Behaviour::KingFirst);
                self.go(king);
                self.wait(100..=1800);
                if self.random.happens(100) {
                    self.wait(1000..=4000);
                    self.behaviour(Behaviour::Hesitation);
                }
                self.go(rook);
            }
            1 => {
                // A king that follows later than this is late, and its rook has moved: that is another action.
                self.behaviour(Behaviour::RookFirst);
                self.go(rook);
                self.wait(100..=1300);
                self.go(king);
            }
            _ => {
                self.behaviour(Behaviour::BothAtOnce);
                self.lift(king.0);
                self.wait(0..=150);
                self.lift(rook.0);
                self.wait(200..=700);
                let (one, other) = if self.random.happens(500) { (king, rook) } else { (rook, king) };
                self.place(one.0, one.1);
                self.wait(0..=300);
                self.place(other.0, other.1);
            }
        }
    }

    fn go(&mut self, (from, to): Step) {
        let path = geometry::between(from, to);
        // Over another piece one does not slide, and the one that went first may stand in between now.
        let free = path.iter().all(|square| !self.occupied().has(*square) && !self.stands_on(*square));
        if free && self.random.happens(300) {
            self.slide(from, from, &path);
            self.behaviour(Behaviour::Slide);
        } else {
            self.pick_up(from);
            self.wait(150..=700);
        }
        self.put_down(from, to);
    }

    /// Whether something was placed there in this gesture, and is there still.
    fn stands_on(&self, square: Square) -> bool {
        let last = self.touches.iter().rev().find(|touch| touch.square == square);
        last.is_some_and(|touch| touch.change != super::Contact::Opens)
    }
}
