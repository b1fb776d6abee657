//! Hands that play under any rules, by footprints.

use board::Stance;
use chess::Bitboard;
use rules::{Footprint, Ply};

use super::SimulatedBoard;

impl SimulatedBoard {
    /// Does with the pieces what a footprint says: captured pieces first.
    fn make_footprint(&mut self, footprint: &Footprint) {
        for square in footprint.captured {
            self.lift(square);
        }
        for square in footprint.lifts {
            self.lift(square);
        }
        for square in footprint.places {
            self.place(square);
        }
        self.wait(1600);
    }

    /// Makes the last ply of the opponent, or brings the pieces to the position as the lights ask for.
    pub(in super::super) fn follow_any(&mut self) {
        let Some((play, info)) = self.any_game().zip(self.info()) else { return };
        let target = play.situation().occupied();
        if let Some((before, last)) = play.before_last().zip(play.last())
            && !info.seat.has(before.situation().to_move())
            && self.standing == before.situation().occupied()
            && let Some(made) = before.situation().made_footprint(last)
        {
            self.make_footprint(&made);
        }
        if self.standing != target && self.any_game().is_some() {
            self.arrange(target);
            self.wait(1600);
        }
    }

    /// Makes this ply, and taps its target if the lights ask for it. The next turn of a script may already be there.
    pub(in super::super) fn play_ply(&mut self, ply: Ply) {
        let game = self.any_game().expect("no snapshot is being received");
        let footprint = game.situation().footprint(ply).expect("a legal ply");
        self.make_footprint(&footprint);
        let stance = self.runner.core().surface().referee().stance();
        if let Stance::Asking(squares) = stance
            && squares.has(ply.to())
        {
            let before = self.standing;
            self.standing ^= Bitboard::of(ply.to());
            self.wait(200);
            self.standing = before;
            self.wait(1600);
        }
    }

    /// Takes the last ply of the opponent back with the pieces.
    pub(in super::super) fn undo_any(&mut self) {
        let Some(play) = self.any_game() else { return };
        let Some((before, last)) = play.before_last().zip(play.last()) else { return };
        let Some(made) = before.situation().made_footprint(last) else { return };
        for square in made.places {
            self.lift(square);
        }
        for square in made.lifts | made.captured {
            self.place(square);
        }
        self.wait(1600);
    }

    /// Makes any ply, if it is this board's turn.
    pub(in super::super) fn play_any_ply(&mut self, choice: u16) {
        self.follow_any();
        let Some((play, info)) = self.any_game().zip(self.info()) else { return };
        if play.verdict().is_some() || !info.seat.has(play.to_move()) || self.standing != play.situation().occupied() {
            return;
        }
        let plies = play.situation().plies();
        let simple: Vec<Ply> = plies.iter().copied().filter(|ply| ply.choice() == 0).collect();
        if let Some(&ply) = simple.get(usize::from(choice) % simple.len().max(1)) {
            self.play_ply(ply);
        }
    }
}
