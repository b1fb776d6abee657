//! Castling: the king first, the rook first, or both at once.

use chess::{Move, Square};

use super::super::tabletop::Tabletop;
use super::super::tally::{Deed, Deeds};
use super::Hands;

impl Hands {
    /// Castles. Returns when both pieces stand.
    pub(super) fn castle(
        &mut self,
        table: &mut Tabletop,
        mv: Move,
        rook: (Square, Square),
        start: u64,
        deeds: &mut Deeds,
    ) -> u64 {
        let (Some(king), Some(tower)) = (table.piece_on(mv.from()), table.piece_on(rook.0)) else { return start };
        deeds.add(Deed::Castled);
        let clumsy = self.habits.quick_reply > 0;
        match self.random.within(0..=9) {
            0 | 1 if clumsy => {
                let landed = self.carry(table, king, mv.to(), start, &[]);
                let other = start + self.random.within(0..=150);
                landed.max(self.carry(table, tower, rook.1, other, &[]))
            }
            2 | 3 if clumsy => {
                deeds.add(Deed::RookFirst);
                let landed = self.carry(table, tower, rook.1, start, &[]);
                let longest = if self.happens(200) { 3000 } else { 700 };
                let next = landed + self.random.within(50..=longest);
                self.carry(table, king, mv.to(), next, &[])
            }
            _ => {
                let landed = self.carry(table, king, mv.to(), start, &[]);
                let next = landed + self.random.within(50..=900);
                self.carry(table, tower, rook.1, next, &[])
            }
        }
    }
}
