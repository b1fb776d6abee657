//! Castling: the king first, the rook first, both at once, or the king while the rook is held in the other hand.

use chess::{Move, Position, Square};

use super::super::tabletop::Tabletop;
use super::super::tally::{Deed, Deeds};
use super::Hands;

impl Hands {
    /// Castles. Returns when both pieces stand.
    pub(super) fn castle(
        &mut self,
        table: &mut Tabletop,
        position: &Position,
        mv: Move,
        rook: (Square, Square),
        start: u64,
        deeds: &mut Deeds,
    ) -> u64 {
        let (Some(king), Some(tower)) = (table.piece_on(mv.from()), table.piece_on(rook.0)) else { return start };
        deeds.add(Deed::Castled);
        let clumsy = self.habits.quick_reply > 0;
        let stops = self.stops(table, position, mv, deeds);
        match self.random.within(0..=9) {
            0 | 1 if clumsy => {
                let landed = self.carry(table, king, mv.to(), start, &stops);
                let other = start + self.random.within(0..=150);
                landed.max(self.carry(table, tower, rook.1, other, &[]))
            }
            2 | 3 if clumsy => {
                deeds.add(Deed::RookFirst);
                let rook_stops = self.stops(table, position, Move::new(rook.0, rook.1), deeds);
                let landed = self.carry(table, tower, rook.1, start, &rook_stops);
                let longest = if self.happens(200) { 3000 } else { 700 };
                let next = landed + self.random.within(50..=longest);
                self.carry(table, king, mv.to(), next, &stops)
            }
            4 if clumsy => {
                let landed = self.carry(table, king, mv.to(), start + 400, &stops);
                let until = landed + self.random.within(0..=400);
                self.hold(table, tower, rook.1, start, until)
            }
            _ => {
                let landed = self.carry(table, king, mv.to(), start, &stops);
                let next = landed + self.random.within(50..=900);
                self.carry(table, tower, rook.1, next, &[])
            }
        }
    }

    /// Lifts a piece, and puts it down on a square not before this moment. Returns when it has landed.
    fn hold(&mut self, table: &mut Tabletop, piece: usize, to: Square, start: u64, until: u64) -> u64 {
        let goal = self.place(to);
        let (lift, flight, land) = self.times();
        let mut motion = table.motion(piece, start);
        let from = motion.destination();
        motion.go(from.at_height(45.0), lift);
        motion.pause(until.saturating_sub(motion.end()).max(1)).go(goal.at_height(45.0), flight).go(goal, land);
        table.assign(piece, Some(to));
        table.perform(motion)
    }
}
