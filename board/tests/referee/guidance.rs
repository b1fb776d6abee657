//! The way to a right board, from any disorder.

use board::{Instant, Meaning, Orientation, Settings};
use chess::{Bitboard, Position, Square};
use rules::Start;
use wire::link::{GameInfo, Seat};

use crate::script::{Board, START};

#[test]
fn an_empty_board_is_guided_to_the_start_position() {
    let mut board = Board::with(Settings::default(), Bitboard::EMPTY);
    board.wait(400);
    assert_eq!(board.scene().squares(Meaning::Fill), Position::start().occupied());
    for square in Position::start().occupied() {
        board.raw |= square.into();
        board.wait(10);
    }
    assert!(board.scene().is_empty());
    board.play("e2e4");
    assert_eq!(board.moves(), "e2e4");
}

#[test]
fn pieces_on_wrong_squares_are_shown() {
    let mut board = Board::with(Settings::default(), Bitboard::EMPTY);
    board.place(Square::E4);
    board.wait(400);
    assert_eq!(board.shows(Meaning::Clear), [Square::E4]);
    assert_eq!(board.scene().squares(Meaning::Fill), Position::start().occupied());
}

#[test]
fn an_illegal_move_is_marked_and_then_the_way_back_is_shown() {
    let mut board = Board::set_up();
    board.go(Square::E2, Square::E5);
    board.wait(200);
    assert_eq!(board.shows(Meaning::Illegal), [Square::E2, Square::E5]);
    let due = board.surface.render(Instant::at(board.now)).next;
    assert!(due.is_some(), "the light will change by itself");
    board.wait(1500);
    assert_eq!(board.shows(Meaning::WayBackFrom), [Square::E5]);
    assert_eq!(board.shows(Meaning::WayBackTo), [Square::E2]);
    board.go(Square::E5, Square::E2);
    assert!(board.scene().is_empty());
    assert_eq!(board.moves(), "");
    // It may also go on to where it should have gone.
    board.go(Square::E2, Square::E5);
    board.wait(500);
    board.go(Square::E5, Square::E4);
    board.wait(500);
    assert_eq!(board.moves(), "e2e4");
}

#[test]
fn an_illegal_capture_that_rests_is_marked() {
    let mut board = Board::set_up();
    board.lift(Square::A7);
    board.go(Square::A1, Square::A7);
    assert_eq!(board.shows(Meaning::Illegal), []);
    board.wait(1900);
    assert_eq!(board.shows(Meaning::Illegal), [Square::A1, Square::A7]);
    board.wait(1500);
    assert_eq!(board.shows(Meaning::WayBackFrom), [Square::A7]);
    assert_eq!(board.shows(Meaning::WayBackTo), [Square::A1]);
    board.go(Square::A7, Square::A1);
    board.place(Square::A7);
    assert!(board.scene().is_empty());
    board.play("e2e4");
    assert_eq!(board.moves(), "e2e4");
}

#[test]
fn random_disorder_is_corrected_square_by_square() {
    let mut board = Board::set_up();
    board.play("e2e4 e7e5");
    // The cat walks over the board.
    board.raw = Bitboard(0x00ff_0810_2200_f70f);
    board.wait(500);
    let right = board.surface.play().situation().occupied();
    assert_eq!(board.scene().squares(Meaning::Fill), right.without(board.raw));
    assert_eq!(board.scene().squares(Meaning::Clear), board.raw.without(right));
    while let Some(square) = board.scene().squares(Meaning::Clear).first() {
        board.raw = board.raw.without(square.into());
        board.wait(320);
    }
    for square in right.without(board.raw) {
        board.raw |= square.into();
        board.wait(20);
    }
    board.play("g1f3");
    assert_eq!(board.moves(), "e2e4 e7e5 g1f3");
}

#[test]
fn a_game_continues_from_any_position_once_the_pieces_match() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let mut board = Board::set_up();
    let position: Position = fen.parse().expect(fen);
    board.surface.begin(&Start::Chess(position), &GameInfo::LOCAL, Instant::at(board.now));
    board.wait(400);
    assert_eq!(board.scene().squares(Meaning::Clear), board.raw.without(position.occupied()));
    board.raw = position.occupied();
    board.wait(50);
    assert!(board.scene().is_empty());
    board.play("e2e4");
    assert_eq!(board.moves(), "e2e4");
}

#[test]
fn half_of_a_castling_shows_the_other_half() {
    let mut board = Board::local("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    board.go(Square::E1, Square::G1);
    board.wait(400);
    assert_eq!(board.shows(Meaning::FinishTo), [Square::F1]);
    assert_eq!(board.shows(Meaning::FinishFrom), [Square::H1]);
    board.go(Square::H1, Square::F1);
    assert_eq!(board.moves(), "e1g1");
}

#[test]
fn hints_are_only_shown_where_they_are_allowed() {
    let mut board = Board::remote(Seat::White, START);
    board.lift(Square::G1);
    assert_eq!(board.shows(Meaning::Lifted), [Square::G1]);
    assert!(board.shows(Meaning::Target).is_empty());
    board.place(Square::G1);
    board.receive(wire::link::Event::Hints { on: true });
    board.lift(Square::G1);
    assert_eq!(board.shows(Meaning::Target), [Square::F3, Square::H3]);
}

#[test]
fn a_lifted_victim_is_still_a_target() {
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    for order in [[Square::D5, Square::E4], [Square::E4, Square::D5]] {
        let mut board = Board::local(fen);
        for square in order {
            board.lift(square);
        }
        assert_eq!(board.shows(Meaning::CaptureTarget), [Square::D5]);
        assert_eq!(board.shows(Meaning::Target), [Square::E5]);
        assert_eq!(board.shows(Meaning::Lifted), [Square::E4]);
        board.place(Square::D5);
        board.wait(200);
        assert_eq!(board.moves(), "e4d5");
    }
}

#[test]
fn a_rotated_board_plays_the_same_game() {
    let settings = Settings { orientation: Orientation::BlackNear, ..Settings::default() };
    let mut board = Board::with(settings, Position::start().occupied());
    // The reeds say d7 to d5 where White's king's pawn goes from e2 to e4.
    board.go(Square::D7, Square::D5);
    board.wait(500);
    assert_eq!(board.moves(), "e2e4");
    board.lift(Square::E2);
    assert_eq!(board.shows(Meaning::Lifted), [Square::D7]);
    let frame = board.surface.render(Instant::at(board.now)).frame;
    assert_ne!(frame.at(Square::E2), board::Rgb::DARK, "the light is where the hand is");
}

#[test]
fn an_idle_board_needs_no_frames() {
    let mut board = Board::set_up();
    assert_eq!(board.surface.render(Instant::at(board.now)).next, None);
    board.play("e2e4");
    assert_eq!(board.surface.render(Instant::at(board.now)).next, None, "the last move glows, and does not move");
}
