//! Mishaps and other touches beside a move.

use chess::{Bitboard, Move, Role, Square};

use super::super::behaviour::Behaviour;
use super::super::geometry;
use super::GestureBuilder;
use super::move_making::CENTRE;

impl GestureBuilder<'_> {
    /// Before the move, a piece is sometimes adjusted, of either side, or a capture thought about.
    pub(super) fn think_before(&mut self) {
        if self.random.happens(60) {
            let occupied: Vec<Square> = self.occupied().squares().collect();
            let square = self.random.one_of(&occupied);
            self.pick_up(square);
            self.wait(150..=1500);
            self.put_down(square, square);
            self.wait(100..=600);
            self.behaviour(Behaviour::PutBack);
        }
        if self.random.happens(20) {
            self.think_twice();
        }
        if self.view.fresh.is_none() && self.random.happens(10) {
            self.take_illegally();
        }
    }

    /// A piece takes another that it may not take, of either side; it may even rest there before all is put back.
    ///
    /// The own one comes back first, as after second thoughts: in the other order, it looks like a capture.
    fn take_illegally(&mut self) {
        let position = self.view.position;
        let ours: Vec<Square> = position.of_color(position.turn()).squares().collect();
        let from = self.random.one_of(&ours);
        let spared = position.legal().from(from) | from.into();
        let others: Vec<Square> = self.occupied().without(spared).squares().collect();
        if others.is_empty() {
            return;
        }
        let to = self.random.one_of(&others);
        let (one, other) = if self.random.happens(500) { (from, to) } else { (to, from) };
        self.pick_up(one);
        self.wait(150..=900);
        self.pick_up(other);
        self.wait(200..=900);
        self.put_down(from, to);
        self.wait(400..=3500);
        self.lift(to);
        self.wait(150..=900);
        self.put_down(from, from);
        self.wait(150..=900);
        self.put_down(to, to);
        self.wait(200..=900);
        self.behaviour(Behaviour::IllegalCapture);
    }

    /// Both pieces of a capture are lifted and put back. The own one comes back first: the other order would be the
    /// capture itself, as far as switches can tell.
    fn think_twice(&mut self) {
        let position = self.view.position;
        let legal = position.legal_moves();
        let captures: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|mv| {
                position.is_capture(*mv) && self.view.fresh.is_none_or(|fresh| position.victim(*mv) != Some(fresh))
            })
            .collect();
        if captures.is_empty() {
            return;
        }
        let mv = self.random.one_of(&captures);
        let Some(victim) = position.victim(mv) else { return };
        let (one, other) = if self.random.happens(500) { (mv.from(), victim) } else { (victim, mv.from()) };
        self.pick_up(one);
        self.wait(150..=900);
        self.pick_up(other);
        self.wait(200..=2000);
        self.put_down(mv.from(), mv.from());
        self.wait(150..=900);
        self.put_down(victim, victim);
        self.wait(200..=900);
        self.behaviour(Behaviour::SecondThoughts);
    }

    /// A hand that reaches for a square sometimes knocks a piece beside it: it wobbles, or loses its switch. In that case
    /// it says which one.
    ///
    /// In answer to a move that is not read yet it only wobbles: what is put right then could have been taken. And not even
    /// that if the piece that moved is lifted to be taken: it may be on its way to capture the one that wobbles.
    pub(super) fn knock_a_neighbour(&mut self, mv: Move) -> Option<Square> {
        if self.view.fresh == Some(mv.to()) || !self.random.happens(25) {
            return None;
        }
        let near = self.random.one_of(&[mv.from(), mv.to()]);
        let square = self.neighbour(mv, near)?;
        if self.view.fresh.is_some() || self.random.happens(500) {
            self.behaviour(Behaviour::NeighbourWobble);
            let at = self.now + self.random.within(0..=400);
            self.meanwhile(at, |builder| {
                builder.lift(square);
                builder.wait(4..=60);
                builder.place(square, square);
            });
            None
        } else {
            self.behaviour(Behaviour::Knock);
            let at = self.now + self.random.within(0..=100);
            self.meanwhile(at, |builder| builder.lift(square));
            Some(square)
        }
    }

    /// With the hand free again, what was knocked is put right.
    pub(super) fn straighten(&mut self, knocked: Option<Square>) {
        if let Some(square) = knocked {
            self.now = self.touches.iter().map(|touch| touch.at).fold(self.now, u64::max);
            self.wait(200..=1200);
            self.put_down(square, square);
        }
    }

    /// A hand that puts a piece down may push one beside it onto another square, and puts that right as well.
    ///
    /// A piece that is pushed to where it may go has moved, as far as switches can tell, and one that has just moved has
    /// moved on or back: such ones are left out. So are squares to which the moving piece could have gone instead, and all
    /// that happens while it is in the air as far as the board knows, or something else closes switches.
    pub(super) fn knock_aside(&mut self, mv: Move) {
        let unclear = [
            Behaviour::Centred,
            Behaviour::PushedUnseen,
            Behaviour::OtherHand,
            Behaviour::Knock,
            Behaviour::CarriedOffLow,
        ];
        if self.view.fresh.is_some()
            || unclear.iter().any(|behaviour| self.behaviours.contains(behaviour))
            || !self.random.happens(12)
        {
            return;
        }
        let Some(square) = self.neighbour(mv, mv.to()) else { return };
        let Ok(next) = self.view.position.play(mv) else { return };
        let mut room = geometry::beside(square);
        room.retain(|&to| !(self.occupied() | next.occupied() | self.involved(mv)).has(to));
        let legal = self.view.position.legal();
        room.retain(|&to| !(next.legal().from(square) | legal.from(square) | legal.from(mv.from())).has(to));
        if next.of_role(Role::King).has(square) {
            room.retain(|&to| !CENTRE.has(to));
        }
        if room.is_empty() || self.view.last.is_some_and(|last| last.to() == square) {
            return;
        }
        let aside = self.random.one_of(&room);
        let at = self.landed + self.random.within(0..=80);
        self.meanwhile(at, |builder| {
            builder.lift(square);
            builder.wait(10..=60);
            builder.place(square, aside);
            builder.wait(500..=2000);
            builder.lift(aside);
            builder.wait(200..=800);
            builder.put_down(square, square);
        });
        self.behaviour(Behaviour::KnockedAside);
    }

    /// The other player adjusts a piece of theirs meanwhile. Not one that could be taken with what is in the air: that
    /// would be the capture itself, as far as switches can tell. Nor while one of the mover's is off its square, which the
    /// piece in the other hand could be taking, or while one that was taken closes switches on its way.
    pub(super) fn other_hand(&mut self, mv: Move, start: u64) {
        let position = self.view.position;
        let unclear =
            [Behaviour::Knock, Behaviour::CarriedOffLow].iter().any(|behaviour| self.behaviours.contains(behaviour));
        if !self.view.shared || unclear || position.castling_rook(mv).is_some() || !self.random.happens(20) {
            return;
        }
        let theirs = position.of_color(!position.turn());
        let fresh = self.view.fresh.map_or(Bitboard::EMPTY, Bitboard::of);
        let spared = self.involved(mv) | position.legal().from(mv.from()) | self.touched() | fresh;
        let squares: Vec<Square> = theirs.without(spared).squares().collect();
        if squares.is_empty() {
            return;
        }
        let square = self.random.one_of(&squares);
        let at = self.random.within(start..=self.landed);
        self.meanwhile(at, |builder| {
            builder.pick_up(square);
            builder.wait(150..=800);
            builder.put_down(square, square);
        });
        self.behaviour(Behaviour::OtherHand);
    }

    /// A piece that was put down anyhow is put in the middle of its square. On the last rank that would be a choice; and
    /// while a piece of the other player is off its square, it would be taking that one back, as far as switches can tell.
    /// In answer to a move that is not read yet, it would be the one, come there and taken there.
    pub(super) fn centre(&mut self, mv: Move) {
        let castles = self.view.position.castling_rook(mv).is_some();
        let alone =
            [Behaviour::Knock, Behaviour::OtherHand].iter().all(|behaviour| !self.behaviours.contains(behaviour));
        let slow = self.view.fresh.is_none();
        if alone && slow && !castles && mv.promotion().is_none() && self.random.happens(30) {
            self.wait(100..=400);
            self.lift(mv.to());
            self.wait(120..=500);
            self.place(mv.from(), mv.to());
            self.behaviour(Behaviour::Centred);
        }
    }

    /// A piece beside a square that has nothing to do with the move.
    fn neighbour(&mut self, mv: Move, near: Square) -> Option<Square> {
        let mut neighbours = geometry::beside(near);
        let fresh = self.view.fresh.map_or(Bitboard::EMPTY, Bitboard::of);
        let spared = self.involved(mv) | self.touched() | fresh;
        neighbours.retain(|&square| self.occupied().without(spared).has(square));
        (!neighbours.is_empty()).then(|| self.random.one_of(&neighbours))
    }

    /// Everything that this gesture has touched so far.
    fn touched(&self) -> Bitboard {
        self.touches.iter().map(|touch| touch.square).collect()
    }
}
