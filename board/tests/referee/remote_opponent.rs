//! The opponent is somewhere else.

use board::{Instant, LinkState, Meaning};
use chess::{Bitboard, Color, Square};
use rules::{Verdict, Why};
use wire::link::{Challenge, Event, Seat};

use crate::script::{Board, START, moved};

#[test]
fn only_the_move_of_the_opponent_is_accepted_and_it_is_shown_until_then() {
    let mut board = Board::remote(Seat::Black, START);
    board.receive_move("e2e4");
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
    assert_eq!(board.sent_events(), []);
    board.play("e7e5");
    assert_eq!(board.sent_events(), [moved(1, "e7e5")]);
}

#[test]
fn captures_and_castling_of_the_opponent_are_shown() {
    let mut board = Board::remote(Seat::Black, "4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1");
    board.receive_move("e4d5");
    assert_eq!(board.shows(Meaning::Remove), [Square::D5]);
    board.lift(Square::D5);
    board.go(Square::E4, Square::D5);
    board.play("e8e7");
    board.receive_move("e1g1");
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
fn no_move_is_recognised_on_the_opponents_turn() {
    let mut board = Board::remote(Seat::Black, START);
    board.go(Square::E7, Square::E5);
    board.wait(2000);
    assert_eq!(board.moves(), "");
    assert_eq!(board.sent_events(), []);
    board.go(Square::E5, Square::E7);
    board.receive_move("e2e4");
    board.go(Square::E2, Square::E4);
    board.play("e7e5");
    assert_eq!(board.moves(), "e2e4 e7e5");
}

#[test]
fn a_board_two_moves_behind_is_guided_to_the_position() {
    let mut board = Board::remote(Seat::Neither, START);
    board.receive_move("e2e4");
    board.receive_move("e7e5");
    board.wait(400);
    assert_eq!(board.shows(Meaning::Fill), [Square::E4, Square::E5]);
    assert_eq!(board.shows(Meaning::Clear), [Square::E2, Square::E7]);
    board.go(Square::E7, Square::E5);
    board.go(Square::E2, Square::E4);
    assert!(board.shows(Meaning::Fill).is_empty());
    board.receive_move("g1f3");
    board.go(Square::G1, Square::F3);
    assert!(board.shows(Meaning::OpponentTo).is_empty());
}

#[test]
fn duplicate_early_and_illegal_moves_are_ignored() {
    let mut board = Board::remote(Seat::Black, START);
    board.receive_move("e2e4");
    board.receive(moved(0, "e2e4"));
    board.receive(moved(7, "d2d4"));
    board.receive(moved(1, "e7e6e".trim_end_matches('e')));
    assert_eq!(board.moves().split(' ').next(), Some("e2e4"));
    board.receive(moved(2, "a1a8"));
    assert!(!board.moves().contains("a1a8"));
}

#[test]
fn taking_a_move_back_with_the_pieces_requests_a_takeback() {
    for accepted in [true, false] {
        let mut board = Board::remote(Seat::White, START);
        board.play("e2e4");
        board.sent_events();
        board.go(Square::E4, Square::E2);
        board.wait(500);
        assert_eq!(board.sent_events(), [Event::TakebackAsked { plies: 1 }]);
        assert_eq!(board.shows(Meaning::Busy), [Square::E1]);
        assert_eq!(board.moves(), "e2e4", "it is not taken back before the other player agrees");
        board.wait(5000);
        assert_eq!(board.shows(Meaning::Fill), [], "and until then it is not wrong either");
        board.receive(Event::TakebackAnswered { accepted });
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
            board.receive_move("e7e5");
            board.go(Square::E7, Square::E5);
            board.play("g1f3");
            assert_eq!(board.moves(), "e2e4 e7e5 g1f3");
        }
    }
}

#[test]
fn on_the_players_own_turn_a_takeback_requests_two_plies() {
    let mut board = Board::remote(Seat::White, START);
    board.play("e2e4");
    board.receive_move("e7e5");
    board.go(Square::E7, Square::E5);
    board.sent_events();
    board.go(Square::E5, Square::E7);
    board.wait(500);
    assert_eq!(board.sent_events(), [Event::TakebackAsked { plies: 2 }]);
    board.receive(Event::TakebackAnswered { accepted: true });
    board.wait(400);
    assert_eq!(board.moves(), "");
    board.go(Square::E4, Square::E2);
    board.play("d2d4");
    assert_eq!(board.moves(), "d2d4");
}

#[test]
fn a_takeback_request_is_granted_with_the_pieces_and_declined_by_a_move() {
    let after_his_move = || {
        let mut board = Board::remote(Seat::Black, START);
        board.receive_move("e2e4");
        board.go(Square::E2, Square::E4);
        board.receive(Event::TakebackAsked { plies: 1 });
        assert_eq!(board.shows(Meaning::TakebackFrom), [Square::E4]);
        assert_eq!(board.shows(Meaning::TakebackTo), [Square::E2]);
        board
    };
    let mut board = after_his_move();
    board.go(Square::E4, Square::E2);
    board.wait(500);
    assert_eq!(board.sent_events(), [Event::TakebackAnswered { accepted: true }]);
    assert_eq!(board.moves(), "");
    let mut board = after_his_move();
    board.play("e7e5");
    assert_eq!(board.sent_events(), [Event::TakebackAnswered { accepted: false }, moved(1, "e7e5")]);
}

#[test]
fn the_opponent_may_resign() {
    let mut board = Board::remote(Seat::Black, START);
    board.receive(Event::Resigned { color: Color::White });
    assert_eq!(board.shows(Meaning::Loser), [Square::E1]);
    assert_eq!(board.shows(Meaning::Winner), [Square::E8]);
}

#[test]
fn an_offline_link_is_shown_and_moves_are_accepted() {
    let mut board = Board::remote(Seat::White, START);
    board.surface.set_link_state(LinkState::NoRelay);
    assert_eq!(board.shows(Meaning::Offline), [Square::H8]);
    board.play("e2e4");
    assert_eq!(board.sent_events(), [moved(0, "e2e4")]);
    board.surface.set_link_state(LinkState::Quiet);
    assert!(board.shows(Meaning::Offline).is_empty());
}

#[test]
fn the_promotion_of_the_opponent_is_shown_on_its_square() {
    for (letter, meaning) in [("q", Meaning::PromoteQueen), ("n", Meaning::PromoteKnight)] {
        let mut board = Board::remote(Seat::Black, "8/4P3/8/8/8/8/k6K/8 w - - 0 1");
        board.receive_move(&format!("e7e8{letter}"));
        assert_eq!(board.shows(Meaning::OpponentFrom), [Square::E7]);
        assert_eq!(board.shows(meaning), [Square::E8]);
        board.go(Square::E7, Square::E8);
        assert_eq!(board.shows(meaning), []);
        assert_eq!(board.sent_events(), []);
    }
}

#[test]
fn consent_to_hints_ends_with_the_game() {
    let mut board = Board::remote(Seat::White, START);
    board.play("e2e4");
    board.receive(Event::Resigned { color: Color::Black });
    board.go(Square::E4, Square::E2);
    board.wait(1200);
    board.lift(Square::G1);
    assert_eq!(board.shows(Meaning::Target), [Square::F3, Square::H3]);
}

/// A board that has just started anew, or was given a game, does not stand as the game does.
fn disarranged() -> Board {
    let mut board = Board::remote(Seat::White, START);
    board.play("e2e4");
    board.sent_events();
    let before = board.raw;
    board.raw = Bitboard::EMPTY;
    board.wait(20);
    let table = wire::link::GameInfo { game: 1, seat: Seat::White, hints: false, ..wire::link::GameInfo::LOCAL };
    let now = Instant::at(board.now);
    board.surface.resume(&table, now);
    board.wait(20);
    board.raw = before;
    board
}

#[test]
fn a_move_received_before_the_pieces_are_right_can_be_made() {
    let mut board = disarranged();
    board.receive_move("e7e5");
    board.wait(400);
    assert_eq!(board.shows(Meaning::OpponentFrom), [Square::E7]);
    assert_eq!(board.shows(Meaning::OpponentTo), [Square::E5]);
    board.go(Square::E7, Square::E5);
    assert_eq!(board.shows(Meaning::LastMove), [Square::E5, Square::E7]);
    board.play("g1f3");
    assert_eq!(board.sent_events(), [moved(2, "g1f3")]);
}

#[test]
fn a_move_made_before_it_is_received_is_accepted() {
    let mut board = disarranged();
    board.raw = board.raw.without(Square::E7.into()) | Square::E5.into();
    board.wait(400);
    board.receive_move("e7e5");
    board.wait(400);
    assert_eq!(board.shows(Meaning::LastMove), [Square::E5, Square::E7]);
    board.play("g1f3");
    assert_eq!(board.sent_events(), [moved(2, "g1f3")]);
}

/// A verdict that the relay states stays what it is; a draw by claim or on time is not a draw by agreement.
#[test]
fn keeps_the_outcome_that_the_relay_states() {
    let repeated = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let outcomes = [
        (START, repeated, Verdict::Drawn(Why::ThreefoldRepetition)),
        ("7k/8/8/8/8/8/8/R6K w - - 99 80", "", Verdict::Drawn(Why::FiftyMoves)),
        ("7k/8/8/8/8/8/8/R6K w - - 0 1", "", Verdict::Drawn(Why::TimeAgainstBareKing)),
        (START, "", Verdict::Drawn(Why::Agreement)),
        (START, "", Verdict::Won { winner: Color::White, why: Why::Abandonment }),
        (START, "", Verdict::Won { winner: Color::Black, why: Why::Time }),
        (START, "", Verdict::Aborted),
    ];
    for (start, moves, verdict) in outcomes {
        let mut board = Board::remote(Seat::Neither, start);
        for mv in moves.split_whitespace() {
            board.receive_move(mv);
        }
        board.receive(Event::Ended { verdict });
        assert_eq!(board.surface.play().verdict(), Some(verdict));
        let shows_a_draw = !board.shows(Meaning::Draw).is_empty();
        assert_eq!(shows_a_draw, matches!(verdict, Verdict::Drawn(_)), "{verdict}");
    }
}

#[test]
fn a_moved_piece_of_the_opponent_is_not_an_illegal_move() {
    // In the turn of the opponent, and in the own turn.
    for (seat, fen, from, to) in [
        (Seat::Black, START, Square::E2, Square::E4),
        (Seat::White, START, Square::E7, Square::E5),
        (Seat::White, "4k3/8/8/3p4/8/8/8/R3K3 w - - 0 1", Square::D5, Square::D4),
    ] {
        let mut board = Board::remote(seat, fen);
        board.go(from, to);
        board.wait(400);
        assert_eq!(board.scene().squares(Meaning::NotYours), Bitboard::of(from) | Bitboard::of(to));
        assert!(board.shows(Meaning::Illegal).is_empty());
        let own = board.surface.play().turn().of(if seat == Seat::White { Color::White } else { Color::Black });
        assert_eq!(board.scene().squares(Meaning::OwnSide), own);
        let next = board.surface.referee().next_scene(Instant::at(board.now)).expect("the alarm ends");
        board.wait(next.milliseconds() - board.now);
        assert_eq!(board.shows(Meaning::WayBackFrom), [to]);
        assert_eq!(board.shows(Meaning::WayBackTo), [from]);
        assert!(board.shows(Meaning::OwnSide).is_empty());
        board.go(to, from);
        board.wait(400);
        assert!(board.scene().is_empty());
    }
    // An illegal move of the own piece still is one.
    let mut board = Board::remote(Seat::White, START);
    board.go(Square::E2, Square::E5);
    board.wait(400);
    assert_eq!(board.shows(Meaning::Illegal), [Square::E2, Square::E5]);
}

/// A board with its pieces set up, and a challenge to play Black.
fn challenged() -> Board {
    let mut board = Board::set_up();
    let name = wire::link::clipped_name("Ben");
    board.surface.set_challenge(Some(Challenge { number: 7, color: Color::Black, clock: None, name }));
    board.wait(5);
    board
}

fn hold(board: &mut Board, square: Square, milliseconds: u64) {
    board.lift(square);
    board.wait(milliseconds);
    board.place(square);
}

#[test]
fn a_challenge_is_shown_and_answered_with_a_king() {
    for (king, accepted) in [(Square::E8, true), (Square::E1, false)] {
        let mut board = challenged();
        assert_eq!(board.shows(Meaning::Ask), [Square::E1, Square::E8]);
        assert_eq!(board.scene().squares(Meaning::OwnSide), Bitboard(0xefff << 48), "beside the question on the king");
        board.lift(king);
        assert_eq!(board.shows(Meaning::Settling), []);
        let next = board.surface.referee().next_scene(Instant::at(board.now)).expect("the king answers soon");
        board.wait(next.milliseconds() - board.now);
        assert_eq!(board.shows(Meaning::Settling), [king], "it may be put back");
        board.place(king);
        assert_eq!(board.sent_events(), [Event::ChallengeAnswered { number: 7, accepted }]);
        assert!(board.scene().is_empty());
    }
}

#[test]
fn straightening_a_piece_does_not_answer_a_challenge() {
    let mut board = challenged();
    for square in [Square::E1, Square::E8, Square::D1] {
        hold(&mut board, square, 300);
        board.wait(1_000);
    }
    // Two pieces at once, and a king that is held while another piece is straightened.
    board.lift(Square::E8);
    board.wait(700);
    hold(&mut board, Square::D8, 200);
    board.wait(300);
    board.place(Square::E8);
    hold(&mut board, Square::D8, 2_000);
    board.wait(1_000);
    assert_eq!(board.sent_events(), []);
    assert_eq!(board.shows(Meaning::Ask), [Square::E1, Square::E8]);
}

#[test]
fn a_move_declines_a_challenge_and_a_withdrawn_one_is_not_shown() {
    let mut board = challenged();
    board.play("e2e4");
    assert_eq!(board.sent_events(), [Event::ChallengeAnswered { number: 7, accepted: false }, moved(0, "e2e4")]);
    let mut board = challenged();
    board.surface.set_challenge(None);
    assert!(board.scene().is_empty());
    hold(&mut board, Square::E8, 2_000);
    assert_eq!(board.sent_events(), []);
}

#[test]
fn a_challenge_waits_until_the_pieces_are_set_up() {
    let mut board = Board::set_up();
    board.play("e2e4 e7e5");
    let name = wire::link::clipped_name("Ben");
    board.surface.set_challenge(Some(Challenge { number: 7, color: Color::White, clock: None, name }));
    board.sent_events();
    assert_eq!(board.shows(Meaning::Ask), []);
    board.receive(Event::Resigned { color: Color::Black });
    board.go(Square::E4, Square::E2);
    board.go(Square::E5, Square::E7);
    board.wait(1_200);
    assert_eq!(board.shows(Meaning::Ask), [Square::E1, Square::E8]);
}
