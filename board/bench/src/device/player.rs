//! A simulated player who plays a game of random legal moves on the surface.

use board::{Instant, Surface, promotion_squares};
use chess::{Bitboard, Game, Move, Square};
use rules::{Plies, Ply};
use wire::link::Event;

use crate::cost;

/// Scans between two touches.
const PAUSE: u32 = 150;

/// Upper bound of the scans after the last touch until a move is recognised. A rook that may be castling takes longest.
const LONGEST_READING: u32 = 2000;

/// Scans in which a board at rest is searched for anything that explains it.
const REST: u32 = 3500;

/// Measured instructions.
#[derive(Clone, Copy, Default)]
pub(crate) struct Measured {
    pub(crate) plies: u64,
    /// Sum over all scans that recognised a move.
    pub(crate) moves: u64,
    pub(crate) largest_move: u64,
    /// The largest scan with a touch that recognised no move.
    pub(crate) largest_touch: u64,
    pub(crate) largest_frame: u64,
}

impl Measured {
    /// The largest scan.
    pub(crate) fn largest(&self) -> u64 {
        self.largest_touch.max(self.largest_move)
    }
}

pub(crate) struct Player<'b> {
    surface: &'b mut Surface,
    /// The current reading of the reeds.
    raw: Bitboard,
    now: &'b mut u64,
    random: u64,
    measured: Measured,
}

impl<'b> Player<'b> {
    /// A player at a board with the pieces in the position of the game.
    pub(crate) fn new(surface: &'b mut Surface, now: &'b mut u64) -> Self {
        let raw = surface.play().situation().occupied();
        Self { surface, raw, now, random: 0x2545_f491_4f6c_dd1d, measured: Measured::default() }
    }

    /// Plays a number of plies, or until the end of the game. Returns `None` if the surface did not recognise a move.
    pub(crate) fn play(&mut self, plies: u32) -> Option<()> {
        for _ in 0..plies {
            if self.surface.play().verdict().is_some() {
                break;
            }
            let legal = self.game()?.position().legal_moves();
            let choice = (self.random() >> 33) as usize % legal.len();
            let mv = *legal.get(choice)?;
            self.make(mv)?;
            self.surface.play().sheet().last().filter(|&&last| last == mv)?;
        }
        Some(())
    }

    /// The instructions of a scan without a change.
    pub(crate) fn idle(&mut self) -> u64 {
        cost::of_scans(self.surface, [self.raw; 2], self.now)
    }

    /// The instructions of a scan without a change while a king is lifted. The king is put back.
    pub(crate) fn idle_lifted(&mut self) -> Option<u64> {
        let position = self.game()?.position();
        let king = position.king(position.turn());
        self.touch(king);
        let idle = self.idle();
        self.touch(king);
        Some(idle)
    }

    /// Leaves the board as it is until nothing is searched for.
    pub(crate) fn settle(&mut self) {
        for _ in 0..REST {
            self.scan();
        }
    }

    /// Receives random plies that move one piece to an empty square, and puts the pieces where they are after the last of them.
    pub(crate) fn shuffle(&mut self, plies: u16) -> Option<()> {
        for _ in 0..plies {
            let ply = self.quiet_ply(|_, _| true)?;
            let number = u16::try_from(self.surface.play().len()).ok()?;
            self.receive(Event::Moved { number, ply, thought_ms: 0 });
            // Whether it has ended the game is searched for.
            self.settle();
        }
        self.raw = self.surface.play().situation().occupied();
        self.settle();
        Some(())
    }

    /// Corrects a ply, which is made for that: its piece is moved on to another target. Returns the largest scan.
    pub(crate) fn correct(&mut self) -> Option<u64> {
        let mut other = None;
        let has_other = |ply: Ply, mut quiet: &mut dyn Iterator<Item = Ply>| {
            other = Iterator::find(&mut quiet, |other| other.from() == ply.from() && other.to() != ply.to());
            other.is_some()
        };
        let ply = self.quiet_ply(has_other)?;
        let other = other?;
        self.move_piece(ply.from(), ply.to(), 1)?;
        self.settle();
        self.measured = Measured::default();
        self.touch(ply.to());
        self.touch(other.to());
        for _ in 0..LONGEST_READING {
            self.scan();
        }
        let last = self.surface.play().plies_from(0).next_back()?;
        (last == other).then(|| self.measured.largest())
    }

    /// Takes back the last two plies by hand, one after the other. Returns the largest scan.
    pub(crate) fn take_back_twice(&mut self) -> Option<u64> {
        self.settle();
        self.measured = Measured::default();
        for _ in 0..2 {
            let last = self.surface.play().plies_from(0).next_back()?;
            self.move_piece(last.to(), last.from(), -1)?;
        }
        Some(self.measured.largest())
    }

    /// The relay takes back two plies, and the pieces are put back as soon as the lights say so. Returns the largest of the event and the scans.
    pub(crate) fn lose_two(&mut self) -> Option<u64> {
        self.settle();
        self.measured = Measured::default();
        let plies = self.surface.play().len();
        let event = self.receive(Event::TakenBack { plies: 2 });
        self.settle();
        (self.surface.play().len() + 2 == plies).then_some(())?;
        self.raw = self.surface.play().situation().occupied();
        self.settle();
        Some(self.measured.largest().max(event))
    }

    /// A random ply that moves one piece, which is no king, to an empty square, and neither promotes it nor freezes the game. It is chosen from those that are wanted.
    fn quiet_ply(&mut self, mut is_wanted: impl FnMut(Ply, &mut dyn Iterator<Item = Ply>) -> bool) -> Option<Ply> {
        let plies = self.plies();
        let situation = self.surface.play().situation();
        let is_quiet = |ply: &Ply| {
            // A king may be lost by its move.
            if situation.turn().royal.has(ply.from()) {
                return false;
            }
            let footprint = situation.made_footprint(*ply);
            let position = self.surface.play().position().after(*ply);
            footprint.is_some_and(|footprint| {
                let is_one = footprint.lifts == ply.from().into() && footprint.places == ply.to().into();
                is_one && footprint.captured.is_empty()
            }) && position.is_some_and(|next| {
                let next = next.situation();
                next.to_move() != situation.to_move() && next.freeze().is_none()
            })
        };
        let start = (self.random >> 33) as usize % plies.len().max(1);
        let mut order = plies.iter().copied().cycle().skip(start).take(plies.len()).filter(is_quiet);
        let found = order.find(|&ply| is_wanted(ply, &mut plies.iter().copied().filter(is_quiet)));
        self.random();
        found
    }

    /// Moves a piece, and waits until the game is longer or shorter by a ply.
    fn move_piece(&mut self, from: Square, to: Square, by: isize) -> Option<()> {
        let plies = self.surface.play().len().checked_add_signed(by)?;
        self.touch(from);
        self.touch(to);
        for _ in 0..LONGEST_READING {
            if self.surface.play().len() == plies {
                return Some(());
            }
            self.scan();
        }
        None
    }

    pub(crate) fn plies(&self) -> Plies {
        self.surface.play().situation().plies()
    }

    /// The instructions that an event of the remote opponent takes.
    pub(crate) fn receive(&mut self, event: Event) -> u64 {
        cost::of_event(self.surface, event, Instant::at(*self.now))
    }

    /// Removes and places random pieces many times.
    pub(crate) fn disturb(&mut self) {
        self.pause();
        let right = self.raw;
        for _ in 0..100 {
            let (some, few) = (self.random(), self.random() & self.random() & self.random());
            for raw in [right & Bitboard(some), right & Bitboard(some) | Bitboard(few), right | Bitboard(few), right] {
                self.raw = raw;
                self.pause();
            }
        }
    }

    /// Lifts all pieces in any order, with other gaps each time, and puts as many down again on any squares, most often on their own. Then the
    /// board rests for as long as anything is searched for. Touches that hands leave have no other order, so this finds large searches.
    pub(crate) fn sweep(&mut self, times: u32) {
        for _ in 0..times {
            let mut right = self.surface.play().situation().occupied();
            let home = right;
            while let Some(square) = self.any_of(right) {
                right = right.without(square.into());
                // The gap, and how many pieces are in the air, differ from sweep to sweep.
                self.raw ^= square.into();
                self.scan_for(20);
                let back = if self.random().is_multiple_of(4) { self.any_of(!self.raw & !home) } else { Some(square) };
                if let Some(back) = back {
                    self.raw |= back.into();
                    self.scan_for(20);
                }
            }
            for _ in 0..REST {
                self.scan();
            }
            self.raw = self.surface.play().situation().occupied();
            for _ in 0..REST {
                self.scan();
            }
        }
    }

    /// Plays five plies so quickly that the board does not rest between them, again and again until the end of the game, and takes the last
    /// ply back after each five.
    pub(crate) fn hurry(&mut self, bursts: u32) -> Option<()> {
        for _ in 0..bursts {
            if self.surface.play().verdict().is_some() {
                break;
            }
            let mut position = *self.game()?.position();
            let mut last = None;
            for _ in 0..5 {
                let legal = position.legal_moves();
                let quiet = |mv: &&Move| {
                    !position.is_capture(**mv) && mv.promotion().is_none() && position.castling_rook(**mv).is_none()
                };
                let count = legal.iter().filter(quiet).count();
                if count == 0 {
                    break;
                }
                let choice = (self.random() >> 33) as usize % count;
                let mv = *legal.iter().filter(quiet).nth(choice)?;
                for square in [mv.from(), mv.to()] {
                    self.raw ^= square.into();
                    self.scan_for(110);
                }
                position = position.play(mv).ok()?;
                last = Some(mv);
            }
            for _ in 0..REST {
                self.scan();
            }
            let taken_back = last.filter(|mv| self.surface.play().sheet().last() == Some(mv));
            for square in taken_back.into_iter().flat_map(|mv| [mv.to(), mv.from()]) {
                self.raw ^= square.into();
                self.scan_for(150);
            }
            for _ in 0..REST {
                self.scan();
            }
            // What was not read is put right.
            self.raw = self.surface.play().situation().occupied();
            for _ in 0..REST {
                self.scan();
            }
        }
        Some(())
    }

    fn any_of(&mut self, squares: Bitboard) -> Option<Square> {
        let count = squares.squares().count();
        let choice = (self.random() >> 33) as usize;
        if count == 0 { None } else { squares.squares().nth(choice % count) }
    }

    fn scan_for(&mut self, scans: u64) {
        let jitter = self.random() >> 33 & 31;
        for _ in 0..scans + jitter {
            self.scan();
        }
    }

    /// Returns the measurements.
    pub(crate) fn finish(self) -> Measured {
        self.measured
    }

    fn game(&self) -> Option<&Game> {
        self.surface.play().chess()
    }

    fn make(&mut self, mv: Move) -> Option<()> {
        let position = *self.game()?.position();
        let plies = self.surface.play().len();
        if let Some(victim) = position.victim(mv) {
            self.touch(victim);
        }
        self.touch(mv.from());
        self.touch(mv.to());
        if let Some((from, to)) = position.castling_rook(mv) {
            self.touch(from);
            self.touch(to);
        }
        if mv.promotion().is_some() {
            let ply = Ply::of_move(mv);
            let choices = self.surface.play().situation().choices(ply);
            let (square, _) = promotion_squares(mv.to()).zip(choices).find(|&(_, &choice)| choice == ply.choice())?;
            self.touch(square);
            self.touch(square);
        }
        for _ in 0..LONGEST_READING {
            if self.surface.play().len() != plies {
                break;
            }
            self.scan();
        }
        Some(())
    }

    /// Lifts the piece on a square, or places one there.
    fn touch(&mut self, square: Square) {
        self.raw ^= square.into();
        self.pause();
    }

    /// Scans for a while, and renders a frame.
    fn pause(&mut self) {
        for _ in 0..PAUSE {
            self.scan();
        }
        let frame = cost::of_frame(self.surface, Instant::at(*self.now));
        self.measured.largest_frame = self.measured.largest_frame.max(frame);
    }

    fn scan(&mut self) {
        *self.now += 1;
        let plies = self.surface.play().len();
        let instructions = cost::of_scan(self.surface, self.raw, Instant::at(*self.now));
        let measured = &mut self.measured;
        if self.surface.play().len() == plies {
            measured.largest_touch = measured.largest_touch.max(instructions);
        } else {
            measured.plies += 1;
            measured.moves += instructions;
            measured.largest_move = measured.largest_move.max(instructions);
        }
    }

    /// Pseudo-random numbers with a fixed seed.
    fn random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }
}
