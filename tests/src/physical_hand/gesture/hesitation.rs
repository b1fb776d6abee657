//! Stops on the way: a piece that is held above another square, or put on it without letting go.

use chess::{Move, Position, Square};

use super::super::physics::{self, Point};
use super::super::tabletop::Tabletop;
use super::super::tally::{Deed, Deeds};
use super::{Hands, free_targets};

/// A stop on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub(crate) at: Point,
    pub(crate) ms: u64,
}

impl Hands {
    /// Where a piece stops on its way to its target.
    pub(super) fn stops(&mut self, table: &Tabletop, position: &Position, mv: Move, deeds: &mut Deeds) -> Vec<Stop> {
        let (touches, hovers) = (self.happens(self.habits.touch_down), self.happens(self.habits.hover));
        if !touches && !hovers {
            return Vec::new();
        }
        let Some(other) = self.another_square(table, position, mv) else { return Vec::new() };
        let at = self.place(other);
        if touches {
            deeds.add(Deed::TouchDown);
            return vec![Stop { at, ms: self.random.within(150..=1500) }];
        }
        let height = physics::between(&mut self.random, 3.0, 25.0);
        deeds.add(if height < 9.0 { Deed::LowHover } else { Deed::Hover });
        vec![Stop { at: at.at_height(height), ms: self.random.within(150..=1200) }]
    }

    /// Another square that the piece may be thought to go to, mostly one that is legal.
    fn another_square(&mut self, table: &Tabletop, position: &Position, mv: Move) -> Option<Square> {
        let mut squares = free_targets(position, mv.from());
        if self.happens(200) {
            squares = (!position.occupied()).squares().collect();
        }
        squares.retain(|&square| square != mv.to() && square != mv.from() && table.piece_on(square).is_none());
        (!squares.is_empty()).then(|| self.random.one_of(&squares))
    }
}
