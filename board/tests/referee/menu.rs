//! The menu in light, in which the computer opponent is chosen before the first move.

use board::{Computer, Effect, Meaning};
use chess::{Color, Square};
use engine::Level;

use crate::script::{Board, START};

fn level(number: u8) -> Level {
    Level::new(number).expect("a level")
}

/// Opens the menu with a king.
fn open(board: &mut Board, king: Square) {
    board.lift(king);
    board.wait(2_000);
    assert!(!board.shows(Meaning::Chosen).is_empty(), "the menu is open");
}

/// Rests the king on a square of the menu.
fn choose(board: &mut Board, square: Square) {
    board.place(square);
    board.wait(500);
    board.lift(square);
}

fn computer(board: &Board) -> Computer {
    *board.surface.referee().computer()
}

#[test]
fn a_king_that_is_held_up_opens_the_menu_and_its_choices_are_applied_when_it_is_back() {
    for king in [Square::E1, Square::E8] {
        let mut board = Board::set_up();
        open(&mut board, king);
        let (chosen, targets) = (board.shows(Meaning::Chosen), board.shows(Meaning::Target));
        assert_eq!(chosen, [Square::C3, Square::G3, Square::H3], "level 3, white for the player, and off");
        assert_eq!(targets.len(), 10);
        assert_eq!(board.shows(Meaning::Lifted), [king]);
        choose(&mut board, Square::B6);
        assert_eq!(board.shows(Meaning::Chosen), [Square::G3, Square::B6]);
        choose(&mut board, Square::G6);
        assert_eq!(board.shows(Meaning::Chosen), [Square::B6, Square::G6]);
        assert!(!computer(&board).is_on, "not yet");
        board.place(king);
        let Computer { is_on, color, level, .. } = computer(&board);
        assert_eq!((is_on, color, level.number()), (true, Color::White, 7));
        assert!(board.effects().contains(&Effect::Computer(computer(&board))));
        board.wait(1_000);
        board.think("e2e4", 0);
        assert_eq!(board.shows(Meaning::OpponentTo), [Square::E4]);
    }
}

#[test]
fn the_remembered_choice_is_shown_and_off_keeps_it() {
    let mut board = Board::against_computer(Color::Black, START);
    board.set_computer(Computer { level: level(9), ..computer(&board) });
    open(&mut board, Square::E1);
    assert_eq!(board.shows(Meaning::Chosen), [Square::G3, Square::D6]);
    choose(&mut board, Square::H3);
    board.place(Square::E1);
    assert!(!computer(&board).is_on);
    assert_eq!(computer(&board).level, level(9));
    open(&mut board, Square::E1);
    assert_eq!(board.shows(Meaning::Chosen), [Square::G3, Square::H3, Square::D6]);
    choose(&mut board, Square::G3);
    board.place(Square::E1);
    assert!(computer(&board).is_on, "a side alone switches it on");
}

#[test]
fn the_menu_can_be_opened_while_the_computers_first_move_is_shown() {
    let mut board = Board::against_computer(Color::White, START);
    board.wait(1_000);
    board.think("e2e4", 0);
    assert_eq!(board.moves(), "e2e4");
    open(&mut board, Square::E8);
    choose(&mut board, Square::G3);
    board.place(Square::E8);
    assert_eq!(board.moves(), "");
    board.wait(500);
    board.play("d2d4");
    assert_eq!(board.moves(), "d2d4");
    assert!(board.is_asked());
}

#[test]
fn a_king_back_without_a_choice_changes_nothing() {
    let mut board = Board::set_up();
    let before = computer(&board);
    open(&mut board, Square::E1);
    board.place(Square::E1);
    assert_eq!(computer(&board), before);
    assert_eq!(board.effects(), []);
    assert!(board.scene().is_empty());
    // A square that the king only touches is not chosen.
    open(&mut board, Square::E1);
    board.place(Square::A3);
    board.lift(Square::A3);
    board.place(Square::E1);
    assert_eq!(computer(&board), before);
    board.play("e2e4");
    assert_eq!(board.moves(), "e2e4");
}

#[test]
fn a_second_piece_closes_the_menu_and_is_read_as_a_move() {
    let mut board = Board::set_up();
    open(&mut board, Square::E1);
    choose(&mut board, Square::A3);
    board.lift(Square::E2);
    assert!(board.shows(Meaning::Chosen).is_empty());
    board.place(Square::E1);
    board.place(Square::E4);
    board.wait(1_000);
    assert_eq!(board.moves(), "e2e4");
    assert!(!computer(&board).is_on);
}

#[test]
fn a_king_that_is_put_back_early_opens_nothing() {
    let mut board = Board::set_up();
    board.lift(Square::E1);
    board.wait(1_500);
    board.place(Square::E1);
    board.wait(3_000);
    assert!(board.scene().is_empty());
}

#[test]
fn there_is_no_menu_after_the_first_move_nor_in_another_position() {
    let mut board = Board::set_up();
    board.play("e2e4");
    board.lift(Square::E1);
    board.wait(3_000);
    assert!(board.shows(Meaning::Chosen).is_empty());
    let mut board = Board::local("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    board.lift(Square::E1);
    board.wait(3_000);
    assert!(board.shows(Meaning::Chosen).is_empty());
}

#[test]
fn kings_in_the_centre_are_a_result_also_after_the_menu_was_open() {
    let mut board = Board::set_up();
    open(&mut board, Square::E1);
    board.place(Square::E4);
    board.go(Square::E8, Square::E5);
    board.wait(1_500);
    assert!(board.surface.play().verdict().is_some());
}
