//! A hand that plays a whole game on the brain, any legal move as good as another.

use board::{Brain, Instant, promotion_choices};
use chess::{Bitboard, Move, Square};

use crate::cost;

/// How long a hand takes from one touch to the next, in scans.
const HESITATION: u32 = 150;

/// So long after its last touch every move has been read: a rook that might be castling rests longest.
const PATIENCE: u32 = 2000;

/// What was seen, in instructions.
#[derive(Clone, Copy, Default)]
pub(crate) struct Seen {
    pub(crate) plies: u64,
    /// All scans together in which a move was read and played.
    pub(crate) moves: u64,
    pub(crate) largest_move: u64,
    /// The largest of all other scans: those in which something was touched.
    pub(crate) largest_touch: u64,
    pub(crate) largest_frame: u64,
}

pub(crate) struct Player<'b> {
    brain: &'b mut Brain,
    /// What the reeds read.
    raw: Bitboard,
    now: &'b mut u64,
    random: u64,
    seen: Seen,
}

impl<'b> Player<'b> {
    /// Sits down at a board on which the pieces stand as the game has them.
    pub(crate) fn new(brain: &'b mut Brain, now: &'b mut u64) -> Self {
        let raw = brain.game().position().occupied();
        Self { brain, raw, now, random: 0x2545_f491_4f6c_dd1d, seen: Seen::default() }
    }

    /// Plays so many plies, or until the game is over; or gives up, if a move was not read as it was made.
    pub(crate) fn play(&mut self, plies: u32) -> Option<()> {
        for _ in 0..plies {
            if self.brain.game().outcome().is_some() {
                break;
            }
            let legal = self.brain.game().position().legal_moves();
            let choice = (self.random() >> 33) as usize % legal.len();
            let mv = *legal.get(choice)?;
            self.make(mv);
            self.brain.game().moves().last().filter(|&&last| last == mv)?;
        }
        Some(())
    }

    /// What a scan takes while the player thinks.
    pub(crate) fn idle(&mut self) -> u64 {
        cost::of_scans(self.brain, [self.raw; 2], self.now)
    }

    /// What a scan takes while the player thinks with a king in the hand, which is then put back.
    pub(crate) fn idle_lifted(&mut self) -> u64 {
        let position = self.brain.game().position();
        let king = position.king(position.turn());
        self.touch(king);
        let idle = self.idle();
        self.touch(king);
        idle
    }

    /// Wipes pieces off the board and puts them anywhere, again and again.
    pub(crate) fn rampage(&mut self) {
        self.hesitate();
        let right = self.raw;
        for _ in 0..100 {
            let (some, few) = (self.random(), self.random() & self.random() & self.random());
            for raw in [right & Bitboard(some), right & Bitboard(some) | Bitboard(few), right | Bitboard(few), right] {
                self.raw = raw;
                self.hesitate();
            }
        }
    }

    /// Says what was seen.
    pub(crate) fn leave(self) -> Seen {
        self.seen
    }

    fn make(&mut self, mv: Move) {
        let position = *self.brain.game().position();
        let plies = self.brain.game().moves().len();
        if let Some(victim) = position.victim(mv) {
            self.touch(victim);
        }
        self.touch(mv.from());
        self.touch(mv.to());
        if let Some((from, to)) = position.castling_rook(mv) {
            self.touch(from);
            self.touch(to);
        }
        if let Some(promotion) = mv.promotion() {
            for (square, _) in promotion_choices(mv.to()).into_iter().filter(|&(_, choice)| choice == promotion) {
                self.touch(square);
                self.touch(square);
            }
        }
        for _ in 0..PATIENCE {
            if self.brain.game().moves().len() != plies {
                break;
            }
            self.scan();
        }
    }

    /// Lifts what stands on a square, or places something there.
    fn touch(&mut self, square: Square) {
        self.raw ^= square.into();
        self.hesitate();
    }

    /// Waits for a while, and looks at the lights.
    fn hesitate(&mut self) {
        for _ in 0..HESITATION {
            self.scan();
        }
        let frame = cost::of_frame(self.brain, Instant::at(*self.now));
        self.seen.largest_frame = self.seen.largest_frame.max(frame);
    }

    fn scan(&mut self) {
        *self.now += 1;
        let plies = self.brain.game().moves().len();
        let instructions = cost::of_scan(self.brain, self.raw, Instant::at(*self.now));
        let seen = &mut self.seen;
        if self.brain.game().moves().len() == plies {
            seen.largest_touch = seen.largest_touch.max(instructions);
        } else {
            seen.plies += 1;
            seen.moves += instructions;
            seen.largest_move = seen.largest_move.max(instructions);
        }
    }

    /// Numbers that nobody would guess, the same in every run.
    fn random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }
}
