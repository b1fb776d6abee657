//! Takebacks by hand, kings in the centre, and a new set-up.

use chess::{Bitboard, Color, Game, Position, Square};
use rules::Verdict;

use super::super::tally::{FaultClass, Kind};
use super::{GivenUp, SimulatedGame};

/// The squares of the white and the black king, and who wins. Either king may stand on either square.
const SIGNS: [(Square, Square, Option<Color>); 4] = [
    (Square::E4, Square::D5, Some(Color::White)),
    (Square::D4, Square::E5, Some(Color::Black)),
    (Square::E4, Square::E5, None),
    (Square::D4, Square::D5, None),
];

impl SimulatedGame {
    /// Takes back the last move by hand.
    pub(super) fn take_back(&mut self) -> Result<(), GivenUp> {
        let (Some(before), Some(&last)) = (self.meant.before_last(), self.meant.moves().last()) else { return Ok(()) };
        self.open_burst();
        // What stands for the piece that the pawn became is the pawn again.
        self.exchange = None;
        self.compares = false;
        self.tally.takebacks += 1;
        let plies = self.meant.moves().len();
        self.undo(&before, last);
        let is_read = self.wait_until(3000, |session| session.surface.play().len() < plies && session.is_settled());
        self.compares = true;
        let unseen = before.occupied() != self.debounce.occupied();
        self.meant.take_back();
        self.open_burst();
        if self.surface.play().sheet() != self.meant.moves() {
            let (class, kind) = match (is_read, unseen) {
                (true, _) => (FaultClass::TakeBack, Kind::Misread),
                (false, true) => (FaultClass::OutOfReach, Kind::Unreadable),
                (false, false) => (FaultClass::TakeBack, Kind::Unread),
            };
            self.fault(class, kind, &format!("{last} taken back"), 1);
            return self.get_help();
        }
        self.finish()
    }

    /// Ends the game, sometimes with the kings in the centre, and sets the pieces up again.
    pub(super) fn end(&mut self) -> Result<(), GivenUp> {
        self.compares = false;
        self.open_burst();
        if self.surface.play().verdict().is_none() && self.random.happens(500) {
            self.show_result()?;
        }
        self.set_up()
    }

    fn show_result(&mut self) -> Result<(), GivenUp> {
        let Some((winner, targets)) = self.place_kings() else { return Ok(()) };
        let shown = self.wait_until(3000, |session| session.surface.play().verdict().is_some());
        let right = match self.surface.play().verdict() {
            Some(Verdict::Won { winner: read, .. }) => winner == Some(read),
            Some(Verdict::Drawn(_)) => winner.is_none(),
            _ => false,
        };
        if !right {
            let kind = match (shown, targets.without(self.table.closed()).any()) {
                (true, _) => Kind::Misread,
                (_, true) => Kind::Unreadable,
                _ => Kind::Unread,
            };
            let class = if kind == Kind::Unreadable { FaultClass::OutOfReach } else { FaultClass::Kings };
            self.fault(class, kind, &format!("kings for {winner:?}"), 1);
            return Err(GivenUp);
        }
        Ok(())
    }

    /// Puts both kings on centre squares, if nothing is in their way. Returns what they show, and where they are.
    pub(super) fn place_kings(&mut self) -> Option<(Option<Color>, Bitboard)> {
        let position = *self.meant.position();
        let kings = Color::ALL.map(|color| position.king(color));
        let free = |square: Square| !position.occupied().has(square) || kings.contains(&square);
        let signs: Vec<_> = SIGNS.into_iter().filter(|(one, other, _)| free(*one) && free(*other)).collect();
        if signs.is_empty() {
            return None;
        }
        let (one, other, winner) = self.random.one_of(&signs);
        let targets = if self.random.happens(500) { [one, other] } else { [other, one] };
        // A king that stands where the other goes has to be out of the way first.
        if targets.iter().zip(kings).any(|(&target, king)| kings.contains(&target) && target != king) {
            return None;
        }
        self.tally.kings += 1;
        let mut start = self.table.now() + 10;
        for (king, target) in kings.into_iter().zip(targets) {
            if king != target
                && let Some(piece) = self.table.piece_on(king)
            {
                let landed = self.hands.carry(&mut self.table, piece, target, start, &[]);
                start = if self.random.happens(300) { start + 60 } else { landed + self.random.within(50..=800) };
            }
        }
        Some((winner, targets.into_iter().collect()))
    }

    /// Sets the pieces up again in the middle of a game, which gives it up for a new one.
    pub(super) fn start_anew(&mut self) -> Result<(), GivenUp> {
        self.compares = false;
        self.open_burst();
        self.exchange = None;
        self.tally.restarts += 1;
        self.set_up()?;
        *self.meant = Game::new();
        self.compares = true;
        self.open_burst();
        Ok(())
    }

    pub(super) fn set_up(&mut self) -> Result<(), GivenUp> {
        self.tally.set_ups += 1;
        self.table.restore_labels();
        self.has_begun = false;
        self.arrange(&Position::start());
        let mut begun = self.wait_until(6000, |session| session.has_begun);
        if !begun {
            for square in Position::start().occupied().without(self.table.closed()) {
                let now = self.table.now();
                self.hands.tap(&mut self.table, square, now);
            }
            begun = self.wait_until(6000, |session| session.has_begun);
        }
        if begun {
            return Ok(());
        }
        let kind = if self.table.closed() == Position::start().occupied() { Kind::Unread } else { Kind::Unreadable };
        self.fault(FaultClass::SetUp, kind, "set up again", 1);
        Err(GivenUp)
    }

    fn is_settled(&self) -> bool {
        self.stance() == board::Stance::Settled
    }

    /// Lifts a king and puts it back if the lights ask about it.
    fn confirm(&mut self) -> bool {
        let board::Stance::Asking(squares) = self.stance() else { return false };
        // The kings stand in the centre, wherever they were.
        let centre: Bitboard = [Square::D4, Square::E4, Square::D5, Square::E5].into_iter().collect();
        let Some(square) = (squares & centre).first() else { return false };
        let now = self.table.now();
        self.hands.tap(&mut self.table, square, now + 300);
        true
    }

    /// Waits for a condition, at most this many milliseconds after the last motion.
    pub(super) fn wait_until(&mut self, ms: u64, done: impl Fn(&Self) -> bool) -> bool {
        let mut since = self.table.now();
        loop {
            self.tick();
            if !self.table.is_still() {
                since = self.table.now();
            } else if self.confirm() {
                self.tally.confirmed += 1;
            } else if done(self) {
                return true;
            } else if self.table.now() - since > ms {
                return false;
            }
        }
    }
}
