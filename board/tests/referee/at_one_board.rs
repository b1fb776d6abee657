//! Two people at one board.

use board::{Effect, Meaning};
use chess::{Color, Square};
use rules::{Verdict, Why};
use wire::link::Event;

use crate::script::{Board, moved};

#[test]
fn a_game_is_played_to_mate() {
    let mut board = Board::set_up();
    board.play("f2f3 e7e5 g2g4 d8h4");
    assert_eq!(board.moves(), "f2f3 e7e5 g2g4 d8h4");
    let verdict = Verdict::Won { winner: Color::Black, why: Why::Checkmate };
    assert_eq!(board.surface.play().verdict(), Some(verdict));
    assert_eq!(board.shows(Meaning::Mated), [Square::E1]);
    assert_eq!(board.shows(Meaning::Winner), [Square::E8]);
    assert_eq!(board.sent_events(), [moved(0, "f2f3"), moved(1, "e7e5"), moved(2, "g2g4"), moved(3, "d8h4")]);
}

#[test]
fn a_lifted_piece_shows_its_targets() {
    let mut board = Board::set_up();
    board.play("e2e4 d7d5");
    board.lift(Square::E4);
    assert_eq!(board.shows(Meaning::Lifted), [Square::E4]);
    assert_eq!(board.shows(Meaning::Target), [Square::E5]);
    assert_eq!(board.shows(Meaning::CaptureTarget), [Square::D5]);
    board.place(Square::E4);
    assert!(board.shows(Meaning::Target).is_empty() && board.shows(Meaning::Lifted).is_empty());
    assert_eq!(board.moves(), "e2e4 d7d5");
}

#[test]
fn check_is_shown_until_the_next_move() {
    let mut board = Board::set_up();
    board.play("e2e4 f7f6 d1h5");
    assert_eq!(board.shows(Meaning::Check), [Square::E8]);
    board.play("g7g6");
    assert!(board.shows(Meaning::Check).is_empty());
}

#[test]
fn castling_en_passant_and_every_promotion_are_played() {
    let mut board = Board::local("r3k2r/P6p/8/3pP3/8/8/1p5P/R3K2R w KQkq d6 0 1");
    board.play("e5d6 e8c8 e1g1 b2a1n");
    assert_eq!(board.moves(), "e5d6 e8c8 e1g1 b2a1n");
    board.play("a7a8r");
    for promotion in ["q", "r", "b", "n"] {
        let mut board = Board::local("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        board.play(&format!("a7a8{promotion}"));
        assert_eq!(board.moves(), format!("a7a8{promotion}"));
    }
}

#[test]
fn a_promotion_lights_four_squares_and_waits_for_a_touch() {
    let mut board = Board::local("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    board.go(Square::A7, Square::A8);
    board.wait(60_000);
    assert_eq!(board.moves(), "");
    assert_eq!(board.shows(Meaning::PromoteQueen), [Square::A8]);
    assert_eq!(board.shows(Meaning::PromoteKnight), [Square::A7]);
    assert_eq!(board.shows(Meaning::PromoteRook), [Square::A6]);
    assert_eq!(board.shows(Meaning::PromoteBishop), [Square::A5]);
    board.touch(Square::A5);
    assert_eq!(board.shows(Meaning::Settling), [Square::A5]);
    board.wait(2000);
    assert_eq!(board.moves(), "a7a8b");
}

#[test]
fn a_move_is_taken_back_with_the_pieces_and_another_is_played() {
    let mut board = Board::set_up();
    board.play("e2e4 d7d5 e4d5");
    board.sent_events();
    // The pawn goes back, and the one it took returns.
    board.lift(Square::D5);
    board.place(Square::E4);
    board.place(Square::D5);
    board.wait(500);
    assert_eq!(board.moves(), "e2e4 d7d5");
    assert_eq!(board.sent_events(), [Event::TakenBack { plies: 1 }]);
    board.go(Square::D5, Square::D7);
    board.wait(500);
    assert_eq!(board.moves(), "e2e4");
    board.play("e7e5 g1f3");
    assert_eq!(board.moves(), "e2e4 e7e5 g1f3");
}

#[test]
fn a_slide_that_paused_too_long_is_corrected() {
    let mut board = Board::set_up();
    board.go(Square::E2, Square::E3);
    board.wait(500);
    assert_eq!(board.moves(), "e2e3");
    board.go(Square::E3, Square::E4);
    board.wait(500);
    assert_eq!(board.moves(), "e2e4");
    assert_eq!(board.sent_events(), [moved(0, "e2e3"), Event::TakenBack { plies: 1 }, moved(0, "e2e4")]);
}

#[test]
fn a_late_rook_completes_castling() {
    let mut board = Board::local("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    board.go(Square::H1, Square::F1);
    board.wait(2000);
    assert_eq!(board.moves(), "h1f1");
    board.go(Square::E1, Square::G1);
    board.wait(500);
    assert_eq!(board.moves(), "e1g1");
}

#[test]
fn recognises_a_move_and_a_quick_answer() {
    let mut board = Board::set_up();
    board.lift(Square::G1);
    board.lift(Square::B8);
    board.raw |= Square::F3.into();
    board.wait(3);
    board.raw |= Square::C6.into();
    board.wait(500);
    assert_eq!(board.moves(), "g1f3 b8c6");
}

#[test]
fn the_start_position_starts_a_new_game_sooner_after_the_end() {
    let mut board = Board::set_up();
    board.play("f2f3 e7e5 g2g4 d8h4");
    board.effects();
    for (from, to) in [(Square::H4, Square::D8), (Square::G4, Square::G2), (Square::E5, Square::E7)] {
        board.go(from, to);
    }
    board.go(Square::F3, Square::F2);
    board.wait(1200);
    assert_eq!(board.effects(), [Effect::Begin]);
    assert_eq!(board.moves(), "");
    board.play("e2e4 e7e5");
    board.effects();
    // Both pawns go back in one sweep, so that no single move is taken back.
    board.raw = board.raw.without(Square::E4.into()).without(Square::E5.into());
    board.wait(300);
    board.raw = board.raw | Square::E2.into() | Square::E7.into();
    board.wait(2500);
    assert_eq!(board.effects(), []);
    board.wait(1000);
    assert_eq!(board.effects(), [Effect::Begin]);
    board.play("d2d4");
    assert_eq!(board.moves(), "d2d4");
}

#[test]
fn the_pawn_itself_can_touch_the_square_of_the_promotion() {
    let mut board = Board::local("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    board.go(Square::A7, Square::A8);
    board.lift(Square::A8);
    board.place(Square::A6);
    board.lift(Square::A6);
    board.place(Square::A8);
    board.wait(2000);
    assert_eq!(board.moves(), "a7a8r");
}
