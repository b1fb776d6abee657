//! Gestures that answer a question of the board.

use chess::{Bitboard, Promotion, Square};

use super::super::behaviour::Behaviour;
use super::super::reeds::{Contact, Magnet, ReedEvent};
use crate::random::Random;
use crate::scenes;

/// A hand lifts the piece on a square and puts it down again.
pub fn touch_again(square: Square, magnet: Magnet, now: u64, random: &mut Random) -> Vec<ReedEvent> {
    let lift = now + random.within(100..=400);
    let place = lift + random.within(150..=500);
    vec![
        ReedEvent { at: lift, square, change: Contact::Opens },
        ReedEvent { at: place, square, change: Contact::Closes(magnet) },
    ]
}

/// A hand touches one of the four squares that light up for a pawn, to say what it becomes: it lifts what stands there and
/// puts it back, or puts something there and takes it away, perhaps the pawn itself.
pub fn choose(
    to: Square,
    wanted: Promotion,
    (occupied, weak): (Bitboard, Option<Square>),
    start: u64,
    random: &mut Random,
) -> (Vec<ReedEvent>, Option<Behaviour>) {
    let Some(square) = scenes::promotion_square(to, wanted) else { return (Vec::new(), None) };
    let with_the_pawn = !occupied.has(square) && random.happens(300);
    // On its own square, the pawn makes room for a piece from the box.
    let magnet = |at| if weak == Some(at) && (square != to || with_the_pawn) { Magnet::Weak } else { Magnet::Strong };
    let changes = if with_the_pawn {
        let pawn = Contact::Closes(magnet(to));
        vec![(to, Contact::Opens), (square, pawn), (square, Contact::Opens), (to, pawn)]
    } else if occupied.has(square) {
        vec![(square, Contact::Opens), (square, Contact::Closes(magnet(square)))]
    } else {
        vec![(square, Contact::Closes(Magnet::Strong)), (square, Contact::Opens)]
    };
    let mut at = start + random.within(100..=1500);
    let mut touches = Vec::new();
    for (square, change) in changes {
        touches.push(ReedEvent { at, square, change });
        at += random.within(150..=800);
    }
    (touches, with_the_pawn.then_some(Behaviour::ChosenWithThePawn))
}
