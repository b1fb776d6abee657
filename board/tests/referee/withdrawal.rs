//! An own move of a remote game that was sent before the player had let go of the piece.

use board::Meaning;
use chess::Square;
use rules::{Verdict, Why};
use wire::link::{Event, Seat};

use crate::script::{Board, START, moved};

fn remote() -> Board {
    let mut board = Board::remote(Seat::White, START);
    board.surface.set_withdraws(true);
    board
}

#[test]
fn an_own_move_is_sent_only_when_it_has_rested() {
    let mut board = remote();
    board.lift(Square::G1);
    board.place(Square::F3);
    board.wait(150);
    assert_eq!(board.sent_events(), []);
    board.wait(150);
    assert_eq!(board.sent_events(), [moved(0, "g1f3")]);
}

#[test]
fn a_piece_that_goes_on_before_the_rest_is_over_is_sent_once() {
    let mut board = remote();
    board.lift(Square::G1);
    board.place(Square::F3);
    board.go(Square::F3, Square::H3);
    board.wait(1000);
    assert_eq!(board.sent_events(), [moved(0, "g1h3")]);
}

#[test]
fn a_move_is_withdrawn_when_its_piece_is_lifted_again() {
    let mut board = remote();
    board.go(Square::G1, Square::F3);
    board.wait(1000);
    assert_eq!(board.sent_events(), [moved(0, "g1f3")]);
    board.lift(Square::F3);
    assert_eq!(board.sent_events(), [Event::Corrected { number: 0 }]);
    assert_eq!(board.moves(), "");
    board.place(Square::H3);
    board.wait(1000);
    assert_eq!(board.sent_events(), [moved(0, "g1h3")]);
}

#[test]
fn a_piece_that_is_put_back_where_it_was_is_sent_again() {
    let mut board = remote();
    board.go(Square::G1, Square::F3);
    board.wait(1000);
    board.sent_events();
    board.touch(Square::F3);
    board.wait(1000);
    assert_eq!(board.sent_events(), [Event::Corrected { number: 0 }, moved(0, "g1f3")]);
}

#[test]
fn a_capture_that_did_not_happen_is_withdrawn_when_the_piece_comes_down() {
    let mut board = Board::remote(Seat::White, "4k3/7p/8/1p6/8/8/7P/4KB2 w - - 0 1");
    board.surface.set_withdraws(true);
    board.lift(Square::F1);
    board.touch(Square::B5);
    board.wait(700);
    assert_eq!(board.sent_events(), [], "the pawn may only have been tilted");
    board.wait(500);
    assert_eq!(board.sent_events(), [moved(0, "f1b5")]);
    board.place(Square::C4);
    board.wait(1500);
    assert_eq!(board.sent_events(), [Event::Corrected { number: 0 }, moved(0, "f1c4")]);
}

#[test]
fn nothing_is_withdrawn_after_a_reply_or_after_three_seconds() {
    let mut board = remote();
    board.go(Square::G1, Square::F3);
    board.wait(1000);
    board.sent_events();
    board.receive_move("e7e5");
    board.lift(Square::F3);
    assert_eq!(board.sent_events(), []);
    let mut board = remote();
    board.go(Square::G1, Square::F3);
    board.wait(4000);
    board.sent_events();
    board.lift(Square::F3);
    assert_eq!(board.sent_events(), []);
    board.place(Square::G1);
    board.wait(500);
    assert_eq!(board.sent_events(), [Event::TakebackAsked { plies: 1 }]);
}

#[test]
fn without_the_relay_no_move_is_withdrawn() {
    let mut board = Board::remote(Seat::White, START);
    board.go(Square::G1, Square::F3);
    board.wait(1000);
    board.sent_events();
    board.lift(Square::F3);
    assert_eq!(board.sent_events(), []);
    board.place(Square::G1);
    board.wait(500);
    assert_eq!(board.sent_events(), [Event::TakebackAsked { plies: 1 }]);
}

#[test]
fn the_own_move_can_be_made_before_the_repeated_one_is_read() {
    let mut board = Board::remote(Seat::Black, START);
    board.receive_move("b2b4");
    for (square, is_lift) in [(Square::B2, true), (Square::G8, true), (Square::B4, false), (Square::F6, false)] {
        board.raw = if is_lift { board.raw.without(square.into()) } else { board.raw | square.into() };
        board.wait(120);
    }
    board.wait(3000);
    assert_eq!(board.sent_events(), [moved(1, "g8f6")]);
}

#[test]
fn a_mate_by_a_stop_on_the_way_is_corrected() {
    let mut board = Board::local("7k/5K2/8/8/8/8/8/6Q1 w - - 0 1");
    board.go(Square::G1, Square::G7);
    board.wait(2500);
    assert!(board.surface.play().verdict().is_some());
    board.go(Square::G7, Square::G6);
    board.wait(2500);
    assert_eq!(board.moves(), "g1g6");
}

#[test]
fn a_stalemate_by_a_stop_on_the_way_is_corrected() {
    let mut board = Board::local("7k/5K2/8/8/8/8/8/6Q1 w - - 0 1");
    board.go(Square::G1, Square::G6);
    board.wait(2500);
    assert_eq!(board.surface.play().verdict(), Some(Verdict::Drawn(Why::Stalemate)));
    board.go(Square::G6, Square::G5);
    board.wait(2500);
    assert_eq!(board.moves(), "g1g5");
    assert_eq!(board.surface.play().verdict(), None);
}

#[test]
fn a_correction_of_the_move_that_ended_the_game_is_shown_while_it_rests() {
    let mut board = Board::local("7k/5K2/8/8/8/8/8/6Q1 w - - 0 1");
    board.go(Square::G1, Square::G6);
    board.wait(2500);
    assert_eq!(board.shows(Meaning::Settling), []);
    board.go(Square::G6, Square::G5);
    assert_eq!(board.shows(Meaning::Settling), [Square::G5]);
    board.wait(2500);
    assert_eq!(board.shows(Meaning::Settling), []);
}

#[test]
fn a_rook_that_was_sent_is_withdrawn_when_its_king_follows_to_castle() {
    let mut board = Board::remote(Seat::White, "4k3/7p/8/8/8/8/7P/4K2R w K - 0 1");
    board.surface.set_withdraws(true);
    board.go(Square::H1, Square::F1);
    board.wait(3500);
    assert_eq!(board.sent_events(), [moved(0, "h1f1")]);
    board.go(Square::E1, Square::G1);
    board.wait(3500);
    assert_eq!(board.sent_events(), [Event::Corrected { number: 0 }, moved(0, "e1g1")]);
}

#[test]
fn another_piece_that_is_lifted_withdraws_nothing() {
    let mut board = Board::remote(Seat::White, "4k3/7p/8/8/8/8/7P/4K2R w K - 0 1");
    board.surface.set_withdraws(true);
    board.go(Square::H1, Square::F1);
    board.wait(3500);
    assert_eq!(board.sent_events(), [moved(0, "h1f1")]);
    board.touch(Square::H2);
    board.touch(Square::H7);
    board.wait(3500);
    assert_eq!(board.sent_events(), []);
}
