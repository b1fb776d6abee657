//! Moves that the rules do not allow: made, seen in the lights, and undone.

use chess::{Bitboard, Square};

use super::super::tally::Deed;
use super::{GivenUp, SimulatedGame};

impl SimulatedGame {
    /// Puts a piece where it may not go, or takes a piece that it may not take, and undoes it after a look at the lights.
    pub(super) fn make_illegal_move(&mut self) -> Result<(), GivenUp> {
        self.open_burst();
        let position = *self.meant.position();
        let own: Vec<Square> = position.of_color(position.turn()).squares().collect();
        let from = self.random.one_of(&own);
        let legal: Bitboard = position.legal_moves().iter().filter(|mv| mv.from() == from).map(|mv| mv.to()).collect();
        let captures = self.random.happens(300);
        let wanted = if captures { position.of_color(!position.turn()) } else { !position.occupied() };
        let kings = position.of_role(chess::Role::King);
        let targets: Vec<Square> = wanted.without(legal | kings).squares().collect();
        let Some(piece) = self.table.piece_on(from) else { return Ok(()) };
        // A king that steps may castle, or show a result.
        if targets.is_empty() || (kings.has(from) && !captures) {
            return Ok(());
        }
        let to = self.random.one_of(&targets);
        self.tally.illegal += 1;
        self.deeds.add(Deed::Illegal);
        let mut start = self.table.now() + 20;
        let taken = self.table.piece_on(to);
        if let Some(taken) = taken {
            start = self.hands.carry_off(&mut self.table, taken, start) + 100;
        }
        self.hands.carry(&mut self.table, piece, to, start, &[]);
        let react = self.hands.habits.react.clone();
        let looks = 600 + self.hands.ms(&react);
        self.rest(looks);
        let now = self.table.now();
        let back = self.hands.carry(&mut self.table, piece, from, now + 1, &[]);
        if let Some(taken) = taken {
            self.hands.carry(&mut self.table, taken, to, back + 100, &[]);
        }
        self.finish()
    }

    /// Waits until no piece has moved for this many milliseconds.
    pub(super) fn rest(&mut self, ms: u64) {
        let mut since = self.table.now();
        while self.table.now() < since + ms {
            self.tick();
            if !self.table.is_still() {
                since = self.table.now();
            }
        }
    }
}
