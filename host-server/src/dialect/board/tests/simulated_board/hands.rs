//! Careful hands: they leave the reeds time to settle after every touch.

use board::Input;
use chess::{Bitboard, Color, Move, Position, Square};
use wire::link::Seat;

use super::SimulatedBoard;

impl SimulatedBoard {
    /// Lets time pass, and scans the reeds a few times.
    pub(in super::super) fn wait(&mut self, milliseconds: u64) {
        for _ in 0..8 {
            self.now += milliseconds / 8;
            self.input(Input::Scan(self.standing));
        }
    }

    pub(in super::super) fn lift(&mut self, square: Square) {
        self.standing = self.standing.without(square.into());
        self.wait(200);
    }

    /// Lifts a piece for a while, and puts it back.
    pub(in super::super) fn hold(&mut self, square: Square, milliseconds: u64) {
        self.lift(square);
        self.wait(milliseconds);
        self.place(square);
        self.wait(400);
    }

    pub(super) fn place(&mut self, square: Square) {
        self.standing |= square.into();
        self.wait(200);
    }

    fn go(&mut self, from: Square, to: Square) {
        self.lift(from);
        self.place(to);
    }

    /// Lifts and places pieces until they stand on these squares.
    pub(super) fn arrange(&mut self, target: Bitboard) {
        for square in self.standing.without(target) {
            self.lift(square);
        }
        for square in target.without(self.standing) {
            self.place(square);
        }
    }

    /// Makes a move with the pieces.
    fn make(&mut self, position: &Position, mv: Move) {
        if let Some(victim) = position.victim(mv) {
            self.lift(victim);
        }
        self.go(mv.from(), mv.to());
        if let Some((from, to)) = position.castling_rook(mv) {
            self.go(from, to);
        }
        if let Some(promotion) = mv.promotion()
            && let Some((square, _)) = board::promotion_squares(mv.to())
                .zip(rules::chess::CHOICES)
                .find(|(_, choice)| rules::chess::promotion(*choice) == Some(promotion))
        {
            let before = self.standing;
            self.standing ^= square.into();
            self.wait(200);
            self.standing = before;
            self.wait(200);
        }
        // Longer than a move that ends the game rests.
        self.wait(2400);
        if mv.promotion().is_some() || position.castling_rook(mv).is_some() {
            self.wait(2000);
        }
    }

    /// Lets so much time pass that the last move can no longer be corrected.
    pub(in super::super) fn let_go(&mut self) {
        self.wait(3000);
    }

    /// The position before the last of these moves, and that move.
    fn last_made(&self, moves: &[Move]) -> Option<(Position, Move)> {
        let (&last, earlier) = moves.split_last()?;
        let start = *self.game()?.start();
        Some((earlier.iter().fold(start, |position, &mv| position.play(mv).expect("it was played")), last))
    }

    /// Makes the pieces match the game, as the lights ask for.
    pub(in super::super) fn follow(&mut self) {
        let Some(game) = self.game() else { return };
        let (moves, target) = (game.moves().to_vec(), game.position().occupied());
        if let Some((before, last)) = self.last_made(&moves)
            && self.made == moves[..moves.len() - 1]
        {
            self.made.clone_from(&moves);
            if self.standing == before.occupied() {
                // The promotion was chosen by the opponent.
                self.make(&before, last.promoting(None));
            }
        }
        for _ in 0..2 {
            if self.standing != target && self.game().is_some() {
                self.arrange(target);
                // Longer than a move that ends the game rests.
                self.wait(2400);
            }
        }
        self.made = self.moves().map(<[Move]>::to_vec).unwrap_or_default();
    }

    /// The side to move, if it is played at this board.
    pub(in super::super) fn turn(&self) -> Option<Color> {
        let (game, info) = self.game().zip(self.info())?;
        let turn = game.position().turn();
        (game.outcome().is_none() && info.seat.has(turn)).then_some(turn)
    }

    /// Makes any move, if it is this board's turn.
    pub(in super::super) fn play_any(&mut self, choice: u16) {
        self.follow();
        if self.turn().is_some()
            && let Some(game) = self.game()
        {
            let legal = game.position().legal_moves();
            let moves: Vec<Move> = legal.iter().copied().filter(|mv| mv.promotion().is_none()).collect();
            if let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) {
                self.play(mv);
            }
        }
    }

    /// Makes this move.
    pub(in super::super) fn play(&mut self, mv: Move) {
        let position = *self.game().expect("no snapshot is being received").position();
        self.make(&position, mv);
        self.made = self.moves().expect("no snapshot is being received").to_vec();
    }

    /// Takes the last move back with the pieces.
    pub(in super::super) fn undo(&mut self) {
        let Some((before, last)) = self.last_made(&self.made) else { return };
        if self.standing != before.play(last).expect("it was played").occupied() {
            return;
        }
        let earlier = self.made[..self.made.len() - 1].to_vec();
        if let Some((from, to)) = before.castling_rook(last) {
            self.go(to, from);
        }
        self.go(last.to(), last.from());
        if let Some(victim) = before.victim(last) {
            self.place(victim);
        }
        // Longer than a move that ends the game rests.
        self.wait(2400);
        self.made = earlier;
    }

    /// Puts both kings into the centre, which offers or accepts a draw, or resigns.
    pub(in super::super) fn show_kings(&mut self, resigns: bool) {
        let us = match self.seat() {
            Some(Seat::White) => Color::White,
            Some(Seat::Black) => Color::Black,
            _ => return,
        };
        self.follow();
        let Some(game) = self.game() else { return };
        let position = *game.position();
        let kings = [Color::White, Color::Black].map(|color| position.king(color));
        let centre = match (resigns, us) {
            (false, _) => [Square::E4, Square::E5],
            (true, Color::Black) => [Square::E4, Square::D5],
            (true, Color::White) => [Square::D4, Square::E5],
        };
        if centre.iter().any(|&square| self.standing.has(square)) {
            return;
        }
        for square in kings {
            self.lift(square);
        }
        for square in centre {
            self.place(square);
        }
        self.wait(4000);
        for square in centre {
            self.lift(square);
        }
        for square in kings {
            self.place(square);
        }
        // Longer than a move that ends the game rests.
        self.wait(2400);
    }

    /// Sets the pieces up for a new game.
    pub(in super::super) fn set_up(&mut self) {
        if self.game().is_some() {
            self.arrange(Position::start().occupied());
            self.wait(8000);
            self.wait(8000);
        }
    }
}
