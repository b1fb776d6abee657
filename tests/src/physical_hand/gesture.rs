//! Motions of pieces that make a move, in the ways that people have.

mod capture;
mod castling;
mod hesitation;
mod mishap;

use chess::{Bitboard, Move, Piece, Position, Role, Square};

use super::motion::Motion;
use super::physics::{self, Point, Quality};
use super::style::{Habits, Style};
use super::tabletop::Tabletop;
use super::tally::{Deed, Deeds};
use crate::hand::geometry;
use crate::random::Random;

/// The hands of the players.
pub(super) struct Hands {
    pub(super) habits: Habits,
    pub(super) random: Random,
}

/// A move that was planned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    /// When the moving piece stands where it was meant to, and all that belongs to the move is done.
    pub(super) landed: u64,
    pub(super) deeds: Deeds,
    /// What the pawn is to become, and how.
    pub(super) promotion: Option<Promoting>,
}

/// How a pawn becomes another piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Promoting {
    pub(super) to: Square,
    pub(super) piece: Piece,
    pub(super) manner: Manner,
}

/// The ways to promote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// The square that the lights offer is touched, and the pawn stays.
    Touched,
    /// The same, and the pawn is exchanged for a real piece while the other player moves.
    ExchangedLater,
    /// The pawn is exchanged at once, without a look at the lights.
    ExchangedAtOnce,
    /// The pawn goes off the board, and the real piece comes to the last rank.
    PutDirectly,
}

impl Hands {
    pub(super) fn new(style: Style, random: Random) -> Self {
        Self { habits: style.habits(), random }
    }

    pub(super) fn quality(style: Style) -> Quality {
        if style == Style::Ideal { Quality::Nominal } else { Quality::Realistic }
    }

    pub(super) fn happens(&mut self, per_thousand: u64) -> bool {
        self.random.happens(per_thousand)
    }

    pub(super) fn ms(&mut self, range: &std::ops::RangeInclusive<u64>) -> u64 {
        self.random.within(range.clone())
    }

    fn height(&mut self) -> f32 {
        physics::between(&mut self.random, *self.habits.height.start(), *self.habits.height.end())
    }

    /// Where a piece is put that is meant for the middle of this square.
    pub(super) fn place(&mut self, square: Square) -> Point {
        let sigma = self.habits.sigma;
        let (x, y) = (physics::normal(&mut self.random, sigma), physics::normal(&mut self.random, sigma));
        Point::middle(square).shifted(x, y)
    }

    /// Makes a move on the table, not before this moment.
    pub(super) fn make(&mut self, table: &mut Tabletop, position: &Position, mv: Move, start: u64) -> Made {
        let mut deeds = Deeds::NONE;
        let start = self.before_the_move(table, position, mv, start, &mut deeds);
        let promotion = self.promotion_of(position, mv);
        let landed = if let Some(rook) = position.castling_rook(mv) {
            self.castle(table, position, mv, rook, start, &mut deeds)
        } else if let Some(victim) = position.victim(mv) {
            self.capture(table, position, mv, victim, start, promotion, &mut deeds)
        } else {
            self.go(table, position, mv, start, promotion, &mut deeds)
        };
        self.during_the_move(table, position, mv, start, landed, &mut deeds);
        if let Some(Promoting { manner: Manner::ExchangedAtOnce, to, piece }) = promotion {
            let at = landed + self.random.within(200..=800);
            let landed = self.exchange(table, to, piece, at);
            deeds.add(Deed::Promoted);
            return Made { landed, deeds, promotion };
        }
        if promotion.is_some() {
            deeds.add(Deed::Promoted);
        }
        Made { landed, deeds, promotion }
    }

    fn promotion_of(&mut self, position: &Position, mv: Move) -> Option<Promoting> {
        let role = mv.promotion()?.role();
        let piece = Piece::new(position.turn(), role);
        let manner = match self.random.within(0..=3) {
            0 if role == Role::Queen && self.habits.quick_reply > 0 => Manner::ExchangedAtOnce,
            1 if self.habits.quick_reply > 0 => Manner::PutDirectly,
            2 => Manner::ExchangedLater,
            _ => Manner::Touched,
        };
        Some(Promoting { to: mv.to(), piece, manner })
    }

    /// A plain move of one piece to an empty square. Returns when it has landed.
    fn go(
        &mut self,
        table: &mut Tabletop,
        position: &Position,
        mv: Move,
        start: u64,
        promotion: Option<Promoting>,
        deeds: &mut Deeds,
    ) -> u64 {
        let Some(piece) = table.piece_on(mv.from()) else { return start };
        if let Some(Promoting { manner: Manner::PutDirectly, piece: wanted, .. }) = promotion
            && let Some(spare) = table.spare(wanted)
        {
            let off = self.carry_off(table, piece, start);
            return self.carry(table, spare, mv.to(), off.saturating_sub(100), &[]);
        }
        let free = geometry::between(mv.from(), mv.to()).iter().all(|&step| table.piece_on(step).is_none());
        let is_knight = geometry::between(mv.from(), mv.to()).is_empty() && distance(mv) > 1;
        let landed = if free && !is_knight && self.happens(self.habits.slide) {
            self.slide(table, piece, mv, start, deeds)
        } else {
            let stops = self.stops(table, position, mv, deeds);
            self.carry(table, piece, mv.to(), start, &stops)
        };
        Self::promoted(table, piece, promotion);
        self.settle_later(table, piece, mv.to(), landed, deeds)
    }

    /// A pawn that has arrived stands for what it becomes.
    fn promoted(table: &mut Tabletop, piece: usize, promotion: Option<Promoting>) {
        if let Some(Promoting { piece: becomes, .. }) = promotion {
            table.relabel(piece, becomes);
        }
    }

    /// Carries a piece through the air to a square, with stops on its way. Returns when it has landed.
    pub(super) fn carry(
        &mut self,
        table: &mut Tabletop,
        piece: usize,
        to: Square,
        start: u64,
        stops: &[hesitation::Stop],
    ) -> u64 {
        let goal = self.place(to);
        let mut motion = table.motion(piece, start);
        self.carry_to(&mut motion, goal, stops);
        table.assign(piece, Some(to));
        table.perform(motion)
    }

    fn carry_to(&mut self, motion: &mut Motion, goal: Point, stops: &[hesitation::Stop]) {
        let from = motion.destination();
        let low = self.happens(self.habits.low_carry);
        let height = if low { physics::between(&mut self.random, 2.0, 8.0) } else { self.height().max(14.0) };
        let (lift, flight, land) = self.times();
        if self.happens(if self.habits.quick_reply > 0 { 80 } else { 0 }) {
            // Tilted and dragged before it is lifted.
            motion.go(from.shifted(physics::normal(&mut self.random, 2.0), 0.0).at_height(1.0), 40);
        }
        motion.go(motion.destination().at_height(height), lift);
        for stop in stops {
            motion.go(stop.at.at_height(height.max(stop.at.z)), flight).go(stop.at, land).pause(stop.ms);
            motion.go(stop.at.at_height(height.max(15.0)), lift);
        }
        motion.go(goal.at_height(height), flight).go(goal, land);
        if self.happens(if self.habits.quick_reply > 0 { 150 } else { 0 }) {
            // It rocks on its foot.
            motion.go(goal.at_height(physics::between(&mut self.random, 0.5, 2.0)), 30).go(goal, 30);
        }
    }

    pub(super) fn times(&mut self) -> (u64, u64, u64) {
        let Habits { lift, flight, land, .. } = self.habits.clone();
        (self.ms(&lift), self.ms(&flight), self.ms(&land))
    }

    /// Carries a piece off the board. Returns when it is so high that its switch has opened for sure.
    pub(super) fn carry_off(&mut self, table: &mut Tabletop, piece: usize, start: u64) -> u64 {
        let mut motion = table.motion(piece, start);
        let from = motion.destination();
        let (lift, flight, land) = self.times();
        let height = self.height().max(30.0);
        let beside = Tabletop::beside(from);
        motion.go(from.at_height(height), lift);
        let lifted = motion.end();
        motion.go(beside.at_height(height), flight + 150).go(beside, land);
        table.assign(piece, None);
        table.perform(motion);
        lifted
    }

    /// Slides a piece along the wood, maybe with a pause on its way.
    fn slide(&mut self, table: &mut Tabletop, piece: usize, mv: Move, start: u64, deeds: &mut Deeds) -> u64 {
        let goal = self.place(mv.to());
        let mut motion = table.motion(piece, start);
        let from = motion.destination();
        motion.go(from.at_height(0.5), 30);
        let speed = physics::between(&mut self.random, 0.1, 0.6);
        let steps = geometry::between(mv.from(), mv.to());
        if !steps.is_empty() && self.happens(self.habits.slide_pause) {
            let step = self.random.one_of(&steps);
            let pause = self.place(step).at_height(0.5);
            motion.go(pause, slide_ms(from, pause, speed)).pause(self.random.within(100..=900));
            deeds.add(Deed::SlidePause);
        }
        let ms = slide_ms(motion.destination(), goal, speed);
        motion.go(goal.at_height(0.5), ms).go(goal, 20);
        table.assign(piece, Some(mv.to()));
        deeds.add(Deed::Slid);
        table.perform(motion)
    }

    /// Exchanges what stands on a square for another piece of this kind. Returns when that has landed.
    pub(super) fn exchange(&mut self, table: &mut Tabletop, square: Square, piece: Piece, start: u64) -> u64 {
        let (Some(pawn), Some(real)) = (table.piece_on(square), table.spare(piece)) else { return start };
        let off = self.carry_off(table, pawn, start);
        table.relabel(pawn, Piece::new(piece.color(), Role::Pawn));
        let arrives = off + self.random.within(50..=400);
        self.carry(table, real, square, arrives, &[])
    }

    /// Lifts the piece on a square and puts it down in the middle: an answer to a question, or a piece put straight.
    pub(super) fn tap(&mut self, table: &mut Tabletop, square: Square, start: u64) -> u64 {
        let Some(piece) = table.piece_on(square) else { return start };
        let mut motion = table.motion(piece, start);
        let from = motion.destination();
        let goal = Point::middle(square);
        motion.go(from.at_height(22.0), self.random.within(90..=160)).pause(self.random.within(120..=300));
        motion.go(goal, self.random.within(90..=160));
        table.perform(motion)
    }

    /// Chooses what a pawn becomes: taps the offered square, with the pawn itself if nothing stands there.
    pub(super) fn choose(&mut self, table: &mut Tabletop, to: Square, offered: Square, start: u64) -> u64 {
        if offered == to || table.piece_on(offered).is_some() {
            return self.tap(table, offered, start);
        }
        let Some(pawn) = table.piece_on(to) else { return start };
        let mut motion = table.motion(pawn, start);
        let from = motion.destination();
        let touched = self.place(offered);
        motion.go(from.at_height(25.0), 130).go(touched.at_height(25.0), 250).go(touched, 120);
        motion.pause(self.random.within(200..=500)).go(touched.at_height(25.0), 130);
        let goal = self.place(to);
        motion.go(goal.at_height(25.0), 250).go(goal, 120);
        table.perform(motion)
    }
}

fn slide_ms(from: Point, to: Point, speed: f32) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some hundred milliseconds")]
    let ms = (from.distance(to) / speed) as u64;
    ms.max(60)
}

/// How many squares apart the squares of a move are.
pub(super) fn distance(mv: Move) -> u8 {
    let files = mv.from().file().index().abs_diff(mv.to().file().index());
    files.max(mv.from().rank().index().abs_diff(mv.to().rank().index()))
}

/// The legal targets of the piece on a square that are empty.
pub(super) fn free_targets(position: &Position, from: Square) -> Vec<Square> {
    let legal = position.legal_moves();
    let targets: Bitboard = legal.iter().filter(|mv| mv.from() == from).map(|mv| mv.to()).collect();
    targets.without(position.occupied()).squares().collect()
}
