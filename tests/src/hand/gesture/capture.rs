//! Taking a piece: it goes first, or the one that takes does, or both at once, or it is simply pushed off.

use chess::{Bitboard, Move, Role, Square};

use super::super::behaviour::Behaviour;
use super::super::geometry;
use super::GestureBuilder;

impl GestureBuilder<'_> {
    pub(super) fn capture(&mut self, mv: Move, knocked: bool) {
        let path = geometry::between(mv.from(), mv.to());
        // In such a hurry that what is taken only just came there, a hand does not push it off: the board would have to ask about
        // a move to which it has not seen the one before. Nor does a king push in a hurry: one that is lifted while
        // something comes to the centre may be about to show a result there.
        let king = self.view.position.of_role(Role::King).has(mv.from());
        let careful = self.view.fresh.is_some_and(|fresh| fresh == mv.to() || king);
        let last = if careful { 8 } else { 9 };
        match self.random.within(0..=last) {
            0..=3 => {
                self.behaviour(Behaviour::VictimFirst);
                self.pick_up(mv.to());
                self.wait(60..=900);
                self.carry_off(mv);
                if !path.is_empty() && self.random.happens(200) {
                    self.slide(mv.from(), mv.from(), &path);
                    self.behaviour(Behaviour::Slide);
                } else {
                    self.carry_over(mv.from(), mv.to());
                }
                self.put_down(mv.from(), mv.to());
            }
            4..=7 => {
                self.behaviour(Behaviour::OwnPieceFirst);
                self.pick_up(mv.from());
                self.wait(150..=900);
                self.pick_up(mv.to());
                self.wait(120..=900);
                self.put_down(mv.from(), mv.to());
                self.carry_off(mv);
            }
            8 => {
                self.behaviour(Behaviour::TwoHands);
                self.lift(mv.to());
                self.wait(0..=60);
                self.lift(mv.from());
                self.wait(200..=900);
                self.put_down(mv.from(), mv.to());
            }
            _ => self.push_off(mv, &path, knocked),
        }
    }

    fn push_off(&mut self, mv: Move, path: &[Square], knocked: bool) {
        if path.is_empty() || self.random.happens(300) {
            self.pick_up(mv.from());
            self.carry();
        } else {
            self.slide(mv.from(), mv.from(), path);
            self.behaviour(Behaviour::Slide);
        }
        // The two magnets may even overlap, and then the switch sees nothing at all. If a piece beside it was knocked off
        // its square as well, the switches show another capture than the eyes see, and no board could know: that is left
        // out.
        let gap = self.random.within(if knocked { 9 } else { 0 }..=60);
        if gap <= 8 {
            self.behaviour(Behaviour::PushedUnseen);
            return;
        }
        self.behaviour(Behaviour::PushedOff);
        self.lift(mv.to());
        self.now += gap / 2;
        // In answer to a move that is not read yet, what stands there may be the piece that moved.
        let aside = self.room_beside(mv).filter(|_| self.view.fresh.is_none() && self.random.happens(200));
        if let Some(aside) = aside {
            self.place(mv.to(), aside);
        }
        self.now += gap - gap / 2;
        self.place(mv.from(), mv.to());
        if let Some(aside) = aside {
            self.wait(300..=1200);
            self.lift(aside);
        }
    }

    /// A square onto which the piece that is taken may be pushed. Not one that the other could have gone to: then the one
    /// that was pushed might as well be the one that pushed, on that square.
    fn room_beside(&mut self, mv: Move) -> Option<Square> {
        let legal = self.view.position.legal().from(mv.from());
        let mut room = geometry::beside(mv.to());
        room.retain(|&square| !(self.occupied() | legal | self.involved(mv)).has(square));
        (!room.is_empty()).then(|| self.random.one_of(&room))
    }

    /// What was taken leaves the board, sometimes so low that the switches under it notice.
    ///
    /// Not if it only just came there: then it may be going on. Nor while a piece is off its square: then that one may.
    fn carry_off(&mut self, mv: Move) {
        let unclear = self.view.fresh == Some(mv.to()) || self.behaviours.contains(&Behaviour::Knock);
        if unclear || !self.random.happens(80) {
            return;
        }
        let directions = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];
        let (files, ranks) = self.random.one_of(&directions);
        // Over the squares of a promotion it goes high: a touch there means something.
        let spared = self.occupied() | if mv.promotion().is_some() { self.involved(mv) } else { Bitboard::EMPTY };
        for square in geometry::to_the_edge(mv.to(), files, ranks).into_iter().filter(|&square| !spared.has(square)) {
            self.wait(15..=80);
            self.place(mv.to(), square);
            self.wait(15..=90);
            self.lift(square);
            self.behaviour(Behaviour::CarriedOffLow);
        }
        self.wait(50..=300);
    }
}
