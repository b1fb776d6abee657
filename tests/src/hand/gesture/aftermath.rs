//! What hands do to a game besides making moves in it.

use board::KingsResult;
use chess::{Color, Move, Position, Square};

use super::super::chance::Chance;
use super::super::habit::Habit;
use super::super::way;
use super::move_making::CENTRE;
use super::{Gesture, Maker, View};

/// A piece that had come to rest goes on to where it was meant to go.
pub fn go_on(view: View<'_>, from: Square, to: Square, start: u64, chance: &mut Chance) -> Gesture {
    let mut maker = Maker::new(view, start, chance);
    let path = way::between(from, to);
    // A king that follows its rook is lifted over it.
    if path.is_empty() || path.iter().any(|&square| view.position.occupied().has(square)) {
        maker.pick_up(from);
        maker.wait(100..=500);
    } else {
        maker.slide(from, from, &path);
    }
    if view.position.occupied().has(to) {
        maker.pick_up(to);
        maker.wait(120..=700);
    }
    maker.put_down(from, to);
    maker.landed = maker.now;
    maker.done()
}

/// The last move is taken back, in any order: from this position before it.
pub fn take_back(view: View<'_>, earlier: &Position, mv: Move, start: u64, chance: &mut Chance) -> Gesture {
    let mut maker = Maker::new(view, start, chance);
    maker.undo(earlier, mv);
    maker.habit(Habit::TakeBack);
    maker.done()
}

/// Another move than the one that is shown is made, seen to be wrong, and undone.
pub fn wrong_repeat(view: View<'_>, wrong: Move, start: u64, chance: &mut Chance) -> Gesture {
    let mut maker = Maker::new(view, start, chance);
    let position = view.position;
    if let Some(victim) = position.victim(wrong) {
        maker.lift(victim);
        maker.wait(100..=700);
    }
    maker.lift(wrong.from());
    maker.wait(150..=700);
    maker.place(wrong.from(), wrong.to());
    if let Some((from, to)) = position.castling_rook(wrong) {
        maker.wait(150..=700);
        maker.lift(from);
        maker.wait(150..=700);
        maker.place(from, to);
    }
    maker.wait(500..=3000);
    maker.undo(position, wrong);
    maker.habit(Habit::WrongRepeat);
    maker.done()
}

impl Maker<'_> {
    /// Puts the piece back, and the rook that castled with it, and what was taken; in any order that the squares allow.
    fn undo(&mut self, earlier: &Position, mv: Move) {
        let rook = earlier.castling_rook(mv);
        let (one, other) = match rook {
            Some(rook) if self.chance.happens(500) => (rook, Some((mv.from(), mv.to()))),
            rook => ((mv.from(), mv.to()), rook),
        };
        let victim = earlier.victim(mv);
        let victim_early = self.chance.happens(500);
        self.lift(one.1);
        self.wait(150..=700);
        if let Some(victim) = victim.filter(|_| victim_early) {
            self.place_new(victim);
            self.wait(150..=700);
        }
        self.place(one.1, one.0);
        if let Some((from, to)) = other {
            self.wait(150..=700);
            self.lift(to);
            self.wait(150..=700);
            self.place(to, from);
        }
        if let Some(victim) = victim.filter(|_| !victim_early) {
            self.wait(150..=700);
            self.place_new(victim);
        }
        self.landed = self.now;
    }
}

/// The kings are put in the centre. Says what they mean there, or nothing if they cannot show it.
///
/// A king that may go there, or comes from there, or has just moved, has moved again as far as switches can tell: the
/// board finds that out when the other king follows, which the referee deals with.
pub fn kings(view: View<'_>, start: u64, chance: &mut Chance) -> Option<(Gesture, KingsResult)> {
    let position = view.position;
    let kings = [Color::White, Color::Black].map(|color| position.king(color));
    let reachable = kings.iter().any(|&king| (position.legal().from(king) & CENTRE).any() || CENTRE.has(king));
    let just_moved = view.last.is_some_and(|last| kings.contains(&last.to()));
    if reachable || just_moved {
        return None;
    }
    let (one, other, result) = chance.one_of(&[
        (Square::E4, Square::D5, KingsResult::WhiteWon),
        (Square::D4, Square::E5, KingsResult::BlackWon),
        (Square::E4, Square::E5, KingsResult::Draw),
        (Square::D4, Square::D5, KingsResult::Draw),
    ]);
    let targets = if chance.happens(500) { [one, other] } else { [other, one] };
    let mut maker = Maker::new(view, start, chance);
    for target in targets {
        if position.occupied().has(target) {
            maker.lift(target);
            maker.wait(150..=700);
        }
    }
    let both = maker.chance.happens(300);
    for (king, target) in kings.into_iter().zip(targets) {
        maker.pick_up(king);
        maker.wait(150..=900);
        if !both {
            maker.put_down(king, target);
            maker.wait(100..=2000);
        }
    }
    if both {
        for (king, target) in kings.into_iter().zip(targets) {
            maker.put_down(king, target);
            maker.wait(50..=1500);
        }
    }
    maker.landed = maker.now;
    maker.habit(Habit::KingsInTheCentre);
    Some((maker.done(), result))
}

/// All pieces are set up again, from a game that is over. It needs some pieces to be away from home: with a few of them,
/// setting up again is taking back.
pub fn set_up(view: View<'_>, start: u64, chance: &mut Chance) -> Option<Gesture> {
    let home = Position::start().occupied();
    let mut away: Vec<Square> = view.position.occupied().without(home).squares().collect();
    let mut empty: Vec<Square> = home.without(view.position.occupied()).squares().collect();
    if away.len() < 4 {
        return None;
    }
    chance.shuffle(&mut away);
    chance.shuffle(&mut empty);
    let mut maker = Maker::new(view, start, chance);
    for square in away.drain(..3) {
        maker.lift(square);
        maker.wait(80..=250);
    }
    while !(away.is_empty() && empty.is_empty()) {
        let lifts = !away.is_empty() && (empty.is_empty() || maker.chance.happens(500));
        if let Some(square) = if lifts { away.pop() } else { None } {
            maker.lift(square);
        } else if let Some(square) = empty.pop() {
            maker.place_new(square);
        }
        maker.landed = maker.now;
        maker.wait(80..=700);
    }
    maker.habit(Habit::SetUp);
    Some(maker.done())
}
