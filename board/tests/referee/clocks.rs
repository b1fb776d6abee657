//! Clocks that moves press.

use board::{Instant, Meaning};
use chess::{Color, DrawReason, Outcome, Square, WinReason};
use wire::link::{ClockRule, Clocks, Event, Seat, Table};

use crate::script::{Board, START};

fn left(board: &Board, color: Color) -> u64 {
    board.brain.referee().clock().map_or(0, |clock| clock.left(color, Instant::at(board.now)))
}

#[test]
fn a_move_presses_the_clock_and_gives_the_increment() {
    let mut board = Board::timed(60_000, 2_000);
    board.wait(5000);
    assert_eq!(left(&board, Color::White), 60_000, "the clock starts with the first move");
    board.play("e2e4");
    assert_eq!(left(&board, Color::White), 62_000);
    let before = left(&board, Color::Black);
    board.wait(1000);
    assert_eq!(left(&board, Color::Black), before - 1000);
    board.play("e7e5");
    assert_eq!(board.brain.referee().clock().and_then(board::Clock::running), Some(Color::White));
}

#[test]
fn a_player_without_time_loses() {
    let mut board = Board::timed(30_000, 0);
    board.play("e2e4");
    assert!(board.shows(Meaning::LowTime).is_empty());
    board.wait(10_000);
    assert_eq!(board.shows(Meaning::LowTime), [Square::E8]);
    board.said();
    board.wait(20_000);
    let outcome = Outcome::Win { winner: Color::White, by: WinReason::Time };
    assert_eq!(board.brain.game().outcome(), Some(outcome));
    assert_eq!(board.shows(Meaning::Flag), [Square::E8]);
    assert_eq!(board.said(), [Event::Ended { outcome }]);
}

#[test]
fn time_against_a_bare_king_is_a_draw() {
    let fen = "4k3/7q/8/8/8/8/8/4K3 w - - 0 1";
    let mut board = Board::local(fen);
    let clock = Some(ClockRule { base_ms: 5_000, increment_ms: 0 });
    let position = fen.parse().expect(fen);
    board.brain.begin(position, &Table { clock, ..Table::LOCAL }, Instant::at(board.now));
    board.wait(20);
    board.play("e1d1");
    board.wait(6000);
    let outcome = Outcome::Draw(DrawReason::TimeAgainstBareKing);
    assert_eq!(board.brain.game().outcome(), Some(outcome));
}

#[test]
fn a_move_taken_back_gives_the_turn_back() {
    let mut board = Board::timed(60_000, 0);
    board.play("e2e4");
    board.go(Square::E4, Square::E2);
    board.wait(500);
    assert_eq!(board.turn(), Color::White);
    assert_eq!(board.brain.referee().clock().and_then(board::Clock::running), None, "as before the first move");
    board.play("e2e4 e7e5");
    board.go(Square::E5, Square::E7);
    board.wait(500);
    assert_eq!(board.brain.referee().clock().and_then(board::Clock::running), Some(Color::Black));
}

#[test]
fn far_away_the_relay_has_the_word() {
    let mut board = Board::set_up();
    let clock = Some(ClockRule { base_ms: 60_000, increment_ms: 0 });
    let table = Table { game: 1, seat: Seat::White, clock, ..Table::LOCAL };
    board.brain.begin(START.parse().expect(START), &table, Instant::at(board.now));
    let clocks = Clocks { white_ms: 1_000, black_ms: 9_000, running: Some(Color::White) };
    board.brain.set_clocks(clocks, Instant::at(board.now));
    board.wait(3000);
    assert_eq!(left(&board, Color::White), 0);
    assert_eq!(board.brain.game().outcome(), None, "the flag is not this board's to call");
    board.hear(Event::Ended { outcome: Outcome::Win { winner: Color::Black, by: WinReason::Time } });
    let outcome = Outcome::Win { winner: Color::Black, by: WinReason::Time };
    assert_eq!(board.brain.game().outcome(), Some(outcome));
}
