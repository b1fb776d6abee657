//! Gestures other than moves: takebacks, corrections, kings in the centre, setting up.

use board::KingsResult;
use chess::{Color, Move, Position, Square};

use super::super::behaviour::Behaviour;
use super::super::geometry;
use super::move_making::CENTRE;
use super::{Gesture, GestureBuilder, HandView};
use crate::random::Random;

/// A piece that had come to rest goes on to where it was meant to go.
pub fn go_on(view: HandView<'_>, from: Square, to: Square, start: u64, random: &mut Random) -> Gesture {
    let mut builder = GestureBuilder::new(view, start, random);
    let path = geometry::between(from, to);
    // A king that follows its rook is lifted over it.
    if path.is_empty() || path.iter().any(|&square| view.position.occupied().has(square)) {
        builder.pick_up(from);
        builder.wait(100..=500);
    } else {
        builder.slide(from, from, &path);
    }
    if view.position.occupied().has(to) {
        builder.pick_up(to);
        builder.wait(120..=700);
    }
    builder.put_down(from, to);
    builder.landed = builder.now;
    builder.done()
}

/// The last move is taken back, in any order: from this position before it.
pub fn take_back(view: HandView<'_>, earlier: &Position, mv: Move, start: u64, random: &mut Random) -> Gesture {
    let mut builder = GestureBuilder::new(view, start, random);
    builder.undo(earlier, mv);
    builder.behaviour(Behaviour::TakeBack);
    builder.done()
}

/// Another move than the one that is shown is made, seen to be wrong, and undone.
pub fn wrong_repeat(view: HandView<'_>, wrong: Move, start: u64, random: &mut Random) -> Gesture {
    let mut builder = GestureBuilder::new(view, start, random);
    let position = view.position;
    if let Some(victim) = position.victim(wrong) {
        builder.lift(victim);
        builder.wait(100..=700);
    }
    builder.lift(wrong.from());
    builder.wait(150..=700);
    builder.place(wrong.from(), wrong.to());
    if let Some((from, to)) = position.castling_rook(wrong) {
        builder.wait(150..=700);
        builder.lift(from);
        builder.wait(150..=700);
        builder.place(from, to);
    }
    builder.wait(500..=3000);
    builder.undo(position, wrong);
    builder.behaviour(Behaviour::WrongRepeat);
    builder.done()
}

impl GestureBuilder<'_> {
    /// Puts the piece back, and the rook that castled with it, and what was taken; in any order that the squares allow.
    fn undo(&mut self, earlier: &Position, mv: Move) {
        let rook = earlier.castling_rook(mv);
        let (one, other) = match rook {
            Some(rook) if self.random.happens(500) => (rook, Some((mv.from(), mv.to()))),
            rook => ((mv.from(), mv.to()), rook),
        };
        let victim = earlier.victim(mv);
        let victim_early = self.random.happens(500);
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
pub fn kings(view: HandView<'_>, start: u64, random: &mut Random) -> Option<(Gesture, KingsResult)> {
    let position = view.position;
    let kings = [Color::White, Color::Black].map(|color| position.king(color));
    let reachable = kings.iter().any(|&king| (position.legal().from(king) & CENTRE).any() || CENTRE.has(king));
    let just_moved = view.last.is_some_and(|last| kings.contains(&last.to()));
    if reachable || just_moved {
        return None;
    }
    let (one, other, result) = random.one_of(&[
        (Square::E4, Square::D5, KingsResult::WhiteWon),
        (Square::D4, Square::E5, KingsResult::BlackWon),
        (Square::E4, Square::E5, KingsResult::Draw),
        (Square::D4, Square::D5, KingsResult::Draw),
    ]);
    let targets = if random.happens(500) { [one, other] } else { [other, one] };
    let mut builder = GestureBuilder::new(view, start, random);
    for target in targets {
        if position.occupied().has(target) {
            builder.lift(target);
            builder.wait(150..=700);
        }
    }
    let both = builder.random.happens(300);
    for (king, target) in kings.into_iter().zip(targets) {
        builder.pick_up(king);
        builder.wait(150..=900);
        if !both {
            builder.put_down(king, target);
            builder.wait(100..=2000);
        }
    }
    if both {
        for (king, target) in kings.into_iter().zip(targets) {
            builder.put_down(king, target);
            builder.wait(50..=1500);
        }
    }
    builder.landed = builder.now;
    builder.behaviour(Behaviour::KingsInTheCentre);
    Some((builder.done(), result))
}

/// All pieces are set up again, from a game that is over. It needs some pieces to be away from home: with a few of them,
/// setting up again is taking back.
pub fn set_up(view: HandView<'_>, start: u64, random: &mut Random) -> Option<Gesture> {
    let home = Position::start().occupied();
    let mut away: Vec<Square> = view.position.occupied().without(home).squares().collect();
    let mut empty: Vec<Square> = home.without(view.position.occupied()).squares().collect();
    if away.len() < 4 {
        return None;
    }
    random.shuffle(&mut away);
    random.shuffle(&mut empty);
    let mut builder = GestureBuilder::new(view, start, random);
    for square in away.drain(..3) {
        builder.lift(square);
        builder.wait(80..=250);
    }
    while !(away.is_empty() && empty.is_empty()) {
        let lifts = !away.is_empty() && (empty.is_empty() || builder.random.happens(500));
        if let Some(square) = if lifts { away.pop() } else { None } {
            builder.lift(square);
        } else if let Some(square) = empty.pop() {
            builder.place_new(square);
        }
        builder.landed = builder.now;
        builder.wait(80..=700);
    }
    builder.behaviour(Behaviour::SetUp);
    Some(builder.done())
}
