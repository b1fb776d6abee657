//! A move and a quick answer to it.

use board::{Reading, Stance};
use chess::{Move, Position};

use crate::orders;
use crate::positions;
use crate::table::Touch::{self, Lift, Place};
use crate::table::{SETTINGS, Table, promotion_choices};

/// What was read, as moves.
fn moves(read: &[Reading]) -> Vec<Move> {
    let mut moves = Vec::new();
    for reading in read {
        match *reading {
            Reading::Moved(ply) => moves.extend(ply.to_move()),
            Reading::MovedTwice(first, second) => moves.extend(first.to_move().into_iter().chain(second.to_move())),
            other => panic!("{other:?} is no move"),
        }
    }
    moves
}

/// Every move with every answer to it.
fn pairs() -> impl Iterator<Item = (Position, Move, Position, Move)> {
    positions::plain_moves().flat_map(|(position, first)| {
        let next = position.play(first).expect("a legal move");
        let answers = next.legal_moves().to_vec();
        answers.into_iter().map(move |second| (position, first, next, second))
    })
}

#[test]
fn a_move_and_its_quick_answer_are_both_recognised() {
    for (position, first, next, second) in pairs().filter(|(.., second)| second.promotion().is_none()) {
        for ones in orders::of_move(&position, first) {
            for others in orders::of_move(&next, second) {
                for pause in [20, 150, SETTINGS.rest - 1, 350] {
                    let mut table = Table::at(&position);
                    table.touch_all(&ones, 150);
                    table.wait(pause);
                    table.touch_all(&others, 150);
                    table.wait(2000);
                    let context = format!("{ones:?}, {pause} ms, {others:?} in {}", position.fen());
                    assert_eq!(moves(&table.read()), [first, second], "{context}");
                }
            }
        }
    }
}

#[test]
fn the_answer_can_be_lifted_before_the_move_is_placed() {
    let mut overlaps = 0;
    for (position, first, next, second) in pairs().filter(|(.., second)| second.promotion().is_none()) {
        for ones in orders::of_move(&position, first) {
            for others in orders::of_move(&next, second) {
                for touches in overlapping(&position, &ones, &others) {
                    let mut table = Table::at(&position);
                    table.touch_all(&touches, 130);
                    table.wait(2000);
                    let context = format!("{first} and {second} by {touches:?} in {}", position.fen());
                    assert_eq!(moves(&table.read()), [first, second], "{context}");
                    overlaps += 1;
                }
            }
        }
    }
    println!("overlaps {overlaps}");
    assert!(overlaps > 50_000, "only {overlaps} early answers were tried");
}

/// Every way to begin the answer early, but to place nothing before the move is done.
fn overlapping(position: &Position, ones: &[Touch], others: &[Touch]) -> Vec<Vec<Touch>> {
    let places = |touch: &Touch| matches!(touch, Place(_));
    orders::interleaved(&[ones.to_vec(), others.to_vec()], position)
        .into_iter()
        .filter(|order| {
            let done = order.iter().rposition(|touch| ones.contains(touch) && !others.contains(touch));
            let answered =
                order.iter().position(|touch| places(touch) && others.contains(touch) && !ones.contains(touch));
            done.zip(answered).is_some_and(|(done, answered)| done < answered)
        })
        .collect()
}

#[test]
fn a_promotion_in_answer_to_a_resting_move_asks_for_the_piece() {
    let mut asked = 0;
    for (position, first, _, second) in pairs().filter(|(.., second)| second.promotion().is_some()) {
        for others in orders::of_move(&position.play(first).expect("legal"), second) {
            let mut table = Table::at(&position);
            table.touch_all(&orders::of_move(&position, first)[0], 150);
            table.wait(20);
            table.touch_all(&others, 150);
            table.wait(SETTINGS.rook_rest);
            let context = format!("{first} and {second} by {others:?} in {}", position.fen());
            let mut read = table.read();
            assert_eq!(table.stance(), Stance::Choosing { to: second.to() }, "{context}");
            let (square, _) = promotion_choices(second.to())[0];
            table.touch_all(&[Lift(square), Place(square)], 200);
            table.wait(2000);
            let queen = second.promoting(Some(chess::Promotion::Queen));
            read.extend(table.read());
            assert_eq!(moves(&read), [first, queen], "{context}");
            asked += 1;
        }
    }
    assert!(asked > 20, "only {asked} promotions were answers");
}
