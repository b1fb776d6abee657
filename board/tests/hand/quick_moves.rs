//! Several moves that overlap: none of them is read from half of its touches.

use board::{Looking, Reading, Stance};
use chess::{Move, Position, Square};

use crate::table::Touch::{self, Lift, Place};
use crate::table::{Table, for_this, moved};

fn mv(text: &str) -> Move {
    text.parse().expect(text)
}

/// Touches at these moments, in milliseconds, and then a rest.
fn play(table: &mut Table, touches: &[(u64, Touch)]) {
    let mut now = 0;
    for &(at, touch) in touches {
        table.wait(at - now);
        table.touch(touch);
        now = at;
    }
    table.wait(3_000);
}

/// The moves that are in the game after all readings.
fn moves(table: &mut Table) -> Vec<String> {
    let mut game = Vec::new();
    for reading in table.read() {
        match reading {
            Reading::Moved(ply) => game.push(ply),
            Reading::MovedTwice(first, second) => game.extend([first, second]),
            Reading::MovedSeveral(moves) => game.extend(moves.iter()),
            Reading::Corrected(ply) => {
                game.pop();
                game.push(ply);
            }
            Reading::CorrectedTo(moves) => {
                game.pop();
                game.extend(moves.iter());
            }
            other => panic!("{other:?} is no move"),
        }
    }
    game.iter().map(ToString::to_string).collect()
}

#[test]
fn a_capture_in_reply_to_a_capture_that_is_seen_late_is_read() {
    // The queen that captures on b3 is seen there only after the other one has captured on c2.
    let position: Position = "3k4/8/8/8/8/1R4q1/2b5/1Q5K b - - 0 1".parse().expect("legal");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::G3)),
        (700, Lift(Square::B3)),
        (1060, Lift(Square::C2)),
        (1730, Lift(Square::B1)),
        (1820, Place(Square::C2)),
        (3720, Place(Square::B3)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["g3b3", "b1c2"]);
    assert_eq!(table.stance(), Stance::Settled);
}

#[test]
fn the_victim_of_the_own_move_can_be_lifted_before_the_repeated_move_is_complete() {
    let position: Position = "4k3/7p/6P1/1p6/2B5/8/8/4K3 b - - 0 1".parse().expect("legal");
    let mut table = Table::looking(&position, for_this(mv("b5c4")));
    let touches = [
        (0, Lift(Square::C4)),
        (230, Lift(Square::B5)),
        (600, Lift(Square::H7)),
        (616, Place(Square::C4)),
        (1180, Lift(Square::G6)),
        (1940, Place(Square::H7)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["b5c4", "g6h7"]);
}

#[test]
fn a_piece_that_is_captured_as_soon_as_it_stands_has_moved() {
    let position: Position = "5k2/7p/8/8/4q3/8/4N3/7K w - - 0 1".parse().expect("legal");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::H1)),
        (300, Place(Square::H2)),
        (360, Lift(Square::E4)),
        (620, Place(Square::F4)),
        (690, Lift(Square::F4)),
        (1290, Lift(Square::E2)),
        (1550, Place(Square::F4)),
        (1700, Lift(Square::F8)),
        (1900, Place(Square::E7)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["h1h2", "e4f4", "e2f4", "f8e7"]);
}

#[test]
fn a_promotion_in_answer_to_a_corrected_move_asks_for_the_piece() {
    // The knight touches b7 first, and the pawn has promoted before the correction has rested.
    let position: Position = "3N1k2/8/8/8/8/8/4p2K/8 w - - 0 1".parse().expect("legal");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::D8)),
        (280, Place(Square::B7)),
        (650, Lift(Square::B7)),
        (940, Place(Square::C6)),
        (1210, Lift(Square::E2)),
        (1230, Place(Square::E1)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["d8c6"]);
    assert_eq!(table.stance(), Stance::Choosing { to: Square::E1 });
}

#[test]
fn a_recapture_is_no_answer_to_the_question_about_the_capture() {
    // The bishop's capture was too quick to be certain, and the pawn captures the bishop after the question.
    let position: Position = "4kb2/8/8/8/8/N7/1P6/4K3 b - - 0 1".parse().expect("legal");
    let mut table = Table::looking(&position, Looking::ForMoves);
    let touches = [
        (0, Lift(Square::F8)),
        (300, Lift(Square::A3)),
        (389, Place(Square::A3)),
        (1200, Lift(Square::B2)),
        (1500, Lift(Square::A3)),
        (1800, Place(Square::A3)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["f8a3", "b2a3"]);
}

#[test]
fn a_piece_that_was_put_back_has_not_captured_before_it_was_lifted_again() {
    // The rook on e4 and the knight on e2 are lifted and put back; then the rook moves.
    let position: Position = "4k3/8/8/8/4r3/8/4N3/K7 b - - 0 1".parse().expect("legal");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::E4)),
        (300, Lift(Square::E2)),
        (900, Place(Square::E4)),
        (1400, Place(Square::E2)),
        (2200, Lift(Square::E4)),
    ];
    play(&mut table, &touches);
    assert_eq!(table.stance(), Stance::InHand { missing: Square::E4.into() });
    table.touch(Place(Square::B4));
    table.wait(1_000);
    let read = table.read();
    assert_eq!(read.last(), Some(&moved(mv("e4b4"))), "{read:?}");
}

#[test]
fn a_move_is_read_although_its_answer_slid_on_and_was_lost_from_sight() {
    // The rook slides over b5 and pushes the pawn on b6 off without a trace: the move before it is read all the same.
    let position: Position = "r3k3/8/1p6/8/1R6/8/8/4K3 b - - 0 1".parse().expect("legal");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::A8)),
        (200, Place(Square::A5)),
        (250, Lift(Square::B4)),
        (300, Place(Square::B5)),
        (340, Lift(Square::B5)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["a8a5"]);
    assert_eq!(table.stance(), Stance::InHand { missing: Square::B4.into() });
}
