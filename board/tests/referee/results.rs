//! Games that end by what players do, and not by their moves.

use board::Meaning;
use chess::{Color, Square};
use rules::{Verdict, Why};
use wire::link::{Event, Seat};

use crate::script::{Board, START};

const RESIGNED_BY_BLACK: Verdict = Verdict::Won { winner: Color::White, why: Why::Resignation };

fn show_kings(board: &mut Board, one: Square, other: Square) {
    let position = *board.surface.play().chess().expect("chess").position();
    board.lift(position.king(Color::White));
    board.lift(position.king(Color::Black));
    board.place(one);
    board.place(other);
    board.wait(1200);
}

#[test]
fn kings_in_the_centre_end_a_local_game() {
    let resigned_by_white = Verdict::Won { winner: Color::Black, why: Why::Resignation };
    let agreed = Verdict::Drawn(Why::Agreement);
    for (one, other, verdict) in [
        (Square::E4, Square::D5, RESIGNED_BY_BLACK),
        (Square::D4, Square::E5, resigned_by_white),
        (Square::E4, Square::E5, agreed),
        (Square::D5, Square::D4, agreed),
    ] {
        let mut board = Board::set_up();
        board.play("a2a3 a7a6");
        board.sent_events();
        show_kings(&mut board, one, other);
        assert_eq!(board.surface.play().verdict(), Some(verdict));
        assert_eq!(board.sent_events(), [Event::Ended { verdict }]);
        assert_eq!(board.moves(), "a2a3 a7a6");
    }
}

#[test]
fn a_king_moved_to_the_centre_is_not_a_move() {
    let mut board = Board::local("8/8/3k4/8/8/4K3/P7/8 w - - 0 1");
    board.go(Square::E3, Square::E4);
    assert_eq!(board.moves(), "e3e4", "so far it is a move");
    board.go(Square::D6, Square::D5);
    board.wait(1200);
    assert_eq!(board.moves(), "");
    assert_eq!(board.surface.play().verdict(), Some(RESIGNED_BY_BLACK));
}

#[test]
fn in_a_remote_game_kings_in_the_centre_resign_or_offer_a_draw() {
    let mut board = Board::remote(Seat::Black, START);
    show_kings(&mut board, Square::D4, Square::E5);
    assert_eq!(board.sent_events(), [], "a player cannot claim the win");
    assert_eq!(board.shows(Meaning::Settling), [], "it is not believed, and not about to be");
    assert_eq!(board.shows(Meaning::Fill), [Square::E1, Square::E8]);
    assert_eq!(board.shows(Meaning::Clear), [Square::D4, Square::E5]);
    let mut board = Board::remote(Seat::Black, START);
    show_kings(&mut board, Square::E4, Square::D5);
    assert_eq!(board.sent_events(), [Event::Resigned { color: Color::Black }]);
    let mut board = Board::remote(Seat::White, START);
    show_kings(&mut board, Square::E4, Square::E5);
    assert_eq!(board.sent_events(), [Event::DrawOffered { color: Color::White }]);
    assert_eq!(board.shows(Meaning::Busy), [Square::E1]);
    assert_eq!(board.shows(Meaning::Settling), []);
    assert_eq!(board.shows(Meaning::Fill), [], "the kings may stay until the opponent has answered");
    let mut declined = board.clone();
    declined.receive(Event::DrawAnswered { accepted: false });
    assert_eq!(declined.shows(Meaning::Fill), [Square::E1, Square::E8]);
    board.receive(Event::DrawAnswered { accepted: true });
    assert_eq!(board.surface.play().verdict(), Some(Verdict::Drawn(Why::Agreement)));
    assert_eq!(board.shows(Meaning::Draw), [Square::E4, Square::E5], "under the kings");
}

#[test]
fn a_draw_offer_is_accepted_with_the_kings_and_declined_by_a_move() {
    let offered = || {
        let mut board = Board::remote(Seat::White, START);
        board.receive(Event::DrawOffered { color: Color::Black });
        assert_eq!(board.shows(Meaning::DrawOffered), [Square::E1, Square::E8]);
        board
    };
    let mut board = offered();
    show_kings(&mut board, Square::D4, Square::D5);
    assert_eq!(board.sent_events(), [Event::DrawAnswered { accepted: true }]);
    let mut board = offered();
    board.play("e2e4");
    assert_eq!(board.sent_events().first(), Some(&Event::DrawAnswered { accepted: false }));
    assert!(board.shows(Meaning::DrawOffered).is_empty());
}

#[test]
fn no_move_is_recognised_after_the_end() {
    let mut board = Board::remote(Seat::White, START);
    board.receive(Event::Resigned { color: Color::Black });
    board.go(Square::E2, Square::E4);
    board.wait(2000);
    assert_eq!(board.moves(), "");
    assert_eq!(board.sent_events(), []);
}

#[test]
fn a_claimable_draw_is_claimed_instead_of_offered() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let mut board = Board::set_up();
    board.play(shuffle);
    board.sent_events();
    show_kings(&mut board, Square::E4, Square::E5);
    let verdict = Verdict::Drawn(Why::ThreefoldRepetition);
    assert_eq!(board.sent_events(), [Event::Ended { verdict }]);

    let mut board = Board::remote(Seat::White, START);
    for (index, text) in shuffle.split(' ').enumerate() {
        if index % 2 == 0 {
            board.play(text);
        } else {
            let position = *board.surface.play().chess().expect("chess").position();
            board.receive_move(text);
            board.make(&position, text.parse().expect(text));
        }
    }
    board.sent_events();
    show_kings(&mut board, Square::E4, Square::E5);
    let claim = chess::DrawClaim::ThreefoldRepetition;
    assert_eq!(board.sent_events(), [Event::DrawClaimed { claim, with: None }]);
}

#[test]
fn clearing_the_board_after_the_end_does_not_resume_the_game() {
    let mut board = Board::set_up();
    board.play("e2e4 e7e5 g1f3");
    board.receive(Event::Resigned { color: Color::Black });
    board.sent_events();
    board.go(Square::F3, Square::G1);
    board.wait(1000);
    assert_eq!(board.sent_events(), []);
    assert_eq!(board.surface.play().verdict(), Some(RESIGNED_BY_BLACK));
}

#[test]
fn an_accidental_mate_can_be_taken_back_at_once() {
    let mut board = Board::set_up();
    board.play("f2f3 e7e5 g2g4 d8h4");
    board.go(Square::H4, Square::D8);
    board.wait(500);
    assert_eq!(board.moves(), "f2f3 e7e5 g2g4");
    assert_eq!(board.surface.play().verdict(), None);
}

#[test]
fn a_new_game_can_follow_one_of_a_single_move() {
    let mut board = Board::set_up();
    board.play("e2e4");
    show_kings(&mut board, Square::D4, Square::D5);
    assert_eq!(board.surface.play().verdict(), Some(Verdict::Drawn(Why::Agreement)));
    board.effects();
    board.go(Square::D4, Square::E1);
    board.go(Square::D5, Square::E8);
    board.go(Square::E4, Square::E2);
    board.wait(1200);
    assert_eq!(board.effects(), [board::Effect::Begin]);
}

/// A game that ends on the start squares: out and back with the knights.
const KNIGHTS: &str = "g1f3 g8f6 f3g1 f6g8";

#[test]
fn a_new_game_follows_one_without_moves() {
    let mut board = Board::set_up();
    show_kings(&mut board, Square::E4, Square::E5);
    assert_eq!(board.surface.play().verdict(), Some(Verdict::Drawn(Why::Agreement)));
    board.go(Square::E4, Square::E1);
    board.go(Square::E5, Square::E8);
    board.effects();
    board.wait(1200);
    assert_eq!(board.effects(), [board::Effect::Begin]);
    board.play("d2d4 d7d5");
    assert_eq!(board.moves(), "d2d4 d7d5");
}

#[test]
fn an_aborted_game_without_moves_is_followed_by_the_next_without_a_touch() {
    let mut board = Board::remote(Seat::Black, START);
    board.receive(Event::Ended { verdict: Verdict::Aborted });
    board.wait(1200);
    assert_eq!(board.effects(), [board::Effect::Begin]);
    assert_eq!(board.surface.play().verdict(), None);
    board.play("d2d4 d7d5");
    assert_eq!(board.moves(), "d2d4 d7d5", "both sides are played at the board again");
}

#[test]
fn a_game_is_aborted_before_the_first_move_of_the_opponent_is_made_on_the_board() {
    let mut board = Board::remote(Seat::Black, START);
    board.receive_move("e2e4");
    board.receive(Event::Ended { verdict: Verdict::Aborted });
    board.wait(1200);
    assert_eq!(board.effects(), [board::Effect::Begin]);
}

#[test]
fn the_result_of_a_game_that_ends_on_the_start_squares_stays_until_a_touch() {
    let mut board = Board::set_up();
    board.play(KNIGHTS);
    board.receive(Event::Resigned { color: Color::Black });
    board.effects();
    board.wait(9_000);
    assert_eq!(board.effects(), [], "the players look at the result");
    assert_eq!(board.shows(Meaning::Winner), [Square::E1]);
    let mut untouched = board.clone();
    untouched.wait(1_500);
    assert_eq!(untouched.effects(), [board::Effect::Begin]);
    board.touch(Square::E1);
    board.wait(1200);
    assert_eq!(board.effects(), [board::Effect::Begin]);
    assert!(board.shows(Meaning::Winner).is_empty());
}

#[test]
fn a_move_that_is_taken_back_within_a_game_does_not_start_another() {
    let mut board = Board::set_up();
    board.play(KNIGHTS);
    board.effects();
    board.wait(20_000);
    assert_eq!(board.effects(), []);
    assert_eq!(board.moves(), KNIGHTS);
}

#[test]
fn the_result_is_shown_under_the_kings_in_the_centre() {
    for (one, other, winner, loser) in
        [(Square::E4, Square::D5, Square::E4, Square::D5), (Square::D4, Square::E5, Square::E5, Square::D4)]
    {
        let mut board = Board::set_up();
        board.play("a2a3 a7a6");
        show_kings(&mut board, one, other);
        assert_eq!(board.shows(Meaning::Winner), [winner]);
        assert_eq!(board.shows(Meaning::Loser), [loser]);
    }
}

#[test]
fn after_the_end_the_lights_guide_to_the_start_position() {
    let mut board = Board::set_up();
    board.play("e2e4 e7e5");
    board.lift(Square::G1);
    board.receive(Event::Resigned { color: Color::Black });
    board.place(Square::G1);
    assert_eq!(board.shows(Meaning::Winner), [Square::E1], "a piece in hand is only put back");
    assert!(board.shows(Meaning::Fill).is_empty() && board.shows(Meaning::Clear).is_empty());
    board.lift(Square::E4);
    assert_eq!(board.shows(Meaning::Winner), [], "a piece is moved to set up the next game");
    assert_eq!(board.shows(Meaning::Fill), [Square::E2, Square::E7]);
    assert_eq!(board.shows(Meaning::Clear), [Square::E5]);
    board.place(Square::E2);
    board.go(Square::E5, Square::E7);
    assert_eq!(board.shows(Meaning::Settling), [Square::E1, Square::E8]);
    board.effects();
    board.wait(1200);
    assert_eq!(board.effects(), [board::Effect::Begin]);
    assert!(board.scene().is_empty());
}

#[test]
fn making_the_last_move_of_the_opponent_does_not_hide_the_result() {
    let mut board = Board::remote(Seat::White, "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2");
    board.receive_move("d8h4");
    board.go(Square::D8, Square::H4);
    board.wait(1000);
    assert_eq!(board.shows(Meaning::Mated), [Square::E1]);
    assert!(board.shows(Meaning::Fill).is_empty());
    board.lift(Square::H4);
    assert!(board.shows(Meaning::Fill).contains(&Square::D8));
}

#[test]
fn an_offered_rematch_is_shown_on_the_start_squares_of_the_kings_until_the_pieces_are_set_up() {
    let mut board = Board::remote(Seat::White, START);
    board.play("e2e4");
    board.surface.set_rematch(true);
    assert_eq!(board.shows(Meaning::RematchOffered), [], "not in a running game");
    board.receive(Event::Resigned { color: Color::Black });
    assert_eq!(board.shows(Meaning::RematchOffered), [Square::E1, Square::E8]);
    board.surface.set_rematch(false);
    assert_eq!(board.shows(Meaning::RematchOffered), [], "the offer is withdrawn");
    board.surface.set_rematch(true);
    board.go(Square::E4, Square::E2);
    board.wait(1200);
    assert_eq!(board.shows(Meaning::RematchOffered), []);
}
