//! Two taps of the own king ask for a hint.

use board::{Computer, Meaning};
use chess::{Color, Square};
use wire::link::Seat;

use crate::script::{Board, START};

fn tap_twice(board: &mut Board, king: Square) {
    board.touch(king);
    board.touch(king);
}

#[test]
fn a_hint_is_shown_until_a_move_is_made() {
    let mut board = Board::against_computer(Color::Black, START);
    tap_twice(&mut board, Square::E1);
    assert_eq!(board.shows(Meaning::Busy), [Square::E1]);
    board.think("g1f3", 20);
    assert_eq!(board.moves(), "", "a hint is not played");
    assert_eq!(board.shows(Meaning::HintFrom), [Square::G1]);
    assert_eq!(board.shows(Meaning::HintTo), [Square::F3]);
    board.wait(20_000);
    assert_eq!(board.shows(Meaning::HintTo), [Square::F3]);
    board.play("e2e4");
    assert!(board.shows(Meaning::HintTo).is_empty());
    assert_eq!(board.sent_events().len(), 1, "only the move is sent");
}

#[test]
fn two_players_at_one_board_can_ask_too() {
    let mut board = Board::set_up();
    board.play("e2e4");
    tap_twice(&mut board, Square::E1);
    assert!(!board.is_asked(), "it is the other side's turn");
    tap_twice(&mut board, Square::E8);
    board.think("c7c5", 0);
    assert_eq!(board.shows(Meaning::HintFrom), [Square::C7]);
}

#[test]
fn one_tap_or_slow_taps_or_other_pieces_ask_for_nothing() {
    let mut board = Board::set_up();
    board.touch(Square::E1);
    board.wait(3000);
    assert!(!board.is_asked());
    board.touch(Square::E1);
    board.wait(1500);
    board.touch(Square::E1);
    assert!(!board.is_asked());
    board.wait(2000);
    for square in [Square::D1, Square::E2, Square::E8] {
        tap_twice(&mut board, square);
        assert!(!board.is_asked(), "{square}");
    }
}

#[test]
fn a_takeback_makes_a_hint_void() {
    let mut board = Board::set_up();
    board.play("e2e4");
    tap_twice(&mut board, Square::E8);
    assert!(board.is_asked());
    board.go(Square::E4, Square::E2);
    board.wait(500);
    assert!(!board.is_asked());
}

#[test]
fn there_is_no_hint_against_people_elsewhere() {
    let mut board = Board::remote(Seat::White, START);
    tap_twice(&mut board, Square::E1);
    assert!(!board.is_asked());
    assert!(board.shows(Meaning::Busy).is_empty());
}

#[test]
fn the_computer_is_not_asked_for_hints_on_its_turn() {
    let mut board = Board::against_computer(Color::Black, START);
    board.play("e2e4");
    let before = board.surface.referee().wanted_search();
    tap_twice(&mut board, Square::E8);
    assert_eq!(board.surface.referee().wanted_search(), before);
    board.set_computer(Computer::DEFAULT);
    assert!(!board.is_asked());
}
