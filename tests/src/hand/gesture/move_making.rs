//! Making a move: the piece is lifted, carried or slid, and put down.

use chess::{Bitboard, Move, Role, Square};

use super::super::behaviour::Behaviour;
use super::super::geometry;
use super::GestureBuilder;

impl GestureBuilder<'_> {
    /// Makes a move with its mishaps.
    pub(super) fn play(&mut self, mv: Move) {
        let start = self.now;
        let position = self.view.position;
        let knocked = self.knock_a_neighbour(mv);
        if let Some(rook) = position.castling_rook(mv) {
            self.castle((mv.from(), mv.to()), rook);
        } else {
            match position.victim(mv) {
                None => self.quiet(mv),
                Some(victim) if victim == mv.to() => self.capture(mv, knocked.is_some()),
                Some(victim) => self.en_passant(mv, victim),
            }
        }
        self.landed = self.now;
        if mv.promotion().is_some() {
            self.behaviour(Behaviour::Promotion);
        }
        self.other_hand(mv, start);
        self.centre(mv);
        self.knock_aside(mv);
        self.straighten(knocked);
    }

    /// Lifts a piece, which may wobble.
    pub(super) fn pick_up(&mut self, piece: Square) {
        self.lift(piece);
        if self.random.happens(30) {
            self.wait(5..=40);
            self.place(piece, piece);
            self.wait(5..=60);
            self.lift(piece);
            self.behaviour(Behaviour::LiftWobble);
        }
    }

    /// Puts a piece down, which may wobble.
    pub(super) fn put_down(&mut self, piece: Square, at: Square) {
        self.place(piece, at);
        if self.random.happens(40) {
            for _ in 0..self.random.within(1..=2) {
                self.wait(8..=50);
                self.lift(at);
                self.wait(6..=70);
                self.place(piece, at);
            }
            self.behaviour(Behaviour::LandingWobble);
        }
    }

    /// The time for which a piece is lifted, sometimes with a hesitation.
    pub(super) fn carry(&mut self) {
        self.wait(150..=900);
        if self.random.happens(40) {
            self.wait(1000..=4000);
            self.behaviour(Behaviour::Hesitation);
        }
    }

    /// Lifts a piece and carries it, high or low.
    pub(super) fn carry_over(&mut self, piece: Square, to: Square) {
        self.pick_up(piece);
        self.carry();
        if self.random.happens(100) {
            self.carry_low(piece, to);
        }
    }

    /// So low that the switches under it notice now and then. A straight line leads over the middle of the squares
    /// between; the path of a knight leads between two squares, and a hand may come too near to either.
    fn carry_low(&mut self, piece: Square, to: Square) {
        let mut under = geometry::between(piece, to);
        if self.view.position.of_role(Role::Knight).has(piece) {
            under = geometry::corner(piece, to);
        }
        under.retain(|&square| !self.occupied().has(square));
        for square in under {
            if self.random.happens(500) {
                self.place(piece, square);
                self.wait(8..=120);
                self.lift(square);
                self.wait(20..=120);
                self.behaviour(Behaviour::LowCarry);
            }
        }
    }

    fn quiet(&mut self, mv: Move) {
        let path = geometry::between(mv.from(), mv.to());
        // In answer to a move that is not read yet, the wrong square may be where the piece went that moved.
        if self.view.fresh.is_none()
            && self.random.happens(30)
            && let Some(wrong) = self.wrong_square(mv)
        {
            self.pick_up(mv.from());
            self.carry();
            self.put_down(mv.from(), wrong);
            self.wait(400..=2500);
            self.lift(wrong);
            self.carry();
            self.behaviour(Behaviour::WrongSquare);
        } else if !path.is_empty() && self.random.happens(350) {
            self.slide(mv.from(), mv.from(), &path);
            self.behaviour(Behaviour::Slide);
        } else {
            self.carry_over(mv.from(), mv.to());
        }
        self.put_down(mv.from(), mv.to());
    }

    /// Slides over squares in a straight line, at human speed: 15 to 60 cm in a second over squares of 5 cm, on which the
    /// switch is closed for 24 to 36 mm. Sometimes it pauses on a square, but not for as long as the rest.
    pub(super) fn slide(&mut self, piece: Square, from: Square, path: &[Square]) {
        let speed = self.random.within(150..=600);
        let reach = self.random.within(24..=36);
        let (dwell, gap) = (reach * 1000 / speed, (50 - reach) * 1000 / speed);
        let pauses = self.random.happens(150).then(|| self.random.number() as usize % path.len().max(1));
        self.lift(from);
        self.now += gap;
        for (index, &step) in path.iter().enumerate() {
            self.place(piece, step);
            self.now += dwell;
            if pauses == Some(index) {
                self.now += self.random.within(0..=LONGEST_PAUSE.saturating_sub(dwell));
                self.behaviour(Behaviour::PausedSlide);
            }
            self.lift(step);
            self.now += gap;
        }
    }

    fn en_passant(&mut self, mv: Move, victim: Square) {
        match self.random.within(0..=2) {
            0 => {
                self.pick_up(victim);
                self.wait(100..=900);
                self.carry_over(mv.from(), mv.to());
                self.put_down(mv.from(), mv.to());
            }
            1 => {
                self.pick_up(mv.from());
                self.wait(100..=900);
                self.pick_up(victim);
                self.wait(100..=900);
                self.put_down(mv.from(), mv.to());
            }
            _ => {
                self.carry_over(mv.from(), mv.to());
                self.put_down(mv.from(), mv.to());
                self.wait(100..=1800);
                if self.random.happens(100) {
                    self.wait(1000..=4000);
                    self.behaviour(Behaviour::Hesitation);
                }
                self.pick_up(victim);
            }
        }
        self.behaviour(Behaviour::EnPassant);
    }

    /// An empty square that is not a legal target.
    fn wrong_square(&mut self, mv: Move) -> Option<Square> {
        let legal = self.view.position.legal();
        let wrong: Vec<Square> = Square::all()
            .filter(|&square| !(self.occupied() | legal.from(mv.from())).has(square))
            // Where the last piece came from, and where it came to, may be touched to take it back.
            .filter(|&square| self.view.last.is_none_or(|last| ![last.from(), last.to()].contains(&square)))
            .collect();
        // A king on its way to castle is not wrong.
        let king = self.view.position.of_role(Role::King).has(mv.from());
        (!wrong.is_empty() && !king).then(|| self.random.one_of(&wrong))
    }

    /// The squares that a hand touches or passes in this move.
    pub(super) fn involved(&self, mv: Move) -> Bitboard {
        let position = self.view.position;
        let mut squares: Bitboard = geometry::between(mv.from(), mv.to()).into_iter().collect();
        squares |= Bitboard::of(mv.from()) | mv.to().into();
        squares |= position.victim(mv).map_or(Bitboard::EMPTY, Bitboard::of);
        if let Some((from, to)) = position.castling_rook(mv) {
            squares |= geometry::between(from, to).into_iter().chain([from, to]).collect();
        }
        if mv.promotion().is_some() {
            squares |= board::promotion_squares(mv.to()).collect();
        }
        if position.of_role(Role::King).has(mv.from()) {
            // What is put back in the centre while a king is in the air may be that king, showing a result.
            squares |= CENTRE;
        }
        squares
    }
}

/// The centre squares, where kings show a result.
pub(super) const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Longest pause during a slide, in milliseconds: less than the 300 ms that the board waits.
const LONGEST_PAUSE: u64 = 285;
