//! Clocks that moves press.

use board::{Effect, Instant, Meaning};
use chess::{Color, Square};
use rules::{Start, Verdict, Why};
use wire::link::{ClockRule, Clocks, Event, GameInfo, Seat};

use crate::script::Board;

fn left(board: &Board, color: Color) -> u64 {
    board.surface.referee().clock().map_or(0, |clock| clock.left(color, Instant::at(board.now)))
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
    assert_eq!(board.surface.referee().clock().and_then(board::Clock::running), Some(Color::White));
}

#[test]
fn a_player_loses_on_time() {
    let mut board = Board::timed(30_000, 0);
    board.play("e2e4");
    assert!(board.shows(Meaning::LowTime).is_empty());
    board.wait(10_000);
    assert_eq!(board.shows(Meaning::LowTime), [Square::E8]);
    board.sent_events();
    board.wait(20_000);
    let verdict = Verdict::Won { winner: Color::White, why: Why::Time };
    assert_eq!(board.surface.play().verdict(), Some(verdict));
    assert_eq!(board.shows(Meaning::Flag), [Square::E8]);
    assert_eq!(board.sent_events(), [Event::Ended { verdict }]);
}

#[test]
fn time_against_a_bare_king_draws() {
    let fen = "4k3/7q/8/8/8/8/8/4K3 w - - 0 1";
    let mut board = Board::local(fen);
    let clock = Some(ClockRule { base_ms: 5_000, increment_ms: 0 });
    let position = Start::Chess(fen.parse().expect(fen));
    board.surface.begin(&position, &GameInfo { clock, ..GameInfo::LOCAL }, Instant::at(board.now));
    board.wait(20);
    board.play("e1d1");
    board.wait(6000);
    let verdict = Verdict::Drawn(Why::TimeAgainstBareKing);
    assert_eq!(board.surface.play().verdict(), Some(verdict));
}

#[test]
fn a_takeback_returns_the_turn_to_the_player() {
    let mut board = Board::timed(60_000, 0);
    board.play("e2e4");
    board.go(Square::E4, Square::E2);
    board.wait(500);
    assert_eq!(board.turn(), Color::White);
    assert_eq!(board.surface.referee().clock().and_then(board::Clock::running), None, "as before the first move");
    board.play("e2e4 e7e5");
    board.go(Square::E5, Square::E7);
    board.wait(500);
    assert_eq!(board.surface.referee().clock().and_then(board::Clock::running), Some(Color::Black));
}

/// What a new local game has after this game, which has come to an end on the start squares.
fn clock_of_the_next_game(seat: Seat, local: Option<ClockRule>) -> Option<ClockRule> {
    let mut board = Board::set_up();
    board.surface.set_local_clock(local);
    let clock = Some(ClockRule { base_ms: 180_000, increment_ms: 2_000 });
    let game = u64::from(seat != Seat::Both);
    board.surface.begin(&Start::CHESS, &GameInfo { game, seat, clock, ..GameInfo::LOCAL }, Instant::at(board.now));
    board.play("e2e4");
    board.receive(Event::Ended { verdict: Verdict::Drawn(Why::Agreement) });
    board.effects();
    board.go(Square::E4, Square::E2);
    board.wait(4_000);
    assert!(board.effects().contains(&Effect::Begin), "a new game has begun");
    assert_eq!(left(&board, Color::White), local.map_or(0, |rule| u64::from(rule.base_ms)));
    board.surface.referee().clock().map(board::Clock::rule)
}

#[test]
fn a_local_game_has_the_clock_of_the_owner_and_not_that_of_the_game_before() {
    let rule = ClockRule { base_ms: 300_000, increment_ms: 3_000 };
    for seat in [Seat::White, Seat::Both] {
        for local in [None, Some(rule)] {
            assert_eq!(clock_of_the_next_game(seat, local), local, "{seat:?}");
        }
    }
}

#[test]
fn a_clock_that_is_set_during_a_game_counts_from_the_next_one() {
    let mut board = Board::set_up();
    board.play("e2e4");
    board.surface.set_local_clock(Some(ClockRule { base_ms: 300_000, increment_ms: 3_000 }));
    board.play("e7e5");
    assert_eq!(board.surface.referee().clock(), None);
}

#[test]
fn in_a_remote_game_the_relay_decides_the_flag() {
    let mut board = Board::set_up();
    let clock = Some(ClockRule { base_ms: 60_000, increment_ms: 0 });
    let table = GameInfo { game: 1, seat: Seat::White, clock, ..GameInfo::LOCAL };
    board.surface.begin(&Start::CHESS, &table, Instant::at(board.now));
    let clocks = Clocks { white_ms: 1_000, black_ms: 9_000, running: Some(Color::White) };
    board.surface.set_clocks(clocks, Instant::at(board.now));
    board.wait(3000);
    assert_eq!(left(&board, Color::White), 0);
    assert_eq!(board.surface.play().verdict(), None, "the flag is not this board's to call");
    board.receive(Event::Ended { verdict: Verdict::Won { winner: Color::Black, why: Why::Time } });
    let verdict = Verdict::Won { winner: Color::Black, why: Why::Time };
    assert_eq!(board.surface.play().verdict(), Some(verdict));
}
