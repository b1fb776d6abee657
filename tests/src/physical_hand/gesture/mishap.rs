//! What happens beside the move: adjusted pieces, second thoughts, sleeves, bumps, and pieces that are put straight later.

use chess::{Move, Position, Square};

use super::super::physics::{self, Point};
use super::super::tabletop::Tabletop;
use super::super::tally::{Deed, Deeds};
use super::Hands;

impl Hands {
    /// What is done before a move: a piece adjusted, or lifted and put back. Returns when the move begins.
    pub(super) fn before_the_move(
        &mut self,
        table: &mut Tabletop,
        position: &Position,
        mv: Move,
        start: u64,
        deeds: &mut Deeds,
    ) -> u64 {
        let mut start = start;
        if self.happens(self.habits.adjust) {
            let others: Vec<Square> = position.occupied().without(mv.from().into()).squares().collect();
            let other = self.random.one_of(&others);
            start = self.adjust(table, other, start) + self.random.within(50..=400);
            deeds.add(Deed::Adjusted);
        }
        if self.happens(self.habits.second_thoughts) {
            let others: Vec<Square> = position.of_color(position.turn()).without(mv.from().into()).squares().collect();
            if !others.is_empty() {
                let other = self.random.one_of(&others);
                start = self.put_back(table, other, start) + self.random.within(80..=600);
                deeds.add(Deed::SecondThoughts);
            }
        }
        start
    }

    /// What happens to other pieces while one is in the air.
    pub(super) fn during_the_move(
        &mut self,
        table: &mut Tabletop,
        position: &Position,
        mv: Move,
        start: u64,
        landed: u64,
        deeds: &mut Deeds,
    ) {
        let within = |hands: &mut Self| start + hands.random.within(0..=landed.saturating_sub(start).max(1));
        let idle: Vec<Square> = position
            .occupied()
            .squares()
            .filter(|&square| ![mv.from(), mv.to()].contains(&square) && position.victim(mv) != Some(square))
            .filter(|&square| position.castling_rook(mv).is_none_or(|(from, _)| from != square))
            .collect();
        if self.happens(self.habits.other_hand) && !idle.is_empty() {
            let (other, at) = (self.random.one_of(&idle), within(self));
            self.adjust(table, other, at);
            deeds.add(Deed::OtherHand);
        }
        if self.happens(self.habits.sleeve) {
            let way = |square: &Square| off_the_way(*square, mv) < 75.0;
            let near: Vec<Square> = idle.iter().copied().filter(way).collect();
            if !near.is_empty() {
                let (other, at) = (self.random.one_of(&near), within(self));
                self.brush(table, other, at, deeds);
            }
        }
        if self.happens(self.habits.bump) {
            let at = within(self);
            for &square in &idle {
                if let Some(piece) = table.piece_on(square) {
                    let mut motion = table.motion(piece, at);
                    let here = motion.destination();
                    let (x, y) = (physics::normal(&mut self.random, 1.0), physics::normal(&mut self.random, 1.0));
                    motion.go(here.shifted(x, y).at_height(physics::between(&mut self.random, 0.2, 2.0)), 25);
                    motion.go(here.shifted(x, y), 25);
                    table.perform(motion);
                }
            }
            deeds.add(Deed::Bumped);
        }
    }

    /// A piece is put straight, or lifted a little for it.
    pub(in super::super) fn adjust(&mut self, table: &mut Tabletop, square: Square, start: u64) -> u64 {
        let Some(piece) = table.piece_on(square) else { return start };
        let mut motion = table.motion(piece, start);
        let here = motion.destination();
        let height = physics::between(&mut self.random, 0.5, 14.0);
        let goal = self.place(square);
        motion.go(here.at_height(height), self.random.within(60..=160));
        motion.pause(self.random.within(20..=400)).go(goal, self.random.within(60..=160));
        table.perform(motion)
    }

    /// A piece is lifted, held and put back.
    fn put_back(&mut self, table: &mut Tabletop, square: Square, start: u64) -> u64 {
        let Some(piece) = table.piece_on(square) else { return start };
        let (lift, _, land) = self.times();
        let mut motion = table.motion(piece, start);
        let here = motion.destination();
        motion.go(here.at_height(40.0), lift).pause(self.random.within(100..=1500));
        let goal = self.place(square);
        motion.go(goal, land);
        table.perform(motion)
    }

    /// A sleeve tilts a piece, pushes it, or makes it fall.
    fn brush(&mut self, table: &mut Tabletop, square: Square, start: u64, deeds: &mut Deeds) {
        let Some(piece) = table.piece_on(square) else { return };
        let mut motion = table.motion(piece, start);
        let here = motion.destination();
        deeds.add(Deed::Sleeve);
        match self.random.within(0..=9) {
            0..=5 => {
                let height = physics::between(&mut self.random, 2.0, 15.0);
                let sideways = physics::normal(&mut self.random, 2.0);
                motion.go(here.shifted(sideways, 0.0).at_height(height), self.random.within(40..=100));
                motion.pause(self.random.within(10..=100)).go(here, self.random.within(40..=100));
            }
            6..=8 => {
                let (x, y) = (physics::normal(&mut self.random, 4.0), physics::normal(&mut self.random, 4.0));
                motion.go(here.shifted(x, y), self.random.within(40..=120));
            }
            _ => {
                deeds.add(Deed::Fell);
                let angle = physics::between(&mut self.random, 0.0, std::f32::consts::TAU);
                let fallen = here.shifted(20.0 * angle.cos(), 20.0 * angle.sin()).at_height(10.0);
                let goal = self.place(square);
                motion.go(fallen, 120).pause(self.random.within(500..=1500));
                motion.go(goal.at_height(25.0), 200).go(goal, 120);
            }
        }
        table.perform(motion);
    }

    /// A piece may have been put down near the border of its square: then it is put straight later. Returns when it first stood.
    pub(super) fn settle_later(
        &mut self,
        table: &mut Tabletop,
        piece: usize,
        square: Square,
        landed: u64,
        deeds: &mut Deeds,
    ) -> u64 {
        if !self.happens(self.habits.off_centre) {
            return landed;
        }
        deeds.add(Deed::OffCentre);
        let angle = physics::between(&mut self.random, 0.0, std::f32::consts::TAU);
        let off = physics::between(&mut self.random, 9.0, 17.0);
        let middle = Point::middle(square);
        table.replan_end(piece, middle.shifted(off * angle.cos(), off * angle.sin()));
        let mut motion = table.motion(piece, landed + self.random.within(300..=3000));
        let goal = self.place(square);
        motion.go(goal, self.random.within(120..=300));
        table.perform(motion);
        landed
    }
}

/// How far a square is off the straight way of a move, in millimetres.
fn off_the_way(square: Square, mv: Move) -> f32 {
    let (from, to, at) = (Point::middle(mv.from()), Point::middle(mv.to()), Point::middle(square));
    let length = from.distance(to).max(1.0);
    let along = ((at.x - from.x) * (to.x - from.x) + (at.y - from.y) * (to.y - from.y)) / (length * length);
    let along = along.clamp(0.0, 1.0);
    at.distance(from.shifted(along * (to.x - from.x), along * (to.y - from.y)))
}
