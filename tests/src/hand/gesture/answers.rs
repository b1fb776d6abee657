//! What a hand does because the board asks for it.

use chess::{Bitboard, Promotion, Square};

use super::super::chance::Chance;
use super::super::habit::Habit;
use super::super::reeds::{Change, Magnet, Touch};

/// A hand lifts the piece on a square and puts it down again.
pub fn touch_again(square: Square, magnet: Magnet, now: u64, chance: &mut Chance) -> Vec<Touch> {
    let lift = now + chance.within(100..=400);
    let place = lift + chance.within(150..=500);
    vec![Touch { at: lift, square, change: Change::Opens }, Touch { at: place, square, change: Change::Closes(magnet) }]
}

/// A hand touches one of the four squares that light up for a pawn, to say what it becomes: it lifts what stands there and
/// puts it back, or puts something there and takes it away, perhaps the pawn itself.
pub fn choose(
    to: Square,
    wanted: Promotion,
    (occupied, weak): (Bitboard, Option<Square>),
    start: u64,
    chance: &mut Chance,
) -> (Vec<Touch>, Option<Habit>) {
    let choice = board::promotion_choices(to).into_iter().find(|&(_, promotion)| promotion == wanted);
    let Some((square, _)) = choice else { return (Vec::new(), None) };
    let with_the_pawn = !occupied.has(square) && chance.happens(300);
    // On its own square, the pawn makes room for a piece from the box.
    let magnet = |at| if weak == Some(at) && (square != to || with_the_pawn) { Magnet::Weak } else { Magnet::Sound };
    let changes = if with_the_pawn {
        let pawn = Change::Closes(magnet(to));
        vec![(to, Change::Opens), (square, pawn), (square, Change::Opens), (to, pawn)]
    } else if occupied.has(square) {
        vec![(square, Change::Opens), (square, Change::Closes(magnet(square)))]
    } else {
        vec![(square, Change::Closes(Magnet::Sound)), (square, Change::Opens)]
    };
    let mut at = start + chance.within(100..=1500);
    let mut touches = Vec::new();
    for (square, change) in changes {
        touches.push(Touch { at, square, change });
        at += chance.within(150..=800);
    }
    (touches, with_the_pawn.then_some(Habit::ChosenWithThePawn))
}
