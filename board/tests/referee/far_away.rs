//! The opponent is somewhere else.

use board::{Instant, Meaning};
use chess::{Bitboard, Color, Square};
use wire::link::{Event, Seat};

use crate::script::{Board, START, moved};

#[test]
fn the_opponents_move_is_shown_until_it_is_made_and_only_that_move_is_accepted() {
    let mut board = Board::remote(Seat::Black, START);
    board.hear_move("e2e4");
    assert_eq!(board.shows(Meaning::OpponentFrom), [Square::E2]);
    assert_eq!(board.shows(Meaning::OpponentTo), [Square::E4]);
    // Another move, legal or not, is not the opponent's.
    board.go(Square::D2, Square::D4);
    board.wait(500);
    assert_eq!(board.moves(), "e2e4");
    assert!(!board.shows(Meaning::WayBackFrom).is_empty() || !board.shows(Meaning::Illegal).is_empty());
    board.go(Square::D4, Square::D2);
    assert_eq!(board.shows(Meaning::OpponentTo), [Square::E4]);
    board.go(Square::E2, Square::E4);
    assert!(board.shows(Meaning::OpponentTo).is_empty());
    assert_eq!(board.said(), []);
    board.play("e7e5");
    assert_eq!(board.said(), [moved(1, "e7e5")]);
}

#[test]
fn what_the_opponent_takes_and_how_he_castles_is_shown_too() {
    let mut board = Board::remote(Seat::Black, "4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1");
    board.hear_move("e4d5");
    assert_eq!(board.shows(Meaning::Remove), [Square::D5]);
    board.lift(Square::D5);
    board.go(Square::E4, Square::D5);
    board.play("e8e7");
    board.hear_move("e1g1");
    assert_eq!(board.shows(Meaning::OpponentTo), [Square::G1]);
    assert_eq!(board.shows(Meaning::FinishFrom), [Square::H1]);
    assert_eq!(board.shows(Meaning::FinishTo), [Square::F1]);
    // Rook first is as good as king first.
    board.go(Square::H1, Square::F1);
    board.go(Square::E1, Square::G1);
    board.play("e7d6");
    assert_eq!(board.moves(), "e4d5 e8e7 e1g1 e7d6");
}

#[test]
fn while_the_opponent_thinks_no_move_is_read() {
    let mut board = Board::remote(Seat::Black, START);
    board.go(Square::E7, Square::E5);
    board.wait(2000);
    assert_eq!(board.moves(), "");
    assert_eq!(board.said(), []);
    board.go(Square::E5, Square::E7);
    board.hear_move("e2e4");
    board.go(Square::E2, Square::E4);
    board.play("e7e5");
    assert_eq!(board.moves(), "e2e4 e7e5");
}

#[test]
fn a_board_that_is_two_moves_behind_is_led_to_the_position() {
    let mut board = Board::remote(Seat::Nobody, START);
    board.hear_move("e2e4");
    board.hear_move("e7e5");
    board.wait(400);
    assert_eq!(board.shows(Meaning::Fill), [Square::E4, Square::E5]);
    assert_eq!(board.shows(Meaning::Clear), [Square::E2, Square::E7]);
    board.go(Square::E7, Square::E5);
    board.go(Square::E2, Square::E4);
    assert!(board.shows(Meaning::Fill).is_empty());
    board.hear_move("g1f3");
    board.go(Square::G1, Square::F3);
    assert!(board.shows(Meaning::OpponentTo).is_empty());
}

#[test]
fn a_move_that_comes_twice_or_too_early_or_is_illegal_changes_nothing() {
    let mut board = Board::remote(Seat::Black, START);
    board.hear_move("e2e4");
    board.hear(moved(0, "e2e4"));
    board.hear(moved(7, "d2d4"));
    board.hear(moved(1, "e7e6e".trim_end_matches('e')));
    assert_eq!(board.moves().split(' ').next(), Some("e2e4"));
    board.hear(moved(2, "a1a8"));
    assert!(!board.moves().contains("a1a8"));
}

#[test]
fn a_take_back_is_asked_for_by_making_it() {
    for accepted in [true, false] {
        let mut board = Board::remote(Seat::White, START);
        board.play("e2e4");
        board.said();
        board.go(Square::E4, Square::E2);
        board.wait(500);
        assert_eq!(board.said(), [Event::TakebackAsked { plies: 1 }]);
        assert_eq!(board.shows(Meaning::Busy), [Square::E1]);
        assert_eq!(board.moves(), "e2e4", "it is not taken back before the other player agrees");
        board.wait(5000);
        assert_eq!(board.shows(Meaning::Fill), [], "and until then it is not wrong either");
        board.hear(Event::TakebackAnswered { accepted });
        board.wait(400);
        if accepted {
            assert_eq!(board.moves(), "");
            board.play("d2d4");
            assert_eq!(board.moves(), "d2d4");
        } else {
            assert_eq!(board.moves(), "e2e4");
            assert_eq!(board.shows(Meaning::Fill), [Square::E4]);
            assert_eq!(board.shows(Meaning::Clear), [Square::E2]);
            board.go(Square::E2, Square::E4);
            board.hear_move("e7e5");
            board.go(Square::E7, Square::E5);
            board.play("g1f3");
            assert_eq!(board.moves(), "e2e4 e7e5 g1f3");
        }
    }
}

#[test]
fn on_the_players_own_turn_two_plies_are_asked_for() {
    let mut board = Board::remote(Seat::White, START);
    board.play("e2e4");
    board.hear_move("e7e5");
    board.go(Square::E7, Square::E5);
    board.said();
    board.go(Square::E5, Square::E7);
    board.wait(500);
    assert_eq!(board.said(), [Event::TakebackAsked { plies: 2 }]);
    board.hear(Event::TakebackAnswered { accepted: true });
    board.wait(400);
    assert_eq!(board.moves(), "");
    board.go(Square::E4, Square::E2);
    board.play("d2d4");
    assert_eq!(board.moves(), "d2d4");
}

#[test]
fn the_opponents_wish_to_take_back_is_granted_by_making_it_and_declined_by_playing_on() {
    let after_his_move = || {
        let mut board = Board::remote(Seat::Black, START);
        board.hear_move("e2e4");
        board.go(Square::E2, Square::E4);
        board.hear(Event::TakebackAsked { plies: 1 });
        assert_eq!(board.shows(Meaning::TakebackFrom), [Square::E4]);
        assert_eq!(board.shows(Meaning::TakebackTo), [Square::E2]);
        board
    };
    let mut board = after_his_move();
    board.go(Square::E4, Square::E2);
    board.wait(500);
    assert_eq!(board.said(), [Event::TakebackAnswered { accepted: true }]);
    assert_eq!(board.moves(), "");
    let mut board = after_his_move();
    board.play("e7e5");
    assert_eq!(board.said(), [Event::TakebackAnswered { accepted: false }, moved(1, "e7e5")]);
}

#[test]
fn the_opponent_may_resign() {
    let mut board = Board::remote(Seat::Black, START);
    board.hear(Event::Resigned { color: Color::White });
    assert_eq!(board.shows(Meaning::Loser), [Square::E1]);
    assert_eq!(board.shows(Meaning::Winner), [Square::E8]);
}

#[test]
fn a_link_that_is_down_is_shown_and_play_goes_on() {
    let mut board = Board::remote(Seat::White, START);
    board.brain.set_online(false);
    assert_eq!(board.shows(Meaning::Offline), [Square::H8]);
    board.play("e2e4");
    assert_eq!(board.said(), [moved(0, "e2e4")]);
    board.brain.set_online(true);
    assert!(board.shows(Meaning::Offline).is_empty());
}

#[test]
fn what_the_opponents_pawn_becomes_is_shown_where_it_arrives() {
    for (letter, meaning) in [("q", Meaning::PromoteQueen), ("n", Meaning::PromoteKnight)] {
        let mut board = Board::remote(Seat::Black, "8/4P3/8/8/8/8/k6K/8 w - - 0 1");
        board.hear_move(&format!("e7e8{letter}"));
        assert_eq!(board.shows(Meaning::OpponentFrom), [Square::E7]);
        assert_eq!(board.shows(meaning), [Square::E8]);
        board.go(Square::E7, Square::E8);
        assert_eq!(board.shows(meaning), []);
        assert_eq!(board.said(), []);
    }
}

#[test]
fn what_was_agreed_about_hints_ends_with_the_game() {
    let mut board = Board::remote(Seat::White, START);
    board.play("e2e4");
    board.hear(Event::Resigned { color: Color::Black });
    board.go(Square::E4, Square::E2);
    board.wait(1200);
    board.lift(Square::G1);
    assert_eq!(board.shows(Meaning::Target), [Square::F3, Square::H3]);
}

/// A board that has just started anew, or was given a game, does not stand as the game does.
fn disarranged() -> Board {
    let mut board = Board::remote(Seat::White, START);
    board.play("e2e4");
    board.said();
    let before = board.raw;
    board.raw = Bitboard::EMPTY;
    board.wait(20);
    let table = wire::link::Table { game: 1, seat: Seat::White, hints: false, ..wire::link::Table::LOCAL };
    let now = Instant::at(board.now);
    board.brain.sit_down(&table, now);
    board.wait(20);
    board.raw = before;
    board
}

#[test]
fn a_move_that_comes_before_the_wood_is_right_can_be_made_all_the_same() {
    let mut board = disarranged();
    board.hear_move("e7e5");
    board.wait(400);
    assert_eq!(board.shows(Meaning::OpponentFrom), [Square::E7]);
    assert_eq!(board.shows(Meaning::OpponentTo), [Square::E5]);
    board.go(Square::E7, Square::E5);
    assert_eq!(board.shows(Meaning::LastMove), [Square::E5, Square::E7]);
    board.play("g1f3");
    assert_eq!(board.said(), [moved(2, "g1f3")]);
}

#[test]
fn a_move_that_is_on_the_wood_before_it_comes_need_not_be_made() {
    let mut board = disarranged();
    board.raw = board.raw.without(Square::E7.into()) | Square::E5.into();
    board.wait(400);
    board.hear_move("e7e5");
    board.wait(400);
    assert_eq!(board.shows(Meaning::LastMove), [Square::E5, Square::E7]);
    board.play("g1f3");
    assert_eq!(board.said(), [moved(2, "g1f3")]);
}
