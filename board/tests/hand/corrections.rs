//! A move that was read too early, or that was another one, is corrected.

use board::{Looking, Reading, Stance};
use chess::{Move, Position, Square};

use crate::table::Touch::{self, Lift, Place};
use crate::table::{SETTINGS, Table, corrected, moved};

fn mv(text: &str) -> Move {
    text.parse().expect(text)
}

fn position(fen: &str) -> Position {
    fen.parse().expect(fen)
}

/// Two quick moves, as readings.
fn moves(read: &[Reading]) -> Vec<Move> {
    let mut moves = Vec::new();
    for reading in read {
        match *reading {
            Reading::Moved(ply) => moves.extend(ply.to_move()),
            Reading::MovedTwice(first, second) => moves.extend([first, second].iter().filter_map(|ply| ply.to_move())),
            other => panic!("{other:?} is no move"),
        }
    }
    moves
}

#[test]
fn a_knight_that_touched_down_on_one_square_goes_to_another() {
    let mut table = Table::at(&position("4k3/8/8/8/8/8/3N4/4K3 w - - 0 1"));
    table.touch_all(&[Lift(Square::D2), Place(Square::B1)], 300);
    table.wait(500);
    assert_eq!(table.read(), [moved(mv("d2b1"))]);
    table.touch_all(&[Lift(Square::B1), Place(Square::F1)], 300);
    table.wait(SETTINGS.rest);
    assert_eq!(table.read(), [corrected(mv("d2f1"))]);
    assert_eq!(table.stance(), Stance::Settled);
}

#[test]
fn a_piece_is_corrected_to_a_third_square() {
    let mut table = Table::at(&position("4k3/8/8/8/8/8/4K3/8 w - - 0 1"));
    table.touch_all(&[Lift(Square::E2), Place(Square::E1)], 300);
    table.wait(400);
    table.touch_all(&[Lift(Square::E1), Place(Square::D3)], 300);
    table.wait(400);
    table.touch_all(&[Lift(Square::D3), Place(Square::F3)], 300);
    table.wait(400);
    assert_eq!(table.read(), [moved(mv("e2e1")), corrected(mv("e2d3")), corrected(mv("e2f3"))]);
}

#[test]
fn a_capture_that_did_not_happen_is_corrected_when_the_piece_lands_elsewhere() {
    // The pawn on b5 is tilted by a sleeve while the bishop flies to c4.
    let mut table = Table::at(&position("4k3/8/8/1p6/8/8/8/4KB2 w - - 0 1"));
    table.touch_all(&[Lift(Square::F1), Lift(Square::B5), Place(Square::B5)], 200);
    table.wait(600);
    assert_eq!(table.read(), [moved(mv("f1b5"))]);
    table.touch(Place(Square::C4));
    table.wait(SETTINGS.rest);
    assert_eq!(table.read(), [corrected(mv("f1c4"))]);
    assert_eq!(table.stance(), Stance::Settled);
}

#[test]
fn a_capture_that_did_not_happen_is_taken_back_when_the_piece_returns() {
    // A promoted pawn is exchanged for a queen on h1 while the queen on h4 is lifted and put back.
    let mut table = Table::at(&position("4k3/8/8/8/7Q/8/8/1K5q w - - 0 1"));
    table.touch_all(&[Lift(Square::H4), Lift(Square::H1), Place(Square::H1)], 300);
    table.wait(600);
    assert_eq!(table.read(), [moved(mv("h4h1"))]);
    table.touch(Place(Square::H4));
    table.wait(SETTINGS.rest);
    assert_eq!(table.read(), [Reading::TakenBack]);
    assert_eq!(table.stance(), Stance::Settled);
}

#[test]
fn a_completed_pair_is_not_forgotten_when_a_third_piece_is_lifted() {
    // Qh6-f4 and Qc5-c6 stand and rest, and the white queen is lifted again for the third move.
    let start = position("4k3/8/7Q/2q5/8/8/8/4K3 w - - 0 1");
    let mut table = Table::at(&start);
    let touches: [Touch; 5] =
        [Lift(Square::H6), Place(Square::F4), Lift(Square::C5), Place(Square::C6), Lift(Square::F4)];
    table.touch_all(&touches, 120);
    table.wait(2000);
    let read = moves(&table.read());
    assert!(!read.contains(&mv("h6c6")), "{read:?}");
}

#[test]
fn nothing_is_corrected_while_the_remote_opponent_thinks() {
    let mut table = Table::after(&position("4k3/8/8/8/8/8/3N4/4K3 w - - 0 1"), mv("d2b1"), Looking::ForNothing);
    table.touch_all(&[Lift(Square::B1), Place(Square::F1)], 300);
    table.wait(1000);
    assert_eq!(table.read(), []);
}

#[test]
fn a_quick_recapture_of_a_resting_piece_is_asked_about() {
    // The bishop rests on b4, and is captured there with a gap that is too short to be certain.
    let mut table = Table::at(&position("4kb2/8/8/8/8/P7/8/4K3 b - - 0 1"));
    table.touch_all(&[Lift(Square::F8), Place(Square::B4), Lift(Square::A3), Lift(Square::B4)], 100);
    table.wait(66);
    table.touch(Place(Square::B4));
    table.wait(2500);
    assert_eq!(moves(&table.read()), [mv("f8b4")]);
    assert_eq!(table.stance(), Stance::Asking(Square::B4.into()));
    table.touch_all(&[Lift(Square::B4), Place(Square::B4)], 200);
    table.wait(400);
    assert_eq!(moves(&table.read()), [mv("a3b4")]);
}

#[test]
fn several_quick_moves_are_read_when_the_board_rests() {
    let mut table = Table::at(&Position::start());
    let touches =
        [(Square::B2, Square::B3), (Square::C7, Square::C5), (Square::B1, Square::A3), (Square::A7, Square::A5)];
    for (from, to) in touches {
        table.touch(Lift(from));
        table.wait(60);
        table.touch(Place(to));
        table.wait(60);
    }
    table.wait(1500);
    let sequence: Vec<Move> = table
        .read()
        .iter()
        .flat_map(|reading| match reading {
            Reading::MovedSeveral(moves) => moves.iter().filter_map(rules::Ply::to_move).collect(),
            other => moves(&[*other]),
        })
        .collect();
    assert_eq!(sequence, [mv("b2b3"), mv("c7c5"), mv("b1a3"), mv("a7a5")]);
}

#[test]
fn a_piece_that_is_seen_only_after_the_reply_is_read() {
    let mut table = Table::at(&position("4k3/p7/8/8/8/8/4P3/4K3 b - - 0 1"));
    table.touch_all(&[Lift(Square::A7), Lift(Square::E2), Place(Square::E4), Place(Square::A5)], 200);
    table.wait(1500);
    let read = table.read();
    assert!(matches!(read.as_slice(), [Reading::MovedSeveral(_) | Reading::MovedTwice(..)]), "{read:?}");
    assert_eq!(table.stance(), Stance::Settled);
}

#[test]
fn a_move_that_was_sent_is_withdrawn_soon_after_its_piece_is_lifted_again() {
    let knights = position("4k3/8/8/8/8/8/3N4/4K3 w - - 0 1");
    let mut table = Table::after(&knights, mv("d2b1"), Looking::ForWithdrawal);
    table.touch(Lift(Square::B1));
    table.wait(30);
    assert_eq!(table.read(), [], "the switch may only waver");
    table.wait(15);
    assert_eq!(table.read(), [Reading::Withdrawn]);
}

#[test]
fn a_piece_that_was_read_in_the_place_of_the_reply_is_corrected_when_it_is_seen() {
    // Rd2-d1 stands where its switch does not feel it, and Bf5-d7 follows so quickly that the rook seems to have come to d7.
    let mut table = Table::at(&position("4k3/8/8/5b2/8/8/3R4/6K1 w - - 0 1"));
    table.touch(Lift(Square::D2));
    table.wait(250);
    table.touch_all(&[Lift(Square::F5), Place(Square::D7)], 50);
    table.wait(1000);
    assert_eq!(table.read(), [moved(mv("d2d7"))]);
    // The rook is put straight.
    table.touch(Place(Square::D1));
    table.wait(2000);
    let read = table.read();
    let [Reading::CorrectedTo(plies)] = read.as_slice() else { panic!("{read:?} is no correction") };
    let corrected: Vec<Move> = plies.iter().filter_map(rules::Ply::to_move).collect();
    assert_eq!(corrected, [mv("d2d1"), mv("f5d7")]);
    assert_eq!(table.stance(), Stance::Settled);
}
