//! In which orders a move can be made by hand.

use chess::{Move, Position, Square};

use crate::table::Touch::{self, Lift, Place};

/// Every order of the touches of a move that is physically possible: a piece is lifted before it is placed, and a square
/// is free before something is placed on it.
pub(crate) fn of_move(position: &Position, mv: Move) -> Vec<Vec<Touch>> {
    let mut strands = vec![vec![Lift(mv.from()), Place(mv.to())]];
    strands.extend(position.castling_rook(mv).map(|(from, to)| vec![Lift(from), Place(to)]));
    strands.extend(position.victim(mv).map(|victim| vec![Lift(victim)]));
    interleaved(&strands, position)
}

/// Every order in which a move can be undone; what was taken comes back from beside the board.
pub(crate) fn of_undoing(position: &Position, mv: Move) -> Vec<Vec<Touch>> {
    let mut strands = vec![vec![Lift(mv.to()), Place(mv.from())]];
    strands.extend(position.castling_rook(mv).map(|(from, to)| vec![Lift(to), Place(from)]));
    strands.extend(position.victim(mv).map(|victim| vec![Place(victim)]));
    interleaved(&strands, &position.play(mv).expect("a legal move"))
}

/// Every way to do several things at once, each of which has its own order.
pub(crate) fn interleaved(strands: &[Vec<Touch>], position: &Position) -> Vec<Vec<Touch>> {
    let mut orders = Vec::new();
    let mut done = vec![0; strands.len()];
    extend(strands, position, &mut done, &mut Vec::new(), &mut orders);
    orders
}

fn extend(
    strands: &[Vec<Touch>],
    position: &Position,
    done: &mut [usize],
    order: &mut Vec<Touch>,
    orders: &mut Vec<Vec<Touch>>,
) {
    if order.len() == strands.iter().map(Vec::len).sum::<usize>() {
        orders.push(order.clone());
        return;
    }
    for (index, strand) in strands.iter().enumerate() {
        let Some(&touch) = strand.get(done[index]) else { continue };
        if is_possible(touch, position, order) {
            done[index] += 1;
            order.push(touch);
            extend(strands, position, done, order, orders);
            order.pop();
            done[index] -= 1;
        }
    }
}

fn is_possible(touch: Touch, position: &Position, before: &[Touch]) -> bool {
    let occupied = |square: Square| {
        let touched = before.iter().rev().find_map(|&earlier| match earlier {
            Lift(at) => (at == square).then_some(false),
            Place(at) => (at == square).then_some(true),
        });
        touched.unwrap_or(position.occupied().has(square))
    };
    match touch {
        Lift(square) => occupied(square),
        Place(square) => !occupied(square),
    }
}

/// The squares between two squares of a line, in the order of the way; none for a knight.
pub(crate) fn path(from: Square, to: Square) -> Vec<Square> {
    let delta = |a: u8, b: u8| i32::from(b) - i32::from(a);
    let (files, ranks) = (delta(from.file().index(), to.file().index()), delta(from.rank().index(), to.rank().index()));
    if files != 0 && ranks != 0 && files.abs() != ranks.abs() {
        return Vec::new();
    }
    let step = files.signum() + 8 * ranks.signum();
    let square = |steps: i32| u8::try_from(i32::from(from.index()) + steps * step).expect("it is on the board");
    (1..files.abs().max(ranks.abs())).map(|steps| Square::from_index(square(steps))).collect()
}

#[test]
fn every_kind_of_move_has_the_expected_number_of_touch_orders() {
    let count = |fen: &str, uci: &str| of_move(&fen.parse().expect("a position"), uci.parse().expect("a move")).len();
    assert_eq!(count("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1a5"), 1);
    assert_eq!(count("4k3/8/8/r7/8/8/8/R3K3 w Q - 0 1", "a1a5"), 2);
    assert_eq!(count("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"), 6);
    assert_eq!(count("4k3/8/8/1pP5/8/8/8/4K3 w - b6 0 1", "c5b6"), 3);
}
