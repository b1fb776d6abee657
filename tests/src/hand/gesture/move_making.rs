//! Making a move: the piece is taken hold of, goes through the air or over the squares, and is put down.

use chess::{Bitboard, Move, Role, Square};

use super::super::habit::Habit;
use super::super::way;
use super::Maker;

impl Maker<'_> {
    /// Makes a move, with all that goes wrong.
    pub(super) fn play(&mut self, mv: Move) {
        let start = self.now;
        let position = self.view.position;
        let knocked = self.knock(mv);
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
            self.habit(Habit::Promotion);
        }
        self.other_hand(mv, start);
        self.centre(mv);
        self.knock_aside(mv);
        self.straighten(knocked);
    }

    /// Takes hold of a piece and lifts it; it may tip before it is up.
    pub(super) fn pick_up(&mut self, piece: Square) {
        self.lift(piece);
        if self.chance.happens(30) {
            self.wait(5..=40);
            self.place(piece, piece);
            self.wait(5..=60);
            self.lift(piece);
            self.habit(Habit::LiftWobble);
        }
    }

    /// Puts a piece down; it may rock before it stands.
    pub(super) fn put_down(&mut self, piece: Square, at: Square) {
        self.place(piece, at);
        if self.chance.happens(40) {
            for _ in 0..self.chance.within(1..=2) {
                self.wait(8..=50);
                self.lift(at);
                self.wait(6..=70);
                self.place(piece, at);
            }
            self.habit(Habit::LandingWobble);
        }
    }

    /// How long a piece is in the air, sometimes with second thoughts there.
    pub(super) fn carry(&mut self) {
        self.wait(150..=900);
        if self.chance.happens(40) {
            self.wait(1000..=4000);
            self.habit(Habit::Hesitation);
        }
    }

    /// Lifts a piece from where it stands and carries it somewhere, high or low.
    pub(super) fn carry_over(&mut self, piece: Square, to: Square) {
        self.pick_up(piece);
        self.carry();
        if self.chance.happens(100) {
            self.carry_low(piece, to);
        }
    }

    /// So low that the switches under it notice now and then. A straight line leads over the middle of the squares
    /// between; the way of a knight leads between two squares, and a hand may come too near to either.
    fn carry_low(&mut self, piece: Square, to: Square) {
        let mut under = way::between(piece, to);
        if self.view.position.of_role(Role::Knight).has(piece) {
            under = way::corner(piece, to);
        }
        under.retain(|&square| !self.occupied().has(square));
        for square in under {
            if self.chance.happens(500) {
                self.place(piece, square);
                self.wait(8..=120);
                self.lift(square);
                self.wait(20..=120);
                self.habit(Habit::LowCarry);
            }
        }
    }

    fn quiet(&mut self, mv: Move) {
        let path = way::between(mv.from(), mv.to());
        // In answer to a move that is not read yet, the wrong square may be where the piece went that moved.
        if self.view.fresh.is_none()
            && self.chance.happens(30)
            && let Some(wrong) = self.wrong_square(mv)
        {
            self.pick_up(mv.from());
            self.carry();
            self.put_down(mv.from(), wrong);
            self.wait(400..=2500);
            self.lift(wrong);
            self.carry();
            self.habit(Habit::WrongSquare);
        } else if !path.is_empty() && self.chance.happens(350) {
            self.slide(mv.from(), mv.from(), &path);
            self.habit(Habit::Slide);
        } else {
            self.carry_over(mv.from(), mv.to());
        }
        self.put_down(mv.from(), mv.to());
    }

    /// Slides over squares in a straight line, at human speed: 15 to 60 cm in a second over squares of 5 cm, on which the
    /// switch is closed for 24 to 36 mm. Sometimes it pauses on a square, but not for as long as the rest.
    pub(super) fn slide(&mut self, piece: Square, from: Square, path: &[Square]) {
        let speed = self.chance.within(150..=600);
        let reach = self.chance.within(24..=36);
        let (dwell, gap) = (reach * 1000 / speed, (50 - reach) * 1000 / speed);
        let pauses = self.chance.happens(150).then(|| self.chance.number() as usize % path.len().max(1));
        self.lift(from);
        self.now += gap;
        for (index, &step) in path.iter().enumerate() {
            self.place(piece, step);
            self.now += dwell;
            if pauses == Some(index) {
                self.now += self.chance.within(0..=LONGEST_PAUSE.saturating_sub(dwell));
                self.habit(Habit::PausedSlide);
            }
            self.lift(step);
            self.now += gap;
        }
    }

    fn en_passant(&mut self, mv: Move, victim: Square) {
        match self.chance.within(0..=2) {
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
                if self.chance.happens(100) {
                    self.wait(1000..=4000);
                    self.habit(Habit::Hesitation);
                }
                self.pick_up(victim);
            }
        }
        self.habit(Habit::EnPassant);
    }

    /// An empty square to which the piece may not go, nor may it be on its way there.
    fn wrong_square(&mut self, mv: Move) -> Option<Square> {
        let legal = self.view.position.legal();
        let wrong: Vec<Square> = Square::all()
            .filter(|&square| !(self.occupied() | legal.from(mv.from())).has(square))
            // Where the last piece came from, and where it came to, may be touched to take it back.
            .filter(|&square| self.view.last.is_none_or(|last| ![last.from(), last.to()].contains(&square)))
            .collect();
        // A king on its way to castle is not wrong.
        let king = self.view.position.of_role(Role::King).has(mv.from());
        (!wrong.is_empty() && !king).then(|| self.chance.one_of(&wrong))
    }

    /// What a hand touches, or passes, that makes this move.
    pub(super) fn involved(&self, mv: Move) -> Bitboard {
        let position = self.view.position;
        let mut squares: Bitboard = way::between(mv.from(), mv.to()).into_iter().collect();
        squares |= Bitboard::of(mv.from()) | mv.to().into();
        squares |= position.victim(mv).map_or(Bitboard::EMPTY, Bitboard::of);
        if let Some((from, to)) = position.castling_rook(mv) {
            squares |= way::between(from, to).into_iter().chain([from, to]).collect();
        }
        if mv.promotion().is_some() {
            squares |= board::promotion_choices(mv.to()).iter().map(|(square, _)| *square).collect();
        }
        if position.of_role(Role::King).has(mv.from()) {
            // What is put back in the centre while a king is in the air may be that king, showing a result.
            squares |= CENTRE;
        }
        squares
    }
}

/// Where kings show a result.
pub(super) const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// A piece on its way rests for less than the board waits, which is 300 ms.
const LONGEST_PAUSE: u64 = 285;
