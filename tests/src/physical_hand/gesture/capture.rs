//! Captures: the captured piece first, with two hands, with both pieces in the same fingers, or pushed off.

use chess::{Move, Position, Square};

use super::super::physics::{self, Point};
use super::super::tabletop::Tabletop;
use super::super::tally::{Deed, Deeds};
use super::{Hands, Manner, Promoting, distance, slide_ms};
use crate::hand::geometry;

impl Hands {
    /// Captures. Returns when the capturing piece stands and the captured one is gone.
    #[expect(clippy::too_many_arguments, reason = "they are the parts of one move")]
    pub(super) fn capture(
        &mut self,
        table: &mut Tabletop,
        position: &Position,
        mv: Move,
        victim: Square,
        start: u64,
        promotion: Option<Promoting>,
        deeds: &mut Deeds,
    ) -> u64 {
        let (Some(piece), Some(taken)) = (table.piece_on(mv.from()), table.piece_on(victim)) else { return start };
        deeds.add(Deed::Captured);
        if let Some(Promoting { manner: Manner::PutDirectly, piece: wanted, .. }) = promotion
            && let Some(spare) = table.spare(wanted)
        {
            let off = self.carry_off(table, taken, start);
            let pawn_off = self.carry_off(table, piece, off + 200);
            return self.carry(table, spare, mv.to(), pawn_off + 100, &[]);
        }
        let (pinched, pushed, two) = (self.habits.pinched, self.habits.pushed, self.habits.two_handed);
        let kind = self.random.within(0..=999);
        let way = geometry::between(mv.from(), mv.to());
        let slides = (!way.is_empty() || distance(mv) == 1) && way.iter().all(|&step| table.piece_on(step).is_none());
        let landed = if victim != mv.to() {
            self.in_passing(table, mv, (piece, taken), start)
        } else if kind < pinched {
            deeds.add(Deed::Pinched);
            self.pinch(table, mv, (piece, taken), start)
        } else if kind < pinched + pushed && slides {
            deeds.add(Deed::Pushed);
            self.push(table, mv, (piece, taken), start)
        } else if kind < pinched + pushed + two {
            deeds.add(Deed::TwoHanded);
            self.with_two_hands(table, mv, (piece, taken), start)
        } else {
            let off = self.carry_off(table, taken, start);
            let next = off + self.random.within(100..=500);
            let stops = self.stops(table, position, mv, deeds);
            self.carry(table, piece, mv.to(), next, &stops)
        };
        Self::promoted(table, piece, promotion);
        self.settle_later(table, piece, mv.to(), landed, deeds)
    }

    /// The pawn moves, and the other is taken off before or after it.
    fn in_passing(&mut self, table: &mut Tabletop, mv: Move, (piece, taken): (usize, usize), start: u64) -> u64 {
        if self.happens(500) {
            let off = self.carry_off(table, taken, start);
            let next = off + self.random.within(100..=500);
            return self.carry(table, piece, mv.to(), next, &[]);
        }
        let landed = self.carry(table, piece, mv.to(), start, &[]);
        let next = landed + self.random.within(100..=900);
        self.carry_off(table, taken, next)
    }

    /// One hand holds the piece above the square while the other takes the captured one away.
    fn with_two_hands(&mut self, table: &mut Tabletop, mv: Move, (piece, taken): (usize, usize), start: u64) -> u64 {
        let goal = self.place(mv.to());
        let (lift, flight, land) = self.times();
        let mut motion = table.motion(piece, start);
        let from = motion.destination();
        motion.go(from.at_height(40.0), lift).go(goal.at_height(40.0), flight);
        let reaches = start + self.random.within(0..=flight);
        let off = self.carry_off(table, taken, reaches);
        let wait = (off + self.random.within(0..=300)).saturating_sub(motion.end());
        motion.pause(wait.max(1)).go(goal, land);
        table.assign(piece, Some(mv.to()));
        table.perform(motion)
    }

    /// The fingers that hold the piece lift the captured one while they put the other down.
    fn pinch(&mut self, table: &mut Tabletop, mv: Move, (piece, taken): (usize, usize), start: u64) -> u64 {
        let goal = self.place(mv.to());
        let (lift, flight, _) = self.times();
        let mut motion = table.motion(piece, start);
        let from = motion.destination();
        let angle = physics::between(&mut self.random, 0.0, std::f32::consts::TAU);
        let beside = goal.shifted(14.0 * angle.cos(), 14.0 * angle.sin()).at_height(30.0);
        motion.go(from.at_height(35.0), lift).go(beside, flight);
        let mut off = table.motion(taken, motion.end().saturating_sub(30));
        let lifts = off.destination().at_height(60.0);
        off.go(lifts, self.random.within(150..=300));
        let out = Tabletop::beside(lifts);
        off.go(out.at_height(60.0), 300).go(out, 100);
        motion.pause(self.random.within(30..=200)).go(goal, self.random.within(110..=250));
        table.assign(taken, None);
        table.assign(piece, Some(mv.to()));
        table.perform(off);
        table.perform(motion)
    }

    /// The piece slides into the captured one and pushes it aside, from where it is taken away.
    fn push(&mut self, table: &mut Tabletop, mv: Move, (piece, taken): (usize, usize), start: u64) -> u64 {
        /// Two pieces that touch are so far apart.
        const CONTACT: f32 = 26.0;
        let goal = self.place(mv.to());
        let mut motion = table.motion(piece, start);
        let from = motion.destination();
        let speed = physics::between(&mut self.random, 0.15, 0.5);
        let length = from.distance(goal).max(1.0);
        let (x, y) = ((goal.x - from.x) / length, (goal.y - from.y) / length);
        let contact = goal.shifted(-CONTACT * x, -CONTACT * y).at_height(0.5);
        motion.go(from.at_height(0.5), 30).go(contact, slide_ms(from, contact, speed));
        let mut off = table.motion(taken, motion.end());
        let pushes = slide_ms(contact, goal, speed);
        let turn = physics::between(&mut self.random, -0.5, 0.5);
        let place = off.destination().shifted(CONTACT * (x - turn * y), CONTACT * (y + turn * x));
        off.go(place, pushes).go(place.at_height(50.0), 200);
        let out: Point = Tabletop::beside(place);
        off.go(out.at_height(50.0), 350).go(out, 100);
        motion.go(goal.at_height(0.5), pushes).go(goal, 20);
        table.assign(taken, None);
        table.assign(piece, Some(mv.to()));
        table.perform(off);
        table.perform(motion)
    }
}
