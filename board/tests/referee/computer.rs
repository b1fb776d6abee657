//! The opponent is the computer of the board.

use board::{Computer, Effect, Meaning};
use chess::{Color, Square};
use engine::{Level, Score};
use rules::{Verdict, Why};
use wire::link::{Event, Seat};

use crate::script::{Board, START, moved};

#[test]
fn the_move_of_the_computer_is_shown_until_it_is_made_and_is_sent_as_a_move_of_this_board() {
    let mut board = Board::against_computer(Color::Black, START);
    assert!(!board.is_asked(), "it is the player's turn");
    board.play("e2e4");
    assert_eq!(board.sent_events(), [moved(0, "e2e4")]);
    assert_eq!(board.shows(Meaning::Busy), [Square::E8]);
    board.think("e7e5", 10);
    assert_eq!(board.sent_events(), [moved(1, "e7e5")]);
    assert!(board.shows(Meaning::Busy).is_empty());
    assert_eq!(board.shows(Meaning::OpponentFrom), [Square::E7]);
    assert_eq!(board.shows(Meaning::OpponentTo), [Square::E5]);
    assert!(!board.is_asked());
    // Another move is not the computer's.
    board.go(Square::D7, Square::D5);
    board.wait(500);
    assert_eq!(board.moves(), "e2e4 e7e5");
    board.go(Square::D5, Square::D7);
    board.go(Square::E7, Square::E5);
    assert!(board.shows(Meaning::OpponentTo).is_empty());
    board.play("g1f3");
    assert_eq!(board.moves(), "e2e4 e7e5 g1f3");
    assert!(board.is_asked());
}

#[test]
fn the_computer_with_white_moves_first_once_the_pieces_stand() {
    let mut board = Board::with(board::Settings::default(), chess::Bitboard::EMPTY);
    board.set_computer(Computer { is_on: true, color: Color::White, ..Computer::DEFAULT });
    assert!(!board.is_asked(), "the pieces are not set up");
    board.raw = chess::Position::start().occupied();
    board.wait(1000);
    board.think("d2d4", 20);
    assert_eq!(board.shows(Meaning::OpponentTo), [Square::D4]);
    board.go(Square::D2, Square::D4);
    board.play("d7d5");
    assert_eq!(board.moves(), "d2d4 d7d5");
}

#[test]
fn the_engine_is_asked_and_replies_when_the_players_move_has_rested() {
    let mut board = Board::against_computer(Color::Black, START);
    board.go(Square::G1, Square::F3);
    assert!(!board.is_asked(), "the player may still move it on");
    board.wait(400);
    board.think("d7d5", 20);
    assert_eq!(board.moves(), "g1f3", "the player may still take it back");
    board.wait(1000);
    assert_eq!(board.moves(), "g1f3 d7d5");
}

#[test]
fn no_move_of_the_computers_side_is_read_while_it_thinks() {
    let mut board = Board::against_computer(Color::Black, START);
    board.play("e2e4");
    board.go(Square::E7, Square::E5);
    board.wait(2000);
    assert_eq!(board.moves(), "e2e4");
    assert!(!board.shows(Meaning::WayBackFrom).is_empty());
    board.go(Square::E5, Square::E7);
    board.think("c7c5", 0);
    assert_eq!(board.moves(), "e2e4 c7c5");
}

#[test]
fn a_takeback_while_the_computer_thinks_makes_its_answer_void() {
    let mut board = Board::against_computer(Color::Black, START);
    board.play("e2e4");
    let wanted = board.surface.referee().wanted_search().expect("the engine is asked");
    board.go(Square::E4, Square::E2);
    board.wait(500);
    assert_eq!(board.sent_events(), [moved(0, "e2e4"), Event::TakenBack { plies: 1 }]);
    assert!(!board.is_asked());
    board.answer(wanted, "e7e5", Score::Centipawns(0));
    board.wait(2000);
    assert_eq!(board.moves(), "");
    board.play("d2d4");
    assert_eq!(board.moves(), "d2d4");
}

#[test]
fn the_own_move_can_be_taken_back_before_the_reply_is_made() {
    let mut board = Board::against_computer(Color::Black, START);
    board.play("e2e4");
    board.think("e7e5", 0);
    board.sent_events();
    board.go(Square::E4, Square::E2);
    board.wait(500);
    assert_eq!(board.moves(), "");
    assert_eq!(board.sent_events(), [Event::TakenBack { plies: 2 }]);
    assert!(board.scene().is_empty(), "the pieces stand right");
    board.play("d2d4");
    assert_eq!(board.moves(), "d2d4");
}

#[test]
fn taking_back_the_reply_takes_back_the_own_move_too_and_the_lights_guide_it() {
    let mut board = Board::against_computer(Color::Black, START);
    board.play("e2e4");
    board.think("e7e5", 0);
    board.go(Square::E7, Square::E5);
    board.wait(500);
    board.sent_events();
    board.go(Square::E5, Square::E7);
    board.wait(2000);
    assert_eq!(board.moves(), "");
    assert_eq!(board.sent_events(), [Event::TakenBack { plies: 2 }]);
    assert_eq!(board.shows(Meaning::WayBackFrom), [Square::E4]);
    assert_eq!(board.shows(Meaning::WayBackTo), [Square::E2]);
    board.go(Square::E4, Square::E2);
    board.play("d2d4");
    assert_eq!(board.moves(), "d2d4");
}

#[test]
fn the_first_move_of_the_computer_cannot_be_taken_back() {
    let mut board = Board::against_computer(Color::White, START);
    board.wait(1000);
    board.think("e2e4", 0);
    board.go(Square::E2, Square::E4);
    board.go(Square::E4, Square::E2);
    board.wait(1000);
    assert_eq!(board.moves(), "e2e4");
    assert_eq!(board.shows(Meaning::Fill), [Square::E4]);
}

const BARE: &str = "4k3/8/8/8/8/8/8/QQ2K3 b - - 0 50";

#[test]
fn the_computer_resigns_a_lost_game_after_several_moves() {
    let mut board = Board::against_computer(Color::Black, BARE);
    for (king, player) in [("e8e7", "e1e2"), ("e7e8", "e2e1"), ("e8e7", "e1e2")] {
        board.wait(1000);
        board.think(king, -1900);
        let mv: chess::Move = king.parse().expect(king);
        board.go(mv.from(), mv.to());
        board.play(player);
    }
    board.sent_events();
    board.wait(1000);
    board.think("e7e8", -1900);
    let verdict = Verdict::Won { winner: Color::White, why: Why::Resignation };
    assert_eq!(board.surface.play().verdict(), Some(verdict));
    assert_eq!(board.sent_events(), [Event::Ended { verdict }]);
    assert_eq!(board.shows(Meaning::Winner), [Square::E2]);
}

/// Puts both kings into the centre.
fn show_kings(board: &mut Board, white: Square, black: Square) {
    let turn = board.surface.play().turn();
    let king = |color| turn.royal_of(color).first().expect("a king");
    board.go(king(Color::White), white);
    board.go(king(Color::Black), black);
    board.wait(1500);
}

#[test]
fn the_player_resigns_with_the_kings_but_cannot_claim_the_win() {
    let mut board = Board::against_computer(Color::Black, START);
    board.play("e2e4");
    board.think("e7e5", 0);
    board.go(Square::E7, Square::E5);
    show_kings(&mut board, Square::E4, Square::D5);
    assert_eq!(board.surface.play().verdict(), None, "e4 was occupied");
    let mut board = Board::against_computer(Color::Black, START);
    show_kings(&mut board, Square::E4, Square::D5);
    assert_eq!(board.surface.play().verdict(), None);
    let mut board = Board::against_computer(Color::Black, START);
    show_kings(&mut board, Square::D4, Square::E5);
    let verdict = Verdict::Won { winner: Color::Black, why: Why::Resignation };
    assert_eq!(board.surface.play().verdict(), Some(verdict));
}

#[test]
fn a_draw_offer_is_accepted_or_declined_by_the_last_score() {
    for (score, accepts) in [(-300, true), (200, false)] {
        let mut board = Board::against_computer(Color::Black, "4k3/p7/8/8/8/8/P7/4K3 w - - 0 50");
        board.play("a2a3");
        board.think("a7a6", score);
        board.go(Square::A7, Square::A6);
        show_kings(&mut board, Square::E4, Square::E5);
        let verdict = board.surface.play().verdict();
        assert_eq!(verdict.is_some(), accepts, "{score}: {verdict:?}");
        if !accepts {
            assert_eq!(board.shows(Meaning::Fill), [Square::E1, Square::E8], "the lights guide the kings back");
            board.go(Square::E4, Square::E1);
            board.go(Square::E5, Square::E8);
            board.play("e1e2");
            assert_eq!(board.moves(), "a2a3 a7a6 e1e2");
        }
    }
}

#[test]
fn the_computer_offers_a_draw_which_the_kings_accept_and_a_move_declines() {
    for accepts in [true, false] {
        let mut board = Board::against_computer(Color::Black, "4k3/p7/8/8/8/8/P7/4K3 w - - 0 60");
        let mut kings = ["e1d1", "e8d8", "d1e1", "d8e8"].into_iter().cycle();
        // A pawn moves before positions repeat.
        for number in 0..10 {
            let (player, reply) = match number {
                3 => ("a2a3", "a7a6"),
                6 => ("a3a4", "a6a5"),
                _ => (kings.next().expect("endless"), kings.next().expect("endless")),
            };
            board.play(player);
            board.wait(500);
            board.think(reply, 0);
            let mv: chess::Move = reply.parse().expect(reply);
            board.go(mv.from(), mv.to());
        }
        assert_eq!(board.shows(Meaning::DrawOffered).len(), 2, "{}", board.moves());
        board.sent_events();
        if accepts {
            show_kings(&mut board, Square::E4, Square::E5);
            assert!(matches!(board.surface.play().verdict(), Some(Verdict::Drawn(_))));
        } else {
            board.play("e1e2");
            assert!(board.shows(Meaning::DrawOffered).is_empty());
            assert_eq!(board.sent_events().len(), 1, "only the move is sent");
        }
    }
}

#[test]
fn the_computer_claims_a_repetition_when_it_is_worse() {
    let mut board = Board::against_computer(Color::Black, "4k3/8/8/8/8/8/8/Q3K3 w - - 0 50");
    let mut replies = ["e8e7", "e7e8"].into_iter().cycle();
    let mut moves = ["e1e2", "e2e1"].into_iter().cycle();
    for _ in 0..4 {
        board.play(moves.next().expect("endless"));
        let reply = replies.next().expect("endless");
        board.think(reply, -100);
        if board.surface.play().verdict().is_some() {
            break;
        }
        let mv: chess::Move = reply.parse().expect(reply);
        board.go(mv.from(), mv.to());
    }
    // The position after Ke2 or Ke1 is there for the third time.
    board.play("e1e2");
    board.think("e8e7", -100);
    assert!(matches!(board.surface.play().verdict(), Some(Verdict::Drawn(_))), "{}", board.moves());
}

#[test]
fn the_flag_of_the_computer_falls_like_any_other() {
    let mut board = Board::timed(5_000, 0);
    board.set_computer(Computer { is_on: true, ..Computer::DEFAULT });
    board.play("e2e4");
    board.wait(6000);
    let verdict = Verdict::Won { winner: Color::White, why: Why::Time };
    assert_eq!(board.surface.play().verdict(), Some(verdict));
    assert!(!board.is_asked());
}

#[test]
fn the_next_game_has_another_seed_and_is_stored() {
    let mut board = Board::against_computer(Color::Black, START);
    board.play("e2e4");
    board.think("e7e5", 0);
    board.go(Square::E7, Square::E5);
    board.effects();
    board.raw = chess::Position::start().occupied();
    board.wait(5000);
    let Some(&Effect::Computer(next)) = board.effects().iter().find(|effect| matches!(effect, Effect::Computer(_)))
    else {
        panic!("the computer is not stored")
    };
    assert_eq!(board.moves(), "");
    assert_eq!(next, *board.surface.referee().computer());
    assert!(next.is_on && next.color == Color::Black && next.level == Level::FULL && next.seed != 7);
}

#[test]
fn the_computer_has_no_part_in_a_game_with_a_remote_opponent() {
    let mut board = Board::remote(Seat::White, START);
    board.set_computer(Computer { is_on: true, ..Computer::DEFAULT });
    board.play("e2e4");
    assert!(!board.is_asked());
    assert_eq!(board.surface.referee().computer_side(), None);
}
