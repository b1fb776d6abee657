//! Several moves that overlap: none of them is read from half of its touches.

use board::{Looking, Reading, Stance};
use chess::{Move, Position, Square};

use crate::table::Touch::{self, Lift, Place};
use crate::table::{Table, for_this, moved};

fn mv(text: &str) -> Move {
    text.parse().expect(text)
}

/// Touches at these moments, in milliseconds, and then a rest.
pub(crate) fn play(table: &mut Table, touches: &[(u64, Touch)]) {
    let mut now = 0;
    for &(at, touch) in touches {
        table.wait(at - now);
        table.touch(touch);
        now = at;
    }
    table.wait(3_000);
}

/// The moves that are in the game after all readings.
pub(crate) fn moves(table: &mut Table) -> Vec<String> {
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

#[test]
fn a_piece_that_lands_after_another_was_lifted_for_it_is_not_taken_for_the_first_one() {
    // The rook pushes the pawn on f5 off without a gap, and the king goes to e6, where the rook could have gone as well.
    let position: Position = "8/5k2/8/4Rp2/8/8/8/4K3 w - - 0 1".parse().expect("legal");
    let mut table = Table::at(&position);
    play(&mut table, &[(0, Lift(Square::E5)), (270, Lift(Square::F7)), (880, Place(Square::E6))]);
    assert_eq!(moves(&mut table), [""; 0]);
    // The rook is lifted and put down again, as it is seen now.
    play(&mut table, &[(0, Lift(Square::F5)), (300, Place(Square::F5))]);
    assert_eq!(moves(&mut table), ["e5f5", "f7e6"]);
}

#[test]
fn a_reply_that_begins_early_is_read_once_it_is_complete() {
    let position: Position = "8/5k2/8/4Rp2/8/8/8/4K3 w - - 0 1".parse().expect("legal");
    let mut table = Table::at(&position);
    let touches =
        [(0, Lift(Square::E5)), (270, Lift(Square::F7)), (500, Place(Square::E6)), (2_000, Place(Square::F8))];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["e5e6", "f7f8"]);
}

#[test]
fn a_piece_that_was_lifted_before_the_one_that_can_capture_it_is_no_reply() {
    // The pawn on d5 is taken off, c4 is lifted to take its place, and a sleeve tilts the pawn on b5 meanwhile.
    let position: Position = "4k3/8/8/1p1p4/2P5/8/8/4K3 w - - 0 1".parse().expect("legal");
    let mut table = Table::at(&position);
    let touches = [(0, Lift(Square::D5)), (400, Lift(Square::C4)), (520, Lift(Square::B5)), (680, Place(Square::B5))];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), [""; 0]);
    // The pawn is seen on d5 only now, and it may have captured on either square.
    table.touch(Place(Square::D5));
    table.wait(2_000);
    assert_eq!(moves(&mut table), [""; 0]);
    assert!(matches!(table.stance(), Stance::Asking(squares) if squares.has(Square::D5)), "{:?}", table.stance());
    play(&mut table, &[(0, Lift(Square::D5)), (300, Place(Square::D5))]);
    assert_eq!(moves(&mut table), ["c4d5"]);
}

#[test]
fn a_correction_is_confirmed_when_the_opponent_begins_to_reply() {
    let position: Position = "6k1/3N4/2p5/8/8/8/8/K7 w - - 0 1".parse().expect("legal");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::D7)),
        (300, Place(Square::C5)),
        (720, Lift(Square::C5)),
        (1_010, Place(Square::B6)),
        (1_200, Lift(Square::C6)),
        (1_600, Place(Square::C5)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["d7b6", "c6c5"]);
    assert_eq!(table.stance(), Stance::Settled);
}

#[test]
fn a_piece_that_left_its_square_before_the_reply_began_is_corrected_when_it_is_seen() {
    // The king stops on f1 without being let go of, and is seen on f2 only after the reply.
    let position: Position = "8/2k5/8/8/8/8/8/4K3 w - - 0 1".parse().expect("legal");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::E1)),
        (670, Place(Square::F1)),
        (1_840, Lift(Square::F1)),
        (2_650, Lift(Square::C7)),
        (3_160, Place(Square::B6)),
        (4_050, Place(Square::F2)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["e1f2", "c7b6"]);
}

#[test]
fn a_piece_that_stood_until_the_reply_was_made_has_moved_there() {
    let position: Position = "8/3k4/7R/8/8/K7/8/3r4 w - - 0 1".parse().expect("legal");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::H6)),
        (340, Place(Square::H2)),
        (480, Lift(Square::D1)),
        (630, Place(Square::F1)),
        (790, Lift(Square::H2)),
        (1_070, Place(Square::H1)),
        (1_170, Lift(Square::F1)),
        (1_420, Place(Square::E1)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["h6h2", "d1f1", "h2h1", "f1e1"]);
}

#[test]
fn three_moves_that_leave_the_board_as_after_one_are_three() {
    // The rook goes where the bishop stood, and the bishop where the rook could have gone at once.
    let position: Position = "7k/8/8/4R3/3b4/8/8/4K3 w - - 0 1".parse().expect("legal");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::E5)),
        (180, Place(Square::E4)),
        (440, Lift(Square::D4)),
        (660, Place(Square::E3)),
        (920, Lift(Square::E4)),
        (980, Place(Square::D4)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), ["e5e4", "d4e3", "e4d4"]);
}

#[test]
fn a_piece_that_wobbles_twice_was_not_captured() {
    // Either piece may have gone to e2, and it wobbles there.
    let position: Position = "4k3/8/8/8/2b5/8/8/3QK3 b - - 0 1".parse().expect("legal");
    let mut table = Table::at(&position);
    let touches = [
        (0, Lift(Square::C4)),
        (30, Lift(Square::D1)),
        (630, Place(Square::E2)),
        (660, Lift(Square::E2)),
        (675, Place(Square::E2)),
        (714, Lift(Square::E2)),
        (771, Place(Square::E2)),
    ];
    play(&mut table, &touches);
    assert_eq!(moves(&mut table), [""; 0]);
    play(&mut table, &[(0, Place(Square::D1))]);
    assert_eq!(moves(&mut table), ["c4e2"]);
}
